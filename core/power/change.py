"""How small a change of prevalence this design finds in 80 of 100 studies.

The label shows in p of the images in CF and CA-R; in CA-U in p less the change, or more where p is below one
half. A change is found when the analysis would say that a difference is shown to exist: an interval of one
of the three pairwise differences (Newcombe, alpha / 3, n / design effect) leaves out 0. The design effect is
taken as known, and this is one label: correction for many labels makes it harder.
"""

from __future__ import annotations

import numpy as np

from core.power.clusters import draw_counts, prompt_law
from core.power.design import PowerDesign
from core.power.findings import Finding, PowerCurve
from core.statistics.arrays import Ints
from core.statistics.equivalence import CHANGED, WORDS, verdicts

POWER = 0.8
POINTS_OF_CURVE = 16
NEAR = 0.01
"""The smallest change is found to a hundredth of itself, less than 2,000 studies can tell apart."""

NO_MARGIN = 1e-9
"""Within this margin nothing is called invariant, so that a verdict says whether a change is shown."""

OUT_OF_REACH = "not even the largest change is found in 80 of 100 studies"


def power_of_change(design: PowerDesign, roles: int, change: float) -> float:
    """Share of simulated studies that find a change in CA-U.

    Parameters
    ----------
    design : PowerDesign
    roles : int
        Roles whose images are counted together.
    change : float
        As a share, from 0 to `largest_change`.

    Returns
    -------
    float
        0..1. The same seed is used for every change, so that the curve rises evenly.

    Examples
    --------
    >>> power_of_change(PowerDesign(correlation=0.0), 1, 0.5) > 0.99
    True
    """
    shifted = design.prevalence + (-change if design.prevalence >= 0.5 else change)
    x, n = simulated_counts(design, roles, (design.prevalence, design.prevalence, shifted))
    effect = design.design_effect
    found = verdicts(x, n, margin=NO_MARGIN, design_effect=effect)[0]
    return float(np.mean(found == WORDS.index(CHANGED)))


def simulated_counts(
    design: PowerDesign, roles: int, prevalence: tuple[float, float, float]
) -> tuple[Ints, Ints]:
    """Images with the label and images, one row a simulated study and one column a condition."""
    columns = []
    for position, (prompts, share) in enumerate(zip(design.clusters(roles), prevalence, strict=True)):
        rng = np.random.default_rng([design.seed, roles, position])
        law = prompt_law(design.images_per_prompt, min(max(share, 0.0), 1.0), design.correlation)
        columns.append(draw_counts(rng, law, prompts, design.replicates))
    x = np.column_stack(columns)
    n = np.array(design.clusters(roles), dtype=np.int64) * design.images_per_prompt
    return x, np.broadcast_to(n, x.shape)


def largest_change(design: PowerDesign) -> float:
    """The largest change there is room for: to 0, or to 1 where the prevalence is below one half."""
    return max(design.prevalence, 1.0 - design.prevalence)


def smallest_change(design: PowerDesign, roles: int, scope: str) -> Finding:
    """The smallest change that is found in 80 of 100 studies, in percentage points."""
    low, high = 0.0, largest_change(design)
    if power_of_change(design, roles, high) < POWER:
        return Finding("smallest_change", scope, None, "points", reason=OUT_OF_REACH)
    while high - low > NEAR * high:
        middle = (low + high) / 2
        if power_of_change(design, roles, middle) < POWER:
            low = middle
        else:
            high = middle
    return Finding("smallest_change", scope, 100.0 * high, "points")


def curve_of(design: PowerDesign, roles: int, scope: str, bend: float, most: float) -> PowerCurve:
    """The chance of finding a change, closely up to `bend`, and at `most` (both shares)."""
    top = largest_change(design)
    changes = np.linspace(0.0, min(bend, top), POINTS_OF_CURVE)
    if min(most, top) > changes[-1]:
        changes = np.append(changes, min(most, top))
    power = tuple(power_of_change(design, roles, float(change)) for change in changes)
    return PowerCurve(scope, tuple(float(100.0 * change) for change in changes), power)
