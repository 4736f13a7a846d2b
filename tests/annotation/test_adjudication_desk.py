from __future__ import annotations

import pandas as pd

from annotation.adjudication_cases import cases_of
from annotation.adjudication_desk import ALL, AdjudicationDesk
from tests.annotation.sittings import AGE, ITEM, make_set

SETS = [make_set(1), make_set(2), make_set(3)]


def said(name: str, key: str, question: str, label: str, slider: int | None) -> dict[str, object]:
    status = "unknown" if label == "unknown" else "ok"
    words = {"annotator": name, "image_set": key, "question": question, "label": label, "status": status}
    return {**words, "slider": slider, "marks": ""}


def desk() -> AdjudicationDesk:
    rows = [
        *(
            said(name, "set-1", "age", label, 6)
            for name, label in zip("XYZ", ("old", "child", "adult"), strict=True)
        ),
        *(said(name, "set-2", "age", "adult", 5) for name in "XYZ"),
        *(said(name, "set-3", "item", label, 4) for name, label in (("X", "cup"), ("Y", "Lamp "))),
    ]
    return AdjudicationDesk(cases_of(pd.DataFrame(rows), SETS, [AGE, ITEM]))


def test_only_what_waits_is_listed_and_the_next_is_found_from_here_on_and_then_from_the_start() -> None:
    found = desk()
    assert found.listed == (("set-1", "age"), ("set-3", "item"))
    assert (found.waiting, found.counted("unanimous"), found.counted(ALL)) == (2, 1, 3)

    assert found.next_waiting()
    assert found.place == ("set-3", "item")
    assert found.next_waiting()
    assert found.place == ("set-1", "age")


def test_a_decision_needs_category_cause_and_confidence_and_somebody_who_decides() -> None:
    found = desk()
    assert found.draft.missing == ("category", "cause", "confidence")
    found.choose("old")
    found.change(cause="slip", confidence="high")
    assert found.decision(" ") is None

    assert found.decision("Eve") == (
        *(1, "age"),
        {
            **{"label": "old", "slider": None, "cause": "slip", "reason": "", "confidence": "high"},
            "decided_by": "Eve",
        },
    )
    assert (found.case.how_now, found.waiting, found.decided) == ("adjudicated", 1, 1)


def test_an_answer_is_taken_over_by_its_letter_and_unknown_has_no_count() -> None:
    found = desk()
    assert found.take_over("B")
    assert (found.draft.label, found.draft.slider) == ("child", 6)
    assert not found.take_over("D")
    found.count(1)
    assert found.draft.slider == 7

    found.choose("unknown")
    found.count(-1)
    assert (found.draft.label, found.draft.slider) == ("unknown", None)


def test_a_draft_is_there_again_and_a_decided_case_stays_listed_until_the_list_is_chosen_anew() -> None:
    found = desk()
    found.choose("old")
    found.step(1)
    assert found.draft.missing[0] == "category"
    found.step(-1)
    assert found.draft.label == "old"

    found.change(cause="slip", confidence="low")
    found.decision("Eve")
    assert ("set-1", "age") in found.listed
    found.choose_listing("waiting")
    assert found.listed == (("set-3", "item"),)


def test_what_was_decided_last_is_taken_back_first() -> None:
    found = desk()
    row = {"cause": "slip", "reason": "", "confidence": "low", "decided_by": "Eve", "slider": None}
    first = {**row, "image_set": "set-1", "question": "age", "label": "old", "decided_at": "2026-01-01T10:00"}
    later = {
        **row,
        "image_set": "set-3",
        "question": "item",
        "label": "cup",
        "decided_at": "2026-01-01T11:00",
    }
    found.set_decisions([later, first])

    assert found.newest_decided().place == ("set-3", "item")
    found.set_decisions([first])
    assert found.newest_decided().place == ("set-1", "age")
    assert (found.waiting, found.decided) == (1, 1)


def test_a_word_of_an_open_question_counts_as_the_tables_count_it() -> None:
    found = desk()
    found.go_to(("set-3", "item"))
    found.choose("LAMP ")
    assert found.draft.label == "lamp"
