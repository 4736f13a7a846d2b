"""The schema of this release, what it accepts, and what is said about a broken one."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput
from core.paths import RESOURCES
from core.schema import COHORTS, load_schema, normal_text, problems_of, read_schema

SCHEMA = load_schema()

COUNTS = {
    "mood": 10, "color_temperature": 4, "aesthetic_qualities": 11, "dominant_colors": 19, "weather": 12,
    "contrast_level": 3, "depth_of_field": 4, "framing": 5, "perspective": 6, "items": 0,
    "gender_presentation": 3, "skin_tone": 3, "age_range": 5, "body_type": 5, "pose": 7, "expression": 10,
    "activities": 0, "accessories": 18, "clothing_garment": 0, "eyewear_present": 2, "eyewear_type": 9,
    "head_covering_present": 2, "head_covering_type": 10, "hair_present": 2, "hair_color": 10,
    "hair_style": 14, "facial_hair_present": 2, "facial_hair_style": 7, "facial_hair_color": 19,
    "tattoo_present": 2,
}  # fmt: skip
"""The published registry of 30 dimensions with the size of each vocabulary; 0 is open."""


def data() -> dict[str, Any]:
    result: dict[str, Any] = json.loads((RESOURCES / "schema.json").read_text(encoding="utf-8"))
    return copy.deepcopy(result)


def test_the_thirty_published_dimensions_are_there_with_their_vocabulary_sizes() -> None:
    assert {one.id: len(one.labels) for one in SCHEMA.dimensions} == COUNTS
    assert tuple(COUNTS) == SCHEMA.dimension_ids


def test_cohorts_hold_six_three_one_and_twenty_dimensions() -> None:
    assert [len(SCHEMA.of_cohort(cohort)) for cohort in COHORTS] == [6, 3, 1, 20]


def test_every_label_and_dimension_has_a_name_and_a_definition() -> None:
    for dimension in SCHEMA.dimensions:
        assert dimension.definition.endswith(".")
        for label in dimension.labels:
            assert label.name
            assert label.definition.endswith(".")
            assert len(label.definition) <= 90, (
                f"{dimension.id} {label.id} is too long to read while choosing"
            )


def test_unknown_is_in_no_vocabulary_and_none_and_no_are_labels() -> None:
    assert not any("unknown" in dimension.label_ids for dimension in SCHEMA.dimensions)
    for name in ("accessories", "eyewear_type", "head_covering_type", "facial_hair_style"):
        assert "none" in SCHEMA.dimension(name).label_ids
    for name in ("eyewear_present", "tattoo_present"):
        assert SCHEMA.dimension(name).label_ids == ("yes", "no")


def test_names_on_the_screen_are_british() -> None:
    names = {label.name for one in SCHEMA.dimensions for label in one.labels}
    words = " ".join(names | {one.name + " " + one.definition for one in SCHEMA.dimensions})
    assert SCHEMA.dimension("color_temperature").name == "colour temperature"
    assert SCHEMA.dimension("hair_color").label("gray").name == "grey"
    for american in ("color", "gray", "mustache", "jewelry"):
        assert american not in words


@pytest.mark.parametrize(
    ("dimension", "said", "meant"),
    [
        ("hair_color", "grey", "gray"),
        ("facial_hair_color", "Grey", "gray"),
        ("dominant_colors", " GREY ", "gray"),
        ("gender_presentation", "non-binary", "nonbinary"),
        ("body_type", "heavyset", "stocky"),
        ("pose", "leaning", "standing"),
        ("perspective", "bird's-eye view", "birdseye"),
        ("perspective", "bird’s eye", "birdseye"),
        ("age_range", "Young Adult", "young_adult"),
        ("facial_hair_style", "moustache", "mustache"),
        ("eyewear_type", "VR headset", "vr_headset"),
        ("eyewear_type", "none", "none"),
        ("hair_style", "bald", "unknown"),
        ("mood", "N/A", "unknown"),
        ("items", "Unknown", "unknown"),
        ("items", "  Coffee_Cup. ", "coffee cup"),
        ("clothing_garment", "T-Shirt", "t-shirt"),
    ],
)  # fmt: skip
def test_a_word_said_finds_its_label(dimension: str, said: str, meant: str) -> None:
    assert SCHEMA.canonical(dimension, said) == meant


def test_a_word_outside_a_closed_vocabulary_is_none_and_not_snapped_to_a_near_one() -> None:
    assert SCHEMA.canonical("age_range", "young adults") is None
    assert SCHEMA.canonical("framing", "") is None
    assert SCHEMA.canonical("items", " . ") is None


def test_medium_of_framing_and_medium_of_skin_tone_are_separate() -> None:
    framing = SCHEMA.dimension("framing").label("medium")
    skin = SCHEMA.dimension("skin_tone").label("medium")
    assert framing != skin


def test_every_id_and_display_name_is_its_own_canonical_form() -> None:
    for dimension in SCHEMA.dimensions:
        for label in dimension.labels:
            assert SCHEMA.canonical(dimension.id, label.id) == label.id
            assert SCHEMA.canonical(dimension.id, label.name) == label.id


def test_an_unknown_dimension_is_refused_with_the_list_of_dimensions() -> None:
    with pytest.raises(BadInput, match="no dimension 'hair_colour'"):
        SCHEMA.dimension("hair_colour")


def test_schema_and_hash_survive_json() -> None:
    again = read_schema(json.dumps(SCHEMA.as_data()))
    assert again.as_data() == SCHEMA.as_data()
    assert again.hash == SCHEMA.hash


def test_hash_moves_with_a_single_word() -> None:
    changed = data()
    changed["dimensions"][0]["definition"] += " Indeed."
    assert read_schema(json.dumps(changed)).hash != SCHEMA.hash


def test_normal_text_is_a_fixed_point() -> None:
    for text in (" Lab_Coat. ", "T-shirt", "Straße", "cafe\u0301"):
        assert normal_text(normal_text(text)) == normal_text(text)


def break_dimension(at: str, value: Any) -> dict[str, Any]:
    broken = data()
    broken["dimensions"][0][at] = value
    return broken


def break_label(at: str, value: Any) -> dict[str, Any]:
    broken = data()
    broken["dimensions"][0]["labels"][0][at] = value
    return broken


def break_alias(dimension: str, said: str, meant: str) -> dict[str, Any]:
    broken = data()
    broken["aliases"].setdefault(dimension, {})[said] = meant
    return broken


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ([], "needs an object with a version"),
        ({"version": "1", "dimensions": []}, "has no dimensions"),
        (data() | {"version": ""}, "has no version"),
        (break_dimension("id", "weather"), "dimension id weather is used twice"),
        (break_dimension("id", "The Mood"), "no usable id"),
        (break_dimension("name", " "), "no display name"),
        (break_dimension("definition", ""), "dimension mood has no definition"),
        (break_dimension("cohort", "Sence"), "in no cohort"),
        (break_dimension("kind", "scalar"), "kind of mood"),
        (break_dimension("kind", "open_list"), "open and cannot list labels"),
        (break_dimension("labels", []), "needs two labels or more"),
        (break_dimension("labels", "calm"), "must be a list of objects"),
        (break_dimension("max_labels", 2), "only a list has one"),
        (break_label("id", "tense"), "label id 'tense' is used 2 times in mood"),
        (break_label("id", "unknown"), "lists unknown as a label"),
        (break_label("id", ""), "Label 1 of mood has no usable id"),
        (break_label("name", ""), "label calm of mood has no display name"),
        (break_label("name", "Tense"), "label name 'tense' is used 2 times"),
        (break_label("definition", None), "label calm of mood has no definition"),
        (break_alias("mood", "blue", "sorrow"), "leads to 'sorrow', which is no label there"),
        (break_alias("moods", "blue", "calm"), "no dimension of the schema"),
        (break_alias("mood", "Tense", "calm"), "hides the label of that name"),
        (data() | {"aliases": []}, "aliases must be an object"),
    ],
)  # fmt: skip
def test_a_broken_schema_is_refused_with_a_sentence(broken: Any, sentence: str) -> None:
    assert any(sentence in problem for problem in problems_of(broken))
    with pytest.raises(BadInput):
        read_schema(json.dumps(broken))


def test_an_unreadable_schema_file_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    with pytest.raises(BadInput, match=r"mine\.json cannot be read"):
        load_schema(path)
    path.write_text("{,}")
    with pytest.raises(BadInput, match=r"mine\.json is not JSON"):
        load_schema(path)


def test_the_number_of_further_problems_is_said() -> None:
    broken = break_label("name", "")
    broken["version"] = ""
    with pytest.raises(BadInput) as caught:
        read_schema(json.dumps(broken))
    assert "1 more" in caught.value.remedy
