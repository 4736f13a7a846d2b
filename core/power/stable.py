"""The CCS that a label gets which does not change at all: what to hold a CCS against before there is one."""

from __future__ import annotations

import numpy as np

from core.power.change import simulated_counts
from core.power.design import PowerDesign
from core.power.findings import Finding
from core.statistics.persistence import REASONS, ccs_reasons, scores


def stable_ccs(design: PowerDesign, roles: int, scope: str) -> Finding:
    """Expected CCS of a label whose prevalence is the same in all conditions, prompts being clusters.

    Returns
    -------
    Finding
        Mean over the simulated studies in which the score is defined, and where it lies in 95 of 100 of
        them. With independent images the mean is that of `core.statistics.stability.ccs_if_stable`.

    Examples
    --------
    >>> stable_ccs(PowerDesign(prevalence=1.0), 1, "one role").value
    100.0
    """
    x, n = simulated_counts(design, roles, (design.prevalence,) * 3)
    reasons = ccs_reasons(x, n)
    defined = reasons == 0
    if not defined.any():
        commonest = int(np.bincount(reasons).argmax())
        return Finding("ccs_if_stable", scope, None, "", reason=REASONS[commonest])
    found = scores(x[defined], n[defined])
    low, high = np.quantile(found, [0.025, 0.975])
    share = float(np.mean(defined))
    reason = "" if share == 1.0 else f"defined in {share:.0%} of the studies"
    return Finding("ccs_if_stable", scope, float(found.mean()), "", float(low), float(high), reason)
