"""Counting many rows: the ways that need little memory say what numpy and pandas say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.counting import _is_said_again
from core.statistics.arrays import added_up, combined, counted, distinct, is_repeated, positions


@pytest.mark.parametrize("top", [3, 500, 2**22 + 5, 2**40])
def test_keys_of_any_size_are_grouped_and_counted(top):
    key = np.random.default_rng(top).integers(0, top, 4000)
    key[-30:] = key[:30]

    kinds, place, first = distinct(key)
    known, where, which, times = np.unique(key, return_index=True, return_inverse=True, return_counts=True)

    assert np.array_equal(kinds, known)
    assert np.array_equal(first, where)
    assert np.array_equal(place, which)
    assert np.array_equal(is_repeated(key), pd.Series(key).duplicated().to_numpy())
    assert [part.tolist() for part in added_up(key)] == [known.tolist(), times.tolist()]


def test_more_rows_than_are_looked_at_at_once_are_all_counted():
    codes = np.random.default_rng(1).integers(0, 40, 600_000).astype(np.int8)

    assert counted(codes, 41).tolist() == np.bincount(codes, minlength=41).tolist()
    assert distinct(codes)[2].tolist() == np.unique(codes, return_index=True)[1].tolist()
    assert np.array_equal(positions(codes == 3), np.flatnonzero(codes == 3))


def test_a_joint_number_is_as_wide_as_it_must_be():
    major = np.array([0, 3], dtype=np.int8)

    assert combined(major, np.array([1, 2]), 100).dtype == np.int32
    assert combined(major, np.array([1, 2]), 2**30).tolist() == [1, 3 * 2**30 + 2]


@pytest.mark.parametrize("in_order", [True, False])
def test_what_is_said_again_is_found_wherever_the_rows_are_cut(in_order):
    rng = np.random.default_rng(3)
    pair, label = rng.integers(0, 60, 500), rng.integers(-1, 6, 500).astype(np.int16)
    pair = np.sort(pair) if in_order else pair

    found = _is_said_again(pair, label, most=7)

    assert found.tolist() == pd.DataFrame({"pair": pair, "label": label}).duplicated().tolist()
    assert 0 < found.sum() < found.size
