"""A result that takes a job to compute: kept by what was asked for, until the study changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from core.jobs import Job, Progress
from gui.studio import Studio
from gui.tasks import Task

MOST_KEPT = 4
LANE = "statistics"


class _Shelf:
    """Results of one name, and how often the study has changed under them."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[Hashable, int], Any] = OrderedDict()
        self.changes = 0


_shelves: WeakKeyDictionary[Studio, dict[str, _Shelf]] = WeakKeyDictionary()
"""Results outlive their page: another text size makes all pages anew, and nothing has changed for that."""


class Computed(QObject):
    """Ask with a key; `arrived(result)` says that it is there, at once when it was computed before.

    `outdate` counts a change of the study: from then on results are computed anew when they are asked
    for. A newer question cancels the job of an older one.
    """

    arrived = Signal(object)
    progressed = Signal(object)
    failed = Signal(object)
    cancelled = Signal()

    def __init__(self, studio: Studio, name: str, page: str) -> None:
        super().__init__()
        self._studio = studio
        self._name = name
        self._page = page
        self._shelf = _shelves.setdefault(studio, {}).setdefault(name, _Shelf())
        self._task: Task | None = None
        self._wanted: tuple[Hashable, int] | None = None
        studio.study_closed.connect(self.forget)

    @property
    def is_running(self) -> bool:
        """Whether a job is under way."""
        return self._task is not None

    @property
    def progress(self) -> Progress | None:
        """How far the job is."""
        return self._task.progress if self._task is not None else None

    def has(self, key: Hashable) -> bool:
        """Whether the result for a key is there and nothing has changed since."""
        return (key, self._shelf.changes) in self._shelf.kept

    def ask(self, key: Hashable, make_job: Callable[[], Job[Any]]) -> None:
        """Ask for the result of a key; `make_job` makes the job that computes it."""
        wanted, kept = (key, self._shelf.changes), self._shelf.kept
        if wanted in kept:
            self._drop_task()
            kept.move_to_end(wanted)
            self.arrived.emit(kept[wanted])
            return
        if self._task is not None and self._wanted == wanted:
            return
        self._drop_task()
        self._wanted = wanted
        self._task = self._studio.runner.run(self._name, make_job(), page=self._page, noun="steps", lane=LANE)
        self._task.progressed.connect(self._on_progressed)
        self._task.finished.connect(self._on_finished)
        self._task.failed.connect(self._on_failed)
        self._task.cancelled.connect(self._on_cancelled)

    def outdate(self) -> None:
        """Something that the result rests on has changed."""
        self._shelf.changes += 1

    def forget(self) -> None:
        """Drop everything, because there is another study."""
        self._drop_task()
        self._shelf.kept.clear()
        self._shelf.changes += 1

    def _drop_task(self) -> None:
        task, self._task, self._wanted = self._task, None, None
        if task is None:
            return
        task.progressed.disconnect(self._on_progressed)
        task.finished.disconnect(self._on_finished)
        task.failed.disconnect(self._on_failed)
        task.cancelled.disconnect(self._on_cancelled)
        task.cancel()

    def _on_progressed(self, progress: Progress) -> None:
        self.progressed.emit(progress)

    def _on_finished(self, result: object) -> None:
        wanted, self._task = self._wanted, None
        if wanted is None:
            return
        kept = self._shelf.kept
        kept[wanted] = result
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)
        self.arrived.emit(result)

    def _on_failed(self, error: Exception) -> None:
        self._task = None
        self.failed.emit(error)

    def _on_cancelled(self) -> None:
        self._task = None
        self.cancelled.emit()
