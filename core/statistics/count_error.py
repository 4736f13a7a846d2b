"""How far counts are from counts taken as the reference: mean absolute error, bias, root mean square."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from core.statistics.arrays import Floats
from core.statistics.estimate import Estimate, undefined
from core.statistics.measurements import pair_of
from core.statistics.unit_sums import UnitSums, mean_of_defined


@dataclass(frozen=True, slots=True)
class CountError:
    """Errors are count minus reference, in the unit of the counts (images of a set of ten)."""

    mean_absolute_error: Estimate
    bias: Estimate
    root_mean_square: Estimate


def count_error(reference: npt.ArrayLike, count: npt.ArrayLike) -> CountError:
    """Error of counts against a reference.

    Parameters
    ----------
    reference, count : array_like of float, shape (N,)
        Counts of the same N image sets (0–10 images); nan is missing, 0 is a count. A pair that misses
        one is left out, which the reason says.

    Returns
    -------
    CountError
        Mean absolute error and bias with 95 % t intervals, and the root mean square error. `n` is the
        number of pairs; None without a pair.

    Notes
    -----
    With ``e_i = count_i - reference_i``: ``mean |e|``, ``mean e``, ``sqrt(mean e**2)``.

    Examples
    --------
    >>> error = count_error([10, 8, 5, None], [9, 8, 7, 4])
    >>> error.mean_absolute_error.value, round(error.bias.value, 4), error.bias.n
    (1.0, 0.3333, 3)
    """
    pairs, note = pair_of(reference, count)
    n = pairs.shape[0]
    if n == 0:
        nothing = undefined("; ".join(filter(None, ["no pair of counts", note])))
        return CountError(nothing, nothing, nothing)
    error = pairs[:, 1] - pairs[:, 0]
    return CountError(
        mean_absolute_error=_mean(np.abs(error), "mean absolute error", note, floor=0.0),
        bias=_mean(error, "mean error, count minus reference", note),
        root_mean_square=Estimate(
            math.sqrt(float(np.square(error).mean())), reason=note, n=n, method="root mean square error"
        ),
    )


def mean_absolute_error_sums(pairs: Sequence[tuple[Floats, Floats]]) -> UnitSums:
    """Mean absolute difference averaged over the given pairs of columns, as sums over units."""
    return _over_pairs(pairs, absolute=True)


def bias_sums(reference: Floats, count: Floats) -> UnitSums:
    """Mean error, count minus reference, as sums over units."""
    return _over_pairs([(reference, count)], absolute=False)


def _over_pairs(pairs: Sequence[tuple[Floats, Floats]], *, absolute: bool) -> UnitSums:
    columns = []
    for reference, count in pairs:
        both = np.isfinite(reference) & np.isfinite(count)
        error = np.where(both, np.nan_to_num(count) - np.nan_to_num(reference), 0.0)
        columns += [both.astype(np.float64), np.abs(error) if absolute else error]

    def mean(sums: Floats) -> Floats:
        return mean_of_defined(sums[:, 1::2] / sums[:, 0::2], axis=1)

    return UnitSums(np.column_stack(columns), mean)


def _mean(values: Floats, method: str, note: str, floor: float | None = None) -> Estimate:
    n, value = len(values), float(values.mean())
    error = float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else 0.0
    if error == 0.0:
        note = "; ".join(filter(None, [note, "no interval: the errors do not vary"]))
        return Estimate(value, reason=note, n=n, method=method)
    half = float(stats.t.ppf(0.975, n - 1)) * error
    low = value - half if floor is None else max(value - half, floor)
    return Estimate(value, reason=note, low=low, high=value + half, n=n, method=f"{method}; t interval")
