"""The budget holds with many requests under way, and counts what may have been charged without an answer."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from core.extraction.extractor import RunStopped
from core.extraction.vlm.budget import FIRST_MEASURED, Budget, Meter
from core.extraction.vlm.options import VlmOptions
from core.extraction.vlm.reply import Usage

OPTIONS = VlmOptions("m", budget=1.0, price_in=1.0, price_out=10.0, max_tokens=1000)


def test_it_is_never_passed_whatever_the_calls_turn_out_to_cost() -> None:
    random = Random(2)

    async def main() -> Budget:
        budget = Budget(OPTIONS, 2000)

        async def call() -> None:
            held = await budget.take()
            await asyncio.sleep(random.random() / 1000)
            usage = Usage(7000, random.randint(0, 1000)) if random.random() < 0.8 else None
            budget.settle(held, usage, is_paid=True)

        await asyncio.gather(*(call() for _ in range(400)), return_exceptions=True)
        return budget

    budget = asyncio.run(main())
    assert 0.95 < budget.spent <= 1.0


def test_what_is_left_over_from_those_under_way_is_waited_for() -> None:
    async def main() -> list[float]:
        budget = Budget(VlmOptions("m", budget=0.03, price_in=1.0, price_out=10.0, max_tokens=1000), 2000)
        first = await budget.take()
        second = asyncio.create_task(budget.take())
        await asyncio.sleep(0)
        assert not second.done()
        budget.settle(first, Usage(3000, 100), is_paid=True)
        return [first, await second]

    first, second = asyncio.run(main())
    assert (round(first, 4), round(second, 4)) == (0.017, 0.013)


def test_an_error_that_costs_nothing_costs_nothing_and_a_time_out_costs_the_most() -> None:
    async def main() -> tuple[float, float]:
        budget = Budget(OPTIONS, 0)
        budget.settle(await budget.take(), None, is_paid=False)
        free = budget.spent
        held = await budget.take()
        budget.settle(held, None, is_paid=True)
        assert budget.spent == held
        return free, budget.spent

    assert asyncio.run(main())[0] == 0


def test_without_limits_nothing_is_refused() -> None:
    async def main() -> None:
        budget = Budget(VlmOptions("m"))
        for _ in range(100):
            budget.settle(await budget.take(), Usage(10**6, 10**6), is_paid=True)
        assert budget.calls == 100
        assert not budget.knows_prices

    asyncio.run(main())


def test_the_limit_of_calls_stops_with_a_remedy() -> None:
    async def main() -> None:
        budget = Budget(VlmOptions("m", most_calls=2))
        for _ in range(2):
            budget.settle(await budget.take(), None, is_paid=True)
        with pytest.raises(RunStopped) as caught:
            await budget.take()
        assert "--max-calls" in caught.value.remedy

    asyncio.run(main())


def test_cost_and_time_follow_from_what_was_measured() -> None:
    now = [0.0]
    budget = Budget(OPTIONS, 0)
    meter = Meter(budget, lambda: now[0])

    async def read() -> None:
        budget.settle(await budget.take(), Usage(1000, 100), is_paid=True)
        now[0] += 0.5
        meter.note()

    for number in range(FIRST_MEASURED):
        assert meter.estimate(100).total is None, number
        asyncio.run(read())

    estimate = meter.estimate(100)
    assert estimate.per_image == pytest.approx(0.002)
    assert estimate.total == pytest.approx(0.24)
    assert estimate.images_per_second == pytest.approx(2.0)
    assert estimate.seconds_left == pytest.approx(50.0)
    assert meter.text(100) == "0.04 of 1 spent, about 0.24 in all, 50 s left"
