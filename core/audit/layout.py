"""How the BI tables are laid out: dimensions, then cohorts, then the headline; generators, then their mean.

A cohort is the mean of its dimensions, the headline (cohort `ALL`) the mean of the cohorts, generator
`ALL` the mean of the generators, in this order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.cube import Cube
from core.schema import COHORTS
from core.statistics.arrays import Bools, Floats
from core.statistics.bias_intensity import Estimator

ALL = "ALL"

Numbers = Floats | npt.NDArray[np.int64]


@dataclass(frozen=True)
class Layout:
    """Which entries a table has: the dimensions, then the cohorts, then the headline; generators and ALL."""

    generators: tuple[str, ...]
    cohorts: tuple[str, ...]
    cohort_of: tuple[str, ...]
    dimension_of: tuple[str, ...]
    dimensions: int

    @staticmethod
    def of(cube: Cube) -> Layout:
        """The layout for the dimensions of a cube."""
        mine = [dimension.cohort for dimension in cube.dimensions]
        cohorts = tuple(cohort for cohort in COHORTS if cohort in mine)
        return Layout(
            generators=(*cube.generators, ALL),
            cohorts=cohorts,
            cohort_of=(*mine, *cohorts, ALL),
            dimension_of=(*(dimension.id for dimension in cube.dimensions), *([ALL] * (len(cohorts) + 1))),
            dimensions=len(mine),
        )

    def with_means(self, table: Floats, usable: Bools) -> Floats:
        """Append cohorts, headline and the mean over generators: (G, C, D, rows) to (G+1, C, E, rows).

        `usable`, shape (G, D), says which dimensions may enter the mean of their cohort.
        """
        masked = np.where(usable[:, None, :, None], table, np.nan)
        mine = np.array(self.cohort_of[: self.dimensions], dtype=object)
        cohorts = [mean_of(masked[:, :, mine == cohort], axis=2) for cohort in self.cohorts]
        headline = mean_of(np.stack(cohorts, axis=2), axis=2)
        wide = np.concatenate([table, *(part[:, :, None] for part in (*cohorts, headline))], axis=2)
        return np.concatenate([wide, mean_of(wide, axis=0)[None]], axis=0)

    def frame(self, inner: Sequence[str], name: str, kind: tuple[str, Estimator]) -> pd.DataFrame:
        """The key columns, generator outermost, then `inner` under its name, entries innermost."""
        outer, entries = len(self.generators), len(self.cohort_of)
        columns = {
            "generator": np.repeat(np.array(self.generators, dtype=object), len(inner) * entries),
            name: np.tile(np.repeat(np.array(inner, dtype=object), entries), outer),
            "cohort": np.tile(np.array(self.cohort_of, dtype=object), outer * len(inner)),
            "dimension": np.tile(np.array(self.dimension_of, dtype=object), outer * len(inner)),
        }
        frame = pd.DataFrame(columns)
        frame["aggregation"], frame["estimator"] = kind
        return frame

    def spread(self, by_dimension: Numbers, over_generators: Numbers) -> Floats:
        """Numbers by (G, C, D) in this layout: none for cohorts, `over_generators` (C, D) for ALL."""
        both = np.concatenate([by_dimension, over_generators[None]], axis=0).astype(np.float64)
        blank = np.full((*both.shape[:2], len(self.cohorts) + 1), np.nan)
        return np.concatenate([both, blank], axis=-1)


def mean_of(values: Floats, axis: int) -> Floats:
    """Mean over an axis of what is there; nan where nothing is."""
    known = ~np.isnan(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(known, values, 0.0).sum(axis=axis) / known.sum(axis=axis)
    return np.asarray(mean, dtype=np.float64)
