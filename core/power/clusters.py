"""Counts of images that show a label when the images of a prompt resemble each other.

A prompt has its own share of images with the label, drawn from a beta distribution about the prevalence,
so its count is beta-binomial. Counts of many prompts are drawn by how many prompts have each count: exact,
and as quick for ten thousand prompts as for ten.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaln, xlog1py, xlogy

from core.statistics.arrays import Floats, Ints
from core.statistics.exact import log_choices

NEARLY = 1e-7
"""Shares this close to 0 or 1 are that: the beta function would say nothing but rounding."""


def prompt_law(images: int, prevalence: float, correlation: float) -> Floats:
    """Probability of each count of one prompt, 0 … images.

    Parameters
    ----------
    images : int
        Images of the prompt.
    prevalence : float
        Share of images with the label, 0..1.
    correlation : float
        Intraclass correlation rho of two images of the prompt, 0..1. The parameters of the beta
        distribution are p (1 - rho) / rho and (1 - p) (1 - rho) / rho [1]_.

    Returns
    -------
    ndarray, shape (images + 1,)
        With mean images × p and variance images × p (1 - p) (1 + (images - 1) rho).

    References
    ----------
    .. [1] Williams, D. A. (1975). The analysis of binary responses from toxicological experiments
       involving reproduction and teratogenicity. Biometrics 31(4), 949-952. doi:10.2307/2529820

    Examples
    --------
    >>> prompt_law(2, 0.5, 0.0).tolist(), prompt_law(2, 0.5, 1.0).tolist()
    ([0.25, 0.5, 0.25], [0.5, 0.0, 0.5])
    """
    k = np.arange(images + 1, dtype=np.float64)
    law = np.zeros(images + 1)
    if correlation >= 1.0 - NEARLY or min(prevalence, 1.0 - prevalence) <= NEARLY:
        law[0], law[-1] = 1.0 - prevalence, prevalence
        return law
    if correlation <= NEARLY:
        logs = log_choices(images) + xlogy(k, prevalence) + xlog1py(images - k, -prevalence)
    else:
        size = (1.0 - correlation) / correlation
        a, b = prevalence * size, (1.0 - prevalence) * size
        logs = log_choices(images) + betaln(k + a, images - k + b) - betaln(a, b)
    law = np.exp(logs)
    return np.asarray(law / law.sum(), dtype=np.float64)


def draw_counts(rng: np.random.Generator, law: Floats, prompts: int, replicates: int) -> Ints:
    """Images with the label over all prompts of a condition, one number a simulated study.

    Examples
    --------
    >>> draw_counts(np.random.default_rng(0), prompt_law(10, 1.0, 0.1), 6, 2).tolist()
    [60, 60]
    """
    return np.asarray(rng.multinomial(prompts, law, size=replicates) @ np.arange(law.size), dtype=np.int64)
