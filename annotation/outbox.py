"""The way from an act to the disk: one event at a time, in order, none lost.

An event is handed to the book only when the one before it is durable. This costs nothing at the speed of a
person, and it makes three things simple: the log has the order of the acts whatever fails; an undo knows the
id of the event it takes back; and after a failure everything from the failed event on is still here for
`retry`. The session has no threads, but the book's future resolves in the book's own one, hence the lock.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from core.errors import UserError
from core.records import AnswerEvent

_log = logging.getLogger(__name__)


class AnswerBook(Protocol):
    """What a session needs of a store or a packet."""

    def answer_events(self, annotator_id: int) -> list[AnswerEvent]:
        """Every event of one annotator, oldest first."""

    def append_answer(self, event: AnswerEvent) -> Future[AnswerEvent]:
        """Queue one event; the future resolves, with `event_id` set, when the event is durable."""


@dataclass(eq=False, slots=True)
class Entry:
    """An act's place in the log: its id is None until the act is durable."""

    event_id: int | None = None


@dataclass(frozen=True, slots=True)
class _Outgoing:
    event: AnswerEvent
    entry: Entry
    undoes: Entry | None


class Outbox:
    """Events on their way to the book.

    Parameters
    ----------
    book : AnswerBook
        Where they go.
    on_change : callable, optional
        Called without arguments after every landing or failure, in whichever thread that happens.
    """

    def __init__(self, book: AnswerBook, on_change: Callable[[], None] | None = None) -> None:
        self._book = book
        self._on_change = on_change
        self._waiting: deque[_Outgoing] = deque()
        self._is_sending = False
        self._reason = ""
        self._last_saved_at: datetime | None = None
        self._changed = threading.Condition(threading.RLock())

    @property
    def pending(self) -> int:
        """Number of events that are not durable yet."""
        with self._changed:
            return len(self._waiting)

    @property
    def trouble(self) -> str:
        """Why saving stopped, and that nothing is lost; empty while it works."""
        with self._changed:
            if not self._reason:
                return ""
            number = len(self._waiting)
            acts = "1 act is" if number == 1 else f"{number} acts are"
            return f"{self._reason} {acts} waiting to be saved; none is lost."

    @property
    def waiting(self) -> tuple[AnswerEvent, ...]:
        """The events that are not durable yet, oldest first."""
        with self._changed:
            return tuple(one.event for one in self._waiting)

    @property
    def last_saved_at(self) -> datetime | None:
        """When the last event became durable (UTC)."""
        return self._last_saved_at

    def note_saved(self, at: datetime | None) -> None:
        """Begin with the time of the last event of an earlier sitting."""
        self._last_saved_at = at

    def put(self, event: AnswerEvent, entry: Entry, undoes: Entry | None = None) -> None:
        """Take an event; it goes out at once if nothing is before it."""
        with self._changed:
            self._waiting.append(_Outgoing(event, entry, undoes))
        self._send()

    def retry(self) -> None:
        """After trouble: send again, from the event that failed."""
        with self._changed:
            self._reason = ""
        self._send()

    def wait(self, timeout: float) -> bool:
        """Block until all is durable, saving is in trouble or the seconds are over; True when durable."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting or bool(self._reason), timeout)
            return not self._waiting

    def _send(self) -> None:
        """Hand over the first event; go on here while the book answers at once, else from its thread."""
        while (future := self._hand_over()) is not None:
            if not future.done():
                future.add_done_callback(self._landed_later)
                return
            self._landed(future)

    def _landed_later(self, future: Future[AnswerEvent]) -> None:
        self._landed(future)
        self._send()

    def _hand_over(self) -> Future[AnswerEvent] | None:
        with self._changed:
            if self._is_sending or self._reason or not self._waiting:
                return None
            self._is_sending = True
            first = self._waiting[0]
        event = first.event
        if first.undoes is not None:
            event = replace(event, undoes=first.undoes.event_id)
        try:
            return self._book.append_answer(event)
        except UserError as error:
            self._fail(error)
        except RuntimeError:  # a closed executor refuses so
            self._fail(None)
        return None

    def _landed(self, future: Future[AnswerEvent]) -> None:
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or error is not None:
            self._fail(error)
            return
        with self._changed:
            self._waiting.popleft().entry.event_id = future.result().event_id
            self._last_saved_at = datetime.now(UTC)
            self._is_sending = False
        self._tell()

    def _fail(self, error: BaseException | None) -> None:
        with self._changed:
            self._is_sending = False
            self._reason = blind_words(error) if error is not None else "The study was closed."
        self._tell()

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()
        if self._on_change is not None:
            self._on_change()


def blind_words(error: BaseException) -> str:
    """Why an act was not saved, as an annotator may read it: no path, which could name what is shown.

    >>> from core.errors import StoreError
    >>> blind_words(StoreError("/home/ada/nurses/study.sqlite is full.", blind="The study file is full."))
    'The study file is full.'
    """
    if isinstance(error, UserError):
        return f"{error.blind} {error.remedy}".strip()
    _log.error("an act was not saved", exc_info=error)
    return "The act was not taken; the application's log says why."
