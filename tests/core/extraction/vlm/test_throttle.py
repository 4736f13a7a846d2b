"""Places for requests: fewer when the server says so, none while it asks to wait, nobody forgotten."""

from __future__ import annotations

import asyncio
from random import Random

from core.extraction.vlm.throttle import Throttle


class Clock:
    """A clock that stands still until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_no_more_enter_than_there_are_places() -> None:
    async def main() -> int:
        throttle = Throttle(3, asyncio.get_running_loop().time, Random(1))
        most = 0
        inside = 0

        async def one() -> None:
            nonlocal inside, most
            await throttle.enter()
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1
            throttle.leave()

        await asyncio.gather(*(one() for _ in range(50)))
        return most

    assert asyncio.run(main()) == 3


def test_places_fall_fast_once_for_one_event_and_rise_slowly() -> None:
    clock = Clock()
    throttle = Throttle(16, clock, Random(1))
    for _ in range(5):
        throttle.slow_down(None)
    assert throttle.places == 11
    for _ in range(20):
        clock.now += 1
        throttle.slow_down(None)
    assert throttle.places == 1
    for _ in range(500):
        throttle.go_on()
    assert throttle.places == 16


def test_the_door_is_shut_for_as_long_as_the_server_asks() -> None:
    clock = Clock()
    throttle = Throttle(4, clock, Random(1))
    throttle.slow_down(20.0)
    throttle.slow_down(5.0)
    assert throttle.shut_for == 20
    clock.now = 21
    assert throttle.shut_for == 0


def test_one_who_gives_up_waiting_passes_the_turn_on() -> None:
    async def main() -> None:
        throttle = Throttle(1, asyncio.get_running_loop().time, Random(1))
        await throttle.enter()
        first, second = (asyncio.create_task(throttle.enter()) for _ in range(2))
        await asyncio.sleep(0)
        throttle.leave()
        first.cancel()
        await asyncio.wait_for(second, 1)

    asyncio.run(main())


def test_at_the_end_of_the_run_everybody_is_let_in_and_nobody_sleeps() -> None:
    async def main() -> None:
        throttle = Throttle(1, asyncio.get_running_loop().time, Random(1))
        throttle.slow_down(600.0)
        waiting = [asyncio.create_task(throttle.enter()) for _ in range(5)]
        sleeping = asyncio.create_task(throttle.sleep(600.0))
        await asyncio.sleep(0.01)
        throttle.release()
        await asyncio.wait_for(asyncio.gather(*waiting, sleeping), 1)

    asyncio.run(main())
