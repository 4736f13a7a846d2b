"""Shannon entropy of label counts, in nats: as counted, and corrected for few images.

The plug-in entropy of n images is too low by about (K - 1) / (2 n), so it makes the condition with the
fewest images look the most concentrated. Miller–Madow and Chao–Shen correct for that.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from core.statistics.arrays import Floats, counts_array

EntropyEstimator: TypeAlias = Literal["plugin", "miller_madow", "chao_shen"]


def entropies(counts: npt.ArrayLike, estimator: EntropyEstimator = "plugin") -> Floats:
    """Entropy of each row of counts.

    Parameters
    ----------
    counts : array_like, shape (..., K)
        Images or mentions per label; K labels. Zeros change nothing.
    estimator : {"plugin", "miller_madow", "chao_shen"}
        Plug-in [1]_, Miller–Madow [2]_ or Chao–Shen [3]_. The last two need whole counts.

    Returns
    -------
    ndarray, shape (...)
        Nats, not negative; nan in a row without any count (the callers turn it into a reason).

    Raises
    ------
    ValueError
        A negative or missing count, or an unknown estimator.

    References
    ----------
    .. [1] Shannon, C. E. (1948). A mathematical theory of communication. Bell System Technical
       Journal 27, 379-423.
    .. [2] Miller, G. A. (1955). Note on the bias of information estimates. In Information Theory in
       Psychology, 95-100.
    .. [3] Chao, A. & Shen, T.-J. (2003). Nonparametric estimation of Shannon's index of diversity when
       there are unseen species in sample. Environmental and Ecological Statistics 10, 429-443.

    Examples
    --------
    The counts of R's `entropy` package:

    >>> counts = [4, 2, 3, 0, 2, 4, 0, 0, 2, 1, 1]
    >>> [round(float(entropies(counts, name)), 3) for name in ("plugin", "miller_madow", "chao_shen")]
    [1.968, 2.153, 2.201]
    """
    x = counts_array(counts)
    if estimator == "plugin":
        return _plugin(x)
    if estimator == "miller_madow":
        return _miller_madow(x)
    if estimator == "chao_shen":
        return _chao_shen(x)
    raise ValueError(f"unknown entropy estimator {estimator!r}")


def _plugin(x: Floats) -> Floats:
    total = x.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.log(total) - xlogy(x, x).sum(axis=-1) / total  # [1]: -sum p log p with p = x / n
    return _or_nan(np.maximum(entropy, 0.0), total)


def _miller_madow(x: Floats) -> Floats:
    total = x.sum(axis=-1)
    observed = np.count_nonzero(x, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = _plugin(x) + (observed - 1) / (2 * total)  # [2]: m observed labels, (m - 1) / (2 n)
    return _or_nan(entropy, total)


def _chao_shen(x: Floats) -> Floats:
    total = x.sum(axis=-1, keepdims=True)
    singletons = np.count_nonzero(x == 1, axis=-1)[..., None].astype(np.float64)
    # With nothing but singletons the coverage would be 0; R's package then takes one off.
    singletons = np.where(singletons == total, total - 1, singletons)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (1 - singletons / total) * x / total  # [3] eq. 4: coverage times x / n
        seen = -np.expm1(total * np.log1p(-share))  # [3] eq. 6: 1 - (1 - p)^n, the chance of being seen
        terms = np.where(x > 0, xlogy(share, share) / np.where(x > 0, seen, 1.0), 0.0)
    return _or_nan(np.maximum(-terms.sum(axis=-1), 0.0), total[..., 0])


def _or_nan(entropy: Floats, total: Floats) -> Floats:
    return np.asarray(np.where(total > 0, entropy, np.nan), dtype=np.float64)
