"""Brings every part from stage to stage, writing each into the ledger before the next begins."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

from core.extraction.batch.join import HALF_PRICE
from core.extraction.batch.ledger import Ledger, Part, Stage
from core.extraction.batch.options import BatchOptions
from core.extraction.batch.parts import ENDPOINTS
from core.extraction.batch.remote import Order, Remote
from core.extraction.extractor import RunStopped
from core.extraction.vlm.budget import Budget
from core.extraction.vlm.faults import STOPPING, Trouble
from core.extraction.vlm.options import VlmOptions
from core.extraction.vlm.patience import REMEDIES

TOO_MANY_TOKENS = "token_limit_exceeded"
"""Code of an order that only has to wait until others are over."""

LOST = "lost"
"""Status of an order that the server forgot or never finished."""

_GRACE = 2 * 3600.0
"""Seconds that an order called off may take to end."""

_NO_BATCHES = (
    "Not every server has the Batch interface: ask image by image (without --batch), or check the address"
    " (--base-url)."
)

MOST_LOOKS_IN_VAIN = 20
"""Looks at an order in a row that fail before the run stops; the order itself goes on."""


class Tending:
    """Sends, orders, looks and fetches, for all open parts of a ledger.

    Parameters
    ----------
    ledger : Ledger
        The parts.
    remote : Remote
        The server.
    budget, options : Budget, VlmOptions
        Limits in money and in calls.
    api : str
        Which endpoint is asked.
    limits : BatchOptions
        How patiently orders are looked at.
    now : callable
        Seconds since 1970.
    """

    def __init__(
        self,
        ledger: Ledger,
        remote: Remote,
        budget: Budget,
        options: VlmOptions,
        api: str,
        limits: BatchOptions,
        now: Callable[[], float],
    ) -> None:
        self.stopped: RunStopped | None = None
        self._ledger = ledger
        self._remote = remote
        self._budget = budget
        self._options = options
        self._endpoint = ENDPOINTS[api]
        self._poll_seconds = limits.poll_seconds
        self._patience = limits.patience_hours * 3600
        self._now = now
        self._done: dict[int, int] = {}
        self._vain = 0
        self._orders_in_vain: Counter[int] = Counter()

    async def run(self) -> None:
        """Go on until every part is fetched, or nothing more can be ordered."""
        while waiting := self._unfetched():
            moved = False
            for part in waiting:
                moved |= await self._guarded(part)
            if self.stopped is not None and not self._under_way():
                return
            if not moved:
                await asyncio.sleep(self._poll_seconds)

    def text(self) -> str:
        """How the parts stand, in words."""
        stages = Counter(part.status or part.stage.value for part in self._unfetched())
        parts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in sorted(stages.items()))
        done = sum(self._done.values())
        answered = f", {done:,} answered" if done else ""
        return f"files at the server: {parts}{answered}" if parts else "all files are back"

    def _unfetched(self) -> list[Part]:
        ready = (Stage.FETCHED, Stage.JOINED)
        return [part for part in self._ledger.parts if part.stage not in ready]

    def _under_way(self) -> list[Part]:
        stages = (Stage.ORDERED, Stage.OVER)
        return [part for part in self._ledger.parts if part.stage in stages]

    async def _guarded(self, part: Part) -> bool:
        """Bring a part on by one stage; whether it moved. Trouble ends the run or is tried again later."""
        try:
            moved = await self._step(part)
        except Trouble as trouble:
            self._vain += 1
            fault = trouble.fault
            is_hopeless = fault.kind in STOPPING or fault.most_tries == 1
            if is_hopeless or self._vain >= MOST_LOOKS_IN_VAIN:
                remedy = _NO_BATCHES if fault.kind == "not found" else REMEDIES.get(fault.kind, "")
                raise RunStopped(fault.sentence, remedy) from None
            return False
        self._vain = 0
        return moved

    async def _step(self, part: Part) -> bool:
        if part.stage is Stage.BUILT:
            part.file_id = await self._remote.send_file(self._ledger.requests_file(part))
            return self._now_at(part, Stage.SENT)
        if part.stage is Stage.SENT:
            return await self._order(part)
        if part.stage is Stage.ORDERING:
            return await self._find_order(part)
        if part.stage is Stage.ORDERED:
            return await self._look(part)
        return await self._fetch(part)

    async def _order(self, part: Part) -> bool:
        if part.status == TOO_MANY_TOKENS and self._under_way():
            return False
        if not self._fits(part):
            return False
        self._now_at(part, Stage.ORDERING)
        try:
            order = await self._remote.order(part.file_id, self._endpoint, part.name)
        except Trouble as trouble:
            if not trouble.fault.is_paid_perhaps and trouble.fault.kind != "server":
                self._now_at(part, Stage.SENT)
            self._orders_in_vain[part.number] += 1
            if self._orders_in_vain[part.number] >= self._options.tries:
                raise RunStopped(trouble.fault.sentence, "Start again later.") from None
            raise
        return self._ordered(part, order)

    async def _find_order(self, part: Part) -> bool:
        """After an order that nobody saw arrive: take it if it is there, else order anew."""
        order = await self._remote.find(part.file_id)
        return self._now_at(part, Stage.SENT) if order is None else self._ordered(part, order)

    def _ordered(self, part: Part, order: Order) -> bool:
        part.batch_id, part.status = order.id, order.status
        part.ordered_at = part.ordered_at or self._now()
        return self._now_at(part, Stage.ORDERED)

    async def _look(self, part: Part) -> bool:
        try:
            order = await self._remote.look(part.batch_id)
        except Trouble as trouble:
            if trouble.fault.kind != "not found":
                raise
            return self._lost(part, "the server does not know the order any more")
        self._done[part.number] = order.done
        if not order.is_over:
            return await self._wait_on(part, order)
        codes = {code for code, _ in order.problems}
        if order.status == "failed" and codes == {TOO_MANY_TOKENS} and not order.answers_id:
            return self._put_back(part, order)
        part.status, part.answers_id, part.errors_id = order.status, order.answers_id, order.errors_id
        part.problem = "; ".join(sentence for _, sentence in order.problems) or part.problem
        return self._now_at(part, Stage.OVER)

    async def _wait_on(self, part: Part, order: Order) -> bool:
        """An order that is not over: call it off after long, and after longer still count on nothing."""
        part.status = order.status
        waited = self._now() - part.ordered_at
        if waited > self._patience + _GRACE:
            return self._lost(part, f"it was {order.status} for {waited / 3600:.0f} hours")
        if waited > self._patience and order.status != "cancelling":
            part.problem = f"it was {order.status} for {waited / 3600:.0f} hours and called off"
            self._ledger.save()
            await self._remote.cancel(part.batch_id)
        return False

    def _put_back(self, part: Part, order: Order) -> bool:
        """An order that the server did not take because of others: it is placed again after them."""
        others = [other for other in self._under_way() if other is not part]
        part.status, part.batch_id, part.ordered_at = TOO_MANY_TOKENS, "", 0.0
        self._now_at(part, Stage.SENT)
        if not others:
            sentence = f"The server does not take so many requests at once: {order.problems[0][1]}"
            raise RunStopped(sentence, "Move the folder of batches away and take fewer images (--limit).")
        return True

    def _lost(self, part: Part, problem: str) -> bool:
        part.status, part.problem = LOST, problem
        return self._now_at(part, Stage.OVER)

    async def _fetch(self, part: Part) -> bool:
        ledger = self._ledger
        files = ((part.answers_id, ledger.answers_file(part)), (part.errors_id, ledger.errors_file(part)))
        for file_id, path in files:
            try:
                if file_id:
                    await self._remote.fetch(file_id, path)
            except Trouble as trouble:
                if trouble.fault.kind != "not found":
                    raise
                part.problem = "the server does not have its file of answers any more"
        self._now_at(part, Stage.FETCHED)
        # The pictures need not lie at the server any longer, nor twice on this disk.
        await self._remote.remove_file(part.file_id)
        ledger.requests_file(part).unlink(missing_ok=True)
        return True

    def _fits(self, part: Part) -> bool:
        """Whether the budget holds this part beside all that is under way; else nothing more is ordered."""
        if self.stopped is not None:
            return False
        requests = part.requests + sum(other.requests for other in self._under_way())
        worst = self._budget.worst(requests, HALF_PRICE)
        limit, most = self._budget.limit, self._options.most_calls
        again = "What was ordered is fetched; raise the limit to order the rest."
        if limit is not None and self._budget.spent + worst > limit:
            sentence = f"The budget of {limit:g} does not hold {part.name}: it could come to {worst:.2f}."
            self.stopped = RunStopped(sentence, again)
        elif most is not None and self._budget.calls + requests > most:
            self.stopped = RunStopped(f"The limit of {most:,} calls does not hold {part.name}.", again)
        return self.stopped is None

    def _now_at(self, part: Part, stage: Stage) -> bool:
        part.stage = stage
        self._ledger.save()
        return True
