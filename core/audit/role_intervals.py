"""Ends, method and reason of the intervals of BI: over roles, and wider where roles share seeds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.audit.concentration import Draws
from core.audit.seed_influence import stretches
from core.shared_seeds import FEW_SEEDS, few_seeds_words
from core.statistics.arrays import Bools, Floats
from core.statistics.bca import Intervals
from core.statistics.bias_intensity import Estimator
from core.statistics.resampling import FEW_CLUSTERS, jackknife_ses

ROLES_AND_SEEDS = "widened for seeds that roles share"

Words = npt.NDArray[np.object_]


@dataclass(frozen=True)
class Drawn:
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
        why = put_together(found.reason, np.where(few, few_seeds_words(self.seeds), "").astype(object))
        return replace(found, low=found.low - more, high=found.high + more, reason=why)


def interval_columns(
    table: Floats, value: Floats, drawn: Drawn, bounds: tuple[float, float]
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


def put_together(first: Words, second: Words) -> Words:
    """Two reasons a row in one, those that are there separated by a semicolon."""
    return np.array(
        ["; ".join(part for part in pair if part) for pair in zip(first, second, strict=True)], dtype=object
    )
