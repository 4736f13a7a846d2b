"""The tables on single labels: `prevalence`, `persistence`, `ccs_mean`, `robustness` and `families`.

One family of tests is one generator × dimension. The p that is adjusted is the larger of the exact p, which
is right for few images, and the Rao–Scott p, which is right for images that resemble each other by prompt:
whichever of the two is valid, the larger is. Tests that cannot reach the level are not counted in their
family and keep an empty adjusted p.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import chdtrc

from core.audit.cells import Cells, gather_cells
from core.audit.columns import coded_words, joined, whole, words_of
from core.audit.consistency import Consistency, consistency
from core.cube import CONDITIONS, Cube, Stage
from core.jobs import Job, Progress
from core.statistics.arrays import Bools, Floats, Ints
from core.statistics.equivalence import WORDS, verdicts
from core.statistics.homogeneity import (
    DEGENERATE_ALL,
    DEGENERATE_NONE,
    STATUSES,
    UNDEFINED,
    HomogeneityTests,
    homogeneity_tests,
)
from core.statistics.multiplicity import benjamini_hochberg, can_reach
from core.statistics.persistence import (
    MIN_SUPPORT,
    PAPER_ALPHA,
    REASONS,
    ccs_reasons,
    ranges_at_most,
    ranges_pp,
    scores,
    stable_scores,
)
from core.statistics.prevalence import NO_IMAGES
from core.statistics.proportion import wilson_limits
from core.statistics.robustness import MOVE, ONE_PROMPT

ALPHA = 0.05
_PARTS = 16

CANNOT_REACH = "test cannot reach .05 with these numbers of images"


@dataclass(frozen=True)
class PersistenceResult:
    """The tables, what became of the tests, and the share of labels robust to their prompts."""

    tables: dict[str, pd.DataFrame]
    stages: tuple[Stage, ...]
    robust: dict[str, float | int | None]


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


def persistence_tables(cube: Cube, *, bootstrap: int, seed: int, margin: float) -> Job[PersistenceResult]:
    """All tables on single labels; two steps a role and a few at the end."""
    total = 2 * len(cube.roles) + _PARTS + 2
    steps = gather_cells(cube)
    for done in range(len(cube.roles)):
        next(steps)
        yield Progress(done + 1, total, "Labels: prompts of each role")
    cells = next(steps)
    assert cells is not None
    parts = []
    for part in _by_total(cells):
        parts.append((part, homogeneity_tests(cells.x[part], cells.n[part]), _stable(cells, part)))
        yield Progress(len(cube.roles) + len(parts), total, "Labels: tests")
    measures = measure(cells, parts, margin)
    draws = consistency(cube, cells, bootstrap=bootstrap, seed=seed)
    for done in range(len(cube.roles)):
        next(draws)
        yield Progress(len(cube.roles) + _PARTS + 1 + done, total, "Labels: intervals of the CCS")
    limits = next(draws)
    assert limits is not None
    tables = {
        "prevalence": prevalence_frame(cube, cells),
        "persistence": persistence_frame(cube, cells, measures, limits),
        "ccs_mean": mean_frame(cube, cells, measures, limits),
        "robustness": robustness_frame(cube, cells),
        "families": families_frame(cube, cells, measures),
    }
    yield Progress(total, total, "Labels: tables")
    return PersistenceResult(tables, (_test_stage(measures),), _robust_shares(cells))


Part = tuple[Ints, HomogeneityTests, Floats]
"""Some cells, their tests, and the CCS of a stable label."""


def _by_total(cells: Cells) -> list[Ints]:
    """Cells in parts of about equal size; those with the same total, whose tables are alike, together."""
    total = cells.x.sum(axis=1)
    order = np.argsort(total, kind="stable")
    wanted = total[order][(np.arange(1, _PARTS) * total.size) // _PARTS]
    return np.split(order, np.unique(np.searchsorted(total[order], wanted)))


def _stable(cells: Cells, part: Ints) -> Floats:
    x, n = cells.x[part], cells.n[part]
    return stable_scores(np.where(ccs_reasons(x, n) == 0, x.sum(axis=1), -1), n)


def measure(cells: Cells, parts: Sequence[Part], margin: float) -> Measures:
    """Every measure of every cell; tests and stable scores were computed in parts."""
    x, n = cells.x, cells.n
    defined = np.all(n > 0, axis=1)
    back = np.argsort(np.concatenate([part for part, _, _ in parts]), kind="stable")
    tests = HomogeneityTests(
        *(
            np.concatenate([getattr(one, name) for _, one, _ in parts])[back]
            for name in ("chi2", "df", "p", "p_exact", "p_min", "status")
        )
    )
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
        if_stable=np.concatenate([stable for _, _, stable in parts])[back],
        invariant_paper=(total >= MIN_SUPPORT) & (tests.p > PAPER_ALPHA) & ranges_at_most(x, n),
        verdict=verdicts(x, n, margin=margin, design_effect=cells.design_effect)[0],
    )


def _adjusted(cells: Cells, tests: HomogeneityTests) -> tuple[Floats, Bools]:
    """Adjusted p by family, and which tests were in it."""
    clustered = chdtrc(np.maximum(tests.df, 1), tests.chi2 / cells.design_effect)
    p = np.fmax(tests.p_exact, clustered)  # no exact p where there are too many tables
    proper = ~np.isin(tests.status, (UNDEFINED, DEGENERATE_ALL, DEGENERATE_NONE))
    tested = proper & (can_reach(tests.p_min, alpha=ALPHA) | np.isnan(tests.p_min))
    adjusted = np.full(p.shape, np.nan)
    family = cells.generator * (int(cells.dimension.max(initial=0)) + 1) + cells.dimension
    order = np.argsort(family, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(family[order])) + 1):
        adjusted[rows] = benjamini_hochberg(np.where(tested[rows], p[rows], np.nan))
    return adjusted, tested


def prevalence_frame(cube: Cube, cells: Cells) -> pd.DataFrame:
    """Prevalence of every cell in every condition, with its Wilson interval."""
    count = len(CONDITIONS)
    x, n = cells.x.ravel(), cells.n.ravel()
    effect = np.repeat(cells.design_effect, count)
    low, high = wilson_limits(x, n, design_effect=effect)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = x / n
    conditions = np.tile(np.arange(count), cells.x.shape[0])
    words = words_of(cube)
    dimension = np.repeat(cells.dimension, count)
    empty = n == 0
    return pd.DataFrame(
        {
            "generator": coded_words(np.repeat(cells.generator, count), words.generators),
            "role": coded_words(np.repeat(cells.role, count), words.roles),
            "condition": coded_words(conditions, [condition.value for condition in CONDITIONS]),
            "cohort": coded_words(words.cohort_of[dimension], words.cohorts),
            "dimension": coded_words(dimension, words.dimensions),
            "label": coded_words(words.name_of[np.repeat(cells.label, count)], words.names),
            "x": x,
            "n": n,
            "prevalence": value,
            "low": low,
            "high": high,
            "method": coded_words(empty.astype(np.int64) + 2 * (effect > 1) * ~empty, _METHODS),
            "reason": coded_words(empty.astype(np.int64), ["", "no usable image"]),
        }
    )


_METHODS = ["wilson", "", "wilson, n / design effect"]


def persistence_frame(cube: Cube, cells: Cells, measures: Measures, limits: Consistency) -> pd.DataFrame:
    """Prevalence, range, tests, CCS and verdict of every cell."""
    words = words_of(cube)
    tests = measures.tests
    counts = {
        f"{what}_{name}": numbers[:, place]
        for place, name in enumerate(("cf", "car", "cau"))
        for what, numbers in (("x", cells.x), ("n", cells.n))
    }
    families, family = np.unique(
        cells.generator * len(words.dimensions) + cells.dimension, return_inverse=True
    )
    names = [
        f"{words.generators[one // len(words.dimensions)]} × {words.dimensions[one % len(words.dimensions)]}"
        for one in families.tolist()
    ]
    return pd.DataFrame(
        {
            **_keys(cube, cells),
            **counts,
            "prevalence": measures.prevalence,
            "range_pp": measures.range_pp,
            "chi2": tests.chi2,
            "df": whole(np.where(np.isnan(tests.chi2), -1, tests.df)),
            "p": tests.p,
            "p_exact": tests.p_exact,
            "p_min": tests.p_min,
            "p_adjusted": measures.p_adjusted,
            "family": coded_words(family.ravel(), names),
            "ccs": measures.score,
            "ccs_low": limits.low,
            "ccs_high": limits.high,
            "ccs_if_stable": measures.if_stable,
            "invariant_paper": _yes_no(measures.invariant_paper, measures.defined),
            "verdict": coded_words(measures.verdict, WORDS),
            "reason": _reasons(measures, limits),
        }
    )


def _reasons(measures: Measures, limits: Consistency) -> pd.Categorical:
    tests = measures.tests
    test = np.select(
        [
            ~measures.defined,
            np.isin(tests.status, (DEGENERATE_ALL, DEGENERATE_NONE)),
            ~measures.is_tested & (tests.status != UNDEFINED),
        ],
        [1, 2, 3],
        0,
    )
    score = np.where(measures.defined, measures.score_reason, 0)
    said = [
        ["", NO_IMAGES, f"test {STATUSES[DEGENERATE_ALL]}: label in every image", CANNOT_REACH],
        ["", *(f"CCS undefined: {reason}" for reason in REASONS[1:])],
    ]
    interval, codes = np.unique(limits.reason.astype(str), return_inverse=True)
    return joined([(test, said[0]), (score, said[1]), (codes.ravel(), interval.tolist())])


def mean_frame(cube: Cube, cells: Cells, measures: Measures, limits: Consistency) -> pd.DataFrame:
    """Means over the generators that have a cell, per role and label; CCS over those where it is defined."""
    words = words_of(cube)
    keys, group = np.unique(cells.role * (len(cube.labels) + 1) + cells.label, return_inverse=True)
    group = group.ravel()
    role, label = np.divmod(keys, len(cube.labels) + 1)
    size = keys.size

    def mean(values: Floats) -> Floats:
        known = ~np.isnan(values)
        total = np.bincount(group[known], weights=values[known], minlength=size)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(total / np.bincount(group[known], minlength=size), dtype=np.float64)

    low, high = mean(limits.low), mean(limits.high)
    place = np.searchsorted(keys, limits.mean_role * (len(cube.labels) + 1) + limits.mean_label)
    by_draws = np.zeros(size, dtype=np.int64)
    low[place], high[place], by_draws[place] = limits.mean_low, limits.mean_high, 1
    generators = np.bincount(group, minlength=size)
    defined = np.bincount(group[measures.score_reason == 0], minlength=size)
    by_draws[defined == 0] = 2
    dimension = cube.label_dimension[label]
    some = (generators > defined) & (defined > 0)
    return pd.DataFrame(
        {
            "role": coded_words(role, words.roles),
            "dimension": coded_words(dimension, words.dimensions),
            "label": coded_words(words.name_of[label], words.names),
            "generators": generators,
            "generators_defined": defined,
            "prevalence": mean(measures.prevalence),
            "range_pp": mean(measures.range_pp),
            "ccs": mean(measures.score),
            "ccs_low": low,
            "ccs_high": high,
            "ccs_if_stable": mean(measures.if_stable),
            "invariant_paper": np.bincount(
                group[measures.invariant_paper & measures.defined], minlength=size
            ),
            **{
                word.replace(" ", "_"): np.bincount(group[measures.verdict == code], minlength=size)
                for code, word in enumerate(WORDS)
            },
            "method": coded_words(by_draws, ["mean of the limits of the generators", "bca", ""]),
            "reason": coded_words(
                np.where(defined == 0, 2, some.astype(np.int64)),
                ["", "CCS undefined for some generators", "CCS undefined for every generator"],
            ),
        }
    )


def robustness_frame(cube: Cube, cells: Cells) -> pd.DataFrame:
    """How far the pooled prevalence of every cell moves without its most influential prompt."""
    alone = cells.prompt < 0
    texts = sorted(set(cube.prompts))
    rank = {text: place for place, text in enumerate(texts)}
    code = np.array([*(rank[text] for text in cube.prompts), len(texts)], dtype=np.int64)
    return pd.DataFrame(
        {
            **_keys(cube, cells),
            "value": cells.x.sum(axis=1) / cells.n.sum(axis=1),
            "largest_move": cells.move,
            "prompt": coded_words(code[cells.prompt], [*texts, ""]),
            "se": cells.se,
            "invariant": _yes_no(_holds(cells), ~alone),
            "reason": coded_words(alone.astype(np.int64), ["", ONE_PROMPT]),
        }
    )


def families_frame(cube: Cube, cells: Cells, measures: Measures) -> pd.DataFrame:
    """Per family of tests: its design effect, and what became of its tests."""
    words = words_of(cube)
    width = len(words.dimensions)
    family = cells.generator * width + cells.dimension
    keys = np.unique(family)
    status = measures.tests.status

    def count(mask: Bools) -> Ints:
        return np.asarray(
            np.bincount(family[mask], minlength=keys[-1] + 1 if keys.size else 0)[keys], dtype=np.int64
        )

    degenerate = np.isin(status, (DEGENERATE_ALL, DEGENERATE_NONE))
    return pd.DataFrame(
        {
            "generator": coded_words(keys // width, words.generators),
            "dimension": coded_words(keys % width, words.dimensions),
            "design_effect": cells.effects[keys // width, keys % width],
            "labels": count(np.ones(family.shape, dtype=bool)),
            "undefined": count(status == UNDEFINED),
            "degenerate": count(degenerate),
            "cannot_reach": count(~measures.is_tested & (status != UNDEFINED) & ~degenerate),
            "tested": count(measures.is_tested),
            "rejected": count(measures.p_adjusted <= ALPHA),
        }
    )


def _keys(cube: Cube, cells: Cells) -> dict[str, pd.Categorical]:
    words = words_of(cube)
    return {
        "generator": coded_words(cells.generator, words.generators),
        "role": coded_words(cells.role, words.roles),
        "dimension": coded_words(cells.dimension, words.dimensions),
        "label": coded_words(words.name_of[cells.label], words.names),
    }


def _yes_no(values: Bools, defined: Bools) -> pd.arrays.BooleanArray:
    return pd.arrays.BooleanArray(values & defined, ~defined)


def _holds(cells: Cells) -> Bools:
    return np.asarray(np.abs(np.nan_to_num(cells.move)) <= MOVE + 1e-12, dtype=np.bool_)


def _robust_shares(cells: Cells) -> dict[str, float | int | None]:
    """Share of labels that no prompt moves far: all cells, and those with 5 % in a condition at least."""
    tried = cells.prompt >= 0
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = tried & (np.nan_to_num(cells.x / cells.n).max(axis=1, initial=0.0) >= 0.05)
    holds = _holds(cells)

    def share(mask: Bools) -> float | None:
        return round(float(holds[mask].mean()), 6) if mask.any() else None

    return {
        "labels": int(np.count_nonzero(tried)),
        "share_invariant": share(tried),
        "labels_of_5_percent_or_more": int(np.count_nonzero(seen)),
        "share_invariant_of_those": share(seen),
    }


def _test_stage(measures: Measures) -> Stage:
    status = measures.tests.status
    unreachable = ~measures.is_tested & ~np.isin(status, (UNDEFINED, DEGENERATE_ALL, DEGENERATE_NONE))
    left_out = {
        "fewer than two conditions with images": int(np.count_nonzero(status == UNDEFINED)),
        "label in every image": int(np.count_nonzero(status == DEGENERATE_ALL)),
        CANNOT_REACH: int(np.count_nonzero(unreachable)),
    }
    kept = {reason: count for reason, count in left_out.items() if count}
    return Stage("tests of homogeneity", int(status.size), int(np.count_nonzero(measures.is_tested)), kept)
