"""Asking until there is an answer: waiting, slowing down, asking again, giving up, and stopping the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from core.extraction.extractor import RunStopped
from core.extraction.vlm.budget import Budget
from core.extraction.vlm.client import Client
from core.extraction.vlm.faults import SLOWING, STOPPING, Fault, Trouble
from core.extraction.vlm.json_schema import Json
from core.extraction.vlm.options import VlmOptions
from core.extraction.vlm.reply import Reply, read_reply
from core.extraction.vlm.story import Story
from core.extraction.vlm.throttle import Throttle

LONGEST_WAIT = 30.0
"""Seconds between two tries where the server names none."""

LONGEST_ASKED_WAIT = 3600.0
"""Seconds that a server may ask us to stay away; for longer, the run stops and is continued later."""

PATIENCE = 900.0
"""Seconds without any answer, beyond what servers asked us to wait, after which the run stops."""

REMEDIES = {
    "auth": "Set the right key, then start again; what was read is kept.",
    "quota": "Raise the account's allowance, then start again; what was read is kept.",
    "unsupported": "Leave that option out, or choose another model.",
    "not found": "Check address and model (--base-url, --model).",
}


class Patience:
    """Sends requests for all pictures of a run; knows what has happened to the others.

    Parameters
    ----------
    client : Client
        The connection.
    options : VlmOptions
        Tries and waits.
    throttle, budget : Throttle, Budget
        How many at once, and for how much.
    clock : callable
        Seconds on the loop's clock.
    random : Random
        Source of jitter.
    """

    def __init__(
        self,
        client: Client,
        options: VlmOptions,
        throttle: Throttle,
        budget: Budget,
        clock: Callable[[], float],
        random: Random,
    ) -> None:
        self.throttle = throttle
        self.budget = budget
        self.stopped: RunStopped | None = None
        self._client = client
        self._options = options
        self._clock = clock
        self._random = random
        self._answered_at = clock()
        self._asked_to_wait = 0.0

    async def ask(self, api: str, body: Json, story: Story) -> Reply:
        """The answer to a request, which is added to the story.

        Raises
        ------
        Trouble
            When there is none after all tries, or asking again is of no use.
        RunStopped
            When the run has been stopped; nothing was sent then.
        """
        seen: Counter[str] = Counter()
        while True:
            result = await self._try(api, body, story)
            if isinstance(result, Reply):
                self._answered_at = self._clock()
                self.throttle.go_on()
                return result
            story.add_fault(result)
            seen[result.kind] += 1
            if result.kind in STOPPING:
                raise Trouble(result)
            self._slow(result)
            if self.stopped is not None:
                raise self.stopped
            if seen[result.kind] >= self._most_tries(result):
                raise Trouble(result)
            await self._wait(result, sum(seen.values()))

    def stop(self, reason: RunStopped) -> None:
        """Let no further request out; those under way come to their end."""
        if self.stopped is None:
            self.stopped = reason
            self.throttle.release()

    def stop_for(self, fault: Fault) -> None:
        """Stop because of a fault that every other picture would meet as well."""
        self.stop(RunStopped(fault.sentence, REMEDIES.get(fault.kind, "")))

    async def _try(self, api: str, body: Json, story: Story) -> Reply | Fault:
        """One request."""
        await self.throttle.enter()
        try:
            if self.stopped is not None:
                raise self.stopped
            held = await self._take()
            story.tries += 1
            started = self._clock()
            fault, reply, is_paid = None, None, True
            try:
                data = await self._client.send(api, body)
                reply = read_reply(data, api)
            except Trouble as trouble:
                fault = trouble.fault
                is_paid = fault.is_paid_perhaps
            finally:
                # Also when cancelled: the server may do the work all the same.
                self.budget.settle(held, reply.usage if reply else None, is_paid=is_paid)
                seconds = self._clock() - started
                story.seconds += seconds
            if reply is not None:
                story.add_answer(data, reply, seconds)
                return reply
            assert fault is not None
            return fault
        finally:
            self.throttle.leave()

    async def _take(self) -> float:
        try:
            return await self.budget.take()
        except RunStopped as reason:
            self.stop(reason)
            raise

    def _slow(self, fault: Fault) -> None:
        """Let the whole run know what the server said about its pace."""
        if fault.wait is not None and fault.wait > LONGEST_ASKED_WAIT:
            hours = fault.wait / 3600
            again = "Start again then; what was read is kept."
            self.stop(RunStopped(f"The server asks to wait {hours:.1f} hours.", again))
            return
        if fault.kind in SLOWING:
            self.throttle.slow_down(fault.wait)
            self._asked_to_wait = max(self._asked_to_wait, fault.wait or 0.0)
        if self._clock() - self._answered_at > PATIENCE + self._asked_to_wait:
            minutes = (self._clock() - self._answered_at) / 60
            self.stop(
                RunStopped(
                    f"The server has answered nothing for {minutes:.0f} minutes: {fault.sentence}",
                    "Start again later; what was read is kept.",
                )
            )

    def _most_tries(self, fault: Fault) -> int:
        if fault.kind == "rate limit":
            return fault.most_tries  # until the run's patience is over: too many requests is no failure
        return min(fault.most_tries, self._options.tries)

    async def _wait(self, fault: Fault, tries: int) -> None:
        if fault.wait is not None and fault.kind in SLOWING:
            return  # the throttle keeps everybody out for as long as the server asks
        own = min(self._options.first_wait * 2 ** min(tries - 1, 12), LONGEST_WAIT)
        await self.throttle.sleep(max(fault.wait or 0.0, own * (0.5 + self._random.random() / 2)))
