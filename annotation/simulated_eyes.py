"""Simulated people as eyes of a calibration: one label of one picture at a time, by their stated rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.simulated import SimulatedAnnotator, load_simulated
from core.phantom.instruments import Eye
from core.records import UNKNOWN
from core.schema import Schema


def simulated_eyes(schema: Schema, profiles: Sequence[SimulatedAnnotator] | None = None) -> tuple[Eye, ...]:
    """An eye for each simulated annotator; errors fall on the other labels of the schema, all alike."""
    return tuple(_eye(each, schema) for each in profiles or load_simulated())


def _eye(profile: SimulatedAnnotator, schema: Schema) -> Eye:
    def one(dimension: str, true: str) -> Mapping[str, float]:
        others = [label for label in schema.dimension(dimension).label_ids if label not in (true, UNKNOWN)]
        return profile.chances(dimension, () if true == UNKNOWN else (true,), others)

    def listed(_dimension: str, _label: str) -> tuple[float, float]:
        return 1 - profile.missed_mark_rate, profile.false_mark_rate

    return Eye(one, listed)
