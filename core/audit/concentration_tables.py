"""The tables `bi` and `bi_change`: dimensions, cohorts, the headline, and the mean over generators.

A cohort is the mean of its dimensions, the headline (cohort `ALL`) the mean of the cohorts, generator
`ALL` the mean of the generators, in this order. A dimension that is undefined in one condition is left
out of its cohort in all of them, and named: a cohort value never compares different sets of dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.audit.columns import whole
from core.audit.concentration import AGGREGATIONS, COMPARISONS, Concentration, Draws, concentrations
from core.audit.layout import Layout
from core.audit.role_intervals import Drawn, interval_columns, put_together
from core.audit.seed_effects import SeedPairs
from core.audit.seed_influence import SeedInfluence, seed_influences
from core.audit.small_samples import change_warnings, level_warnings
from core.cube import CONDITIONS, Cube, LabelSpace
from core.jobs import Job, Progress
from core.statistics.arrays import Bools, Floats
from core.statistics.bias_intensity import CLIPPED, ESTIMATORS, NO_DATA, SINGLE_CATEGORY, Estimator
from core.statistics.resampling import FEWEST_CLUSTERS

BI_COLUMNS = [
    "generator", "condition", "cohort", "dimension", "aggregation", "estimator", "value", "low", "high",
    "images", "label_space", "k", "effective_labels", "reason",
]  # fmt: skip
CHANGE_COLUMNS = [
    "generator", "comparison", "cohort", "dimension", "aggregation", "estimator", "value", "low", "high",
    "method", "replicates", "reason",
]  # fmt: skip

Words = npt.NDArray[np.object_]
Found = dict[tuple[str, Estimator], Concentration]


def concentration_tables(
    cube: Cube,
    spaces: Sequence[LabelSpace],
    *,
    bootstrap: int,
    seed: int,
    pairs: SeedPairs | None = None,
) -> Job[dict[str, pd.DataFrame]]:
    """The tables `bi` and `bi_change`; one step a dimension. `pairs` is what images of one seed share."""
    draws = Draws.of(cube.roles, bootstrap, seed)
    steps = concentrations(cube, spaces, draws)
    for done in range(len(spaces)):
        yield Progress(done, len(spaces) + 1, "Bias Intensity")
        next(steps)
    found = next(steps)
    layout, shared = Layout.of(cube), seed_influences(cube, spaces)
    parts: dict[str, list[pd.DataFrame]] = {"bi": [], "bi_change": []}
    for way in AGGREGATIONS:
        for estimator in ESTIMATORS:
            kind = (way, estimator)
            seeds = None if shared is None else shared[way]
            within = _shift_of_seeds(found, way, pairs)
            whole = within if seeds is None else seeds.shift + (0.0 if within is None else within)
            # the shift of seeds that all roles share is the same in every condition, but for chance
            for name, rows, warn, shift in (
                ("bi", _level_rows, level_warnings, whole),
                ("bi_change", _change_rows, change_warnings, within),
            ):
                frame = rows(cube, spaces, layout, found[kind], draws, kind, seeds)
                shifted = warn(cube, layout, found, kind, frame, shift)
                frame["reason"] = put_together(frame["reason"].to_numpy(), shifted)
                parts[name].append(frame)
            yield Progress(len(spaces), len(spaces) + 1, "Bias Intensity: intervals")
    yield Progress(len(spaces) + 1, len(spaces) + 1, "Bias Intensity: tables")
    return {
        "bi": _ordered(parts["bi"], BI_COLUMNS),
        "bi_change": _ordered(parts["bi_change"], CHANGE_COLUMNS),
    }


def _shift_of_seeds(found: Found, way: str, pairs: SeedPairs | None) -> Floats | None:
    """By how much more than independent images those of few seeds make BI of a role too high, (G, C, D)."""
    if pairs is None:
        return None
    plain = found[way, "plugin"].value - found[way, "miller_madow"].value
    return np.asarray(plain * pairs.mean_level())


def _level_rows(
    cube: Cube,
    spaces: Sequence[LabelSpace],
    layout: Layout,
    found: Concentration,
    draws: Draws,
    kind: tuple[str, Estimator],
    seeds: SeedInfluence | None,
) -> pd.DataFrame:
    has_images = cube.images_by_role.sum(axis=2).any(axis=2)  # (G, C): conditions that exist at all
    usable = ~np.any(np.isnan(found.value) & has_images[:, :, None], axis=1)
    table = layout.with_means(found.level, usable)
    value = layout.with_means(found.value[..., None], usable)[..., 0]
    frame = layout.frame([condition.value for condition in CONDITIONS], "condition", kind)
    has = cube.images_by_role > 0
    is_few = _is_few(layout, np.count_nonzero(has, axis=2))
    added = None if seeds is None else seeds.variances(layout, usable, of_change=False)
    drawn = Drawn(draws, kind, is_few, added, 0 if seeds is None else seeds.seeds)
    low, high, _, _, why = interval_columns(table, value, drawn, (0.0, 1.0))
    frame["value"], frame["low"], frame["high"] = value.ravel(), low, high
    images = cube.images_by_role.sum(axis=2)
    frame["images"] = whole(layout.spread(images, images.sum(axis=0)))
    words = np.array([space.words for space in spaces] + [""] * (len(layout.cohorts) + 1), dtype=object)
    sizes = np.array([space.k for space in spaces] + [-1] * (len(layout.cohorts) + 1), dtype=np.int64)
    shape = value.shape
    frame["label_space"] = np.broadcast_to(words, shape).ravel()
    frame["k"] = whole(np.broadcast_to(sizes, shape))
    frame["effective_labels"] = layout.spread(
        found.effective, np.full(found.effective.shape[1:], np.nan)
    ).ravel()
    reasons = _level_reasons(cube, spaces, layout, found, usable, value)
    frame["reason"] = put_together(reasons.ravel(), why)
    return frame


def _change_rows(
    cube: Cube,
    spaces: Sequence[LabelSpace],
    layout: Layout,
    found: Concentration,
    draws: Draws,
    kind: tuple[str, Estimator],
    seeds: SeedInfluence | None,
) -> pd.DataFrame:
    usable = np.ones(found.value.shape[::2], dtype=bool)
    table = layout.with_means(found.change, usable)
    exact = _exact_changes(found, kind)
    value = layout.with_means(exact[..., None], usable)[..., 0]
    frame = layout.frame([name for name, _, _ in COMPARISONS], "comparison", kind)
    has = cube.images_by_role > 0
    both = [np.count_nonzero(has[:, late] & has[:, early], axis=1) for _, late, early in COMPARISONS]
    is_few = _is_few(layout, np.stack(both, axis=1))
    added = None if seeds is None else seeds.variances(layout, usable, of_change=True)
    drawn = Drawn(draws, kind, is_few, added, 0 if seeds is None else seeds.seeds)
    low, high, method, replicates, why = interval_columns(table, value, drawn, (-1.0, 1.0))
    frame["value"], frame["low"], frame["high"] = value.ravel(), low, high
    frame["method"], frame["replicates"] = method, whole(replicates)
    frame["reason"] = put_together(_change_reasons(spaces, layout, found, exact, value).ravel(), why)
    return frame


def _exact_changes(found: Concentration, kind: tuple[str, Estimator]) -> Floats:
    if kind[0] == "role":
        return np.asarray(found.change[..., 0], dtype=np.float64)
    value = found.value
    return np.stack([value[:, late] - value[:, early] for _, late, early in COMPARISONS], axis=1)


def _is_few(layout: Layout, roles: npt.NDArray[np.signedinteger]) -> Bools:
    """Where too few roles have images for an interval over roles; from (G, C, D) to the layout, flat."""
    with np.errstate(invalid="ignore"):
        few = layout.spread(roles.astype(np.int64), roles.min(axis=0)) < FEWEST_CLUSTERS
    return np.asarray(few.ravel(), dtype=bool)


def _level_reasons(
    cube: Cube,
    spaces: Sequence[LabelSpace],
    layout: Layout,
    found: Concentration,
    usable: Bools,
    value: Floats,
) -> Words:
    reasons = np.full(value.shape, "", dtype=object)
    size = layout.dimensions
    for place in np.ndindex(found.value.shape):
        if np.isnan(found.value[place]):
            reasons[place] = SINGLE_CATEGORY if spaces[place[2]].k < 2 else NO_DATA
        elif found.clipped[place]:
            reasons[place] = CLIPPED
    for generator in range(len(cube.generators)):
        reasons[generator, :, size:] = _left_out(layout, usable[generator])
    _say_why_mean(reasons, value)
    return reasons


def _change_reasons(
    spaces: Sequence[LabelSpace], layout: Layout, found: Concentration, exact: Floats, value: Floats
) -> Words:
    reasons = np.full(value.shape, "", dtype=object)
    size = layout.dimensions
    for place in np.ndindex(exact.shape):
        if np.isnan(exact[place]):
            reasons[place] = SINGLE_CATEGORY if spaces[place[2]].k < 2 else "no usable image in a condition"
        elif found.unpaired[place]:
            reasons[place] = _unpaired_words(int(found.unpaired[place]))
    for generator, number in np.ndindex(exact.shape[:2]):
        reasons[generator, number, size:] = _left_out(layout, ~np.isnan(exact[generator, number]))
    _say_why_mean(reasons, value)
    return reasons


def _left_out(layout: Layout, usable: Bools) -> Words:
    """For each cohort and the headline: the dimensions that are not in the mean."""
    names = np.array(layout.dimension_of[: layout.dimensions], dtype=object)
    mine = np.array(layout.cohort_of[: layout.dimensions], dtype=object)
    missing = [names[(mine == cohort) & ~usable].tolist() for cohort in layout.cohorts]
    every = [name for part in missing for name in part]
    return np.array(
        [f"left out as undefined: {', '.join(part)}" if part else "" for part in (*missing, every)],
        dtype=object,
    )


def _unpaired_words(roles: int) -> str:
    who = "1 role has" if roles == 1 else f"{roles} roles have"
    return f"{who} images in one of the conditions only"


def _say_why_mean(reasons: Words, value: Floats) -> None:
    """Reasons of generator ALL, and of means of nothing."""
    missing = np.isnan(value[:-1]).sum(axis=0)
    total = len(value) - 1
    for place in np.argwhere(missing > 0).tolist():
        reasons[(-1, *place)] = f"undefined for {missing[tuple(place)]} of {total} generators"
    for place in np.argwhere(np.isnan(value)).tolist():
        if not reasons[tuple(place)]:
            reasons[tuple(place)] = "no dimension has a value"


def _ordered(parts: Sequence[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    """All rows together: by generator, condition and entry, then aggregation and estimator."""
    size = len(parts[0])
    order = np.arange(size * len(parts)).reshape(len(parts), size).T.ravel()
    return pd.concat(parts, ignore_index=True).iloc[order].reset_index(drop=True)[columns]
