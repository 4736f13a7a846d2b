"""Rate and time left."""

from __future__ import annotations

import pytest

from gui.pace import Pace


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_nothing_is_claimed_before_there_is_something_to_go_by(clock: Clock):
    pace = Pace(clock)
    pace.note(0)
    clock.now += 1
    pace.note(5)

    assert pace.per_second is None
    assert pace.seconds_left(100) is None


def test_time_left_follows_from_the_rate(clock: Clock):
    pace = Pace(clock)
    pace.note(0)
    clock.now += 10
    pace.note(20)

    assert pace.per_second == pytest.approx(2)
    assert pace.seconds_left(100) == pytest.approx(40)


def test_steps_that_were_there_before_do_not_make_it_faster(clock: Clock):
    pace = Pace(clock)
    pace.note(900)
    clock.now += 10
    pace.note(910)

    assert pace.per_second == pytest.approx(1)


def test_time_on_hold_does_not_count(clock: Clock):
    pace = Pace(clock)
    pace.note(0)
    clock.now += 5
    pace.hold()
    clock.now += 1000
    pace.go_on()
    clock.now += 5
    pace.note(10)

    assert pace.per_second == pytest.approx(1)


def test_an_old_rate_is_forgotten(clock: Clock):
    pace = Pace(clock)
    for done in range(0, 1000, 100):
        pace.note(done)
        clock.now += 1
    for done in range(1000, 1200):
        clock.now += 1
        pace.note(done)

    assert pace.per_second == pytest.approx(1, abs=0.05)
