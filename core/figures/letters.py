"""Which fonts write which letters: matplotlib's own first, then what is installed and has the others.

A figure whose letters are all in `FONT` has the same bytes on every machine. Names and labels in Chinese,
Arabic or signs are written with installed fonts; a letter that none of them has stays a box, which the
caption says once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

FONT = "DejaVu Sans"
"""Comes with matplotlib, so that every machine has it."""

PREFERRED = (
    *("Noto Sans", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei"),
    *("Microsoft YaHei", "PingFang SC", "Hiragino Sans", "Yu Gothic", "Noto Sans CJK JP", "Malgun Gothic"),
    *("Apple SD Gothic Neo", "Noto Sans CJK KR", "Noto Sans Arabic", "Noto Sans Hebrew", "Segoe UI"),
    *("Noto Sans Devanagari", "Nirmala UI", "Noto Sans Thai", "Leelawadee UI", "Arial Unicode MS"),
    *("Noto Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Symbola", "Noto Sans Symbols 2"),
)
"""Families in the order in which they are asked; others follow by name."""

PICTURES = ("Noto Color Emoji", "Apple Color Emoji")
"""Fonts of pictures instead of outlines, which matplotlib cannot draw."""

MOST_NAMED, MOST_FONTS = 5, 400


def families_for(words: str) -> list[str]:
    """The families that write some words: `FONT`, and those that have what it has not."""
    return [FONT, *_further(_lacking(words))]


def without_letters(words: Iterable[str]) -> str:
    """The letters among some words that no installed font has, in their order in Unicode."""
    missing = _lacking("".join(words))
    found = [charmap for family in _further(missing) for charmap in (_charmap_of(family),)]
    return "".join(letter for letter in missing if not any(ord(letter) in one for one in found))


def boxes_sentence(title: str, data: pd.DataFrame) -> str:
    """What a caption says of letters that stay boxes; "" where there are none."""
    texts = [str(value) for name in data for value in data[name].unique() if isinstance(value, str)]
    missing = without_letters([title, *texts])
    if not missing:
        return ""
    named = ", ".join(f"U+{ord(letter):04X}" for letter in missing[:MOST_NAMED])
    more = ", …" if len(missing) > MOST_NAMED else ""
    return f"No font of this machine has {named}{more}: boxes stand for what it lacks."


@contextmanager
def boxes_without_warnings() -> Iterator[None]:
    """Let boxes be drawn in silence; the caption tells of them."""
    import warnings

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def _lacking(words: str) -> str:
    """The letters that `FONT` lacks, each once; signs that are not drawn are none."""
    if words.isascii():
        return ""
    own = _charmap_of(FONT)
    letters = sorted({letter for letter in words if unicodedata.category(letter)[0] not in "CZ"})
    return "".join(letter for letter in letters if ord(letter) not in own)


@lru_cache(maxsize=256)
def _further(missing: str) -> tuple[str, ...]:
    """Installed families that have as many of the letters as can be had, as few families as come first."""
    chosen: list[str] = []
    left = {ord(letter) for letter in missing}
    for family in _installed() if left else ():
        has = left & _charmap_of(family)
        if has:
            chosen.append(family)
            left -= has
        if not left:
            break
    return tuple(chosen)


def _installed() -> list[str]:
    from matplotlib.font_manager import fontManager

    names = {one.name for one in fontManager.ttflist if one.style == "normal"} - {FONT, *PICTURES}
    rank = {name: at for at, name in enumerate(PREFERRED)}
    return sorted(names, key=lambda name: (rank.get(name, len(rank)), name))[:MOST_FONTS]


@lru_cache(maxsize=64)
def _charmap_of(family: str) -> frozenset[int]:
    """The letters of a family's regular font; none of one that cannot be read."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    try:
        font: Any = get_font(findfont(FontProperties(family=family), fallback_to_default=False))
    except (OSError, RuntimeError, ValueError):
        return frozenset()
    return frozenset(font.get_charmap())
