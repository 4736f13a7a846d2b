"""Words and numbers as figures and tables for print write them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeGuard

MINUS, DASH, NARROW = "−", "–", "\u202f"

COMPARISONS = {"CA-U - CF": "CA-U − CF", "CA-R - CF": "CA-R − CF", "CA-U - CA-R": "CA-U − CA-R"}


def is_number(value: object) -> TypeGuard[float]:
    """Whether a cell holds a number: not empty, not nan.

    >>> is_number(0.5), is_number(float("nan")), is_number(None)
    (True, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def number(value: object, digits: int = 2) -> str:
    """A number with a minus sign and so many decimals; a dash for what is undefined.

    >>> number(-0.125, 3), number(None), number(-0.0001)
    ('−0.125', '–', '0.00')
    """
    if not is_number(value):
        return DASH
    text = f"{float(value):.{digits}f}"
    return text.lstrip("-") if not float(text) else text.replace("-", MINUS)


def interval(low: object, high: object, digits: int = 2) -> str:
    """ "0.72 to 0.83", or "" when there is none.

    >>> interval(0.7, 0.8), interval(None, 0.8)
    ('0.70 to 0.80', '')
    """
    if not (is_number(low) and is_number(high)):
        return ""
    return f"{number(low, digits)} to {number(high, digits)}"


def counted(amount: int, noun: str) -> str:
    """An amount and its noun.

    >>> counted(1, "image"), counted(66240, "image")
    ('1 image', '66\u202f240 images')
    """
    return f"{thousands(amount)} {noun}{'' if amount == 1 else 's'}"


def thousands(amount: int) -> str:
    """A whole number in groups of three from five digits on."""
    return f"{amount:,}".replace(",", NARROW) if abs(amount) >= 10_000 else str(amount)


def plain(name: str, names: Mapping[str, str] | None = None) -> str:
    """How a dimension is called: its name, else its id without underscores."""
    return (names or {}).get(name) or name.replace("_", " ")


def listed(words: Sequence[str]) -> str:
    """Words in one sentence.

    >>> listed(["CF", "CA-R", "CA-U"])
    'CF, CA-R and CA-U'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
