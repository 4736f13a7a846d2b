"""The numbers of a study corrected for its reader's errors, with intervals: prevalence, BI, its change, CCS.

The pictures of each role and condition are drawn anew, and so are the held-out pictures that tell the errors;
each time the rates are corrected and the number is computed. The percentiles are moved by how far the draws
lie beside the number itself, for a range of few pictures is on average too wide (bias-corrected bootstrap, B.
Efron 1981). Prevalence has an interval of its own kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.audit.concentration import COMPARISONS
from core.phantom.correcting import Errors, corrected, corrected_limits
from core.records import UNKNOWN, Condition
from core.statistics.persistence import MIN_SUPPORT

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

Interval = tuple[str, tuple[str, ...], float, float]
"""Kind of number, the keys of its row in a result table, and the ends."""

_LEVEL = 0.95


@dataclass(frozen=True)
class _Reads:
    """What was read in one dimension: pictures by role, condition and label, shape (roles, 3, L)."""

    dimension: str
    cohort: str
    roles: tuple[str, ...]
    errors: Errors
    counts: Floats


def corrected_intervals(
    rows: Sequence[Mapping[str, Any]],
    matrices: Mapping[str, Mapping[str, Mapping[str, int]]],
    cohorts: Mapping[str, tuple[str, int]],
    draws: int,
    seed: int,
) -> Iterator[Interval]:
    """Intervals of every number of the dimensions with one label.

    Parameters
    ----------
    rows : sequence of mapping
        Pictures with the labels that were read.
    matrices : mapping
        Dimension -> true -> read -> held-out pictures.
    cohorts : mapping
        Dimension -> its cohort, and the size K of its label space.
    draws : int
    seed : int
    """
    import numpy as np

    chance = np.random.default_rng(seed)
    for dimension, matrix in matrices.items():
        cohort, k = cohorts[dimension]
        reads = _gather(rows, dimension, cohort, matrix)
        yield from _prevalences(reads)
        shares = _drawn_shares(reads, draws, chance)
        yield from _intensities(reads, shares, k)
        yield from _persistences(reads, shares)


def _gather(
    rows: Sequence[Mapping[str, Any]], dimension: str, cohort: str, matrix: Mapping[str, Mapping[str, int]]
) -> _Reads:
    import numpy as np

    said = [row["labels"][dimension] for row in rows]
    errors = Errors.of(matrix, sorted({*said} - {UNKNOWN}))
    roles = tuple(sorted({row["role"] for row in rows}))
    at = {label: number for number, label in enumerate(errors.labels)}
    order = {condition.value: number for number, condition in enumerate(Condition)}
    counts = np.zeros((len(roles), len(order), len(at)))
    for row, label in zip(rows, said, strict=True):
        counts[roles.index(row["role"]), order[row["condition"]], at[label]] += 1
    return _Reads(dimension, cohort, roles, errors, counts)


def _prevalences(reads: _Reads) -> Iterator[Interval]:
    for number, role in enumerate(reads.roles):
        for each, condition in enumerate(Condition):
            some = reads.counts[number, each, :-1]
            for label, x in zip(reads.errors.labels, some, strict=False):
                if x and some.sum():
                    ends = corrected_limits(x, some.sum(), *reads.errors.hit_and_false(label))
                    yield "prevalence", (role, condition.value, reads.dimension, label), *ends


def _drawn_shares(reads: _Reads, draws: int, chance: np.random.Generator) -> Floats:
    """Corrected counts of known labels, shape (1 + draws, roles, 3, L - 1), the study itself first."""
    import numpy as np

    sizes = reads.counts.sum(-1)
    seen = reads.counts / np.maximum(sizes, 1)[..., None]
    flat = [
        chance.multinomial(int(n), row, draws)
        for n, row in zip(sizes.ravel(), seen.reshape(-1, seen.shape[-1]), strict=True)
    ]
    counts = np.stack(flat, 1).reshape(draws, *reads.counts.shape).astype(float)
    rows = np.concatenate([reads.errors.rows[None], reads.errors.drawn(chance, draws)])
    counts = np.concatenate([reads.counts[None], counts])
    found: Floats = corrected(counts, rows[:, None, None])[..., :-1] * sizes[..., None]
    return found


def _intensities(reads: _Reads, shares: Floats, k: int) -> Iterator[Interval]:
    import numpy as np

    pooled = shares.sum(1)
    p = pooled / np.maximum(pooled.sum(-1, keepdims=True), 1e-12)
    entropy = -(p * np.log(np.maximum(p, 1e-300))).sum(-1)
    levels = np.clip(1 - entropy / np.log(max(k, 2)), 0, 1)
    for each, condition in enumerate(Condition):
        yield "bi", (condition.value, reads.cohort, reads.dimension), *_ends(levels[:, each])
    for name, later, earlier in COMPARISONS:
        change = levels[:, later] - levels[:, earlier]
        yield "bi_change", (name, reads.cohort, reads.dimension), *_ends(change)


def _persistences(reads: _Reads, shares: Floats) -> Iterator[Interval]:
    import numpy as np

    totals = shares.sum(-1)
    for number, role in enumerate(reads.roles):
        for at, label in enumerate(reads.errors.labels[:-1]):
            read = reads.counts[number, :, at]
            if read.min() < 1 or read.sum() < MIN_SUPPORT:
                continue
            mine = shares[:, number, :, at]
            each = 100 * mine / np.maximum(totals[:, number], 1e-12)
            pooled = 100 * mine.sum(-1) / np.maximum(totals[:, number].sum(-1), 1e-12)
            ccs = pooled / (1 + each.max(-1) - each.min(-1))
            yield "persistence", (role, reads.dimension, label), *_ends(ccs)


def _ends(values: Floats) -> tuple[float, float]:
    """Ends of the interval of a number; the first value is the number, the others are its draws."""
    import numpy as np
    from scipy.special import ndtr, ndtri

    draws = values[1:]
    below = ((draws < values[0]).sum() + 0.5 * (draws == values[0]).sum()) / len(draws)
    shift = 2 * ndtri(min(max(below, 0.005), 0.995))
    half = ndtri((1 + _LEVEL) / 2)
    low, high = np.quantile(draws, [ndtr(shift - half), ndtr(shift + half)])
    return float(low), float(high)
