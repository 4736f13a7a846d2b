"""The tables `bi` and `bi_change`: dimensions, cohorts, the headline, and the mean over generators.

A cohort is the mean of its dimensions, the headline (cohort `ALL`) the mean of the cohorts, generator
`ALL` the mean of the generators, in this order. A dimension that is undefined in one condition is left
out of its cohort in all of them, and named: a cohort value never compares different sets of dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.audit.columns import whole
from core.audit.concentration import AGGREGATIONS, COMPARISONS, Concentration, Draws, concentrations
from core.audit.layout import Layout
from core.audit.seed_effects import SeedPairs
from core.audit.seed_influence import SeedInfluence, seed_influences, stretches
from core.audit.small_samples import change_warnings, level_warnings
from core.cube import CONDITIONS, Cube, LabelSpace
from core.jobs import Job, Progress
from core.shared_seeds import FEW_SEEDS, few_seeds_words
from core.statistics.arrays import Bools, Floats
from core.statistics.bca import Intervals
from core.statistics.bias_intensity import CLIPPED, ESTIMATORS, NO_DATA, SINGLE_CATEGORY, Estimator
from core.statistics.resampling import FEW_CLUSTERS, FEWEST_CLUSTERS, jackknife_ses

BI_COLUMNS = [
    "generator", "condition", "cohort", "dimension", "aggregation", "estimator", "value", "low", "high",
    "images", "label_space", "k", "effective_labels", "reason",
]  # fmt: skip
CHANGE_COLUMNS = [
    "generator", "comparison", "cohort", "dimension", "aggregation", "estimator", "value", "low", "high",
    "method", "replicates", "reason",
]  # fmt: skip

ROLES_AND_SEEDS = "widened for seeds that roles share"

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
            shift = _shift_of_seeds(found, way, pairs, seeds)
            for name, rows, warn in (
                ("bi", _level_rows, level_warnings),
                ("bi_change", _change_rows, change_warnings),
            ):
                frame = rows(cube, spaces, layout, found[kind], draws, kind, seeds)
                shifted = warn(cube, layout, found, kind, frame, shift)
                frame["reason"] = _joined(frame["reason"].to_numpy(), shifted)
                parts[name].append(frame)
            yield Progress(len(spaces), len(spaces) + 1, "Bias Intensity: intervals")
    yield Progress(len(spaces) + 1, len(spaces) + 1, "Bias Intensity: tables")
    return {
        "bi": _ordered(parts["bi"], BI_COLUMNS),
        "bi_change": _ordered(parts["bi_change"], CHANGE_COLUMNS),
    }


def _shift_of_seeds(
    found: Found, way: str, pairs: SeedPairs | None, seeds: SeedInfluence | None
) -> Floats | None:
    """By how much more than independent images those of few seeds make BI too high, (G, C, D)."""
    if pairs is None:
        return None
    plain = found[way, "plugin"].value - found[way, "miller_madow"].value
    return np.asarray(plain * pairs.mean_level() + (0.0 if seeds is None else seeds.shift))


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
    drawn = _Drawn(draws, kind, is_few, added, 0 if seeds is None else seeds.seeds)
    low, high, _, _, why = _intervals(table, value, drawn, (0.0, 1.0))
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
    frame["reason"] = _joined(reasons.ravel(), why)
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
    drawn = _Drawn(draws, kind, is_few, added, 0 if seeds is None else seeds.seeds)
    low, high, method, replicates, why = _intervals(table, value, drawn, (-1.0, 1.0))
    frame["value"], frame["low"], frame["high"] = value.ravel(), low, high
    frame["method"], frame["replicates"] = method, whole(replicates)
    frame["reason"] = _joined(_change_reasons(spaces, layout, found, exact, value).ravel(), why)
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


@dataclass(frozen=True)
class _Drawn:
    """What intervals are made of: draws of roles, where there are few, and what shared seeds add (flat)."""

    draws: Draws
    kind: tuple[str, Estimator]
    is_few: Bools
    added: Floats | None
    seeds: int

    def intervals(self, table: Floats) -> Intervals:
        """Intervals of a flat table, wider where roles share seeds."""
        found = self.draws.intervals(table, by_jackknife=self.kind == ("pool", "chao_shen"))
        if self.added is None:
            return found
        without = table[:, 1 + self.draws.replicates :].T
        wider = stretches(jackknife_ses(without) ** 2, self.added, len(without), self.seeds)
        more = (wider - 1) * (found.high - found.low) / 2
        shared = wider > 1
        few = shared & (self.seeds < FEW_SEEDS)
        found.method[shared] = [f"{word}, {ROLES_AND_SEEDS}" for word in found.method[shared]]
        why = _joined(found.reason, np.where(few, few_seeds_words(self.seeds), "").astype(object))
        return replace(found, low=found.low - more, high=found.high + more, reason=why)


def _intervals(
    table: Floats, value: Floats, drawn: _Drawn, bounds: tuple[float, float]
) -> tuple[Floats, Floats, Words, npt.NDArray[np.int64], Words]:
    """Ends, method, number of draws, and what is particular about each interval, flat."""
    size, draws, is_few = value.size, drawn.draws, drawn.is_few
    nothing = np.full(size, "", dtype=object)
    known = ~np.isnan(value.ravel())
    if draws.why_none:
        none = np.full(size, np.nan)
        why = np.where(known, draws.why_none, "").astype(object)
        return none, none.copy(), nothing, np.full(size, -1, dtype=np.int64), why
    found = drawn.intervals(table.reshape(size, -1))
    low, high = (np.clip(end, *bounds) for end in (found.low, found.high))
    flat = found.method == "degenerate"  # both ends at the value as printed
    low[flat], high[flat] = value.ravel()[flat], value.ravel()[flat]
    for ends in (low, high):
        ends[is_few] = np.nan
    found.method[is_few], found.reason[is_few & known] = "", FEW_CLUSTERS
    return low, high, found.method, np.where(known, found.replicates, -1), found.reason


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


def _joined(first: Words, second: Words) -> Words:
    return np.array(
        ["; ".join(part for part in pair if part) for pair in zip(first, second, strict=True)], dtype=object
    )


def _ordered(parts: Sequence[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    """All rows together: by generator, condition and entry, then aggregation and estimator."""
    size = len(parts[0])
    order = np.arange(size * len(parts)).reshape(len(parts), size).T.ravel()
    return pd.concat(parts, ignore_index=True).iloc[order].reset_index(drop=True)[columns]
