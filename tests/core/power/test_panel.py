"""The power panel, held against closed forms where there are any, and against what cannot be otherwise."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from core.bank import load_contexts
from core.errors import BadInput
from core.jobs import run_here
from core.plan import choose_roles
from core.power.change import POWER, power_of_change, smallest_change
from core.power.design import PROMPTS, PowerDesign
from core.power.findings import ALL_ROLES, ONE_QUESTION, ONE_ROLE
from core.power.kappa import expected_table, kappa_findings, simulated_kappas
from core.power.margin import least_margin, smallest_margin
from core.power.panel import power_panel
from core.power.stable import stable_ccs
from core.prompts import build_prompts
from core.records import Condition
from core.statistics.cohen_kappa import kappa_of_table, kappa_standard_error
from core.statistics.equivalence import CHANGED, INVARIANT, WORDS, verdict, verdicts
from core.statistics.proportion import wilson
from core.statistics.stability import ccs_if_stable

INDEPENDENT = PowerDesign(correlation=0.0)


@pytest.mark.parametrize("design", ["balanced", "paper"])
def test_the_numbers_of_prompts_are_those_that_a_design_makes(design: str) -> None:
    roles = choose_roles("10")
    prompts = build_prompts(roles, load_contexts(), design=design)

    found = [sum(one.condition is condition for one in prompts) / len(roles) for condition in Condition]

    assert tuple(found) == PROMPTS[design]


# -- change ---------------------------------------------------------------------------------------


def exact_power(prevalence: tuple[float, float, float], n: tuple[int, int, int]) -> float:
    """Every outcome of three independent binomial counts, with its probability."""
    counts = np.stack(np.meshgrid(*(np.arange(size + 1) for size in n), indexing="ij"), -1).reshape(-1, 3)
    mass = np.prod(
        [
            stats.binom.pmf(counts[:, at], size, share)
            for at, (size, share) in enumerate(zip(n, prevalence, strict=True))
        ],
        axis=0,
    )
    found = verdicts(counts, np.broadcast_to(n, counts.shape), margin=1e-9)[0]
    return float(mass[found == WORDS.index(CHANGED)].sum())


@pytest.mark.parametrize("change", [0.0, 0.2, 0.35])
def test_power_is_the_probability_of_the_outcomes_that_are_called_a_change(change: float) -> None:
    design = PowerDesign(prompts=(2, 3, 3), correlation=0.0, prevalence=0.8, replicates=10_000)

    exact = exact_power((0.8, 0.8, 0.8 - change), (20, 30, 30))

    assert power_of_change(design, 1, change) == pytest.approx(exact, abs=0.015)


def test_with_many_images_the_smallest_change_is_that_of_the_normal_law() -> None:
    """CA-U against each of two others; with n as large, the closed form is between those of one and two."""
    design = PowerDesign(prevalence=0.5, correlation=0.0, replicates=10_000)
    n = 92 * 60
    z = stats.norm.ppf(1 - 0.05 / 6)
    one_pair = 100 * (z + stats.norm.ppf(POWER)) * np.sqrt(2 * 0.25 / n)
    either = 100 * (z + stats.norm.ppf(1 - np.sqrt(1 - POWER))) * np.sqrt(2 * 0.25 / n)

    found = smallest_change(design, 92, ALL_ROLES).value

    assert either * 0.97 < found < one_pair * 1.03


def test_nothing_is_found_where_nothing_changes_more_often_than_the_level_says() -> None:
    for correlation in (0.0, 0.1, 0.3):
        design = PowerDesign(correlation=correlation, prevalence=0.7, replicates=10_000)
        assert power_of_change(design, 10, 0.0) < 0.05 + 0.01


def test_clusters_make_changes_harder_to_find_by_the_root_of_the_design_effect() -> None:
    free = smallest_change(replace(INDEPENDENT, prevalence=0.5), 92, ALL_ROLES).value
    clustered = smallest_change(PowerDesign(correlation=0.2, prevalence=0.5), 92, ALL_ROLES).value

    assert clustered / free == pytest.approx(np.sqrt(1 + 9 * 0.2), rel=0.1)


def test_what_no_study_can_find_has_a_reason() -> None:
    tiny = PowerDesign(roles=1, prompts=(1, 1, 1), images_per_prompt=1)

    found = smallest_change(tiny, 1, ONE_ROLE)

    assert found.value is None
    assert "not even the largest change" in found.reason


# -- margin ---------------------------------------------------------------------------------------


def test_the_least_margin_is_the_wilson_bound_of_a_label_in_every_image() -> None:
    """20 of 20: 12 points stay open, whatever the others do."""
    design = PowerDesign(prompts=(2, 5, 6), correlation=0.0)

    least = least_margin(design, 1, ONE_ROLE).value / 100

    assert least == pytest.approx(1 - wilson(20, 20, level=0.9).low)
    assert verdict([20, 50, 60], [20, 50, 60], margin=least + 1e-6).word == INVARIANT
    assert verdict([20, 50, 60], [20, 50, 60], margin=least - 1e-6).word != INVARIANT


def test_a_label_in_every_image_needs_no_more_than_the_least_margin() -> None:
    design = PowerDesign(prevalence=1.0)

    assert smallest_margin(design, 1, ONE_ROLE).value == pytest.approx(
        least_margin(design, 1, ONE_ROLE).value
    )


def test_within_the_smallest_margin_80_of_100_studies_say_invariant() -> None:
    design = PowerDesign(prevalence=0.8, correlation=0.0, prompts=(3, 3, 3), replicates=10_000)
    margin = smallest_margin(design, 1, ONE_ROLE).value / 100
    counts = np.stack(np.meshgrid(*[np.arange(31)] * 3, indexing="ij"), -1).reshape(-1, 3)
    mass = np.prod(stats.binom.pmf(counts, 30, 0.8), axis=1)

    shown = verdicts(counts, np.full(counts.shape, 30), margin=margin + 1e-9)[0] == WORDS.index(INVARIANT)

    assert mass[shown].sum() == pytest.approx(0.8, abs=0.02)


# -- CCS ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("prompts", "prevalence"), [((2, 5, 6), 0.9), ((6, 6, 6), 0.5)])
def test_the_ccs_of_a_stable_label_is_its_expectation_over_independent_images(
    prompts: tuple[int, int, int], prevalence: float
) -> None:
    design = PowerDesign(prompts=prompts, prevalence=prevalence, correlation=0.0, replicates=20_000)
    n = [10 * one for one in prompts]

    found = stable_ccs(design, 1, ONE_ROLE)

    assert found.value == pytest.approx(ccs_if_stable(round(prevalence * sum(n)), n).value, rel=0.03)
    assert found.low < found.value < found.high


def test_clusters_lower_the_ccs_of_a_stable_label() -> None:
    free, clustered = (stable_ccs(PowerDesign(correlation=one), 1, ONE_ROLE).value for one in (0.0, 0.3))

    assert clustered < 0.75 * free


def test_a_label_that_is_never_seen_has_no_ccs() -> None:
    assert stable_ccs(PowerDesign(prevalence=0.0), 1, ONE_ROLE).reason == "label never seen"


# -- kappa ----------------------------------------------------------------------------------------


def test_the_width_of_the_kappa_of_two_people_is_that_of_its_standard_error() -> None:
    """Fleiss, Cohen & Everitt (1969): the large-sample standard error, from the expected table."""
    design = PowerDesign(annotators=2, image_sets=400, replicates=2000)
    error = kappa_standard_error(400 * expected_table(design))

    kappa, width = kappa_findings(design)

    assert width.value == pytest.approx(2 * stats.norm.ppf(0.975) * error, rel=0.08)
    assert kappa.value == pytest.approx(float(np.mean(simulated_kappas(design))), abs=0.005)


def test_the_expected_table_of_two_labels_is_what_can_be_worked_out_by_hand() -> None:
    design = PowerDesign(labels=2, accuracy=0.8, most_common=0.5)

    # both right .64, both wrong .04: agreement .68, chance .5
    assert kappa_of_table(expected_table(design)).value == pytest.approx((0.68 - 0.5) / 0.5)


def test_four_times_the_sets_halve_the_width_and_more_people_narrow_it() -> None:
    few = kappa_findings(PowerDesign(image_sets=60, annotators=2))[1].value
    many = kappa_findings(PowerDesign(image_sets=240, annotators=2))[1].value
    more = kappa_findings(PowerDesign(image_sets=60, annotators=5))[1].value

    assert few / many == pytest.approx(2.0, rel=0.15)
    assert more < few


@pytest.mark.parametrize(
    ("design", "reason"),
    [
        (PowerDesign(annotators=1), "one annotator"),
        (PowerDesign(most_common=1.0, accuracy=1.0), "every answer is the same"),
    ],
)
def test_a_kappa_that_no_study_has_gives_its_reason(design: PowerDesign, reason: str) -> None:
    for finding in kappa_findings(design):
        assert finding.value is None
        assert reason in finding.reason


# -- the whole ------------------------------------------------------------------------------------


def test_the_panel_answers_every_question_twice_the_same() -> None:
    small = PowerDesign(roles=3, image_sets=30, replicates=200)

    one, other = (run_here(power_panel(small)) for _ in range(2))

    assert one == other
    assert [(found.quantity, found.scope) for found in one.findings] == [
        *(
            (quantity, scope)
            for quantity in ("smallest_change", "smallest_margin", "least_margin", "ccs_if_stable")
            for scope in (ONE_ROLE, ALL_ROLES)
        ),
        ("kappa", ONE_QUESTION),
        ("kappa_width", ONE_QUESTION),
    ]
    assert all(found.value is not None or found.reason for found in one.findings)
    assert one.run["images"] == 3 * 18 * 10
    assert json.loads(json.dumps(dict(one.run)))["design"]["prompts"] == [6, 6, 6]


def test_another_seed_gives_nearly_the_same_numbers() -> None:
    one, other = (run_here(power_panel(PowerDesign(seed=seed))) for seed in (1, 2))

    for first, second in zip(one.findings, other.findings, strict=True):
        assert first.value == pytest.approx(second.value, rel=0.08)


def test_the_curve_rises_from_the_level_to_certainty_through_the_smallest_change() -> None:
    panel = run_here(power_panel(PowerDesign()))

    for curve in panel.curves:
        smallest = panel.of("smallest_change", curve.scope).value
        assert curve.power[0] < 0.06
        assert curve.power[-1] > 0.99
        assert np.interp(smallest, curve.changes, curve.power) == pytest.approx(POWER, abs=0.04)
        assert all(
            later >= earlier - 0.03 for earlier, later in zip(curve.power, curve.power[1:], strict=False)
        )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"prevalence": 1.2}, "The prevalence is 1.2."),
        ({"roles": 0}, "The number of roles is 0."),
        ({"correlation": float("nan")}, "The correlation of images of a prompt is nan."),
        ({"prompts": (3, 0, 8)}, "The prompts of a role are (3, 0, 8)."),
        ({"roles": 10_000, "images_per_prompt": 1000}, "The design has more than 1000000 images"),
    ],
)
def test_an_impossible_design_is_refused_in_a_sentence(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said.replace("(", r"\(").replace(")", r"\)")):
        PowerDesign(**wrong)
