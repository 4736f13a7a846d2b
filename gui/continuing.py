"""Work that a crash left, when its study is opened again: it goes on by itself, or is offered.

What may go on by itself is decided in `storage.left_jobs`; here it is begun, said, and stopped when a person
presses *Not now*, which answers at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.jobs import Outcome
from gui import settings
from gui.notices import Notices
from gui.studio import Studio
from gui.tasks import Task
from gui.words import counted, thousands

if TYPE_CHECKING:
    from storage.left_jobs import LeftJob
    from storage.store import Store

log = logging.getLogger(__name__)

PAGES = {"generate": "generate", "import": "generate", "extract": "extract", "simulate": "team"}
"""Where a job of a kind is begun by a person."""

SWITCHED_OFF = "the menu says that unfinished work waits for you"
WHAT = {"generate": "generator", "extract": "extractor"}


class Continuing(QObject):
    """Looks, when asked to, for what a crash left in the open study.

    Parameters
    ----------
    studio : Studio
    notices : Notices
        Where it is said what was found and what became of it.
    show_page : callable
        Shows a page of the window by its name.
    parent : QObject
    """

    def __init__(
        self, studio: Studio, notices: Notices, show_page: Callable[[str], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._studio, self._notices, self._show_page = studio, notices, show_page

    def look(self) -> None:
        """Read what was left, off the GUI thread, and go on with it."""
        store = self._studio.store
        if store is not None:
            self._studio.query(partial(_found_in, store), self._on_found)

    def _on_found(self, found: tuple[Store, tuple[LeftJob, ...]]) -> None:
        store, left = found
        if self._studio.store is not store:
            return
        for one in left:
            if not one.why_it_waits and settings.continues_by_itself():
                self._go_on(store, one, by_itself=True)
            else:
                self._offer(store, one)

    def _offer(self, store: Store, one: LeftJob) -> None:
        why = one.why_it_waits or SWITCHED_OFF
        sentence = f"{_found(one)} What was done is kept." if one.there else _found(one)
        remedy = f"It does not go on by itself: {why}."
        page = PAGES.get(one.job.kind, "")
        if page:
            self._notices.offer(sentence, "Go on", partial(self._on_go_on, store, one, page), remedy)
        else:
            self._notices.tell(sentence, remedy)

    def _on_go_on(self, store: Store, one: LeftJob, page: str) -> None:
        if self._studio.store is not store:
            return
        self._show_page(page)
        if one.can_be_continued_here:
            self._go_on(store, one, by_itself=False)

    def _go_on(self, store: Store, one: LeftJob, *, by_itself: bool) -> None:
        kind, name = one.job.kind, str(one.job.settings.get(WHAT[one.job.kind], ""))
        if any(task.property(WHAT[kind]) == name for task in self._studio.runner.tasks):
            return  # a person was quicker
        from storage.left_jobs import continued

        job = continued(store, one, by_itself=by_itself)
        title = f"{'Generate' if kind == 'generate' else 'Extract'}, {name}"
        task = self._studio.runner.run(title, job, page=kind, noun="images", lane=f"{WHAT[kind]}s")
        task.setProperty(WHAT[kind], name)
        said = f"{_found(one)} It goes on now{', by itself' if by_itself else ''}."
        _Told(self._studio, self._notices, store, one, task, self._note_left, said, self)

    def _note_left(self, store: Store, one: LeftJob) -> None:
        self._studio.query(partial(store.leave_job, one.job.job_id), self._on_noted, self._on_not_noted)

    def _on_noted(self, _nothing: None) -> None:
        """It is in the book; nothing follows."""

    def _on_not_noted(self, error: Exception) -> None:
        log.warning("it could not be noted that a job does not go on: %s", error)


class _Told(QObject):
    """The line of one job that goes on, from the first word to what became of it."""

    def __init__(
        self,
        studio: Studio,
        notices: Notices,
        store: Store,
        one: LeftJob,
        task: Task,
        note_left: Callable[[Store, LeftJob], None],
        sentence: str,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._studio, self._notices, self._store, self._one, self._task = studio, notices, store, one, task
        self._note_left = note_left
        self._is_answered = False
        self.sentence = sentence
        notices.offer(self.sentence, "Not now", self._on_not_now)
        task.finished.connect(self._on_finished)
        task.failed.connect(self._on_failed)
        task.cancelled.connect(self._on_cancelled)
        task.ended.connect(self.deleteLater)

    def _on_not_now(self) -> None:
        self._say_left()
        self._task.cancel()

    def _say_left(self) -> None:
        if not self._is_answered:
            self._is_answered = True
            self._notices.withdraw(self.sentence)
            self._notices.tell(f"{self._one.job.work} does not go on. What was done is kept.")

    def _on_finished(self, outcome: Outcome | None) -> None:
        self._notices.withdraw(self.sentence)
        if outcome is None:
            self._notices.tell(f"{self._one.job.work}: another window or program goes on with it.")
        else:
            self._notices.tell(
                f"{self._one.job.work} went on where the program had stopped.", _became(outcome)
            )

    def _on_failed(self, _error: Exception) -> None:
        self._notices.withdraw(self.sentence)  # what went wrong is said by whoever says it of every job

    def _on_cancelled(self) -> None:
        if self._studio.store is self._store:
            self._say_left()
            self._note_left(self._store, self._one)


def _found_in(store: Store) -> tuple[Store, tuple[LeftJob, ...]]:
    from storage.left_jobs import left_jobs

    return store, left_jobs(store)


def _found(one: LeftJob) -> str:
    there, asked = thousands(one.there), thousands(one.job.asked)
    how_far = f", with {there} of {asked} done" if one.job.asked else ""
    return f"{one.job.work} stopped when the program ended{how_far}."


def _became(outcome: Outcome) -> str:
    parts = [f"{counted(outcome.done, 'image')} more", f"{thousands(outcome.skipped)} were there"]
    return ", ".join([*parts, f"{thousands(outcome.failed)} failed"] if outcome.failed else parts) + "."
