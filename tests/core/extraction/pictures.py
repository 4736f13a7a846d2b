"""A truth such as a drawn picture has."""

from __future__ import annotations

from core.extraction.extractor import Truth

TRUTH: Truth = {
    "mood": ("calm",),
    "color_temperature": ("warm",),
    "dominant_colors": ("beige", "white", "blue"),
    "depth_of_field": ("deep",),
    "framing": ("medium",),
    "perspective": ("eye_level",),
    "items": ("oven", "bread basket"),
    "gender_presentation": ("female",),
    "skin_tone": ("medium",),
    "age_range": ("middle_aged",),
    "expression": ("smiling",),
    "activities": ("kneading dough",),
    "accessories": ("none",),
    "clothing_garment": ("apron",),
    "eyewear_present": ("yes",),
    "eyewear_type": ("eyeglasses",),
    "hair_present": ("no",),
    "n_persons": ("2",),
}
