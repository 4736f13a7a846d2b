from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.answering import QuestionState, chosen, counted, follow, marked, unknown
from annotation.checks import SoftWarning, missing_of, open_sentence, question_warnings, set_warnings
from core.questions import Question
from core.records import Answer
from tests.annotation.sittings import AGE, ITEM, POSE, make_question

HAIR_STYLE = make_question("hair_style", ["short", "long", "none"])
HAIR_COLOUR = make_question("hair_color", ["black", "brown", "gray"])


def make_answer(label: str | None = None, slider: int | None = None, source: str = "marks") -> Answer:
    marks = frozenset(range(slider or 0)) if source == "marks" else frozenset()
    return Answer(label, slider=slider, slider_source=None if slider is None else source, marks=marks)


@pytest.mark.parametrize(
    ("question", "answer", "missing"),
    [
        (AGE, Answer(), ("category", "count")),
        (AGE, make_answer("adult"), ("count",)),
        (AGE, make_answer(None, 4), ("category",)),
        (AGE, make_answer(None, 0), ("category",)),
        (AGE, make_answer("adult", 0), ("count",)),
        (AGE, make_answer("adult", 1), ()),
        (AGE, make_answer("adult", 10), ()),
        (AGE, Answer(is_unknown=True), ()),
        (ITEM, Answer(), ("descriptor", "count")),
        (ITEM, make_answer("x", 4), ("descriptor",)),
        (ITEM, make_answer("x" * 41, 4), ("descriptor",)),
        (ITEM, make_answer("xy", 4), ()),
        (ITEM, make_answer("x" * 40, 4), ()),
        (ITEM, Answer(is_unknown=True), ()),
    ],
)
def test_what_is_missing(question: Question, answer: Answer, missing: tuple[str, ...]) -> None:
    assert missing_of(question, answer) == missing
    assert bool(open_sentence(question, answer)) == bool(missing)


def test_a_category_that_no_image_shows_says_why_it_stays_open() -> None:
    assert open_sentence(AGE, make_answer("adult", 0)) == (
        "Still open: count. None of the images shows it: choose another answer, or unknown."
    )


def checks_of(warnings: list[SoftWarning]) -> list[str]:
    return [warning.check for warning in warnings]


def test_unknown_with_marked_images_is_asked_about() -> None:
    state = follow(QuestionState(), unknown(QuestionState()))
    state = follow(state, marked(state, {1, 2}))

    (warning,) = question_warnings(AGE, state)

    assert warning == SoftWarning(
        "unknown-with-marks", "The answer is unknown, but 2 images are marked.", "age"
    )


@pytest.mark.parametrize(
    ("slider", "checks"), [(1, ["count-too-low"]), (2, ["count-too-low"]), (3, []), (10, [])]
)
def test_a_count_that_cannot_be_the_most_common_is_asked_about(slider: int, checks: list[str]) -> None:
    # Three labels and unknown share ten images: with 2 for one of them, another has at least 3.
    state = QuestionState(make_answer("adult", slider))

    assert checks_of(question_warnings(AGE, state)) == checks


def test_many_options_allow_a_low_count() -> None:
    assert question_warnings(POSE, QuestionState(make_answer("lying", 2))) == []


def test_a_count_in_a_small_set_is_measured_by_its_size() -> None:
    assert question_warnings(AGE, QuestionState(make_answer("adult", 2)), n=6) == []


def test_more_marks_for_another_category_are_asked_about() -> None:
    state = follow(QuestionState(), chosen(QuestionState(), "sitting"))
    state = follow(state, marked(state, range(6)))
    state = follow(state, chosen(state, "standing"))
    state = follow(state, counted(state, 4, "key"))

    (warning,) = question_warnings(POSE, state)

    assert warning.check == "other-marked-more"
    assert warning.sentence == "6 images were marked for sitting, and 4 count for standing."


def test_own_marks_from_before_a_detour_are_not_anothers() -> None:
    state = follow(QuestionState(), chosen(QuestionState(), "sitting"))
    state = follow(state, marked(state, range(6)))
    state = follow(state, chosen(state, "standing"))
    state = follow(state, chosen(state, "sitting"))
    state = follow(state, counted(state, 4, "key"))

    assert question_warnings(POSE, state) == []


def test_an_open_question_is_never_asked_about_its_count() -> None:
    assert question_warnings(ITEM, QuestionState(make_answer("lamp", 1), is_open=True)) == []


def test_hair_colour_of_the_same_images_that_have_no_hair_is_asked_about() -> None:
    bald = make_answer("none", 7)
    black = make_answer("black", 6)

    (warning,) = set_warnings([HAIR_STYLE, HAIR_COLOUR], {"hair_style": bald, "hair_color": black})

    assert (warning.check, warning.question) == ("hair_style-without-hair_color", "hair_color")
    assert "none for 7 of 10" in warning.sentence
    assert "black for 6" in warning.sentence


def test_hair_colour_of_the_other_images_is_not_asked_about() -> None:
    bald = make_answer("none", 6)
    black = replace(make_answer("black", 4), marks=frozenset({6, 7, 8, 9}))

    assert set_warnings([HAIR_STYLE, HAIR_COLOUR], {"hair_style": bald, "hair_color": black}) == []


def test_counts_by_hand_contradict_only_when_they_cannot_both_hold() -> None:
    bald = make_answer("none", 6, "key")

    four, five = make_answer("black", 4, "slider"), make_answer("black", 5, "slider")

    assert set_warnings([HAIR_STYLE, HAIR_COLOUR], {"hair_style": bald, "hair_color": four}) == []
    assert set_warnings([HAIR_STYLE, HAIR_COLOUR], {"hair_style": bald, "hair_color": five}) != []


def test_unknown_contradicts_nothing() -> None:
    bald = make_answer("none", 9)

    assert (
        set_warnings([HAIR_STYLE, HAIR_COLOUR], {"hair_style": bald, "hair_color": Answer(is_unknown=True)})
        == []
    )
    assert set_warnings([HAIR_STYLE], {"hair_style": bald}) == []
