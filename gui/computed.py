"""A result that takes a job to compute: kept by what was asked for, until the study changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from core.jobs import Job, Progress
from gui.studio import Studio
from gui.tasks import Task, WhenLeft

MOST_KEPT = 4
LANE = "statistics"

Wanted: TypeAlias = tuple[Hashable, int]
"""What was asked for, and how often the study had changed by then."""


class _Shelf(QObject):
    """Results of one name, how often the study has changed under them, and the job under way.

    It belongs to the studio: a page that is made anew at another text size finds here what is computed and
    what is being computed, and no job is begun twice or left running for nobody.
    """

    arrived = Signal(object, object)
    progressed = Signal(object)
    failed = Signal(object)
    cancelled = Signal()

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.kept: OrderedDict[Wanted, Any] = OrderedDict()
        self.changes = 0
        self.task: Task | None = None
        self.wanted: Wanted | None = None
        studio.study_closed.connect(self.forget)

    def follow(self, task: Task, wanted: Wanted) -> None:
        """Wait for the result of a task."""
        self.task, self.wanted = task, wanted
        task.progressed.connect(self.progressed)
        task.finished.connect(self._on_finished)
        task.failed.connect(self._on_failed)
        task.cancelled.connect(self._on_cancelled)

    def drop_task(self) -> None:
        """Nobody wants the result of the task under way any more."""
        task, self.task, self.wanted = self.task, None, None
        if task is None:
            return
        task.progressed.disconnect(self.progressed)
        task.finished.disconnect(self._on_finished)
        task.failed.disconnect(self._on_failed)
        task.cancelled.disconnect(self._on_cancelled)
        task.cancel()

    def forget(self) -> None:
        """Drop everything, because there is another study."""
        self.drop_task()
        self.kept.clear()
        self.changes += 1

    def _on_finished(self, result: object) -> None:
        wanted, self.task, self.wanted = self.wanted, None, None
        if wanted is None:
            return
        self.kept[wanted] = result
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)
        self.arrived.emit(wanted, result)

    def _on_failed(self, error: Exception) -> None:
        self.task, self.wanted = None, None
        self.failed.emit(error)

    def _on_cancelled(self) -> None:
        self.task, self.wanted = None, None
        self.cancelled.emit()


_shelves: WeakKeyDictionary[Studio, dict[str, _Shelf]] = WeakKeyDictionary()
"""Results outlive their page: another text size makes all pages anew, and nothing has changed for that."""


class Computed(QObject):
    """Ask with a key; `arrived(result)` says that it is there, at once when it was computed before.

    `outdate` counts a change of the study: from then on results are computed anew when they are asked
    for. A newer question cancels the job of an older one; the same question again waits for it.
    """

    arrived = Signal(object)
    progressed = Signal(object)
    failed = Signal(object)
    cancelled = Signal()

    def __init__(self, studio: Studio, name: str, page: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._name = name
        self._page = page
        shelves = _shelves.setdefault(studio, {})
        self._shelf = shelves[name] if name in shelves else shelves.setdefault(name, _Shelf(studio))
        self._asked: Wanted | None = None
        self._shelf.arrived.connect(self._on_arrived)
        self._shelf.progressed.connect(self._on_progressed)
        self._shelf.failed.connect(self._on_failed)
        self._shelf.cancelled.connect(self._on_cancelled)

    @property
    def is_running(self) -> bool:
        """Whether a job is under way."""
        return self._shelf.task is not None

    @property
    def progress(self) -> Progress | None:
        """How far the job is."""
        return self._shelf.task.progress if self._shelf.task is not None else None

    def has(self, key: Hashable) -> bool:
        """Whether the result for a key is there and nothing has changed since."""
        return (key, self._shelf.changes) in self._shelf.kept

    def ask(self, key: Hashable, make_job: Callable[[], Job[Any]]) -> None:
        """Ask for the result of a key; `make_job` makes the job that computes it."""
        shelf = self._shelf
        wanted = self._asked = (key, shelf.changes)
        if wanted in shelf.kept:
            shelf.drop_task()
            shelf.kept.move_to_end(wanted)
            self.arrived.emit(shelf.kept[wanted])
        elif shelf.task is None or shelf.wanted != wanted:
            shelf.drop_task()
            job = make_job()
            task = self._studio.runner.run(
                self._name, job, page=self._page, noun="steps", lane=LANE, when_left=WhenLeft.STOP
            )
            shelf.follow(task, wanted)

    def outdate(self) -> None:
        """Something that the result rests on has changed."""
        self._shelf.changes += 1

    def forget(self) -> None:
        """Drop everything, because there is another study."""
        self._shelf.forget()

    def _on_arrived(self, wanted: Wanted, result: object) -> None:
        if wanted == self._asked:
            self.arrived.emit(result)

    def _on_progressed(self, progress: Progress) -> None:
        if self._asked is not None:
            self.progressed.emit(progress)

    def _on_failed(self, error: Exception) -> None:
        if self._asked is not None:
            self.failed.emit(error)

    def _on_cancelled(self) -> None:
        if self._asked is not None:
            self.cancelled.emit()
