"""The job that makes all tables on single labels; of these `prevalence`, `persistence` and `families`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import chdtrc, chdtri

from core.audit.cells import Cells, gather_cells
from core.audit.columns import cell_keys, coded_words, joined, whole, words_of, yes_no
from core.audit.consistency import Consistency, consistency
from core.audit.groups import Groups
from core.audit.mean_table import mean_frame
from core.audit.measures import (
    ALPHA,
    CANNOT_REACH,
    DEGENERATE,
    PARTS,
    Measures,
    measure_steps,
    stage_of_tests,
)
from core.audit.prompt_tables import robust_shares, robustness_frame
from core.audit.seed_effects import SeedPairs, few_seeds
from core.cube import CONDITIONS, Cube, Stage
from core.jobs import Job, Progress
from core.statistics.arrays import Floats, Ints
from core.statistics.equivalence import WORDS
from core.statistics.homogeneity import DEGENERATE_ALL, STATUSES, UNDEFINED
from core.statistics.persistence import REASONS
from core.statistics.prevalence import NO_IMAGES
from core.statistics.proportion import wilson_limits

WORTH_SAYING = 0.08
"""Share of false alarms of the plain test at .05 above which a family says so (simulated: 5 % with
independent images; 19 to 20 %, as foretold, with an ICC of .1 in ten images a prompt; p_adjusted stays below
1 %)."""

_METHODS = [
    "wilson", "", "wilson, n / design effect", "wilson, n / design effect of prompts and shared seeds",
]  # fmt: skip


@dataclass(frozen=True)
class PersistenceResult:
    """The tables, what became of the tests, the share of labels robust to their prompts, shared seeds."""

    tables: dict[str, pd.DataFrame]
    stages: tuple[Stage, ...]
    robust: dict[str, float | int | None]
    seeds: SeedPairs | None


def persistence_tables(cube: Cube, *, bootstrap: int, seed: int, margin: float) -> Job[PersistenceResult]:
    """All tables on single labels; two steps a role and a few at the end."""
    total = 2 * len(cube.roles) + PARTS + 2
    steps = gather_cells(cube)
    for done in range(len(cube.roles)):
        next(steps)
        yield Progress(done + 1, total, "Labels: prompts of each role")
    cells = next(steps)
    assert cells is not None
    tests, measures, done = measure_steps(cells, margin), None, len(cube.roles)
    while measures is None:
        measures, done = next(tests), done + 1
        yield Progress(done, total, "Labels: tests")
    draws = consistency(cube, cells, bootstrap=bootstrap, seed=seed)
    for done in range(len(cube.roles)):
        next(draws)
        yield Progress(len(cube.roles) + PARTS + 1 + done, total, "Labels: intervals of the CCS")
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
    return PersistenceResult(tables, (stage_of_tests(measures),), robust_shares(cells), cells.seeds)


def prevalence_frame(cube: Cube, cells: Cells) -> pd.DataFrame:
    """Prevalence of every cell in every condition, with its Wilson interval."""
    count = len(CONDITIONS)
    x, n = cells.x.ravel(), cells.n.ravel()
    effect = cells.of_conditions.ravel()
    low, high = wilson_limits(x, n, design_effect=effect)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = x / n
    conditions = np.tile(np.arange(count), cells.x.shape[0])
    words = words_of(cube)
    dimension = np.repeat(cells.dimension, count)
    empty = n == 0
    few, words_of_few = few_seeds(cube, cells)
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
            "method": coded_words(np.where(empty, 1, _method(cells, effect)), _METHODS),
            "reason": joined(
                [
                    (empty.astype(np.int64), ["", "no usable image"]),
                    (np.where(empty, 0, np.repeat(few, count)), words_of_few),
                ]
            ),
        }
    )


def _method(cells: Cells, effect: Floats) -> Ints:
    """Position in `_METHODS` of each interval of a prevalence."""
    of_prompts = np.repeat(cells.design_effect, len(CONDITIONS))
    return np.where(effect > of_prompts, 3, np.where(effect > 1, 2, 0)).astype(np.int64)


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
            **cell_keys(cube, cells),
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
            "invariant_paper": yes_no(measures.invariant_paper, measures.defined),
            "verdict": coded_words(measures.verdict, WORDS),
            "reason": _reasons(cube, cells, measures, limits),
        }
    )


def _reasons(cube: Cube, cells: Cells, measures: Measures, limits: Consistency) -> pd.Categorical:
    tests = measures.tests
    test = np.select(
        [
            ~measures.defined,
            np.isin(tests.status, DEGENERATE),
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
    reasons = [(test, said[0]), (score, said[1]), (codes.ravel(), interval.tolist())]
    return joined([*reasons, few_seeds(cube, cells)])


def families_frame(cube: Cube, cells: Cells, measures: Measures) -> pd.DataFrame:
    """Per family of tests: its design effect, what became of its tests, and what the plain p is worth."""
    words = words_of(cube)
    width = len(words.dimensions)
    families = Groups.of(cells.generator * width + cells.dimension)
    generator, dimension = np.divmod(families.keys, width)
    status = measures.tests.status
    degenerate = np.isin(status, DEGENERATE)
    effects = cells.effects[generator, dimension]
    if cells.seeds is not None:
        effects = np.maximum(effects, families.mean(cells.of_differences))
    return pd.DataFrame(
        {
            "generator": coded_words(generator, words.generators),
            "dimension": coded_words(dimension, words.dimensions),
            "design_effect": cells.effects[generator, dimension],
            **_alike(cells, generator, dimension),
            "labels": families.count(),
            "undefined": families.count(status == UNDEFINED),
            "degenerate": families.count(degenerate),
            "cannot_reach": families.count(~measures.is_tested & (status != UNDEFINED) & ~degenerate),
            "tested": families.count(measures.is_tested),
            "rejected": families.count(measures.p_adjusted <= ALPHA),
            "reason": [_plain_p(effect) for effect in effects.tolist()],
        }
    )


def _alike(cells: Cells, generator: Ints, dimension: Ints) -> dict[str, Floats]:
    """How alike images of one seed are, in a condition and across conditions; nan where none share seeds."""
    none = np.full(generator.size, np.nan)
    if cells.seeds is None:
        return {"seed_correlation": none, "seed_correlation_across": none.copy()}
    shares = cells.seeds.pairs.sum(axis=(2, 3, 4))[generator, dimension] > 0
    within, across = (one[generator, dimension] for one in (cells.seeds.within, cells.seeds.between))
    return {
        "seed_correlation": np.where(shares, within, np.nan),
        "seed_correlation_across": np.where(shares, across, np.nan),
    }


def _plain_p(effect: float) -> str:
    """How often p and p_exact, which take images as independent, fire at this design effect by themselves."""
    limit = float(chdtri(2.0, ALPHA))
    share = float(chdtrc(2.0, limit / effect))
    if share <= WORTH_SAYING:
        return ""
    return f"images of a prompt are alike: p <= .05 in about {100 * share:.0f} % of labels that do not change"
