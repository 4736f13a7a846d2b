"""The tables of the role contrast in paper mode, and the published summary by cohort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.audit.columns import coded_words
from core.cube import CONDITIONS, Cube
from core.paper.contrast import Contrast, RoleBias, tested
from core.paper.persistence import Grid
from core.paper.row_blocks import by_rows
from core.statistics.arrays import Codes, Floats, Ints, Kind
from core.statistics.persistence import PAPER_ALPHA

ALL = "ALL"
SHORT = ("cf", "car", "cau")

FAMILIES = ("People", "Objects", "Camera")
"""Cohorts of the published summary; Scene is left out there."""


def by_condition(x: Codes, n: Codes) -> dict[str, Codes]:
    """Columns x_cf, n_cf … of counts whose last axis is the condition."""
    sides = (("x", x), ("n", n))
    return {f"{what}_{name}": side[:, at] for at, name in enumerate(SHORT) for what, side in sides}


def contrast_frame(cube: Cube, grid: Grid, contrast: Contrast) -> pd.DataFrame:
    """A role against all others, label by label (published as leave-one-out), with the full statistic."""
    chi2, df, p = tested(contrast.part)
    full, full_df, full_p = tested(contrast.full)
    names = tuple(dimension.id for dimension in cube.dimensions)
    words = tuple(sorted(set(cube.labels)))
    rank = {word: place for place, word in enumerate(words)}
    word_of = np.array([rank[label] for label in cube.labels], dtype=np.int64)
    expected = {f"expected_{name}": contrast.expected[:, at] for at, name in enumerate(SHORT)}
    return pd.DataFrame(
        {
            "generator": coded_words(grid.generator, cube.generators),
            "role": coded_words(grid.role, cube.roles),
            "dimension": coded_words(cube.label_dimension[grid.label], names),
            "label": coded_words(word_of[grid.label], words),
            **by_condition(grid.x, grid.n),
            **expected,
            "chi2": chi2,
            "df": df,
            "p": p,
            "invariant": p > PAPER_ALPHA,
            "chi2_full": full,
            "df_full": full_df,
            "p_full": full_p,
            "reason": coded_words(
                (df < 1).astype(np.int64), ["", "fewer than two conditions: p 1 as published"]
            ),
        },
        copy=False,
    )


def bias_frame(cube: Cube, bias: RoleBias) -> pd.DataFrame:
    """A role in a condition against all others, over all labels of a dimension."""
    names = tuple(dimension.id for dimension in cube.dimensions)
    return pd.DataFrame(
        {
            "generator": coded_words(bias.generator, cube.generators),
            "dimension": coded_words(bias.dimension, names),
            "condition": coded_words(bias.condition, [condition.value for condition in CONDITIONS]),
            "role": coded_words(bias.role, cube.roles),
            "chi2": bias.chi2,
            "df": bias.df,
            "p": bias.p,
            "p_adjusted": bias.p_adjusted,
            "reason": coded_words((bias.df < 1).astype(np.int64), ["", "a single label was seen"]),
        }
    )


def summary_frame(cube: Cube, grid: Grid, contrast: Contrast) -> pd.DataFrame:
    """The published table 3: context-free prevalence, and how many labels are invariant in the others.

    `supported` is the same share for labels that show in 5 % of a condition's images at least: the grid is
    mostly zeros, and zeros are invariant.
    """
    p = tested(contrast.part[:, 1:])[2]
    share, free, aware, supported = by_rows(_shown, grid.x, grid.n)
    find = _Finder.of(cube, grid)
    rows = []
    for generator in (*range(len(cube.generators)), None):
        for family in (*FAMILIES, ALL):
            mine = find.rows(generator, FAMILIES if family == ALL else (family,))
            tests, is_free = find.part(p, mine), find.part(free, mine)
            strong = tests[find.part(supported, mine)]
            rows.append(
                {
                    "generator": ALL if generator is None else cube.generators[generator],
                    "cohort": family,
                    **_context_free(find.part(share, mine)[is_free]),
                    **_context_aware(tests[find.part(aware, mine)]),
                    "supported": strong.size,
                    "pct_invariant_supported": _mean(100.0 * (strong > PAPER_ALPHA)),
                }
            )
    frame = pd.DataFrame(rows)
    frame["reason"] = np.where(frame["labels_context_aware"] == 0, "no label in this cohort", "")
    return frame


def _shown(x: Codes, n: Codes) -> tuple[npt.NDArray[np.generic], ...]:
    """Context-free share in percent; whether there are images of either kind; whether 5 % show the label."""
    aware = (n[:, 1] > 0) | (n[:, 2] > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = 100.0 * x / n
    supported = aware & (np.fmax(np.fmax(share[:, 0], share[:, 1]), share[:, 2]) >= 5)
    return share[:, 0], n[:, 0] > 0, aware, supported


@dataclass(frozen=True)
class _Finder:
    """Where the entries of a dimension and generator begin: the grid is ordered by these two."""

    cohorts: tuple[str, ...]
    generators: int
    begins: Ints

    @staticmethod
    def of(cube: Cube, grid: Grid) -> _Finder:
        size = len(cube.generators)
        key = cube.label_dimension[grid.label] * size + grid.generator
        begins = np.searchsorted(key, np.arange(len(cube.dimensions) * size + 1))
        return _Finder(tuple(one.cohort for one in cube.dimensions), size, begins)

    def rows(self, generator: int | None, families: Sequence[str]) -> list[slice]:
        """Entries of a generator (None: of all) in some cohorts, in the order of the grid."""
        parts = [slice(0)]
        for dimension, cohort in enumerate(self.cohorts):
            if cohort in families:
                first, count = dimension * self.generators, self.generators
                if generator is not None:
                    first, count = first + generator, 1
                parts.append(slice(self.begins[first], self.begins[first + count]))
        return parts

    def part(self, column: npt.NDArray[Kind], rows: Sequence[slice]) -> npt.NDArray[Kind]:
        """Some rows of a column."""
        return np.concatenate([column[each] for each in rows])


def _context_free(share: Floats) -> dict[str, float | int]:
    median = float(np.median(share)) if share.size else np.nan
    return {"labels_context_free": share.size, "mean_pct": _mean(share), "median_pct": median}


def _context_aware(p: Floats) -> dict[str, float | int]:
    return {
        "labels_context_aware": p.size,
        "pct_invariant": _mean(100.0 * (p > PAPER_ALPHA)),
        "mean_p": _mean(p),
        "median_p": float(np.median(p)) if p.size else np.nan,
    }


def _mean(values: npt.ArrayLike) -> float:
    values = np.asarray(values, dtype=np.float64)
    return float(values.mean()) if values.size else np.nan
