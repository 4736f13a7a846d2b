"""Leave one prompt out: the value without it, the largest move, and who caused it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.robustness import ONE_PROMPT, leave_one_prompt_out


@st.composite
def prompts(draw):
    size = draw(st.integers(2, 8))
    n = draw(st.lists(st.integers(1, 10), min_size=size, max_size=size))
    return [draw(st.integers(0, one)) for one in n], n, [f"prompt {i}" for i in range(size)]


@given(prompts())
def test_equals_its_slow_twin(case):
    x, n, names = case
    value = sum(x) / sum(n)
    moves = [(sum(x) - a) / (sum(n) - b) - value if sum(n) > b else 0.0 for a, b in zip(x, n, strict=True)]

    result = leave_one_prompt_out(*case)

    assert result.value == pytest.approx(value)
    assert abs(result.largest_move) == pytest.approx(max(abs(move) for move in moves), abs=1e-9)
    assert moves[names.index(result.prompt)] == pytest.approx(result.largest_move, abs=1e-9)
    without = [value + move for move in moves]
    spread = (len(x) - 1) / len(x) * np.sum((np.array(without) - np.mean(without)) ** 2)
    assert result.se == pytest.approx(np.sqrt(spread), abs=1e-9)


@given(prompts(), st.randoms(use_true_random=False))
def test_the_order_of_prompts_changes_nothing(case, random):
    order = list(range(len(case[0])))
    random.shuffle(order)
    mixed = [[side[i] for i in order] for side in case]

    one, other = leave_one_prompt_out(*case), leave_one_prompt_out(*mixed)

    assert one.prompt == other.prompt
    assert (one.value, one.largest_move, one.se) == pytest.approx((other.value, other.largest_move, other.se))


def test_a_tie_goes_to_the_first_prompt_in_the_alphabet():
    assert leave_one_prompt_out([0, 10, 5, 5], [10, 10, 10, 10], ["d", "b", "c", "a"]).prompt == "b"


def test_a_prompt_without_images_is_no_prompt():
    result = leave_one_prompt_out([5, 0], [10, 0], ["a", "b"])

    assert (result.value, result.largest_move, result.is_invariant) == (0.5, None, None)
    assert result.reason == ONE_PROMPT


def test_no_image_at_all_is_undefined_with_a_reason():
    result = leave_one_prompt_out([0], [0], ["a"])

    assert result.value is None
    assert result.reason


def test_a_difference_between_conditions_is_no_noise():
    x, n, names = [10, 10, 0, 0], [10, 10, 10, 10], ["a", "b", "c", "d"]

    assert leave_one_prompt_out(x, n, names, strata=[0, 0, 1, 1]).se == 0
    assert leave_one_prompt_out(x, n, names).se > 0.1
