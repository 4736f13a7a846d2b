"""One number of a table as the screen says it: value, interval, what it rests on, or why there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gui.words import MINUS

NO_VALUE = "–"


@dataclass(frozen=True, slots=True)
class Number:
    """A value with its interval; `value` is None when it is undefined, and `reason` then says why.

    `units` is what it rests on (image sets, images), `raters` how many annotators, `excluded` the units
    that were left out, `categories` how many labels were offered.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    units: int = 0
    raters: int = 0
    excluded: int = 0
    categories: int = 0
    reason: str = ""

    @property
    def has_interval(self) -> bool:
        """Whether both ends of the interval are there."""
        return self.low is not None and self.high is not None

    @property
    def has_no_width(self) -> bool:
        """Whether both ends are one: every draw gave the same value."""
        return self.has_interval and self.low == self.high

    @property
    def leaves_zero_out(self) -> bool:
        """Whether the interval is wholly above or wholly below 0."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


NO_WIDTH = "no width: every draw gives the same value"
"""Said beside such an interval; it is no certainty, since what was not seen was not drawn either."""

UNDEFINED = Number(reason="not computed")


def number_of(row: Mapping[Any, Any]) -> Number:
    """A row of a result table as a number; empty cells are None."""
    return Number(
        finite(row.get("value")),
        finite(row.get("low")),
        finite(row.get("high")),
        whole(row.get("units", row.get("images"))),
        whole(row.get("annotators")),
        whole(row.get("excluded")),
        whole(row.get("categories", row.get("k"))),
        words(row.get("reason")),
    )


def finite(value: Any) -> float | None:
    """A float, or None where a table has an empty cell.

    >>> finite(float("nan")) is None, finite("") is None, finite(1)
    (True, True, 1.0)
    """
    if value is None or value == "":
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def whole(value: Any) -> int:
    """A whole number, 0 where a table has an empty cell."""
    number = finite(value)
    return 0 if number is None else int(number)


def words(value: Any) -> str:
    """A text, "" where a table has an empty cell."""
    return value if isinstance(value, str) else ""


def decimals(value: float | None, places: int = 2) -> str:
    """A number with so many decimals and a real minus sign; "–" without one.

    >>> decimals(-0.125), decimals(None), decimals(-0.001)
    ('−0.12', '–', '0.00')
    """
    if value is None:
        return NO_VALUE
    text = f"{value:.{places}f}"
    if float(text) == 0:
        return text.removeprefix("-")
    return text.replace("-", MINUS)


def signed(value: float | None, places: int = 2) -> str:
    """A difference with its sign.

    >>> signed(0.013), signed(-0.13), signed(0.0)
    ('+0.01', '−0.13', '0.00')
    """
    text = decimals(value, places)
    return f"+{text}" if value is not None and float(f"{value:.{places}f}") > 0 else text


def interval(number: Number, places: int = 2) -> str:
    """The two ends with a dash between them, with "to" where a minus sign would be misread; "" without.

    >>> interval(Number(0.5, 0.4, 0.6)), interval(Number(0.0, -0.1, 0.1)), interval(Number(0.5))
    ('0.40–0.60', '−0.10 to 0.10', '')
    """
    if number.low is None or number.high is None:
        return ""
    low, high = decimals(number.low, places), decimals(number.high, places)
    return f"{low} to {high}" if MINUS in low + high else f"{low}–{high}"


def percent(share: float | None) -> str:
    """A share in whole percent.

    >>> percent(0.4949), percent(None)
    ('49 %', '–')
    """
    return NO_VALUE if share is None else f"{math.floor(share * 100 + 0.5)} %"


def p_value(p: float | None) -> str:
    """A p value: two decimals, three below 0.1, and never 0.

    >>> p_value(0.41), p_value(0.034), p_value(0.00001), p_value(None)
    ('0.41', '0.034', '< 0.001', '–')
    """
    if p is None:
        return NO_VALUE
    if p < 0.001:
        return "< 0.001"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"
