from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotation.clock import BEAT_GAP_SECONDS, IDLE_SECONDS, ActiveClock
from tests.annotation.sittings import HandClock


def make_clock() -> tuple[ActiveClock, HandClock]:
    now = HandClock()
    return ActiveClock(now), now


def test_time_between_inputs_is_active() -> None:
    clock, now = make_clock()

    now.wait(4)
    clock.input()
    now.wait(5)

    times = clock.act()
    assert (times.wall_seconds, times.active_seconds, times.first_act_seconds) == (9, 9, 9)


def test_first_act_time_stays_with_later_acts() -> None:
    clock, now = make_clock()

    now.wait(3)
    clock.act()
    now.wait(3)

    assert clock.act().first_act_seconds == 3


def test_nobody_is_active_longer_than_a_minute_after_the_last_input() -> None:
    clock, now = make_clock()

    now.wait(600)

    times = clock.act()
    assert (times.wall_seconds, times.active_seconds) == (600, IDLE_SECONDS)


def test_looking_at_the_clock_does_not_end_the_idle_rule() -> None:
    clock, now = make_clock()

    for _ in range(20):
        now.wait(8)
        clock.tick()

    assert clock.times().active_seconds == IDLE_SECONDS


def test_time_without_focus_does_not_count() -> None:
    clock, now = make_clock()

    now.wait(5)
    clock.focus(False)
    now.wait(30)
    clock.focus(True)
    now.wait(5)

    times = clock.act()
    assert (times.wall_seconds, times.active_seconds) == (40, 10)


def test_losing_the_focus_twice_counts_nothing_twice() -> None:
    clock, now = make_clock()

    now.wait(5)
    clock.focus(False)
    clock.focus(False)
    now.wait(5)
    clock.focus(True)
    clock.focus(True)

    assert clock.times().active_seconds == 5


def test_sleep_of_the_machine_does_not_count() -> None:
    clock, now = make_clock()

    clock.tick()
    now.wait(1)
    clock.tick()
    now.wait(8 * 3600)
    clock.tick()
    clock.input()
    now.wait(1)

    assert clock.times().active_seconds == 2


def test_a_question_starts_from_zero() -> None:
    clock, now = make_clock()

    now.wait(5)
    clock.act()
    clock.show()
    now.wait(2)

    times = clock.times()
    assert (times.wall_seconds, times.active_seconds, times.first_act_seconds) == (2, 2, None)
    assert clock.sitting_seconds == 7


def test_a_clock_that_jumps_back_counts_nothing() -> None:
    clock, now = make_clock()

    now.wait(5)
    clock.input()
    now.wait(-100)
    clock.input()
    now.wait(101)

    assert clock.act().active_seconds == 6


steps = st.tuples(
    st.sampled_from(["show", "input", "tick", "act", "focus", "blur"]),
    st.floats(-30, 300, allow_nan=False),
)


@given(st.lists(steps, max_size=40))
def test_active_time_is_never_negative_and_never_more_than_wall_time(script: list[tuple[str, float]]) -> None:
    clock, now = make_clock()
    for what, seconds in script:
        now.wait(seconds)
        if what in ("focus", "blur"):
            clock.focus(what == "focus")
        else:
            getattr(clock, what)()

    times = clock.times()

    assert 0 <= times.active_seconds <= times.wall_seconds + 1e-6
    assert times.first_act_seconds is None or 0 <= times.first_act_seconds <= times.wall_seconds + 1e-6


@given(st.lists(st.floats(0, 200), min_size=1, max_size=30))
def test_sitting_is_the_sum_of_its_questions(waits: list[float]) -> None:
    clock, now = make_clock()
    total = 0.0
    for seconds in waits:
        now.wait(seconds)
        total += clock.act().active_seconds
        clock.show()

    assert abs(clock.sitting_seconds - total) < 1e-6
    assert abs(total - sum(min(seconds, IDLE_SECONDS) for seconds in waits)) < 1e-6


def test_beats_are_looked_for_only_once_there_are_beats() -> None:
    clock, now = make_clock()

    now.wait(BEAT_GAP_SECONDS * 3)

    assert clock.times().active_seconds == BEAT_GAP_SECONDS * 3
