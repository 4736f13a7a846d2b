"""Counts of two sides as Bland and Altman plot them: each difference against the mean of both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gui.models.number import Number, decimals, interval, signed
from gui.words import counted


@dataclass(frozen=True, slots=True)
class Dot:
    """Image sets with the same pair of counts: mean of both, second minus first."""

    mean: float
    difference: float
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differences:
    """All dots, the mean difference with its interval, and the limits most differences lie in."""

    dots: tuple[Dot, ...]
    bias: Number
    limits: tuple[float, float] | None
    pairs: int
    who: str

    @property
    def sentence(self) -> str:
        """The plot in words."""
        if self.bias.value is None:
            return f"{self.who}: {self.bias.reason or 'no pair of counts'}."
        ends = f" ({interval(self.bias)})" if self.bias.has_interval else ""
        said = f"{self.who}: {signed(self.bias.value)} images on average{ends}"
        if self.limits is not None:
            low, high = self.limits
            said += f"; 95 % of differences are expected from {signed(low)} to {signed(high)}"
        return f"{said}. {counted(self.pairs, 'image set')} with the same label."

    def dot_words(self, at: int) -> str:
        """One dot in words."""
        dot = self.dots[at]
        many = counted(len(dot.keys), "image set")
        return f"mean {decimals(dot.mean, 1)}, difference {signed(dot.difference)}: {many}"


def differences_of(rows: Iterable[tuple[str, float, float]], who: str) -> Differences:
    """From (image set, first count, second count); call it off the GUI thread.

    Parameters
    ----------
    rows : iterable
        Image sets on which both sides chose the same label and counted.
    who : str
        "B minus A".
    """
    from core.statistics.bland_altman import bland_altman

    rows = list(rows)
    found = bland_altman([second for _, _, second in rows], [first for _, first, _ in rows])
    places: dict[tuple[float, float], list[str]] = {}
    for key, first, second in rows:
        places.setdefault(((first + second) / 2, second - first), []).append(key)
    dots = tuple(Dot(*place, tuple(keys)) for place, keys in sorted(places.items()))
    bias = Number(found.bias.value, found.bias.low, found.bias.high, len(rows), reason=found.bias.reason)
    low, high = found.lower.value, found.upper.value
    limits = (low, high) if low is not None and high is not None else None
    return Differences(dots, bias, limits, len(rows), who)
