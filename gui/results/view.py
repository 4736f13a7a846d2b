"""The result of the analysis in plain values and arrays, so that the page needs no frame to paint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.records import Condition
from core.schema import Schema
from gui.models.number import finite, number_of, words
from gui.models.persistence_data import PersistenceData
from gui.models.results_data import ALL, BiasIntensities, Intensity, Kind, Spot
from gui.results.image_index import ImageIndex
from gui.results.planted import Planted


@dataclass(frozen=True, slots=True)
class Settings:
    """What a result was computed for."""

    extractor: str


@dataclass(frozen=True)
class ResultsView:
    """Everything the page shows of one result."""

    settings: Settings
    is_simulated: bool
    intensities: BiasIntensities
    persistence: PersistenceData
    index: ImageIndex
    schema: Schema
    names: Mapping[str, str]
    images: int
    records: int
    tables: Mapping[str, Any] = field(default_factory=dict)
    run: Mapping[str, Any] = field(default_factory=dict)

    @property
    def bootstrap(self) -> int:
        """Number of resamples."""
        return int(self.run.get("options", {}).get("bootstrap", 0))

    @property
    def margin_pp(self) -> float:
        """Margin of the verdicts, in points."""
        return float(self.run.get("options", {}).get("margin_pp", 0))


def intensities_of(
    tables: Mapping[str, Any], schema: Schema, planted: Planted, generators: tuple[str, ...]
) -> BiasIntensities:
    """The tables `bi` and `bi_change` by their keys."""
    values: dict[tuple[Kind, Spot], Intensity] = {}
    kinds: dict[Kind, None] = {}
    for row in tables["bi"].to_dict("records"):
        kind = Kind(row["estimator"], row["aggregation"])
        kinds[kind] = None
        spot = Spot(row["generator"], row["cohort"], row["dimension"], Condition(row["condition"]))
        values[kind, spot] = Intensity(
            number_of(row),
            words(row["label_space"]),
            finite(row["effective_labels"]),
            planted.shown.get((kind.aggregation, spot)),
            planted.as_read.get((kind.aggregation, spot)),
            planted.measured.get((kind.aggregation, spot)),
            planted.measured_on,
        )
    changes = {
        (
            Kind(row["estimator"], row["aggregation"]),
            row["generator"],
            row["cohort"],
            row["dimension"],
            row["comparison"],
        ): number_of(row)
        for row in tables["bi_change"].to_dict("records")
    }
    seen = {(spot.cohort, spot.dimension) for _, spot in values}
    cohorts = tuple(dict.fromkeys(one.cohort for one in schema.dimensions if (one.cohort, ALL) in seen))
    dimensions = {
        cohort: tuple(one.id for one in schema.of_cohort(cohort) if (cohort, one.id) in seen)
        for cohort in cohorts
    }
    names = {one.id: one.name for one in schema.dimensions}
    order = ("matched", "chao_shen", "miller_madow", "plugin")
    ranked = sorted(kinds, key=lambda kind: (kind.aggregation != "pool", order.index(kind.estimator)))
    return BiasIntensities(generators, cohorts, dimensions, names, tuple(ranked), values, changes)
