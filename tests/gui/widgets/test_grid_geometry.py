"""Where the pictures stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.widgets.grid_geometry import grid_geometry

BAR, WIDE_BAR, TOP = 146, 151, 44


@pytest.mark.parametrize(
    ("width", "height", "side"),
    [(1280, 720, 220), (1366, 768, 244), (1440, 900, 271), (1920, 1080, 367), (2560, 1440, 495)],
)
def test_sides_are_those_that_the_design_measured(width: int, height: int, side: int) -> None:
    is_wide = width >= 1500
    found = grid_geometry(width, height - TOP - (WIDE_BAR if is_wide else BAR), 10, 28 if is_wide else 24)

    assert found.side == side


@given(
    width=st.integers(700, 3000),
    height=st.integers(320, 1800),
    count=st.integers(1, 10),
    strip=st.integers(19, 56),
)
def test_pictures_are_inside_and_apart(width: int, height: int, count: int, strip: int) -> None:
    found = grid_geometry(width, height, count, strip)

    assert len(found.corners) == count
    for x, y in found.corners:
        assert x >= 8
        assert x + found.side <= width
        assert y >= 0
        assert y + found.side + found.strip <= height
    for index, (x, y) in enumerate(found.corners):
        for other_x, other_y in found.corners[:index]:
            is_beside = abs(x - other_x) >= found.side + 8
            is_below = abs(y - other_y) >= found.side + found.strip + 8
            assert is_beside or is_below


@given(width=st.integers(1000, 3000), height=st.integers(400, 1800))
def test_the_block_is_centred(width: int, height: int) -> None:
    found = grid_geometry(width, height, 10, 24)
    left = found.corners[0][0]
    right = width - found.corners[4][0] - found.side
    top = found.corners[0][1]
    bottom = height - found.corners[9][1] - found.side - found.strip

    assert abs(left - right) <= 1
    assert abs(top - bottom) <= 1


def test_five_or_fewer_stand_in_one_row() -> None:
    assert len({y for _, y in grid_geometry(1280, 530, 5, 24).corners}) == 1
    assert grid_geometry(1280, 530, 3, 24).side > grid_geometry(1280, 530, 10, 24).side
