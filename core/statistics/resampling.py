"""Cluster bootstrap and jackknife: whole roles (or prompts) are drawn or left out.

A draw is a row of weights, how often each cluster was drawn; weights times counts per cluster give the
replicate's counts, for all labels at once. One matrix of weights serves every condition and generator, so
that whatever is compared is paired. The intervals made of it are in `core.statistics.bca`, what leaving
one cluster out says in `core.statistics.jackknife`; both can be had from here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.statistics.arrays import Ints
from core.statistics.bca import Interval, Intervals, bca_interval, bca_intervals, jackknife_intervals
from core.statistics.jackknife import jackknife_se, jackknife_ses, leave_one_out

__all__ = [
    "FEWEST_CLUSTERS",
    "FEW_CLUSTERS",
    "NO_BOOTSTRAP",
    "Interval",
    "Intervals",
    "bca_interval",
    "bca_intervals",
    "cluster_weights",
    "jackknife_intervals",
    "jackknife_se",
    "jackknife_ses",
    "leave_one_out",
]

FEWEST_CLUSTERS = 5
"""Below this many clusters a bootstrap has too few distinct draws to say anything."""

NO_BOOTSTRAP = "no interval: bootstrap switched off"
FEW_CLUSTERS = f"no interval: fewer than {FEWEST_CLUSTERS} clusters"


def cluster_weights(names: Sequence[str], replicates: int, *, rng: np.random.Generator) -> Ints:
    """How often each cluster is drawn, one row a replicate; each row sums to the number of clusters.

    Parameters
    ----------
    names : sequence of str, length C
        Names of the clusters, without repetition. The draws belong to the names, so their order here
        (which rows of a table set) changes nothing.
    replicates : int
        Number of draws B.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    ndarray of int, shape (B, C)

    Raises
    ------
    ValueError
        No cluster, or a name given twice.

    Examples
    --------
    >>> one = cluster_weights(["nurse", "baker"], 3, rng=np.random.default_rng(0))
    >>> other = cluster_weights(["baker", "nurse"], 3, rng=np.random.default_rng(0))
    >>> bool((one == other[:, ::-1]).all()), one.sum(axis=1).tolist()
    (True, [2, 2, 2])
    """
    size = len(names)
    if size == 0 or len(set(names)) != size:
        raise ValueError("clusters need names without repetition")
    drawn = rng.integers(0, size, size=(replicates, size))
    flat = drawn + size * np.arange(replicates)[:, None]
    by_rank = np.bincount(flat.ravel(), minlength=replicates * size).reshape(replicates, size)
    rank = np.empty(size, dtype=np.int64)
    rank[np.argsort(np.array(names, dtype=object), kind="stable")] = np.arange(size)
    return np.asarray(by_rank[:, rank], dtype=np.int64)
