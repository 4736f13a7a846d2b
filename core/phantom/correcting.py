"""Rates corrected for the errors of who read them, by a matrix of what each label is read as.

The share of pictures that were read as r is the sum over true labels t of p(t) times P(read r | true t). The
corrected shares p are the likeliest ones that are shares (expectation maximisation, so never below 0 as an
inverted matrix would give them).

Source: W. J. Rogan and B. Gladen (1978), Estimating prevalence from the results of a screening test; the
interval is that of Z. Lang and J. Reiczigel (2014), Confidence limits for prevalence of disease adjusted for
estimated sensitivity and specificity, which allows for the errors' being estimates themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.records import UNKNOWN

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

_STEPS = 60
_Z = 1.959964


@dataclass(frozen=True)
class Errors:
    """What the labels of one dimension were read as, in counts of held-out pictures.

    Attributes
    ----------
    labels : tuple of str
        True labels and read labels alike, `unknown` last.
    counts : array, shape (L, L)
        Pictures by true label (row) and read label.
    """

    labels: tuple[str, ...]
    counts: Floats

    @classmethod
    def of(cls, matrix: Mapping[str, Mapping[str, int]], more: Sequence[str] = ()) -> Errors:
        """From true -> read -> pictures; labels in `more` that were not held out are read rightly."""
        import numpy as np

        read = {label for row in matrix.values() for label in row}
        labels = (*sorted({*matrix, *read, *more} - {UNKNOWN}), UNKNOWN)
        counts = np.array([[matrix.get(true, {}).get(each, 0) for each in labels] for true in labels], float)
        return cls(labels, counts)

    @property
    def rows(self) -> Floats:
        """P(read | true), shape (L, L)."""
        return _shares(self.counts)

    def drawn(self, chance: np.random.Generator, times: int) -> Floats:
        """P(read | true) of as many pictures held out anew, shape (times, L, L)."""
        import numpy as np

        rows, sizes = self.rows, self.counts.sum(1).astype(int)
        parts = [chance.multinomial(max(n, 1), row, times) for n, row in zip(sizes, rows, strict=True)]
        return _shares(np.stack(parts, 1).astype(float))

    def hit_and_false(self, label: str) -> tuple[tuple[float, float], tuple[float, float]]:
        """Of the pictures read at all: read as the label and number of those that show it; same of others."""
        at = self.labels.index(label)
        known = self.counts[:-1, :-1]
        there, others = known[at].sum(), known.sum() - known[at].sum()
        return (known[at, at], there), (known[:, at].sum() - known[at, at], others)


def _shares(counts: Floats) -> Floats:
    """Rows that sum to 1; a row of nothing is read rightly."""
    import numpy as np

    total = counts.sum(-1, keepdims=True)
    found: Floats = np.where(total > 0, counts / np.maximum(total, 1), np.eye(counts.shape[-1]))
    return found


def corrected(counts: Floats, rows: Floats) -> Floats:
    """The likeliest true shares.

    Parameters
    ----------
    counts : array, shape (..., L)
        Pictures by read label.
    rows : array, shape (..., L, L)
        P(read | true); must broadcast against `counts`.

    Returns
    -------
    array, shape (..., L)
        Shares of true labels; even where nothing was read.

    Examples
    --------
    A reader that takes one of five a for b, and never b for a:

    >>> import numpy as np
    >>> corrected(np.array([40.0, 60.0]), np.array([[0.8, 0.2], [0.0, 1.0]])).round(3).tolist()
    [0.5, 0.5]
    """
    import numpy as np

    found = np.full(np.broadcast_shapes(counts.shape, (*rows.shape[:-2], 1)), 1 / counts.shape[-1])
    seen = counts / np.maximum(counts.sum(-1, keepdims=True), 1e-12)
    for _ in range(_STEPS):
        foretold = np.einsum("...t,...tr->...r", found, rows)
        found = found * np.einsum("...r,...tr->...t", seen / np.maximum(foretold, 1e-12), rows)
    whole: Floats = found / np.maximum(found.sum(-1, keepdims=True), 1e-12)
    return whole


def corrected_limits(
    x: float, n: float, hits: tuple[float, float], false: tuple[float, float]
) -> tuple[float, float]:
    """Interval of 95 % of a corrected share.

    Parameters
    ----------
    x, n : float
        Pictures read as the label, and read at all.
    hits, false : pair of float
        Of the held-out pictures that show the label, and of those that do not: how many were read as the
        label, and how many there are.
    """
    size = n + _Z**2
    share = (x + _Z**2 / 2) / size
    n_hit, n_false = hits[1] + 2, false[1] + 2
    sensitivity, specificity = (hits[0] + 1) / n_hit, 1 - (false[0] + 1) / n_false
    reach = max(sensitivity + specificity - 1, 1e-6)
    middle = (share + specificity - 1) / reach
    of_hits = sensitivity * (1 - sensitivity) / n_hit
    of_false = specificity * (1 - specificity) / n_false
    shift = 2 * _Z**2 * (middle * of_hits - (1 - middle) * of_false)
    spread = share * (1 - share) / size + (1 - middle) ** 2 * of_false + middle**2 * of_hits
    half = _Z * spread**0.5 / reach
    low, high = middle + shift - half, middle + shift + half
    return min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)
