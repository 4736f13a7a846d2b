"""Numbers are said as the design says them, and what is undefined is a dash."""

from __future__ import annotations

import pytest

from gui.models.number import (
    Number,
    decimals,
    finite,
    interval,
    number_of,
    p_value,
    percent,
    signed,
)


@pytest.mark.parametrize(
    ("value", "said"), [(0.784, "0.78"), (-0.13, "−0.13"), (-0.001, "0.00"), (None, "–"), (1.0, "1.00")]
)
def test_a_value_has_two_decimals_and_a_real_minus_sign(value: float | None, said: str):
    assert decimals(value) == said


def test_an_interval_that_reaches_below_zero_is_not_written_with_a_dash():
    assert interval(Number(0.5, 0.4, 0.6)) == "0.40–0.60"
    assert interval(Number(0.0, -0.1, 0.1)) == "−0.10 to 0.10"
    assert interval(Number(0.5)) == ""


def test_a_difference_has_its_sign():
    assert [signed(value) for value in (0.013, -0.13, 0.0, None)] == ["+0.01", "−0.13", "0.00", "–"]


def test_p_values_are_never_zero():
    assert [p_value(p) for p in (0.41, 0.034, 0.00001, None)] == ["0.41", "0.034", "< 0.001", "–"]


def test_shares_are_whole_percent():
    assert [percent(share) for share in (0.4949, 1.0, None)] == ["49 %", "100 %", "–"]


def test_empty_cells_of_a_table_are_no_numbers():
    row = {"value": float("nan"), "low": None, "high": "", "units": 12, "reason": "one category"}

    found = number_of(row)

    assert (found.value, found.low, found.high) == (None, None, None)
    assert (found.units, found.reason) == (12, "one category")
    assert finite(float("inf")) is None


def test_an_interval_leaves_zero_out_only_when_it_is_wholly_on_one_side():
    assert Number(0.2, 0.1, 0.3).leaves_zero_out
    assert Number(-0.2, -0.3, -0.1).leaves_zero_out
    assert not Number(0.1, -0.1, 0.3).leaves_zero_out
    assert not Number(0.1).leaves_zero_out
