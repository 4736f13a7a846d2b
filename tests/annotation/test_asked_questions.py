"""Agreement is about the questions of the round, and also where all that was said is unknown."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from annotation.agreement import agreement
from annotation.commands.agreeing import study_agreement
from annotation.reporting import agreement_for_report
from annotation.team_lines import expectation_lines
from core.jobs import run_here
from core.labels.label_map import RAW
from core.questions import load_questions
from core.schema import load_schema

QUESTIONS = load_questions()
COLUMNS = ["annotator", "image_set", "question", "label", "slider", "status", "is_simulated"]


def answers(labels: dict[str, str], people: int = 3) -> pd.DataFrame:
    """The same label of each question from everybody on two image sets."""
    rows = [
        (f"person {who}", f"set {place}", question, label, None, "ok", False)
        for who in range(people)
        for place in range(2)
        for question, label in labels.items()
    ]
    return pd.DataFrame(rows, columns=COLUMNS).astype({"slider": "float64"})


def asked(table: pd.DataFrame) -> list[str]:
    return list(dict.fromkeys(table["question"]))


@pytest.mark.parametrize("people", [2, 3])
def test_a_question_of_which_nothing_is_left_is_undefined_and_not_a_fault(people: int) -> None:
    open_one = next(one for one in QUESTIONS if one.is_open)
    said = answers({open_one.id: "unknown"}, people)

    counted = run_here(agreement(said, None, [open_one], bootstrap=20))
    left_out = run_here(agreement(said, None, [open_one], bootstrap=20, unknown="left out"))

    assert counted.row(open_one.id, "annotators", "raw_agreement")["value"] == 1.0
    table = left_out.tables["agreement"]
    assert table.loc[table["question"] == open_one.id, "value"].isna().all()
    assert table.loc[table["value"].isna(), "reason"].ne("").all()


def test_only_the_questions_of_the_round_are_in_the_tables_of_the_command_and_of_the_report() -> None:
    wanted = ["mood", "weather"]
    given = answers({"mood": "calm", "weather": "clear"})
    one = SimpleNamespace(round_id=1, name="Round 1", is_locked=False, questions=tuple(wanted))
    study: Any = SimpleNamespace(
        study=SimpleNamespace(is_sample=False, study_key="key", schema_json=_schema_text()),
        **{name: (lambda *_: []) for name in ("extractors", "adjudications", "exclusions", "image_sets")},
        rounds=lambda: [one],
        label_map=lambda: RAW,
    )
    frames: Any = SimpleNamespace(answers=lambda _: given, repeats=lambda _: given.iloc[:0])
    options, both = {"bootstrap": 0, "seed": 0}, (load_schema(), QUESTIONS)

    said = study_agreement(study, frames, both, None, options, lambda _, job: run_here(job), lambda _: None)
    reported = run_here(agreement_for_report(study, frames, QUESTIONS, None, **options))

    for result in (said, reported):
        assert result.run["questions"] == wanted
        assert asked(result.tables["consensus"]) == wanted
        assert set(asked(result.tables["agreement"])) == {*wanted, "ALL", "POOLED"}
        assert sum(result.run["consensus"].values()) == 2 * len(wanted)


def test_what_to_expect_of_an_undefined_kappa_is_its_reason_and_never_nan() -> None:
    rows = {
        "raw_agreement": {"value": 1.0, "low": float("nan"), "high": float("nan"), "reason": ""},
        "fleiss_kappa": {"value": float("nan"), "low": None, "high": None, "reason": "one category"},
    }

    assert list(expectation_lines(rows.get, None))[1:] == [
        "  raw agreement 1.000 (no interval)",
        "  Fleiss kappa is undefined: one category",
    ]


def _schema_text() -> str:
    from core.paths import RESOURCES

    return (RESOURCES / "schema.json").read_text(encoding="utf-8")
