"""Majority, ties by the mean count, and everything that must stay unresolved."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.consensus import Consensus, How, consensus_of
from core.records import UNKNOWN

quick = settings(max_examples=80, deadline=None, derandomize=True)
labels = st.one_of(st.none(), st.sampled_from(["red", "blue", "green"]))
sliders = st.one_of(st.none(), st.integers(0, 10).map(float))
votes = st.lists(st.tuples(labels, sliders), max_size=6)


def of(*answers: tuple[str | None, float | None]) -> Consensus:
    return consensus_of([(f"annotator {n}", label, slider) for n, (label, slider) in enumerate(answers)])


def test_all_alike_is_unanimous() -> None:
    found = of(("red", 8), ("red", 9), ("red", 10))

    assert (found.label, found.how, found.slider_mean_winner) == ("red", How.UNANIMOUS, 9.0)


def test_one_answer_is_unanimous_with_one_vote() -> None:
    found = of(("red", 8))

    assert (found.how, found.votes) == (How.SINGLE, (("red", 1),))


def test_two_of_three_are_a_majority() -> None:
    found = of(("red", 8), ("blue", 3), ("red", 6))

    assert (found.label, found.how) == ("red", How.MAJORITY)


def test_most_votes_win_without_more_than_half() -> None:
    found = of(("red", 1), ("red", 1), ("blue", 9), ("green", 9), ("yellow", 9))

    assert (found.label, found.how) == ("red", How.MAJORITY)


def test_tie_goes_to_the_higher_mean_slider() -> None:
    found = of(("red", 4), ("blue", 7), ("green", 5))

    assert (found.label, found.how, found.slider_mean_winner) == ("blue", How.TIE_BY_SLIDER, 7.0)


def test_tie_with_equal_sliders_is_unresolved_and_not_the_first() -> None:
    found = of(("blue", 6), ("red", 6))

    assert (found.label, found.how) == (None, How.UNRESOLVED)
    assert found.slider_mean_winner is None
    assert found.slider_mean_all == 6.0


def test_equal_means_of_different_counts_are_a_tie_and_not_a_matter_of_rounding() -> None:
    thirds = [("red", 0.1), ("red", 0.2), ("red", 0.3), ("blue", 0.2), ("blue", 0.2), ("blue", 0.2)]

    exact = of(*[(label, slider * 10) for label, slider in thirds])

    assert exact.how is How.UNRESOLVED


def test_a_loser_of_the_tie_may_share_the_lower_mean() -> None:
    found = of(("red", 3), ("blue", 3), ("green", 5))

    assert found.label == "green"


def test_a_tie_in_which_one_count_was_never_set_is_unresolved() -> None:
    found = of(("red", 9), ("blue", None))

    assert found.how is How.UNRESOLVED


def test_a_count_of_zero_takes_part_in_a_tie() -> None:
    found = of(("red", 0), ("blue", 1))

    assert (found.label, found.how) == ("blue", How.TIE_BY_SLIDER)


def test_unknown_is_a_vote_like_any_other() -> None:
    found = of((None, None), (None, None), ("red", 8))

    assert (found.label, found.how) == (UNKNOWN, How.MAJORITY)
    assert found.slider_mean_winner is None
    assert found.slider_mean_all == 8.0


def test_unknown_against_a_label_cannot_be_decided_by_a_count() -> None:
    found = of((None, None), ("red", 10))

    assert found.how is How.UNRESOLVED


def test_a_slider_that_was_not_set_is_missing_and_zero_is_a_value() -> None:
    found = of(("red", None), ("red", 0), ("red", 10))

    assert found.slider_mean_winner == 5.0


def test_means_of_winner_and_of_all_differ_when_labels_do() -> None:
    found = of(("red", 8), ("red", 6), ("blue", 1))

    assert (found.slider_mean_winner, found.slider_mean_all) == (7.0, 5.0)


def test_nobody_answered_is_no_answer() -> None:
    assert consensus_of([]) == Consensus(None, How.NO_ANSWER)


def test_votes_are_told_in_one_line_most_first() -> None:
    found = of(("blue", 1), ("red", 1), ("red", 2), (None, None))

    assert found.votes_text == "red 2, blue 1, unknown 1"


def test_an_annotator_who_answers_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        consensus_of([("A", "red", 1), ("A", "red", 1)])


@quick
@given(votes=votes)
def test_the_order_of_annotators_changes_nothing(votes: list[tuple[str | None, float | None]]) -> None:
    found = {of(*some) for some in list(permutations(votes))[:24]}

    assert len(found) == 1


@quick
@given(votes=votes)
def test_renaming_labels_renames_the_winner(votes: list[tuple[str | None, float | None]]) -> None:
    name = {"red": "z", "blue": "a", "green": "m", None: None}

    found, renamed = of(*votes), of(*[(name[label], slider) for label, slider in votes])

    assert renamed.how is found.how
    expected = name.get(found.label, UNKNOWN) if found.label is not None else None
    assert renamed.label == expected


@quick
@given(votes=votes)
def test_a_winner_has_the_most_votes_or_nothing_is_decided(
    votes: list[tuple[str | None, float | None]],
) -> None:
    found = of(*votes)

    if found.label is None:
        assert found.how in (How.UNRESOLVED, How.NO_ANSWER)
    else:
        assert dict(found.votes)[found.label] == max(number for _, number in found.votes)
    assert sum(number for _, number in found.votes) == len(votes)
