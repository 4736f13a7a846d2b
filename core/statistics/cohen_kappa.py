"""Cohen's kappa of two raters, weighted or not, and its mean over all pairs of raters (Light)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy import stats

from core.statistics.arrays import Floats, Ints
from core.statistics.category_weights import Weights, disagreement, name_of, similarity
from core.statistics.estimate import Estimate, undefined
from core.statistics.ratings import NO_SHARED_UNIT, ONE_CATEGORY, checked, one_hot
from core.statistics.unit_sums import CERTAIN, UnitSums, chance_corrected, mean_of_defined


def cohen_kappa(
    ratings: npt.ArrayLike,
    categories: int,
    weights: Weights = "none",
    order: Sequence[int] | None = None,
) -> Estimate:
    """Agreement of two raters beyond what their own label frequencies would give.

    Parameters
    ----------
    ratings : array_like of int, shape (U, 2)
        Category code of each unit by each rater; -1 is missing. A unit one of them left out is not used.
    categories : int
        Number of categories offered. A category nobody used does not change the unweighted value.
    weights, order
        Cost of disagreement and order of the categories, as in `category_weights.disagreement`. Linear
        and quadratic weights require the order.

    Returns
    -------
    Estimate
        At most 1, with a 95 % interval from the large-sample standard error; `n` is the number of units
        both answered. None when both gave one and the same category throughout. When only one of them is
        constant the value is 0, whatever the raw agreement.

    Notes
    -----
    ``kappa = 1 - sum_ij v_ij p_ij / sum_ij v_ij p_i. p_.j`` with costs v_ij: [1]_ for v = 1 off the
    diagonal, [2]_ otherwise. Standard error: [3]_, eq. 8-10.

    References
    ----------
    .. [1] Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological
       Measurement 20(1), 37-46. doi:10.1177/001316446002000104
    .. [2] Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70(4), 213-220. doi:10.1037/h0026256
    .. [3] Fleiss, J. L., Cohen, J., & Everitt, B. S. (1969). Large sample standard errors of kappa and
       weighted kappa. Psychological Bulletin 72(5), 323-327. doi:10.1037/h0028106

    Examples
    --------
    >>> round(cohen_kappa([[0, 0], [0, 1], [1, 1], [1, 1]], 2).value, 3)
    0.5
    """
    return kappa_of_table(pair_table(_pair(ratings, categories), categories), weights, order)


def kappa_of_table(
    table: npt.ArrayLike, weights: Weights = "none", order: Sequence[int] | None = None
) -> Estimate:
    """Cohen's kappa from the table of two raters (rows: first rater), of counts.

    Parameters
    ----------
    table : array_like, shape (Q, Q)
        Number of units the first rater put in category i and the second in category j.
    weights, order
        As in `cohen_kappa`.

    Examples
    --------
    >>> round(kappa_of_table([[20, 5], [10, 15]]).value, 2)
    0.4
    """
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise ValueError(f"a table of two raters is square; this one has shape {counts.shape}")
    size, n = counts.shape[0], float(counts.sum())
    method = f"Cohen kappa, {name_of(weights)}"
    cost = disagreement(weights, size, order)
    if n == 0:
        return undefined(NO_SHARED_UNIT, method=method)
    p = counts / n
    chance = float((cost * np.outer(p.sum(axis=1), p.sum(axis=0))).sum())
    if chance < CERTAIN:
        return undefined(ONE_CATEGORY, n=round(n), method=method)
    value = 1.0 - float((cost * p).sum()) / chance
    error = kappa_standard_error(counts, weights, order)
    if error < 1e-9:
        return Estimate(value, reason="no interval: the units do not vary", n=round(n), method=method)
    half = float(stats.norm.ppf(0.975)) * error
    return Estimate(
        value,
        low=value - half,
        high=min(value + half, 1.0),
        n=round(n),
        method=f"{method}; normal interval, Fleiss–Cohen–Everitt standard error",
    )


def kappa_standard_error(
    table: npt.ArrayLike, weights: Weights = "none", order: Sequence[int] | None = None
) -> float:
    """Large-sample standard error of kappa (not the one under independence); nan where kappa is undefined.

    Parameters
    ----------
    table : array_like, shape (Q, Q)
        Counts of two raters, rows for the first.
    weights, order
        As in `cohen_kappa`.

    Notes
    -----
    Fleiss, Cohen & Everitt (1969), eq. 10, with similarity weights w = 1 - cost / largest cost.

    Examples
    --------
    >>> round(kappa_standard_error([[20, 5], [10, 15]]), 3)
    0.127
    """
    counts = np.asarray(table, dtype=np.float64)
    n = float(counts.sum())
    if n == 0:
        return math.nan
    p = counts / n
    w = similarity(weights, counts.shape[0], order)
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    observed, expected = float((w * p).sum()), float((w * np.outer(rows, columns)).sum())
    if 1.0 - expected < CERTAIN:
        return math.nan
    mean_weight = (w @ columns)[:, None] + (rows @ w)[None, :]
    inner = float((p * np.square(w * (1.0 - expected) - mean_weight * (1.0 - observed))).sum())
    outer = (observed * expected - 2.0 * expected + observed) ** 2
    return math.sqrt(max(inner - outer, 0.0) / n) / (1.0 - expected) ** 2


def cohen_kappa_pairs(
    ratings: npt.ArrayLike,
    categories: int,
    weights: Weights = "none",
    order: Sequence[int] | None = None,
) -> dict[tuple[int, int], Estimate]:
    """Cohen's kappa of every pair of raters, by their column numbers.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing. Each pair uses the units both answered.
    categories : int
        Number of categories offered.
    weights, order
        As in `cohen_kappa`.

    Examples
    --------
    >>> pairs = cohen_kappa_pairs([[0, 0, 1], [1, 1, 1], [0, 0, 0]], 2)
    >>> sorted((pair, round(k.value, 2)) for pair, k in pairs.items())
    [((0, 1), 1.0), ((0, 2), 0.4), ((1, 2), 0.4)]
    """
    matrix = checked(ratings, categories)
    return {
        (a, b): cohen_kappa(matrix[:, [a, b]], categories, weights, order)
        for a, b in combinations(range(matrix.shape[1]), 2)
    }


def cohen_kappa_mean(
    ratings: npt.ArrayLike,
    categories: int,
    weights: Weights = "none",
    order: Sequence[int] | None = None,
) -> Estimate:
    """Light's kappa: the mean of Cohen's kappa over all pairs of raters that have one.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing.
    categories : int
        Number of categories offered.
    weights, order
        As in `cohen_kappa`.

    Returns
    -------
    Estimate
        `n` is the number of pairs averaged; the reason names pairs left out because they have no kappa.
        None when no pair has one. There is no interval: resample units for one.

    References
    ----------
    .. [1] Light, R. J. (1971). Measures of response agreement for qualitative data: some generalizations
       and alternatives. Psychological Bulletin 76(5), 365-377. doi:10.1037/h0031643

    Examples
    --------
    >>> round(cohen_kappa_mean([[0, 0, 1], [1, 1, 1], [0, 0, 0]], 2).value, 2)
    0.6
    """
    pairs = cohen_kappa_pairs(ratings, categories, weights, order)
    values = [pair.value for pair in pairs.values() if pair.value is not None]
    method = f"mean over pairs of raters, {name_of(weights)} (Light)"
    if not values:
        reasons = {pair.reason for pair in pairs.values()} or {"fewer than two raters"}
        return undefined("; ".join(sorted(reasons)), method=method)
    left_out = len(pairs) - len(values)
    reason = f"{left_out} of {len(pairs)} pairs have no kappa and are left out" if left_out else ""
    return Estimate(math.fsum(values) / len(values), reason=reason, n=len(values), method=method)


def pair_table(ratings: Ints, categories: int) -> Floats:
    """Counts of the answers of two raters to the units both answered, shape (Q, Q)."""
    both = ratings[(ratings >= 0).all(axis=1)]
    table = np.zeros((categories, categories))
    np.add.at(table, (both[:, 0], both[:, 1]), 1.0)
    return table


def cohen_kappa_sums(ratings: Ints, categories: int) -> UnitSums:
    """Mean pairwise unweighted kappa as sums over units (for two raters, kappa), for resampling."""
    pairs = [(ratings[:, a], ratings[:, b]) for a, b in combinations(range(ratings.shape[1]), 2)]
    return kappa_over_pairs(pairs, categories)


def kappa_over_pairs(pairs: Sequence[tuple[Ints, Ints]], categories: int) -> UnitSums:
    """Mean of kappa over the given pairs of columns that have one, as sums over units.

    Features of a pair: units both answered, units with the same answer, and the sum over categories of
    the product of the two raters' counts.
    """
    width = 2 + 2 * categories

    def features(sums: Floats) -> Floats:
        blocks = sums.reshape(len(sums), len(pairs), width)
        first, second = blocks[:, :, 2 : 2 + categories], blocks[:, :, 2 + categories :]
        by_chance = np.einsum("bpk,bpk->bp", first, second)
        return np.concatenate([blocks[:, :, 0], blocks[:, :, 1], by_chance], axis=1)

    def mean(found: Floats) -> Floats:
        both, same, by_chance = np.split(found, 3, axis=1)
        return mean_of_defined(chance_corrected(same / both, by_chance / np.square(both)), axis=1)

    terms = [_pair_terms(first, second, categories) for first, second in pairs]
    return UnitSums(np.concatenate(terms, axis=1), mean, features)


def agreement_over_pairs(pairs: Sequence[tuple[Ints, Ints]], categories: int) -> UnitSums:
    """Mean raw agreement over the given pairs of columns that share a unit, as sums over units."""
    both = np.column_stack([(a >= 0) & (b >= 0) for a, b in pairs])
    same = both & np.column_stack([a == b for a, b in pairs])

    def mean(sums: Floats) -> Floats:
        shared, alike = np.split(sums, 2, axis=1)
        return mean_of_defined(alike / shared, axis=1)

    return UnitSums(np.concatenate([both, same], axis=1).astype(np.float64), mean)


def _pair_terms(first: Ints, second: Ints, categories: int) -> Floats:
    """Columns: both answered, same answer, categories of the first, categories of the second."""
    both = (first >= 0) & (second >= 0)
    return np.column_stack(
        [
            *(both.astype(np.float64), (both & (first == second)).astype(np.float64)),
            *(one_hot(np.where(both, codes, -1), categories) for codes in (first, second)),
        ]
    )


def _pair(ratings: npt.ArrayLike, categories: int) -> Ints:
    matrix = checked(ratings, categories)
    if matrix.shape[1] != 2:
        raise ValueError(f"Cohen's kappa is for two raters; these are {matrix.shape[1]}")
    return matrix
