from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from annotation.adjudication import decisions_from, queue_rows, with_decisions
from annotation.adjudication_cases import cases_of
from annotation.agreement import AgreementResult
from annotation.coding import code_answers
from core.errors import BadInput, StoreError
from storage.frames import Frames
from tests import team
from tests.annotation.sittings import AGE, ITEM, make_set

SETS = [make_set(1), make_set(2)]


def said(name: str, key: str, label: str, slider: int | None = 4, marks: tuple[int, ...] = ()):
    return {
        **{"annotator": name, "image_set": key, "question": "age", "label": label, "slider": slider},
        **{"status": "ok", "marks": json.dumps(marks) if marks else ""},
    }


def cases(rows: list[dict[str, object]], decisions=()):  # type: ignore[no-untyped-def]
    return cases_of(pd.DataFrame(rows), SETS, [AGE], decisions)


SPLIT = [
    said("Ada", "set-1", "adult", 6, (0, 4)),
    said("Ben", "set-1", "child", 6),
    said("Cy", "set-1", "old", 6),
    said("Ada", "set-2", "adult"),
    said("Ben", "set-2", "adult"),
    said("Cy", "set-2", "old"),
]
FILLED = {
    **{"image_set": "set-1", "question": "age", "label": "adult", "slider": "6"},
    **{"cause": "ambiguous image", "reason": "half of them are teenagers", "confidence": "medium"},
}


def test_only_what_no_rule_could_settle_waits_with_names_hidden_and_marks_told() -> None:
    (row,) = queue_rows(cases(SPLIT))

    assert (row["image_set"], row["question"], row["how"]) == ("set-1", "age", "unresolved")
    assert row["answers"] == "A: adult 6 (images 1 5); B: child 6; C: old 6"
    assert "Ada" not in str(row)
    (named,) = queue_rows(cases(SPLIT), with_names=True)
    assert named["answers"].startswith("Ada: adult 6")
    settled = {**FILLED, "slider": 6}
    assert queue_rows(cases(SPLIT, [settled])) == []


def test_every_case_says_how_its_label_came_about() -> None:
    first, second = cases(SPLIT, [{**FILLED, "slider": 6}])

    assert (first.how, first.label, first.how_now, first.label_now) == (
        "unresolved",
        "",
        "adjudicated",
        "adult",
    )
    assert (second.how_now, second.label_now, second.votes) == ("majority", "adult", "adult 2, old 1")
    assert [one.number for one in (first, second)] == [1, 2]


def test_spellings_of_one_label_are_one_vote_as_in_the_tables() -> None:
    same = [said("Ada", "set-1", "adult"), said("Ben", "set-1", "Adult ")]
    assert [one.how for one in cases(same)] == ["unanimous"]


def test_a_filled_row_is_a_decision_and_an_empty_one_is_skipped() -> None:
    (found,) = decisions_from([FILLED, {**FILLED, "label": ""}], SETS, [AGE], "Eve")
    assert found == (
        1,
        "age",
        {
            **{"label": "adult", "slider": 6, "cause": "ambiguous image"},
            **{"reason": "half of them are teenagers", "confidence": "medium", "decided_by": "Eve"},
        },
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"image_set": "set-9"}, "Row 1 names no image set"),
        ({"question": "pose"}, "names no image set and question"),
        ({"label": "baby"}, "is no answer to age"),
        ({"cause": "because"}, "needs a cause"),
        ({"confidence": ""}, "needs a confidence"),
        ({"slider": "11"}, "is not a whole number from 0 to 10"),
        ({"slider": "-1"}, "is not a whole number from 0 to 10"),
    ],
)
def test_a_row_that_cannot_be_kept_is_named(change: dict[str, str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        decisions_from([{**FILLED, **change}], SETS, [AGE, ITEM], "Eve")


def test_somebody_has_decided() -> None:
    with pytest.raises(BadInput, match="Nobody is named"):
        decisions_from([FILLED], SETS, [AGE], " ")


def test_a_decision_stands_in_the_consensus_and_in_all_that_rests_on_it() -> None:
    answers = pd.DataFrame(SPLIT)
    plain = code_answers(answers, None, [AGE]).questions[0]
    assert [str(one.how) for one in plain.consensus] == ["unresolved", "majority"]

    answers.attrs["decided"] = {("set-1", "age"): ("adult", None), ("set-2", "age"): (None, None)}
    coded = code_answers(answers, None, [AGE]).questions[0]

    assert [one.label for one in coded.consensus] == ["adult", "unknown"]
    assert {str(one.how) for one in coded.consensus} == {"adjudicated"}
    assert [one.votes for one in coded.consensus] == [one.votes for one in plain.consensus]
    assert coded.consensus[0].slider_mean_winner == 6, "the mean of who gave the label"
    assert [coded.labels[code] for code in coded.agreed.codes] == ["adult", "unknown"]
    assert coded.ratings.tolist() == plain.ratings.tolist(), "people with people stay as they are"


def test_nothing_is_decided_while_the_round_is_open_and_the_latest_decision_counts(tmp_path: Path) -> None:
    with team.new_study(tmp_path / "study", roles=1, generators=("sdxl-turbo",), roomy=0) as store:
        round_id = team.open_round(store, training=0)
        one = store.image_sets(round_id)[0]
        rows = [{**FILLED, "image_set": one.key, "question": "mood", "label": "calm"}]
        ((number, question, decision),) = decisions_from(rows, [one], team.questions(), "Eve")

        with pytest.raises(StoreError, match="is open"):
            store.adjudicate(number, question, decision)
        store.lock_round(round_id)
        store.adjudicate(number, question, decision)
        place = (one.key, question)
        assert Frames(store.folder).answers(round_id).attrs["decided"] == {place: ("calm", 6)}
        store.adjudicate(number, question, {**decision, "label": None, "slider": None})

        (kept,) = store.adjudications(round_id)
        assert (kept["image_set"], kept["label"], kept["decided_by"]) == (one.key, None, "Eve")

        with pytest.raises(StoreError, match="Eve decided this question anew meanwhile"):
            store.take_back_adjudication(number, question, decision)  # of another window, which saw the first
        store.take_back_adjudication(number, question, {**decision, "label": None, "slider": None})
        assert [row["label"] for row in store.adjudications(round_id)] == ["calm"], "the one before counts"
        store.take_back_adjudication(number, question)
        assert store.adjudications(round_id) == []
        with pytest.raises(BadInput, match="Nothing is decided"):
            store.take_back_adjudication(number, question)


def test_decisions_stand_in_every_table_they_change_and_a_report_names_nobody() -> None:
    consensus = pd.DataFrame(
        {"image_set": ["set-1"], "question": ["age"], "label": [""], "how": ["unresolved"], "votes": [""]}
    )
    result = AgreementResult({"consensus": consensus}, {"consensus": {"unresolved": 1}})
    excluded = [
        {"annotator": "Ada", "question": "", "reason": "asleep", "decided_by": "Eve", "withdrawn_at": ""}
    ]

    found = with_decisions(result, [{**FILLED, "decided_by": "Eve"}], excluded)
    assert found.run["adjudicated"] == 1
    assert found.tables["adjudications"]["decided_by"].tolist() == ["Eve"]
    assert found.tables["exclusions"]["annotator"].tolist() == ["Ada"]
    assert "exclusions" not in result.tables

    report = with_decisions(result, [{**FILLED, "decided_by": "Eve"}], excluded, with_names=False)
    assert report.run["exclusions"] == [{"question": "", "reason": "asleep", "withdrawn_at": ""}]
    assert "Eve" not in report.tables["adjudications"].to_csv()


def test_a_misspelt_column_of_decisions_is_named() -> None:
    row = {("lable" if name == "label" else name): value for name, value in FILLED.items()}

    with pytest.raises(BadInput, match="no column `label`") as raised:
        decisions_from([row], SETS, [AGE], "Eve")

    assert "`lable` may be meant" in raised.value.remedy
