"""Images of one seed resemble each other across prompts: how much, and what that adds to a variance.

Prompts and seeds are crossed: every prompt has its images from the same few seeds. A variance over prompts
sees how unlike the prompts are and not that all of them may have drawn unusual seeds. What it misses is the
covariance of images that share a seed and no prompt. Its estimate is that of analysis of variance where
every prompt has every seed, and unbiased where some have not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from core.statistics.arrays import Floats, Ints


@dataclass(frozen=True, slots=True)
class SeedSums:
    """Sums over pairs of images with the same seed and different prompts, by the conditions of the two.

    `products` (..., C, C, T) of the residuals of T labels; `expected` (..., C, C) what a variance of 1
    between seeds would make of them; `pairs` (..., C, C) how many ordered pairs there are.
    """

    products: Floats
    expected: Floats
    pairs: Floats


def seed_sums(
    by_seed: Floats, x: Floats, share: Floats, n: Floats, usable: Floats, condition: Ints, conditions: int
) -> SeedSums:
    """Sums for the correlation of images through their seeds, of T labels of one dimension.

    Parameters
    ----------
    by_seed : ndarray, shape (..., C, S, T)
        Images that show the label, by condition and seed.
    x : ndarray, shape (..., P, T)
        The same images by prompt.
    share : ndarray, shape (..., P, T)
        Share of a prompt's images that show the label, of those with and without a shared seed.
    n : ndarray, shape (..., P)
        How many these are.
    usable : ndarray, shape (..., P, S)
        1 where the prompt has a usable image of the seed, else 0.
    condition : ndarray of int, shape (P,)
    conditions : int
        C.

    Notes
    -----
    A residual is taken from the mean of its own prompt, so that prompts that differ do not look like seeds
    that do. Two prompts with n and m images, o of them of the same seeds, have o products whose sum is
    expected to be o (1 - 1/n - 1/m + o / (n m)) times the variance between seeds; with the same S seeds in
    each that is S - 1, and the ratio is the component of variance of a two-way layout [1]_. The sum over
    pairs that share a seed is what two-way clustering adds to clustering by prompt [2]_.

    References
    ----------
    .. [1] Searle, S. R., Casella, G. & McCulloch, C. E. (1992). Variance Components, ch. 4.
    .. [2] Cameron, A. C., Gelbach, J. B. & Miller, D. L. (2011). Robust inference with multiway clustering.
       JBES 29, 238-249, eq. 2.8-2.11.

    Examples
    --------
    Two prompts, two seeds; one seed shows the label in both prompts and the other in none:

    >>> found = seed_sums(
    ...     np.array([[[2.0], [0.0]]]), np.array([[1.0], [1.0]]), np.array([[0.5], [0.5]]),
    ...     np.array([2.0, 2.0]), np.ones((2, 2)), np.array([0, 0]), 1,
    ... )
    >>> found.products.item(), found.expected.item(), found.pairs.item()
    (1.0, 2.0, 4.0)
    """
    member = (condition[:, None] == np.arange(conditions)).astype(np.float64)
    residual = by_seed - np.matmul(
        np.swapaxes(usable[..., None, :, :] * member.T[:, :, None], -1, -2), share[..., None, :, :]
    )
    own = x * (1 - 2 * share) + usable.sum(axis=-1)[..., None] * share**2
    products = np.einsum("...ast,...bst->...abt", residual, residual)
    diagonal = np.arange(conditions)
    products[..., diagonal, diagonal, :] -= np.einsum("pc,...pt->...ct", member, own)
    overlap = usable @ np.swapaxes(usable, -1, -2)
    prompts = np.arange(len(condition))
    overlap[..., prompts, prompts] = 0.0
    inverse = 1 / np.maximum(n, 1.0)
    one, other = inverse[..., :, None], inverse[..., None, :]
    expected = overlap * (1 - one - other) + overlap**2 * one * other
    return SeedSums(products, member.T @ expected @ member, member.T @ overlap @ member)


def few_seeds_factor(freedom: Floats, level: float = 0.95) -> Floats:
    """By how much a variance between seeds must be raised because so few seeds show it: (t / z) squared.

    Examples
    --------
    >>> few_seeds_factor(np.array([1.0, 9.0, 900.0])).round(2).tolist()
    [42.03, 1.33, 1.0]
    """
    t = stdtrit(np.maximum(freedom, 1.0), (1 + level) / 2)
    return np.asarray((t / ndtri((1 + level) / 2)) ** 2, dtype=np.float64)
