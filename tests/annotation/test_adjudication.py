from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from annotation.adjudication import decisions_from, queue_rows, with_adjudications
from core.errors import BadInput, StoreError
from core.records import Answer
from tests import team
from tests.annotation.sittings import AGE, ITEM, make_set

SETS = [make_set(1), make_set(2)]


def said(name: str, key: str, label: str | None, slider: int | None = 4, marks: tuple[int, ...] = ()):
    answer = Answer(label, label is None, slider, "marks", frozenset(marks), is_confirmed=True)
    return name, key, "", "age", answer, 5.0


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
    (row,) = queue_rows(SPLIT, SETS, [AGE], [])

    assert (row["image_set"], row["question"], row["how"]) == ("set-1", "age", "unresolved")
    assert row["answers"] == "A: adult 6 (images 1 5); B: child 6; C: old 6"
    assert "Ada" not in str(row)
    (named,) = queue_rows(SPLIT, SETS, [AGE], [], with_names=True)
    assert named["answers"].startswith("Ada: adult 6")
    assert queue_rows(SPLIT, SETS, [AGE], [("set-1", "age")]) == []


def test_a_second_showing_is_no_vote() -> None:
    again = ("Ada", "again", "set-1", "age", Answer("child", slider=9, is_confirmed=True), 3.0)
    assert queue_rows([*SPLIT, again], SETS, [AGE], []) == queue_rows(SPLIT, SETS, [AGE], [])


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
        ({"slider": "11"}, "is not 0 to 10"),
        ({"slider": "-1"}, "is not 0 to 10"),
    ],
)
def test_a_row_that_cannot_be_kept_is_named(change: dict[str, str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        decisions_from([{**FILLED, **change}], SETS, [AGE, ITEM], "Eve")


def test_somebody_has_decided() -> None:
    with pytest.raises(BadInput, match="Nobody is named"):
        decisions_from([FILLED], SETS, [AGE], " ")


def test_a_decision_stands_in_the_consensus_and_says_so() -> None:
    table = pd.DataFrame(
        {
            "image_set": ["set-1", "set-2"],
            "question": ["age", "age"],
            "label": ["", "adult"],
            "how": ["unresolved", "majority"],
            "votes": ["adult 1, child 1, old 1", "adult 2, old 1"],
        }
    )
    decisions = [{"image_set": "set-1", "question": "age", "label": None}]

    found = with_adjudications(table, decisions)

    assert found["label"].tolist() == ["unknown", "adult"]
    assert found["how"].tolist() == ["adjudicated", "majority"]
    assert found["votes"].tolist() == table["votes"].tolist()
    assert table["how"].tolist() == ["unresolved", "majority"], "the votes' own table stays"


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
        store.adjudicate(number, question, {**decision, "label": None, "slider": None})

        (kept,) = store.adjudications(round_id)
        assert (kept["image_set"], kept["label"], kept["decided_by"]) == (one.key, None, "Eve")
