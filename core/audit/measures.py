"""Everything that is measured of single labels: tests, adjusted p, CCS, verdict.

One family of tests is one generator × dimension. The p that is adjusted is the larger of the exact p, which
is right for few images, and the Rao–Scott p, which is right for images that resemble each other by prompt:
whichever of the two is valid, the larger is. Tests that cannot reach the level are not counted in their
family and keep an empty adjusted p.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from scipy.special import chdtrc

from core.audit.cells import Cells
from core.cube import Stage
from core.statistics.arrays import Bools, Floats, Ints
from core.statistics.equivalence import verdicts
from core.statistics.homogeneity import (
    DEGENERATE_ALL,
    DEGENERATE_NONE,
    UNDEFINED,
    HomogeneityTests,
    homogeneity_tests,
)
from core.statistics.multiplicity import benjamini_hochberg, can_reach
from core.statistics.persistence import (
    MIN_SUPPORT,
    PAPER_ALPHA,
    ccs_reasons,
    ranges_at_most,
    ranges_pp,
    scores,
)
from core.statistics.stability import stable_scores

ALPHA = 0.05
PARTS = 16
"""Steps in which the tests are done: each short, so that a job can be cancelled in between."""

DEGENERATE = (DEGENERATE_ALL, DEGENERATE_NONE)
CANNOT_REACH = "test cannot reach .05 with these numbers of images"


@dataclass(frozen=True)
class Measures:
    """Everything that a persistence row holds, one entry a cell."""

    defined: Bools
    prevalence: Floats
    range_pp: Floats
    tests: HomogeneityTests
    p_adjusted: Floats
    is_tested: Bools
    score_reason: Ints
    score: Floats
    if_stable: Floats
    invariant_paper: Bools
    verdict: Ints


def measure_steps(cells: Cells, margin: float) -> Iterator[Measures | None]:
    """One step a part of the cells, yielding None; then every measure of every cell."""
    parts = _by_total(cells)
    tests, stable = [], []
    for part in parts:
        tests.append(homogeneity_tests(cells.x[part], cells.n[part]))
        stable.append(_stable(cells, part))
        yield None
    back = np.argsort(np.concatenate(parts), kind="stable")
    names = [field.name for field in fields(HomogeneityTests)]
    columns = {name: np.concatenate([getattr(one, name) for one in tests])[back] for name in names}
    yield _measures(cells, HomogeneityTests(**columns), np.concatenate(stable)[back], margin)


def _measures(cells: Cells, tests: HomogeneityTests, if_stable: Floats, margin: float) -> Measures:
    x, n = cells.x, cells.n
    defined = np.all(n > 0, axis=1)
    adjusted, tested = _adjusted(cells, tests)
    reason = ccs_reasons(x, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = np.where(defined, x.sum(axis=1) / n.sum(axis=1), np.nan)
    total = x.sum(axis=1)
    return Measures(
        defined=defined,
        prevalence=pooled,
        range_pp=np.where(defined, ranges_pp(x, n), np.nan),
        tests=tests,
        p_adjusted=adjusted,
        is_tested=tested,
        score_reason=reason,
        score=np.where(reason == 0, scores(x, n), np.nan),
        if_stable=if_stable,
        invariant_paper=(total >= MIN_SUPPORT) & (tests.p > PAPER_ALPHA) & ranges_at_most(x, n),
        verdict=verdicts(x, n, margin=margin, design_effect=cells.of_differences)[0],
    )


def _by_total(cells: Cells) -> list[Ints]:
    """Cells in parts of about equal size; those with the same total, whose tables are alike, together."""
    total = cells.x.sum(axis=1)
    order = np.argsort(total, kind="stable")
    wanted = total[order][(np.arange(1, PARTS) * total.size) // PARTS]
    return np.split(order, np.unique(np.searchsorted(total[order], wanted)))


def _stable(cells: Cells, part: Ints) -> Floats:
    x, n = cells.x[part], cells.n[part]
    return stable_scores(np.where(ccs_reasons(x, n) == 0, x.sum(axis=1), -1), n)


def _adjusted(cells: Cells, tests: HomogeneityTests) -> tuple[Floats, Bools]:
    """Adjusted p by family, and which tests were in it."""
    clustered = chdtrc(np.maximum(tests.df, 1), tests.chi2 / cells.of_differences)
    p = np.fmax(tests.p_exact, clustered)  # no exact p where there are too many tables
    proper = ~np.isin(tests.status, (UNDEFINED, *DEGENERATE))
    tested = proper & (can_reach(tests.p_min, alpha=ALPHA) | np.isnan(tests.p_min))
    adjusted = np.full(p.shape, np.nan)
    family = cells.generator * (int(cells.dimension.max(initial=0)) + 1) + cells.dimension
    order = np.argsort(family, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(family[order])) + 1):
        adjusted[rows] = benjamini_hochberg(np.where(tested[rows], p[rows], np.nan))
    return adjusted, tested


def stage_of_tests(measures: Measures) -> Stage:
    """What became of the tests."""
    status = measures.tests.status
    unreachable = ~measures.is_tested & ~np.isin(status, (UNDEFINED, *DEGENERATE))
    left_out = {
        "fewer than two conditions with images": int(np.count_nonzero(status == UNDEFINED)),
        "label in every image": int(np.count_nonzero(status == DEGENERATE_ALL)),
        CANNOT_REACH: int(np.count_nonzero(unreachable)),
    }
    kept = {reason: count for reason, count in left_out.items() if count}
    return Stage("tests of homogeneity", int(status.size), int(np.count_nonzero(measures.is_tested)), kept)
