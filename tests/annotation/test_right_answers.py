"""The right answers of practice and gold sets follow the rule that annotators are given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import pytest

from annotation.right_answers import key_answers, right_answers
from core.packets import KeyAnswer
from core.questions import choose
from core.records import ImageSet, ImageStatus, StoredImage
from tests import team

DEPTH, MOOD, EYEWEAR = choose(team.questions(), ("depth_of_field", "mood", "eyewear_type"))


def a_set(size: int) -> ImageSet:
    images = tuple(
        StoredImage(number, "", "", None, "", 0, "", "", "", 8, 8, ImageStatus.OK) for number in range(size)
    )
    return ImageSet(1, "key", "baker", None, "", images)


def right(*shown: str, dimension: str = "depth_of_field", question=DEPTH) -> KeyAnswer | None:
    """The right answer about images that show these labels; nothing where the text is empty."""
    truth = {
        number: {"framing": ("tight",)} | ({dimension: (label,)} if label else {})
        for number, label in enumerate(shown)
    }
    return key_answers(a_set(len(shown)), truth, [question]).get(question.id)


@pytest.mark.parametrize(
    ("shown", "label"),
    [
        (["deep"] * 3 + [""] * 5, None),
        (["deep"] * 6 + [""] * 2, "deep"),
        (["deep"] * 4 + ["shallow"] + [""] * 3, "deep"),
    ],
)
def test_the_label_that_most_show_is_right_and_unknown_where_most_show_none(shown, label) -> None:
    found = right(*shown)

    assert found is not None
    assert found.label == label
    if label is not None:
        assert (found.slider, found.marks) == (shown.count(label), frozenset(range(shown.count(label))))


@pytest.mark.parametrize(
    "shown",
    [
        [""] * 8,  # nobody planted it, or it is not to be seen: the truth does not say which
        ["deep"] * 4 + ["shallow"] * 4,
        ["deep"] * 4 + [""] * 4,
        ["deep"] * 3 + ["shallow"] * 2 + [""] * 3,
        ["deep"] * 7 + ["no such label"],
    ],
)
def test_what_the_truth_does_not_settle_has_no_right_answer(shown: list[str]) -> None:
    assert right(*shown) is None


def test_a_set_with_an_image_of_unknown_truth_has_no_right_answer() -> None:
    truth = {number: {"depth_of_field": ("deep",)} for number in range(7)}

    assert key_answers(a_set(8), truth, [DEPTH, MOOD]) == {}


def test_presence_that_says_no_is_none_and_not_unknown() -> None:
    found = right(*["no"] * 6, *["yes"] * 2, dimension="eyewear_present", question=EYEWEAR)

    assert found is not None
    assert (found.label, found.slider) == ("none", 6)


class OldRound:
    """A round of one set: an earlier release kept *unknown* for mood, which nobody planted."""

    kept: ClassVar = {
        (1, "mood"): KeyAnswer(None, source="truth"),
        (1, "depth_of_field"): KeyAnswer("deep", 3, frozenset({0, 1, 2}), "truth"),
        (1, "eyewear_type"): KeyAnswer("none", 8, source="mine.csv"),
    }

    def image_sets(self, round_id: int, purpose: str = "study") -> list[ImageSet]:
        return [a_set(8)] if purpose == "study" else []

    def key_answers(self, round_id: int) -> dict[tuple[int, str], KeyAnswer]:
        return dict(self.kept)

    def truth_of(self, image_ids: Iterable[int]) -> dict[int, dict[str, tuple[str, ...]]]:
        return {number: {"depth_of_field": ("deep",)} if number < 3 else {} for number in image_ids}


def test_right_answers_of_an_earlier_release_are_put_right_and_those_the_lead_gave_stay() -> None:
    assert right_answers(OldRound(), 1, team.questions()) == {
        (1, "depth_of_field"): KeyAnswer(None, source="truth"),
        (1, "eyewear_type"): OldRound.kept[(1, "eyewear_type")],
    }
