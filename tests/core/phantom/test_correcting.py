"""Instruments with errors, and rates corrected for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from annotation.simulated_eyes import simulated_eyes
from core.jobs import run_here
from core.phantom.calibrating import CORRECTED, PEOPLE, PLAIN, READER, calibrate
from core.phantom.correcting import Errors, corrected, corrected_limits
from core.phantom.instruments import looked_at, reader_eye
from core.schema import load_schema
from tests.core.phantom.test_calibrating import rows

MATRIX = {"female": {"female": 160, "male": 40}, "male": {"male": 190, "female": 5, "unknown": 5}}
ERRORS: dict[str, dict[str, Any]] = {
    "gender_presentation": {"matrix": MATRIX},
    "clothing_garment": {"labels": {"suit": [90, 100, 0, 100]}},
}
for _name in ("eyewear_type", "facial_hair_style", "head_covering_type", "skin_tone", "age_range"):
    ERRORS[_name] = {"matrix": {}}
for _name in ("hair_style", "hair_color", "expression"):
    ERRORS[_name] = {"matrix": {}}


def test_true_shares_come_back_from_what_they_are_read_as() -> None:
    errors = Errors.of(MATRIX)
    assert errors.labels == ("female", "male", "unknown")
    for true in ([0.3, 0.7, 0.0], [0.95, 0.05, 0.0]):
        read = 1000 * np.array(true) @ errors.rows
        assert np.allclose(corrected(read, errors.rows), true, atol=0.01)


def test_an_interval_of_a_corrected_share_holds_it_and_the_plain_share_is_far_off() -> None:
    chance, held = np.random.default_rng(1), []
    for _ in range(300):
        x = chance.binomial(60, 0.5 * 0.8 + 0.5 * 0.05)  # half are women; 80 % of them are read as such
        hits, false = chance.binomial(200, 0.8), chance.binomial(200, 0.05)
        low, high = corrected_limits(x, 60, (hits, 200), (false, 200))
        held.append(low <= 0.5 <= high)
    assert 0.92 <= np.mean(held) <= 0.985


def test_most_of_the_eyes_decide_and_errors_are_as_often_as_stated() -> None:
    some = rows(60)
    once = looked_at(some, [reader_eye(ERRORS)], 1)
    assert once == looked_at(some, [reader_eye(ERRORS)], 1)
    women = [n for n, row in enumerate(some) if row["labels"]["gender_presentation"] == "female"]
    missed = np.mean([once[n]["labels"]["gender_presentation"] == "male" for n in women])
    assert 0.12 < missed < 0.28
    people = looked_at(some, simulated_eyes(load_schema()), 1)
    missed = np.mean([people[n]["labels"]["gender_presentation"] != "female" for n in women])
    assert 0 < missed < 0.06
    assert [row["labels"]["hair_style"] for row in people] == ["unknown"] * len(some)


def test_correction_brings_the_truth_back_into_the_intervals() -> None:
    schema = load_schema()
    found = run_here(calibrate(rows(), schema, 2, 40, 3, 10, ERRORS, simulated_eyes(schema)))
    held = {(line["labels"], line["number"]): line["hold the truth"] for line in found}
    assert {way for way, _ in held} == {PLAIN, READER, CORRECTED, PEOPLE}
    assert held[CORRECTED, "prevalence"] > 0.9 > held[READER, "prevalence"]
