from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.simulated import (
    SimulatedAnnotator,
    draw_answer,
    labels_of,
    load_simulated,
    most_common,
    simulate_answers,
)
from core.errors import BadInput
from core.jobs import Outcome, run_here
from core.paths import RESOURCES
from core.questions import Question
from core.records import Annotator, ImageSet
from tests.annotation.sittings import AGE, ITEM, ListBook, make_question, make_session, make_set

ANNOTATORS = [Annotator(number, f"simulated {name}", True) for number, name in enumerate("ABC", start=1)]

EYEWEAR = Question(
    "eyewear_type",
    "eyewear_type",
    "People",
    "Which eyewear?",
    "closed",
    make_question("eyewear_type", ["eyeglasses", "sunglasses", "none"]).options,
    "",
    ("eyewear_present",),
)
CAREFUL = SimulatedAnnotator("simulated A", 1.0, {}, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0)
SETS = [make_set(number) for number in range(1, 41)]


def truth_of(image_sets: list[ImageSet], adults: int = 7) -> dict[int, dict[str, tuple[str, ...]]]:
    """In every set the first images show adults with lamps, the others old people with plants."""
    return {
        image.image_id: {"age": ("adult",), "item": ("lamp", "table")}
        if position < adults
        else {"age": ("old",), "item": ("plant",)}
        for one in image_sets
        for position, image in enumerate(one.images)
    }


def simulate(book: ListBook, image_sets: list[ImageSet] = SETS, seed: int = 3, **changes: object) -> Outcome:
    arguments: dict[str, object] = {"questions": [AGE, ITEM], "annotators": ANNOTATORS, **changes}
    truth = arguments.pop("truth", truth_of(image_sets))
    return run_here(simulate_answers(image_sets, truth, seed=seed, book=book, **arguments))  # type: ignore[arg-type]


def test_every_question_of_every_set_has_one_confirmed_answer_of_each() -> None:
    book = ListBook()

    outcome = simulate(book)

    assert (outcome.asked, outcome.done, outcome.failed, outcome.skipped) == (240, 240, 0, 0)
    keys = [(event.annotator_id, event.image_set_id, event.question) for event in book.events]
    assert len(set(keys)) == len(keys) == 240
    for event in book.events:
        answer = event.answer
        assert answer.is_confirmed
        assert answer.is_unknown or answer.label
        assert answer.is_unknown or (answer.slider and answer.marks)
        assert event.active_seconds > 0


def test_a_session_takes_simulated_answers_as_complete() -> None:
    book = ListBook()
    image_sets = SETS[:2]
    simulate(book, image_sets)

    session = make_session(book, sets=image_sets, questions=[AGE, ITEM])

    assert session.is_complete


def test_same_seed_same_answers_and_another_seed_others() -> None:
    first, again, other = ListBook(), ListBook(), ListBook()

    simulate(first)
    simulate(again)
    simulate(other, seed=4)

    assert [event.answer for event in first.events] == [event.answer for event in again.events]
    assert [event.answer for event in first.events] != [event.answer for event in other.events]


def test_an_answer_does_not_depend_on_what_else_is_asked() -> None:
    all_of_it, part = ListBook(), ListBook()

    simulate(all_of_it)
    simulate(part, questions=[AGE], annotators=ANNOTATORS[1:2])

    chosen = [e.answer for e in all_of_it.events if e.annotator_id == 2 and e.question == "age"]
    assert [event.answer for event in part.events] == chosen


def test_a_job_that_was_cut_short_goes_on_without_doubling() -> None:
    book, whole = ListBook(), ListBook()
    simulate(book, SETS[:10])

    outcome = simulate(book, SETS[:20])
    simulate(whole, SETS[:20])

    assert (outcome.done, outcome.skipped) == (60, 60)
    key = [(e.annotator_id, e.image_set_id, e.question, e.answer) for e in book.events]
    assert sorted(map(str, key)) == sorted(
        str((e.annotator_id, e.image_set_id, e.question, e.answer)) for e in whole.events
    )


def test_without_errors_the_answer_is_the_truth_with_its_marks() -> None:
    book = ListBook()

    simulate(book, annotators=ANNOTATORS[:1], profiles=[CAREFUL])

    for event in book.events:
        assert event.answer.label in ({"adult"} if event.question == "age" else {"lamp", "table"})
        assert event.answer.marks == frozenset(range(7))
        assert (event.answer.slider, event.answer.slider_source) == (7, "marks")


def test_without_known_truth_the_answer_is_unknown() -> None:
    book = ListBook()
    truth = {image.image_id: {"age": ("unknown",)} for one in SETS for image in one.images}

    simulate(book, truth=truth, profiles=[CAREFUL], annotators=ANNOTATORS[:1])

    assert all(event.answer.is_unknown and event.answer.slider is None for event in book.events)


def test_a_folded_presence_answers_its_question() -> None:
    (one,) = SETS[:1]
    truth = {image.image_id: {"eyewear_present": ("no",)} for image in one.images[:6]}
    truth |= {image.image_id: {"eyewear_type": ("sunglasses",)} for image in one.images[6:]}

    labels = labels_of(EYEWEAR, one, truth)

    assert most_common(labels) == ["none"]
    assert labels[6:] == [frozenset({"sunglasses"})] * 4


@pytest.mark.parametrize("profile", load_simulated(), ids=lambda profile: profile.name)
def test_answers_follow_the_stated_distribution(profile: SimulatedAnnotator) -> None:
    labels = [frozenset({"adult"})] * 6 + [frozenset({"old"})] * 3 + [frozenset[str]()]
    expected = profile.chances("age_range", ["adult"], ["child", "old"])
    n = 4000

    found = Counter[str]()
    for number in range(n):
        answer = draw_answer(profile, "age_range", labels, ["child", "adult", "old"], random.Random(number))
        found[answer.label or "unknown"] += 1

    assert sum(expected.values()) == pytest.approx(1)
    assert expected["adult"] == pytest.approx(profile.accuracy("age_range"))
    for label, p in expected.items():
        # Five standard errors: a right build fails once in a million.
        assert abs(found[label] / n - p) <= 5 * (p * (1 - p) / n) ** 0.5 + 1e-9


@pytest.mark.parametrize("profile", load_simulated(), ids=lambda profile: profile.name)
def test_marks_and_counts_follow_the_stated_rates(profile: SimulatedAnnotator) -> None:
    labels = [frozenset({"adult"})] * 6 + [frozenset({"old"})] * 4
    missed = false = by_hand = off = n = 0

    for number in range(4000):
        answer = draw_answer(profile, "age_range", labels, ["child", "adult", "old"], random.Random(number))
        if answer.label != "adult":
            continue
        n += 1
        missed += 6 - len(answer.marks & set(range(6)))
        false += len(answer.marks & set(range(6, 10)))
        by_hand += answer.slider_source == "slider"
        off += answer.slider != len(answer.marks)

    assert missed / (6 * n) == pytest.approx(profile.missed_mark_rate, abs=0.01)
    assert false / (4 * n) == pytest.approx(profile.false_mark_rate, abs=0.01)
    assert by_hand / n == pytest.approx(profile.by_hand_rate, abs=0.04)
    assert off / n <= profile.by_hand_rate * profile.hand_error_rate + 0.03


def test_a_stated_bias_takes_its_share_of_the_errors_and_no_more() -> None:
    leaning = replace(CAREFUL, default_accuracy=0.8, leans_to={"age": {"old": 0.75}})

    assert leaning.chances("age", ["adult"], ["child", "old"]) == pytest.approx(
        {"adult": 0.8, "old": 0.15, "child": 0.05, "unknown": 0.0}
    )
    assert leaning.chances("age", ["old"], ["child", "adult"]) == pytest.approx(
        {"old": 0.8, "child": 0.1, "adult": 0.1, "unknown": 0.0}
    ), "what is true is no error"
    assert leaning.chances("age", ["adult"], ["old"])["old"] == pytest.approx(0.2)
    assert leaning.chances("pose", ["a"], ["b", "c"])["b"] == pytest.approx(0.1)


def test_tied_labels_share_the_chance() -> None:
    chances = CAREFUL.chances("age", ["adult", "old"], ["child"])

    assert chances == {"adult": 0.5, "old": 0.5, "child": 0.0, "unknown": 0.0}


def test_names_say_that_they_are_simulated() -> None:
    names = [profile.name for profile in load_simulated()]

    assert names == ["simulated A", "simulated B", "simulated C"]


def test_a_person_is_never_simulated() -> None:
    with pytest.raises(BadInput, match="is a person"):
        simulate(ListBook(), annotators=[Annotator(1, "simulated A", False)])
    with pytest.raises(BadInput, match="No error rates"):
        simulate(ListBook(), annotators=[Annotator(1, "simulated X", True)])


def test_a_file_with_impossible_rates_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    text = (RESOURCES / "simulated_annotators.json").read_text(encoding="utf-8")

    path.write_text(text.replace('"unknown_rate": 0.01', '"unknown_rate": 1.01'), encoding="utf-8")
    with pytest.raises(BadInput, match="between 0 and 1"):
        load_simulated(path)
    leaning = text.replace(
        '"unknown_rate": 0.01', '"leans_to": {"mood": {"calm": 1.2}}, "unknown_rate": 0.01'
    )
    path.write_text(leaning, encoding="utf-8")
    with pytest.raises(BadInput, match="add up to at most 1"):
        load_simulated(path)
    path.write_text('{"annotators": [{"name": "simulated Z"}]}', encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be read"):
        load_simulated(path)
