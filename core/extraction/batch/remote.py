"""The server's side of a batch: files go up, orders are placed and looked at, answers come down."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from core.extraction.vlm.client import Client
from core.extraction.vlm.faults import STOPPING, Fault, Trouble
from core.secrets import without_keys
from core.whole_files import force, put_in_place

T = TypeVar("T")

UPLOAD_SECONDS = 3600.0
"""For a file of 200 MB on a slow line."""

CALL_SECONDS = 120.0
LONGEST_WAIT = 60.0
LISTED = 100
PAGES = 20

OVER = frozenset({"completed", "failed", "expired", "cancelled"})
"""Statuses that do not change any more."""

MARK = "contextbias_part"
"""Key under which an order carries what it is for, so that it is found again."""


@dataclass(frozen=True, slots=True)
class Order:
    """A batch as the server describes it; `problems` are its codes and sentences."""

    id: str
    status: str
    answers_id: str
    errors_id: str
    problems: tuple[tuple[str, str], ...]
    done: int

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status in OVER


class Remote:
    """Calls of the Batch interface; a call that fails for a moment is repeated.

    Parameters
    ----------
    client : Client
        The connection.
    tries : int
        Calls for the same thing.
    first_wait : float
        Seconds before the second try; doubled each time.
    """

    def __init__(self, client: Client, tries: int, first_wait: float) -> None:
        self._client = client
        self._tries = tries
        self._first_wait = first_wait

    async def send_file(self, path: Path) -> str:
        """Upload a file of requests; returns its id."""

        async def call() -> Any:
            with path.open("rb") as file:
                named = (path.name, file, "application/jsonl")
                return await self._client.package.files.create(
                    file=named, purpose="batch", timeout=UPLOAD_SECONDS
                )

        return _word(await self._repeated(call, UPLOAD_SECONDS), "id")

    async def order(self, file_id: str, endpoint: str, mark: str) -> Order:
        """Place an order for a file. Not repeated: one that fails may have been placed all the same."""
        batches = self._client.package.batches
        call = batches.create(
            input_file_id=file_id, endpoint=endpoint, completion_window="24h", metadata={MARK: mark}
        )
        return _order(await self._client.guarded(call, CALL_SECONDS))

    async def find(self, file_id: str) -> Order | None:
        """The order that was placed for a file, or None."""

        async def call() -> Order | None:
            page = await self._client.package.batches.list(limit=LISTED)
            if not hasattr(page, "has_next_page"):
                raise Trouble(Fault("not an answer", "What the server sent is no list of batches."))
            for _ in range(PAGES):
                for batch in getattr(page, "data", None) or []:
                    if getattr(batch, "input_file_id", "") == file_id:
                        return _order(batch)
                if not page.has_next_page():
                    return None
                page = await page.get_next_page()
            return None

        return await self._repeated(call, CALL_SECONDS)

    async def look(self, batch_id: str) -> Order:
        """How an order stands."""

        async def call() -> Any:
            return await self._client.package.batches.retrieve(batch_id)

        return _order(await self._repeated(call, CALL_SECONDS))

    async def cancel(self, batch_id: str) -> None:
        """Call an order off; what is done already is paid for and comes as answers."""
        await self._client.guarded(self._client.package.batches.cancel(batch_id), CALL_SECONDS)

    async def fetch(self, file_id: str, path: Path) -> None:
        """Download a file; it is whole or not there, and a page in its place is asked for again."""

        async def call() -> None:
            beside = path.with_suffix(".new")
            files = self._client.package.files
            async with files.with_streaming_response.content(file_id) as response:
                with beside.open("wb") as file:
                    async for part in response.iter_bytes():
                        file.write(part)
                    file.flush()
                    force(file.fileno())
            if not _holds_lines(beside):
                raise Trouble(Fault("not an answer", "What the server sent is no file of answers."))
            put_in_place(beside, path)

        await self._repeated(call, UPLOAD_SECONDS)

    async def remove_file(self, file_id: str) -> None:
        """Delete a file on the server, if it lets us."""
        try:
            await self._client.guarded(self._client.package.files.delete(file_id), CALL_SECONDS)
        except Trouble:
            return

    async def _repeated(self, call: Callable[[], Awaitable[T]], seconds: float) -> T:
        for number in range(1, self._tries + 1):
            try:
                return await self._client.guarded(call(), seconds)
            except Trouble as trouble:
                fault = trouble.fault
                is_last = number == self._tries or fault.most_tries == 1 or fault.kind in STOPPING
                if is_last:
                    raise
            own = min(self._first_wait * 2.0**number, LONGEST_WAIT)
            await asyncio.sleep(fault.wait if fault.wait is not None else own)
        raise AssertionError("a call was not made")


def _holds_lines(path: Path) -> bool:
    """Whether any line is a JSON object, or there is none: else it is no file of answers."""
    is_empty = True
    with path.open("rb") as file:
        for line in file:
            if not line.strip():
                continue
            is_empty = False
            try:
                if isinstance(json.loads(line), dict):
                    return True
            except (ValueError, RecursionError):
                continue
    return is_empty


def _order(batch: Any) -> Order:
    counts = getattr(batch, "request_counts", None)
    done = [getattr(counts, name, 0) for name in ("completed", "failed")]
    errors = getattr(getattr(batch, "errors", None), "data", None) or []
    return Order(
        id=_word(batch, "id"),
        status=_word(batch, "status"),
        answers_id=str(getattr(batch, "output_file_id", None) or ""),
        errors_id=str(getattr(batch, "error_file_id", None) or ""),
        problems=tuple(
            (
                str(getattr(each, "code", "") or ""),
                without_keys(str(getattr(each, "message", "") or ""))[:300],
            )
            for each in errors
        ),
        done=sum(number for number in done if type(number) is int),
    )


def _word(answer: Any, name: str) -> str:
    value = getattr(answer, name, None)
    if not isinstance(value, str) or not value:
        raise Trouble(Fault("not an answer", f"What the server sent holds no {name}."))
    return value
