"""An extractor in the words of its card, and the one act."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.jobs import Job, Outcome
from gui.extract.facts import READS, Reader
from gui.tasks import Task
from gui.widgets.choice_card import CardState
from gui.words import counted, rate

if TYPE_CHECKING:
    from core.schema import Schema
    from storage.store import Store

LANE = "extractors"
SIMULATED = "simulated: it does not look at pixels"


def reading_images(store: Store, name: str, schema: Schema) -> Job[Outcome]:
    """Read every unread image; also what has to be read before the first one happens off the GUI thread."""
    from core.running import extract_in

    return (yield from extract_in(store, name, schema))


def task_of(tasks: Iterable[Task], extractor: str) -> Task | None:
    """The task that reads with an extractor, running or waiting."""
    return next((task for task in tasks if task.property("extractor") == extractor), None)


def state_of(reader: Reader, task: Task | None) -> CardState:
    """What the card of an extractor shows."""
    status, icon, role = _status(reader, task)
    progress = task.progress if task is not None and task.is_started else None
    done, failed, pace = reader.read, reader.failed, reader.pace
    if task is not None and progress is not None:
        done = max(progress.done - progress.failed, reader.read)
        failed, pace = max(progress.failed, reader.failed), task.pace.per_second or pace
    return CardState(
        line=READS.get(reader.name, ""),
        status=status,
        icon=icon,
        role=role,
        done=done,
        total=reader.asked,
        failed=failed,
        pace=rate(pace, "images").replace("images ", "") if pace and reader.read else "",
        is_running=task is not None and task.is_started and not task.is_paused,
        notes=tuple(filter(None, (SIMULATED if reader.is_simulated else "", reader.waiting.words))),
        trouble=reader.trouble,
    )


def _status(reader: Reader, task: Task | None) -> tuple[str, str, str]:
    if task is not None:
        if not task.is_started:
            return "next in line", "clock", "muted"
        return ("paused", "pause", "accent") if task.is_paused else ("running", "play", "accent")
    if reader.trouble:
        return "cannot run yet", "warn", "danger"
    if reader.waiting.requests:
        return "ordered", "clock", "muted"
    if not reader.is_here:
        return "run elsewhere", "", "muted"
    if reader.asked and not reader.unread:
        return "done", "check", "muted"
    return "ready", "", "muted"


def act_of(reader: Reader | None, task: Task | None) -> tuple[str, str]:
    """The button's caption ("" offers none), and why it cannot be pressed."""
    if reader is not None and reader.waiting.requests and task is None:
        return f"Fetch {counted(reader.waiting.requests, 'answer')}", ""
    if reader is None or not reader.is_here or not reader.asked:
        return "", ""
    if task is not None:
        return "Read images", f"{reader.name} is at it already; pause and cancel are in the strip below."
    if not reader.unread:
        return "", ""
    new = "new " if reader.read else ""
    return f"Read {counted(reader.unread, f'{new}image')}", reader.trouble
