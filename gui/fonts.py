"""Text and lengths: the system's own font in the sizes of the design, all multiples of one scale.

A length of the design is given in px at 100 %; `px(28)` is that length at the current scale. Widgets
that paint ask `font(...)` and `px(...)` while painting or laying out, so that a new scale is a repaint.
"""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF

BODY = 13
SMALLEST_SCALE, LARGEST_SCALE = 0.8, 2.0

_PREFERRED = ("Cantarell", "Ubuntu", "Noto Sans", "Open Sans", "DejaVu Sans")
"""Asked in this order where the desktop names no font of its own."""

_GENERIC = ("", "sans", "sans serif", "sans-serif", "dejavu sans", "bitstream vera sans")

_scale = 1.0
_family = ""


def scale() -> float:
    """The current scale, 0.8 to 2."""
    return _scale


def set_scale(value: float) -> None:
    """Change the scale within 80–200 %; only `gui.theme` calls this."""
    global _scale
    _scale = min(max(value, SMALLEST_SCALE), LARGEST_SCALE)
    font.cache_clear()
    fixed_font.cache_clear()


def adopt_system_font(system: QFont) -> None:
    """Take the desktop's family, or the best installed sans where the desktop names none."""
    global _family
    family = QFontInfo(system).family()
    if system.family().lower() in _GENERIC or family.lower() in _GENERIC:
        installed = set(QFontDatabase.families())
        family = next((name for name in _PREFERRED if name in installed), family)
    # A name with a dot is one that macOS keeps to itself: asked for by it, Qt would find another font.
    _family = "" if family.startswith(".") else family
    font.cache_clear()


def px(length: float) -> int:
    """A length of the design at the current scale, in whole px."""
    return round(length * _scale)


@lru_cache(maxsize=64)
def font(size: float = BODY, is_bold: bool = False) -> QFont:
    """The text font in a design size, weight 400 or 600, with tabular digits where it has them."""
    made = QFont(_family) if _family else QFont()
    made.setPixelSize(max(px(size), 1))
    made.setWeight(QFont.Weight.DemiBold if is_bold else QFont.Weight.Normal)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


@lru_cache(maxsize=16)
def fixed_font(size: float = 12) -> QFont:
    """The fixed-width font, for ids and paths."""
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    made.setPixelSize(max(px(size), 1))
    return made


def width_of(text: str, size: float = BODY, is_bold: bool = False) -> int:
    """Width of a text in px, rounded up, so that bars and columns get widths from the font."""
    return int(QFontMetricsF(font(size, is_bold)).horizontalAdvance(text) + 0.999)
