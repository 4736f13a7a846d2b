"""Answers at the edge: each has its stated right value, or a reason and no value; never 0, 1 or nan."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from annotation.agreement import AgreementResult, agreement, questions_in
from core.errors import BadInput
from core.jobs import run_here
from core.questions import load_questions

GENDER = next(question for question in load_questions() if question.id == "gender_presentation")
CHANCE_CORRECTED = ("cohen_kappa_mean", "fleiss_kappa", "conger_kappa", "krippendorff_alpha")
COUNTS = ("icc_2_1", "concordance", "mean_absolute_error", "krippendorff_alpha")

Said = tuple[str, str, str, float | None]


def run(rows: list[Said], question=GENDER, **options) -> AgreementResult:
    """Agreement of (annotator, image set, label, slider)."""
    frame = pd.DataFrame(
        [(who, where, question.id, label, slider) for who, where, label, slider in rows],
        columns=["annotator", "image_set", "question", "label", "slider"],
    ).astype({"slider": "float64"})
    return run_here(agreement(frame, None, [question], **{"bootstrap": 20} | options))


def of(result: AgreementResult, statistic: str, level: str = "nominal", scope: str = "annotators"):
    found = result.row(GENDER.id, scope, statistic, level)
    assert found is not None
    if pd.isna(found["value"]):
        assert found["reason"], "an undefined value needs a reason"
    return found


def both(label: str = "female", sets: str = "abcdef", slider: float | None = 8.0) -> list[Said]:
    return [(who, where, label, slider) for who in ("Ada", "Ben") for where in sets]


def test_one_annotator_agrees_with_nobody() -> None:
    result = run([one for one in both() if one[0] == "Ada"])

    for statistic in ("raw_agreement", *CHANCE_CORRECTED, "gwet_ac1"):
        row = of(result, statistic)
        assert pd.isna(row["value"])
        assert row["reason"].startswith("no unit shared by two raters")
    assert result.tables["consensus"]["how"].unique().tolist() == ["one answer"]


def test_one_set_has_values_where_one_unit_is_enough_and_no_interval() -> None:
    result = run([*both(sets="a"), ("Cem", "a", "male", 5.0)])

    row = of(result, "raw_agreement")
    assert row["value"] == pytest.approx(1 / 3)
    assert pd.isna(row["low"])
    assert "no interval" in row["reason"]
    concordance = of(result, "concordance", "interval")
    assert pd.isna(concordance["value"])
    assert concordance["reason"] == "no two share counts of two image sets"


def test_one_label_is_raw_agreement_and_no_kappa() -> None:
    result = run(both())

    assert of(result, "raw_agreement")["value"] == 1.0
    assert of(result, "gwet_ac1")["value"] == 1.0
    for statistic in CHANCE_CORRECTED:
        row = of(result, statistic)
        assert pd.isna(row["value"])
        assert row["reason"].startswith("one category")
    assert of(result, "mean_absolute_error", "interval")["value"] == 0.0
    for statistic in ("icc_2_1", "concordance"):
        assert of(result, statistic, "interval")["reason"] == (
            "every count is the same, so there is no variance to share"
        )


def test_an_interval_without_width_says_so() -> None:
    row = of(run(both()), "raw_agreement")

    assert (row["low"], row["high"]) == (1.0, 1.0)
    assert row["reason"] == "all draws give the same value"


def test_people_without_a_shared_set_share_nothing() -> None:
    result = run([("Ada", "a", "female", 3.0), ("Ben", "b", "male", 4.0)])

    for statistic in ("raw_agreement", *CHANCE_CORRECTED):
        assert of(result, statistic)["reason"].startswith("no unit shared by two raters")
    for statistic in COUNTS:
        row = of(result, statistic, "interval")
        assert pd.isna(row["value"])
        assert row["reason"] == "no count shared: fewer than two set a count for the same label"


def test_one_shared_set_is_no_variance_that_was_measured() -> None:
    """Two counts of one set: their difference is known, their concordance is not."""
    result = run([("Ada", "a", "female", 3.0), ("Ben", "a", "female", 5.0), ("Ada", "b", "male", 4.0)])

    assert of(result, "mean_absolute_error", "interval")["value"] == 2.0
    assert of(result, "concordance", "interval")["reason"] == "no two share counts of two image sets"
    assert of(result, "icc_2_1", "interval")["reason"] == (
        "fewer than two image sets on which everybody counted the same label"
    )


@pytest.mark.parametrize(("unknown", "value"), [("label", 1.0), ("left out", None)])
def test_all_unknown_agrees_as_a_label_and_says_nothing_left_out(unknown: str, value: float | None) -> None:
    result = run(both("unknown", slider=None), unknown=unknown)
    raw = of(result, "raw_agreement")

    assert raw["value"] == value if value is not None else pd.isna(raw["value"])
    assert pd.isna(of(result, "fleiss_kappa")["value"])
    if unknown == "left out":
        assert raw["reason"].startswith("no answer")
    assert set(result.tables["consensus"]["label"]) == {"unknown"}


@pytest.mark.parametrize(("bootstrap", "said"), [(0, "bootstrap switched off"), (1, "fewer than two draws")])
def test_too_few_draws_leave_a_reason_and_no_interval(bootstrap: int, said: str) -> None:
    rows = [*both(), ("Ada", "g", "male", 2.0), ("Ben", "g", "female", 3.0)]
    row = of(run(rows, bootstrap=bootstrap), "raw_agreement")

    assert pd.isna(row["low"])
    assert said in row["reason"]


@pytest.mark.parametrize("name", ["ALL", "POOLED"])
def test_a_question_called_like_a_summary_is_refused(name: str) -> None:
    rows = [("Ada", "a", name, "x", np.nan), ("Ben", "a", name, "x", np.nan)]
    frame = pd.DataFrame(rows, columns=["annotator", "image_set", "question", "label", "slider"])

    with pytest.raises(BadInput, match=f"A question is called {name}"):
        run_here(agreement(frame, None, questions_in(frame, ()), bootstrap=0))


def test_nothing_undefined_is_a_number_and_nothing_undefined_is_silent() -> None:
    """Every row of every edge: a value, or a reason; a value without an interval has a reason too."""
    edges = [
        both(sets="a"),
        [("Ada", "a", "female", None)],
        [("Ada", "a", "female", 3.0), ("Ben", "b", "male", 4.0)],
        both("unknown", slider=None),
        [*both(), ("Ada", "g", "male", 0.0), ("Ben", "g", "robot", 10.0)],
    ]
    for rows in edges:
        for bootstrap in (0, 1, 20):
            table = run(rows, bootstrap=bootstrap).tables["agreement"]
            silent = table[(table["value"].isna() | table["low"].isna()) & (table["reason"] == "")]
            assert silent.empty, silent.to_string()
