"""The tables of paper mode, in the columns of audit mode where there are such; `mode` says paper in each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.audit.columns import coded_words, whole
from core.audit.concentration import COMPARISONS
from core.audit.concentration_tables import ALL, Layout
from core.cube import CONDITIONS, Cube
from core.jobs import Job, Progress
from core.paper.concentration import PaperConcentration, paper_concentration
from core.paper.contrast import Contrast, RoleBias, role_bias, role_contrast, tested
from core.paper.persistence import Grid, PaperPersistence, grid_of, paper_persistence
from core.statistics.arrays import Floats, Ints
from core.statistics.persistence import MIN_SUPPORT, PAPER_ALPHA

WAY = "percentile, roles drawn anew for each condition and generator"
EMPTY = ("p_exact", "p_min", "p_adjusted")
FAMILIES = ("People", "Objects", "Camera")
"""Cohorts of the published summary; Scene is left out there."""


def paper_tables(cube: Cube, *, bootstrap: int, seed: int) -> Job[dict[str, pd.DataFrame]]:
    """All tables; one step a dimension and a few at the end."""
    total = len(cube.dimensions) + 3
    steps = paper_concentration(cube, bootstrap=bootstrap, seed=seed)
    for done in range(len(cube.dimensions)):
        concentration = next(steps)
        yield Progress(done + 1, total, "Published BI")
    tables = {
        "bi": bi_frame(cube, concentration),
        "bi_change": change_frame(cube, concentration, bootstrap),
    }
    yield Progress(total - 2, total, "Published CCS")
    grid = grid_of(cube)
    persistence = paper_persistence(cube, grid)
    tables["persistence"] = persistence_frame(cube, persistence)
    tables["ccs_mean"] = mean_frame(cube, persistence)
    yield Progress(total - 1, total, "Role against the others")
    contrast = role_contrast(cube, grid)
    tables["role_contrast"] = contrast_frame(cube, grid, contrast)
    tables["role_bias"] = bias_frame(cube, role_bias(cube, grid, contrast))
    tables["role_contrast_summary"] = summary_frame(cube, grid, contrast)
    yield Progress(total, total, "Role against the others")
    return {name: _as_paper(frame) for name, frame in tables.items()}


def _as_paper(frame: pd.DataFrame) -> pd.DataFrame:
    columns = frame.columns.tolist()
    frame["mode"] = coded_words(np.zeros(len(frame), dtype=np.int64), ["paper"])
    return frame[["mode", *columns]]


def bi_frame(cube: Cube, found: PaperConcentration) -> pd.DataFrame:
    """BI by condition (published figure 3 and the headline) and with conditions pooled (figure 4)."""
    layout = Layout.of(cube)
    everything = np.ones((len(cube.generators), len(cube.dimensions)), dtype=bool)
    level = np.concatenate([found.level, found.whole[:, None]], axis=1)
    value = _with_headline(layout, layout.with_means(level[..., None], everything))[..., 0]
    conditions = [*(condition.value for condition in CONDITIONS), ALL]
    frame = layout.frame(conditions, "condition", ("pool", "plugin"))
    images = cube.images_by_role.sum(axis=2)
    images = np.concatenate([images, images.sum(axis=1, keepdims=True)], axis=1)
    seen = np.broadcast_to(found.k[:, None], images.shape)
    frame["value"], frame["low"], frame["high"] = value.ravel(), np.nan, np.nan
    frame["images"] = whole(layout.spread(images, images.sum(axis=0)))
    k = layout.spread(seen, np.full(seen.shape[1:], np.nan))
    frame["label_space"] = np.where(np.isnan(k.ravel()), "", "labels seen of this generator")
    frame["k"] = whole(k)
    frame["effective_labels"] = np.nan
    undefined = np.isnan(value.ravel())
    single = (k == 1).ravel()
    frame["reason"] = np.select(
        [undefined, single],
        ["no known label", "a single label was seen: 0 as published, although fully concentrated"],
        "published without an interval",
    )
    return frame


def change_frame(cube: Cube, found: PaperConcentration, bootstrap: int) -> pd.DataFrame:
    """Changes between conditions with the published bootstrap (published tables 8 to 10)."""
    layout = Layout.of(cube)
    everything = np.ones((len(cube.generators), len(cube.dimensions)), dtype=bool)
    draws = _with_headline(layout, layout.with_means(found.draws, everything))
    change = np.stack([draws[:, later] - draws[:, earlier] for _, later, earlier in COMPARISONS], axis=1)
    flat = change.reshape(-1, 1 + bootstrap)
    frame = layout.frame([name for name, _, _ in COMPARISONS], "comparison", ("pool", "plugin"))
    frame["value"] = flat[:, 0]
    low, high, mean, count = _percentiles(flat[:, 1:])
    frame["low"], frame["high"], frame["bootstrap_mean"] = low, high, mean
    frame["method"] = WAY if bootstrap else ""
    frame["replicates"] = count
    reasons = np.where(np.isnan(flat[:, 0]), "no known label in a condition", "")
    frame["reason"] = reasons if bootstrap else "no interval: bootstrap switched off"
    return frame


def _with_headline(layout: Layout, wide: Floats) -> Floats:
    """The mean over generators of the headline is, as published, the mean of the cohorts of that mean."""
    size = layout.dimensions
    cohorts = wide[-1, :, size : size + len(layout.cohorts)]
    there = ~np.isnan(cohorts)
    with np.errstate(divide="ignore", invalid="ignore"):
        wide[-1, :, -1] = np.where(there, cohorts, 0.0).sum(axis=1) / there.sum(axis=1)
    return wide


def _percentiles(draws: Floats) -> tuple[Floats, Floats, Floats, Ints]:
    """2.5 and 97.5 % (linear), mean and number of the draws that are there, by row."""
    count = (~np.isnan(draws)).sum(axis=1).astype(np.int64)
    some = count > 0
    ends = np.full((3, len(draws)), np.nan)
    if some.any():
        ends[:2, some] = np.nanpercentile(draws[some], [2.5, 97.5], axis=1)
        ends[2, some] = np.nanmean(draws[some], axis=1)
    return ends[0], ends[1], ends[2], count


def persistence_frame(cube: Cube, found: PaperPersistence) -> pd.DataFrame:
    """Label-level results (published table 2); `dimension` names all dimensions that were added up."""
    counts = _by_condition(found.x, found.n)
    undefined = np.isnan(found.score)
    few = found.x.sum(axis=1) < MIN_SUPPORT
    nothing = np.full(len(found.x), np.nan)
    return pd.DataFrame(
        {
            **_keys(cube, found),
            **counts,
            "prevalence": found.prevalence,
            "range_pp": found.range_pp,
            "chi2": found.chi2,
            "df": found.df,
            "p": found.p,
            **dict.fromkeys(EMPTY, nothing),
            "family": "",
            "ccs": found.score,
            **dict.fromkeys(("ccs_low", "ccs_high", "ccs_if_stable"), nothing),
            "invariant_paper": found.is_invariant,
            "verdict": "",
            "reason": coded_words(
                np.where(undefined, np.where(few, 2, 1), 0),
                [
                    "",
                    "CCS undefined: label not seen in every condition",
                    f"CCS undefined: fewer than {MIN_SUPPORT} images with the label",
                ],
            ),
        }
    )


def mean_frame(cube: Cube, found: PaperPersistence) -> pd.DataFrame:
    """Mean CCS over generators; published only for labels that every generator shows."""
    keys, group = np.unique(found.role * len(found.words) + found.word, return_inverse=True)
    group = group.ravel()
    role, word = np.divmod(keys, len(found.words))

    def mean(values: Floats) -> Floats:
        there = ~np.isnan(values)
        total = np.bincount(group[there], weights=values[there], minlength=keys.size)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(total / np.bincount(group[there], minlength=keys.size), dtype=np.float64)

    generators = np.bincount(group, minlength=keys.size)
    shared = generators == len(cube.generators)
    score = np.where(shared, mean(found.score), np.nan)
    return pd.DataFrame(
        {
            "role": coded_words(role, cube.roles),
            "dimension": _spelt_words(found)[word],
            "label": coded_words(word, found.words),
            "generators": generators,
            "generators_defined": np.bincount(group[~np.isnan(found.score)], minlength=keys.size),
            "prevalence": mean(found.prevalence),
            "range_pp": mean(found.range_pp),
            "ccs": score,
            "invariant_paper": np.bincount(group[found.is_invariant], minlength=keys.size),
            "reason": coded_words(
                np.where(~shared, 1, np.where(np.isnan(score), 2, 0)),
                ["", "label not shown by every generator", "CCS undefined for every generator"],
            ),
        }
    )


def contrast_frame(cube: Cube, grid: Grid, contrast: Contrast) -> pd.DataFrame:
    """A role against all others, label by label (published as leave-one-out), with the full statistic."""
    chi2, df, p = tested(contrast.part)
    full, full_df, full_p = tested(contrast.full)
    names = tuple(dimension.id for dimension in cube.dimensions)
    words = tuple(sorted(set(cube.labels)))
    rank = {word: place for place, word in enumerate(words)}
    word_of = np.array([rank[label] for label in cube.labels], dtype=np.int64)
    expected = {f"expected_{name}": contrast.expected[:, at] for at, name in enumerate(_SHORT)}
    return pd.DataFrame(
        {
            "generator": coded_words(grid.generator, cube.generators),
            "role": coded_words(grid.role, cube.roles),
            "dimension": coded_words(cube.label_dimension[grid.label], names),
            "label": coded_words(word_of[grid.label], words),
            **_by_condition(grid.x, grid.n),
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
        }
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
    cohort = np.array([cube.dimensions[one].cohort for one in cube.label_dimension], dtype=object)[grid.label]
    p = tested(contrast.part[:, 1:])[2]
    free, aware = grid.n[:, 0] > 0, (grid.n[:, 1:] > 0).any(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = 100.0 * grid.x / grid.n
    supported = aware & (np.nan_to_num(share).max(axis=1, initial=0.0) >= 5)
    rows = []
    for generator in (*range(len(cube.generators)), None):
        of_generator = np.full(p.shape, True) if generator is None else grid.generator == generator
        for family in (*FAMILIES, ALL):
            mine = of_generator & (np.isin(cohort, FAMILIES) if family == ALL else cohort == family)
            rows.append(
                {
                    "generator": ALL if generator is None else cube.generators[generator],
                    "cohort": family,
                    **_context_free(share[mine & free, 0]),
                    **_context_aware(p[mine & aware]),
                    "supported": int(np.count_nonzero(mine & supported)),
                    "pct_invariant_supported": _mean(100.0 * (p[mine & supported] > PAPER_ALPHA)),
                }
            )
    frame = pd.DataFrame(rows)
    frame["reason"] = np.where(frame["labels_context_aware"] == 0, "no label in this cohort", "")
    return frame


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


_SHORT = ("cf", "car", "cau")


def _by_condition(x: Ints, n: Ints) -> dict[str, Ints]:
    sides = (("x", x), ("n", n))
    return {f"{what}_{name}": side[:, at] for at, name in enumerate(_SHORT) for what, side in sides}


def _keys(cube: Cube, found: PaperPersistence) -> dict[str, pd.Categorical | npt.NDArray[np.object_]]:
    return {
        "generator": coded_words(found.generator, cube.generators),
        "role": coded_words(found.role, cube.roles),
        "dimension": _spelt_words(found)[found.word],
        "label": coded_words(found.word, found.words),
    }


def _spelt_words(found: PaperPersistence) -> npt.NDArray[np.object_]:
    return np.array(found.dimensions, dtype=object)
