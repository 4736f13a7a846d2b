"""The one result of every statistic: a value, or the reason why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with what is needed to read it.

    Undefined is `value=None` with a `reason`, never 0, 1 or nan. A reason may also stand beside a value:
    it then says what is particular about it (an interval that had to fall back, say).

    Parameters
    ----------
    value : float or None
        The number; None when the statistic is undefined for these data.
    reason : str
        Why there is no value, or what is particular about it.
    low, high : float or None
        Ends of the interval, where there is one.
    n : int
        Units the value rests on (images, clusters, pairs: the statistic says which).
    method : str
        How value and interval were computed, e.g. "wilson" or "bca".
    space : str
        The label space, where the value depends on one.

    Raises
    ------
    ValueError
        A value of None without a reason, or a value or end that is not finite.

    Examples
    --------
    >>> Estimate(0.25, low=0.1, high=0.4, n=20, method="wilson").value
    0.25
    >>> Estimate(None, reason="no usable image").is_defined
    False
    """

    value: float | None
    reason: str = ""
    low: float | None = None
    high: float | None = None
    n: int = 0
    method: str = ""
    space: str = ""

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("an undefined value needs a reason")
        for name in ("value", "low", "high"):
            number = getattr(self, name)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{name} is {number}; undefined is None with a reason")

    @property
    def is_defined(self) -> bool:
        """Whether there is a value."""
        return self.value is not None


def undefined(reason: str, *, n: int = 0, method: str = "", space: str = "") -> Estimate:
    """An estimate without a value, and why.

    Examples
    --------
    >>> undefined("no usable image").reason
    'no usable image'
    """
    return Estimate(None, reason=reason, n=n, method=method, space=space)
