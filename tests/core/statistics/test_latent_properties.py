"""Properties of what is estimated behind the answers: Dawid–Skene, leaving people out, stable labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics.dawid_skene import dawid_skene, rating_counts
from core.statistics.leave_one_out import leave_one_out
from core.statistics.stability import ccs_if_stable

MATRIX = st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=2, max_size=10)


@settings(max_examples=25, deadline=None)
@given(MATRIX, st.permutations(range(3)))
def test_dawid_skene_knows_raters_by_what_they_say_only(rows: list[list[int]], order: list[int]) -> None:
    answers = np.array(rows)
    fit = dawid_skene(rating_counts(answers, 3), max_iterations=20)
    other = dawid_skene(rating_counts(answers[:, order], 3), max_iterations=20)

    assert fit.reason == other.reason
    if fit.posterior is not None and fit.posterior.size:
        np.testing.assert_allclose(fit.posterior, other.posterior, atol=1e-6)
        is_answered = (answers >= 0).any(axis=1)  # nothing is known of a unit that nobody answered
        np.testing.assert_allclose(fit.posterior[is_answered].sum(axis=1), 1, atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(MATRIX, st.data())
def test_the_order_of_units_changes_nothing_when_people_are_left_out(
    rows: list[list[int]], data: st.DataObject
):
    people = np.array(rows)
    machine = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=len(rows), max_size=len(rows))))
    order = data.draw(st.permutations(range(len(rows))))

    one, other = leave_one_out(people, 3, machine), leave_one_out(people[order], 3, machine[order])

    for mine, theirs in ((one.people, other.people), (one.pipeline, other.pipeline)):
        assert mine.reason == theirs.reason
        assert mine.value == (None if theirs.value is None else pytest.approx(theirs.value, abs=1e-12))
        assert mine.value is None or mine.value <= 1


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 30), min_size=3, max_size=3), st.data())
def test_a_stable_label_scores_the_same_in_any_order(n: list[int], data: st.DataObject):
    total = data.draw(st.integers(1, sum(n)))

    found, other = ccs_if_stable(total, n), ccs_if_stable(total, n[::-1])

    assert found.value == (None if other.value is None else pytest.approx(other.value, rel=1e-9))
    assert found.value is None or 0 <= found.value <= 100 * (1 + 1e-6)  # to six digits
