"""What is right in practice and in gold sets, open questions included."""

from __future__ import annotations

import pytest

from annotation.packet_session import feedback_of
from core.packets import KeyAnswer
from core.records import Answer
from tests.annotation.sittings import AGE, ITEM


def given(label: str | None, slider: int | None = 4) -> Answer:
    return Answer(label, label is None, slider, "marks", is_confirmed=True)


@pytest.mark.parametrize(
    ("label", "is_right"),
    [("desk lamp", True), ("Lamp ", True), ("desk_lamp", True), ("lampshade", False), (None, False)],
)
def test_an_open_question_is_scored_by_the_words_that_are_accepted(label: str | None, is_right: bool) -> None:
    found = feedback_of(ITEM, given(label), KeyAnswer("lamp | desk lamp", 4))
    assert (found.is_label_right, found.label) == (is_right, "lamp or desk lamp")


def test_a_category_is_right_by_its_id_alone_and_unknown_where_the_lead_says_so() -> None:
    assert feedback_of(AGE, given("adult"), KeyAnswer("adult", 4)).is_right
    assert not feedback_of(AGE, given("adult", 7), KeyAnswer("adult", 4)).is_right
    assert not feedback_of(AGE, given(None), KeyAnswer("adult", 4)).is_right
    assert feedback_of(AGE, given(None), KeyAnswer(None)).is_right
