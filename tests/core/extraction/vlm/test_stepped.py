"""A loop in slices: it stands still in between, and closing it leaves nothing behind."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Generator
from typing import Any

import pytest

from core.extraction.vlm.stepped import SteppedLoop


def stepped(steps: Generator[None, None, Any]) -> tuple[Any, int]:
    """What comes out at the end, and after how many slices."""
    slices = 0
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value, slices
        slices += 1


def test_work_goes_on_from_slice_to_slice_and_gives_its_result() -> None:
    async def work() -> str:
        for _ in range(3):
            await asyncio.sleep(0.02)
        return "done"

    loop = SteppedLoop()
    result, slices = stepped(loop.run(work(), every=0.01))
    loop.close()
    assert result == "done"
    assert slices >= 3


def test_the_clock_stands_still_between_slices() -> None:
    async def work() -> bool:
        try:
            async with asyncio.timeout(0.3):
                await asyncio.sleep(0.1)
        except TimeoutError:
            return False
        return True

    loop = SteppedLoop()
    steps = loop.run(work(), every=0.02)
    next(steps)
    before = loop.clock()
    time.sleep(0.5)
    assert stepped(steps)[0] is True
    assert loop.clock() - before < 0.5
    loop.close()


def test_closing_in_the_middle_cancels_and_runs_what_must_run() -> None:
    tidied = []

    async def work() -> None:
        try:
            await asyncio.to_thread(time.sleep, 0.05)
            await asyncio.sleep(60)
        finally:
            tidied.append(True)

    before = threading.active_count()
    loop = SteppedLoop()
    steps = loop.run(work(), every=0.01)
    next(steps)
    steps.close()
    loop.close()
    loop.close()
    assert tidied == [True]
    assert threading.active_count() == before


def test_an_error_comes_out_where_the_work_is_stepped() -> None:
    async def work() -> None:
        raise KeyError("mine")

    loop = SteppedLoop()
    with pytest.raises(KeyError, match="mine"):
        next(loop.run(work()))
    loop.close()
