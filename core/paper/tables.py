"""The tables of paper mode, in the columns of audit mode where there are such; `mode` says paper in each."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.audit.columns import coded_words, whole
from core.audit.concentration import COMPARISONS
from core.audit.groups import Groups
from core.audit.layout import ALL, Layout
from core.cube import CONDITIONS, Cube
from core.jobs import Job, Progress
from core.paper.concentration import PaperConcentration, paper_concentration
from core.paper.contrast import role_bias, role_contrast
from core.paper.contrast_tables import bias_frame, by_condition, contrast_frame, summary_frame
from core.paper.persistence import PaperPersistence, grid_of, paper_persistence
from core.statistics.arrays import Floats, Ints
from core.statistics.persistence import MIN_SUPPORT

WAY = "percentile, roles drawn anew for each condition and generator"
EMPTY = ("p_exact", "p_min", "p_adjusted")


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
    del persistence
    contrast = role_contrast(cube, grid)
    last = {
        "role_bias": bias_frame(cube, role_bias(cube, grid, contrast)),
        "role_contrast_summary": summary_frame(cube, grid, contrast),
    }
    tables |= {"role_contrast": contrast_frame(cube, grid, contrast), **last}
    yield Progress(total, total, "Role against the others")
    return {name: _as_paper(frame) for name, frame in tables.items()}


def _as_paper(frame: pd.DataFrame) -> pd.DataFrame:
    frame.insert(0, "mode", pd.Series(coded_words(np.zeros(len(frame), dtype=np.int8), ["paper"])))
    return frame


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
    counts = by_condition(found.x, found.n)
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
            "family": _blank(len(found.x)),
            "ccs": found.score,
            **dict.fromkeys(("ccs_low", "ccs_high", "ccs_if_stable"), nothing),
            "invariant_paper": found.is_invariant,
            "verdict": _blank(len(found.x)),
            "reason": coded_words(
                np.where(undefined, np.where(few, 2, 1), 0),
                [
                    "",
                    "CCS undefined: label not seen in every condition",
                    f"CCS undefined: fewer than {MIN_SUPPORT} images with the label",
                ],
            ),
        },
        copy=False,
    )


def mean_frame(cube: Cube, found: PaperPersistence) -> pd.DataFrame:
    """Mean CCS over generators; published only for labels that every generator shows."""
    groups = Groups.of(found.role * len(found.words) + found.word)
    role, word = np.divmod(groups.keys, len(found.words))
    shared = groups.count() == len(cube.generators)
    score = np.where(shared, groups.mean(found.score), np.nan)
    return pd.DataFrame(
        {
            "role": coded_words(role, cube.roles),
            "dimension": _spelt_words(found, word),
            "label": coded_words(word, found.words),
            "generators": groups.count(),
            "generators_defined": groups.count(~np.isnan(found.score)),
            "prevalence": groups.mean(found.prevalence),
            "range_pp": groups.mean(found.range_pp),
            "ccs": score,
            "invariant_paper": groups.count(found.is_invariant),
            "reason": coded_words(
                np.where(~shared, 1, np.where(np.isnan(score), 2, 0)),
                ["", "label not shown by every generator", "CCS undefined for every generator"],
            ),
        }
    )


def _keys(cube: Cube, found: PaperPersistence) -> dict[str, pd.Categorical]:
    return {
        "generator": coded_words(found.generator, cube.generators),
        "role": coded_words(found.role, cube.roles),
        "dimension": _spelt_words(found, found.word),
        "label": coded_words(found.word, found.words),
    }


def _spelt_words(found: PaperPersistence, word: Ints) -> pd.Categorical:
    """The dimensions of each word, as they are spelt."""
    kinds, code = np.unique(np.array(found.dimensions, dtype=object), return_inverse=True)
    return coded_words(code.ravel()[word], kinds.tolist())


def _blank(rows: int) -> pd.Categorical:
    """A column that audit mode fills."""
    return coded_words(np.zeros(rows, dtype=np.int8), [""])
