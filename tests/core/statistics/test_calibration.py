"""On simulated studies intervals hold what was planted, tests are quiet, and what is off says so.

A reduced form of `tests/benchmarks/bench_calibration.py`; bounds are wide enough for so few studies.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmarks.coverage_counts import Tally, count_agreement, count_bi, count_labels
from tests.benchmarks.seeded_studies import SeededPlan, draw_seeded
from tests.benchmarks.simulated_studies import Plan, draw_study, population_bi, true_agreement

STUDIES, DRAWS = 12, 150


@pytest.fixture(scope="module")
def studied():
    """Shares by key, of the paper's design with nothing changed, images of a prompt alike."""
    plan, tally = Plan(roles=40), Tally()
    truth = population_bi(plan, draws=20_000)
    for number in range(STUDIES):
        rng = np.random.default_rng(number)
        count_bi(draw_study(plan, rng), truth, tally, DRAWS, number)
        count_labels(draw_study(Plan(roles=6), rng), tally, DRAWS, number)
    return {key: (share, of) for key, share, _, of in tally.rows()}


def test_pooled_bi_and_its_change_hold_the_truth(studied):
    for what in ("bi", "bi_change"):
        for estimator in ("plugin", "miller_madow", "chao_shen", "matched"):
            share, of = studied[what, "pool", estimator, "no warning"]
            assert share > 0.82
            assert of > 80


def test_mean_bi_of_roles_holds_the_truth_where_matched_and_is_marked_where_it_does_not(studied):
    assert studied["bi", "role", "matched", "no warning"][0] > 0.82
    assert studied["bi_change", "role", "matched", "no warning"][0] > 0.82
    assert studied["bi", "role", "plugin", "with the warning"][0] < 0.75
    assert studied["bi_change", "role", "plugin", "with the warning"][0] < 0.75


def test_prevalence_and_ccs_of_a_label_hold_the_truth(studied):
    for condition in ("CF", "CA-R", "CA-U"):
        assert studied["prevalence", "5 to 95 %", condition][0] > 0.91
    share, of = studied["ccs", "score limits", "stable"]
    assert share > 0.88
    assert of > 300


def test_what_does_not_change_is_seldom_called_changed(studied):
    assert studied["fires", "p <= .05", "label"][0] > 0.1  # images are not independent: families say so
    assert studied["fires", "p_adjusted <= .05", "label"][0] < 0.02
    assert studied["fires", "any p_adjusted <= .05", "family"][0] < 0.2
    assert studied["fires", "verdict changed", "label"][0] < 0.06


def test_coefficients_between_people_hold_the_truth():
    tally, truth = Tally(), true_agreement()
    for number in range(STUDIES):
        count_agreement(truth, tally, DRAWS, number)

    shares = {key[1]: [] for key in tally.total}
    for key, share, _, _ in tally.rows():
        shares[key[1]].append(share)
    assert {"cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1"} <= set(shares)
    for statistic, found in shares.items():
        assert np.mean(found) > 0.8, statistic


def test_where_prompts_share_seeds_intervals_hold_the_truth_once_the_seeds_are_known():
    unknown, known = Tally(), Tally()
    plan = SeededPlan(seeds=4, alike=0.5, roles=6, by_condition=True)
    for number in range(4):
        drawn = draw_seeded(plan, np.random.default_rng(number))
        for study, tally in zip(drawn, (unknown, known), strict=True):
            count_labels(study, tally, 0, number)

    before, after = ({key: share for key, share, _, _ in tally.rows()} for tally in (unknown, known))
    for condition in ("CF", "CA-R", "CA-U"):
        assert before["prevalence", "5 to 95 %", condition] < 0.85
        assert after["prevalence", "5 to 95 %", condition] > 0.9
    assert before["fires", "verdict changed", "label"] > 0.15
    assert after["fires", "verdict changed", "label"] < 0.06
    assert after["fires", "any p_adjusted <= .05", "family"] < 0.2
