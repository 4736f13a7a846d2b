"""The phantom's planted and measured Bias Intensity beside an estimate."""

from __future__ import annotations

import math
from dataclasses import replace

from core.phantom import NAME
from core.phantom.study import phantom_plan
from core.phantom.truth import load_measured, planted_share
from core.records import Condition
from gui.models.results_data import Intensity, Number, Spot
from gui.results.own_rates import with_own_rates
from gui.results.planted import NOTHING, intensity
from gui.results.sentences import truth_words

COHORTS, SIZES = {"gender_presentation": "People", "mood": "Scene"}, {"gender_presentation": 3, "mood": 10}
SPOT = Spot(NAME, "People", "gender_presentation", Condition.CA_U)


def test_planted_and_measured_are_those_of_the_roles_of_the_study():
    plan = phantom_plan()
    found = with_own_rates(NOTHING, plan.prompts, COHORTS, SIZES)

    roles = sorted({role.name for role in plan.roles})
    women = sum(planted_share(role, Condition.CA_U, "gender_presentation")["female"] for role in roles) / 4
    assert math.isclose(found.shown["pool", SPOT], intensity([women, 1 - women], 3) or 0, abs_tol=1e-9)
    cells = {
        (each["role"], each["label"]): each["measured"] * each["n"]
        for each in load_measured()["cells"]
        if (each["condition"], each["dimension"]) == ("CA-U", "gender_presentation")
    }
    counts = [sum(cells.get((role, label), 0) for role in roles) for label in ("female", "male")]
    assert math.isclose(found.measured["pool", SPOT], intensity(counts, 3) or 0, abs_tol=1e-3)
    assert found.measured_on == load_measured()["pictures"]
    assert not any(spot.dimension == "mood" for _, spot in found.shown)


def test_with_a_role_that_it_was_not_trained_on_nothing_is_known():
    stranger = replace(phantom_plan().prompts[0], role="astronaut")
    assert with_own_rates(NOTHING, [stranger], COHORTS, SIZES) == NOTHING


def test_both_facts_are_said_and_which_one_counts():
    said = truth_words(Intensity(Number(0.5), truth=0.25, own=0.31, own_of=6000))
    assert "Planted in training: 0.25" in said
    assert "measured on 6000 of its pictures: 0.31; hold the estimate against this one" in said
