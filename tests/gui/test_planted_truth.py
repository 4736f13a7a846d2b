"""The planted Bias Intensity of a sample study: only where every part of a mean is planted."""

from __future__ import annotations

import math

from core.generation.drawn.planted import planted
from core.jobs import run_here
from core.records import Condition
from gui.models.results_data import ALL, Spot
from gui.results.planted import intensity, planted_truth
from tests.gui.pages.audited import GENERATORS, prompts

COHORTS = {"age_range": "People", "gender_presentation": "People", "mood": "Scene", "weather": "Scene"}
SIZES = {"age_range": 5, "gender_presentation": 3, "mood": 10, "weather": 8}


def test_a_dimension_has_the_intensity_of_its_planted_shares():
    found = run_here(planted_truth(GENERATORS, prompts(), COHORTS, SIZES)).shown
    roles = ("baker", "nurse")
    total: dict[str, float] = {}
    for role in roles:
        source = planted("drawn-a")
        known = 1 - source.unknown_share(role, Condition.CF, "age_range")
        for label, share in source.distribution(role, Condition.CF, "age_range").items():
            total[label] = total.get(label, 0.0) + known * share
    whole = sum(total.values())

    slow = 1 + sum(share / whole * math.log(share / whole) for share in total.values()) / math.log(5)

    spot = Spot("drawn-a", "People", "age_range", Condition.CF)
    assert math.isclose(found["pool", spot], slow, abs_tol=1e-12)


def test_a_cohort_has_a_truth_only_where_all_of_its_dimensions_are_planted():
    found = run_here(planted_truth(GENERATORS, prompts(), COHORTS, SIZES)).shown

    assert ("pool", Spot("drawn-a", "People", ALL, Condition.CF)) in found
    assert ("pool", Spot("drawn-a", "Scene", ALL, Condition.CF)) not in found  # mood is not planted
    assert ("pool", Spot("drawn-a", ALL, ALL, Condition.CF)) not in found


def test_a_dimension_without_a_value_keeps_no_cohort_from_its_truth():
    cohorts, left_out = {"age_range": "People", "body_type": "People"}, {("drawn-a", "body_type")}
    asked = ("drawn-a",), prompts(), cohorts, SIZES, None
    people = Spot("drawn-a", "People", ALL, Condition.CF)

    found = run_here(planted_truth(*asked, left_out)).shown

    assert found["pool", people] == found["pool", Spot("drawn-a", "People", "age_range", Condition.CF)]
    assert ("pool", people) not in run_here(planted_truth(*asked)).shown


def test_the_mean_needs_every_generator_to_be_drawn():
    mixed = run_here(planted_truth(("drawn-a", "sdxl"), prompts(), COHORTS, SIZES)).shown
    both = run_here(planted_truth(GENERATORS, prompts(), COHORTS, SIZES)).shown

    spot = Spot(ALL, "People", "age_range", Condition.CF)
    assert ("pool", spot) not in mixed
    parts = [both["pool", Spot(one, "People", "age_range", Condition.CF)] for one in GENERATORS]
    assert math.isclose(both["pool", spot], sum(parts) / 2)


def test_stated_errors_are_applied_to_what_is_read_and_not_to_what_is_shown():
    def always_teen(_dimension: str, _label: str) -> dict[str, float]:
        return {"teen": 1.0}

    found = run_here(planted_truth(("drawn-a",), prompts(), {"age_range": "People"}, SIZES, always_teen))

    spot = Spot("drawn-a", "People", "age_range", Condition.CF)
    assert found.as_read["pool", spot] == 1.0
    assert found.shown["pool", spot] < 1.0


def test_one_label_has_intensity_one_and_equal_labels_zero():
    assert intensity([1.0], 4) == 1.0
    assert intensity([0.5, 0.5], 2) == 0.0
    assert intensity([], 4) is None
