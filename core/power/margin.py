"""Within how small a margin this design can show that nothing changed.

A label is called invariant when the 90 % interval of every pairwise difference lies within the margin. The
margin a study needs is therefore the widest end of those intervals; the panel gives the one that 80 of 100
studies of an unchanged label keep within. Below `least_margin` no data whatever can show anything.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from core.power.change import POWER, simulated_counts
from core.power.design import PowerDesign
from core.power.findings import Finding
from core.statistics.equivalence import ALPHA, verdicts


def smallest_margin(design: PowerDesign, roles: int, scope: str) -> Finding:
    """The margin, in percentage points, within which 80 of 100 studies show an unchanged label invariant."""
    x, n = simulated_counts(design, roles, (design.prevalence,) * 3)
    _, low, high = verdicts(x, n, design_effect=design.design_effect)
    needed = np.maximum(-low, high)
    value = float(np.quantile(needed, POWER, method="higher"))
    return Finding("smallest_margin", scope, 100.0 * value, "points")


def least_margin(design: PowerDesign, roles: int, scope: str) -> Finding:
    """The margin below which nothing can be shown invariant, in percentage points.

    It is reached by a label that every image shows, or none: then the interval of a difference ends at
    z² / (n + z²), with z = 1.645 and n the images of the smallest condition over the design effect.

    Examples
    --------
    >>> few = PowerDesign(prompts=(2, 5, 6), correlation=0.0)
    >>> round(least_margin(few, 1, "one role").value, 1)
    11.9
    """
    n = min(design.clusters(roles)) * design.images_per_prompt / design.design_effect
    z2 = float(ndtri(1.0 - ALPHA)) ** 2
    return Finding("least_margin", scope, 100.0 * z2 / (n + z2), "points")
