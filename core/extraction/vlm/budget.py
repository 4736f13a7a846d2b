"""A hard limit in money and in calls, and what a picture costs as measured, not as some table says.

Before a request goes out, the most that it can cost is set aside: the longest question seen so far and the
longest answer allowed. So the limit holds also with many requests under way. What a server may have charged
for without an answer (a time-out) counts in full.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from core.extraction.extractor import RunStopped
from core.extraction.vlm.options import VlmOptions
from core.extraction.vlm.reply import Usage

FIRST_MEASURED = 20
"""Pictures after which cost and time left are told."""

_MILLION = 1_000_000
_PICTURE_TOKENS = 6_000
"""More than any server in use makes of one picture; stands in before the first answer."""

_RECENT = 200
"""Pictures whose pace tells the time left."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is known about the rest after the first pictures: None where it is not known yet."""

    per_image: float | None
    total: float | None
    images_per_second: float | None
    seconds_left: float | None


class Budget:
    """What may be spent, what is spent, and what is set aside for requests under way.

    Parameters
    ----------
    options : VlmOptions
        Limits and prices.
    question_characters : int
        Length of what is sent beside the picture; stands in for its tokens before the first answer.
    """

    def __init__(self, options: VlmOptions, question_characters: int = 0) -> None:
        self._options = options
        self._longest_in = question_characters // 2 + _PICTURE_TOKENS
        self._is_measured = False
        self._held = 0.0
        self._under_way = 0
        self._settled = asyncio.Event()
        self.calls = 0
        self.spent = 0.0
        self.tokens_in = 0
        self.tokens_out = 0

    @property
    def knows_prices(self) -> bool:
        """Whether money can be told at all."""
        return self._options.price_in is not None and self._options.price_out is not None

    @property
    def limit(self) -> float | None:
        """The most money to spend; None for no limit."""
        return self._options.budget

    async def take(self) -> float:
        """Set the cost of one request aside and count it as a call; RunStopped when it does not fit.

        What is set aside for requests under way may turn out to be more than they need, so while there are
        any, this waits for them.
        """
        while True:
            self._check_calls()
            worst = self._cost(self._longest_in, self._options.max_tokens)
            if self._fits(worst):
                break
            if not self._under_way:
                raise RunStopped(
                    f"The budget of {self.limit:g} is reached: {self.spent:.4f} is spent, and one more call"
                    f" could cost {worst:.4f}.",
                    "What was read is kept; raise the budget (--budget) to go on.",
                )
            await self._settled.wait()
        self.calls += 1
        self._under_way += 1
        self._held += worst
        return worst

    def settle(self, held: float, usage: Usage | None, *, is_paid: bool) -> None:
        """Replace what was set aside by what was used; the whole of it when the server does not say."""
        self._under_way -= 1
        self._held = self._held - held if self._under_way else 0.0
        self._settled.set()
        self._settled = asyncio.Event()
        if usage is None:
            self.spent += held if is_paid else 0.0
            return
        self.tokens_in += usage.tokens_in
        self.tokens_out += usage.tokens_out
        self.spent += self._cost(usage.tokens_in, usage.tokens_out)
        longest = self._longest_in if self._is_measured else 0
        self._longest_in = max(longest, usage.tokens_in)
        self._is_measured = True

    def worst(self, calls: int, share: float = 1.0) -> float:
        """The most that so many calls can cost, at a share of the full price."""
        return share * calls * self._cost(self._longest_in, self._options.max_tokens)

    def expected(self, calls: int, share: float = 1.0) -> float | None:
        """What so many calls cost if they are like those so far; None without prices or calls."""
        if not self.knows_prices or not self.calls:
            return None
        return share * calls * self._cost(self.tokens_in, self.tokens_out) / self.calls

    def note(self, usage: Usage, share: float) -> None:
        """Count what was used elsewhere, at a share of the full price."""
        self.spent += share * self._cost(usage.tokens_in, usage.tokens_out)

    def _check_calls(self) -> None:
        most = self._options.most_calls
        if most is not None and self.calls >= most:
            raise RunStopped(
                f"The limit of {most:,} calls is reached.",
                "What was read is kept; raise the limit (--max-calls) to go on.",
            )

    def _fits(self, worst: float) -> bool:
        return self.limit is None or self.spent + self._held + worst <= self.limit

    def _cost(self, tokens_in: int, tokens_out: int) -> float:
        options = self._options
        return (tokens_in * (options.price_in or 0.0) + tokens_out * (options.price_out or 0.0)) / _MILLION


class Meter:
    """Pace and cost of a run.

    Parameters
    ----------
    budget : Budget
        Where the spending is kept.
    clock : callable
        Seconds on a clock that stands still while the run is paused.
    """

    def __init__(self, budget: Budget, clock: Callable[[], float]) -> None:
        self._budget = budget
        self._clock = clock
        self._started = clock()
        self._spent_before = budget.spent
        self._ends: deque[float] = deque(maxlen=_RECENT)
        self.images = 0

    def note(self) -> None:
        """Count one more picture that was answered, whatever the answer."""
        self.images += 1
        self._ends.append(self._clock())

    def estimate(self, left: int) -> Estimate:
        """Cost and time of the `left` pictures that are still to be read."""
        if self.images < FIRST_MEASURED:
            return Estimate(None, None, None, None)
        first = self._ends[0] if len(self._ends) == _RECENT else self._started
        pace = len(self._ends) / max(self._ends[-1] - first, 1e-9)
        if not self._budget.knows_prices:
            return Estimate(None, None, pace, left / pace)
        spent = self._budget.spent
        each = (spent - self._spent_before) / self.images
        return Estimate(each, spent + each * left, pace, left / pace)

    def text(self, left: int) -> str:
        """Spending, and after the first pictures the cost of all and the time left."""
        estimate = self.estimate(left)
        parts = []
        if self._budget.knows_prices:
            limit = self._budget.limit
            parts.append(f"{self._budget.spent:.2f}{f' of {limit:g}' if limit is not None else ''} spent")
        if estimate.total is not None:
            parts.append(f"about {estimate.total:.2f} in all")
        if estimate.seconds_left is not None and left:
            parts.append(f"{_duration(estimate.seconds_left)} left")
        return ", ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
