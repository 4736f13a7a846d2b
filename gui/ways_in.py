"""The ways into a study: open a folder, make a new one, make the sample; and what stands in the way.

Every way ends in `Studio.adopt`, which lets the open study go only when nothing in it would be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.jobs import Job
from core.paths import STUDY_FILE
from gui.file_dialogs import choose_folder
from gui.notices import Notices
from gui.studio import Studio
from gui.tasks import Task, WhenLeft
from gui.widgets.consequence import ConsequenceDialog
from gui.words import thousands

if TYPE_CHECKING:
    from core.plan import StudyPlan
    from storage.store import Store

MAKING_SAMPLE = "Making the sample study; the strip below says how far it is."


class WaysIn(QObject):
    """Opens and makes studies for the window. `busy(sentence)` is for the welcome page; "" ends it.

    Parameters
    ----------
    studio : Studio
    notices : Notices
    make_sample : callable or None
        Makes the job that builds the sample study in a folder, or continues it.
    sample_folder : Path
        Where the sample study is.
    window : QWidget
        Parent of what is asked.
    """

    busy = Signal(str)

    def __init__(
        self,
        studio: Studio,
        notices: Notices,
        make_sample: Callable[[Path], Job[Any]] | None,
        sample_folder: Path,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._studio = studio
        self._notices = notices
        self._make_sample = make_sample
        self._sample_folder = sample_folder
        self._window = window
        self._sample: Task | None = None
        self.dialog: ConsequenceDialog | None = None
        studio.ask_about_jobs = self.ask_about_jobs
        studio.stayed.connect(self._on_stayed)

    @property
    def what_is_busy(self) -> str:
        """What a welcome page that is made anew has to say."""
        return MAKING_SAMPLE if self._sample is not None and self._studio.store is None else ""

    def open_study(self, folder: Path) -> None:
        """Open a study; what goes wrong is said in the notice bar. The open one stays as it is."""
        if self._studio.folder is not None and _is_same(self._studio.folder, folder):
            return
        self.busy.emit(f"Opening {folder.name} …")
        self._studio.open_study(folder, self._on_not_opened)

    def ask_for_study(self) -> None:
        """Let a person choose the folder of a study."""
        chosen = choose_folder(self._window, "Open a study", Path.home())
        if chosen is not None:
            self.open_study(chosen)

    def ask_for_new_study(self) -> None:
        """Let a person plan a study, and make it."""
        from gui.widgets.new_study import NewStudyDialog

        dialog = NewStudyDialog(self._window)
        if dialog.exec() and dialog.wanted is not None:
            self.make_new_study(dialog.wanted.folder, dialog.wanted.plan)

    def make_new_study(self, folder: Path, plan: StudyPlan) -> None:
        """Make a study from a plan off the GUI thread and open it."""
        self.busy.emit(f"Making {plan.name} …")

        def make() -> Store:
            from storage.making import make_study

            return make_study(folder, plan)

        self._studio.make_study(make, self._on_not_opened)

    def _on_not_opened(self, error: Exception) -> None:
        self.busy.emit(self.what_is_busy)
        self._notices.on_trouble("", error)

    def _on_stayed(self, folder: Path | None) -> None:
        self.busy.emit("")
        if folder is not None:
            self._offer(f"{folder.name} was not opened; the study that was open stays.", folder)

    def _offer(self, sentence: str, folder: Path) -> None:
        self._notices.offer(sentence, f"Open {folder.name}", partial(self.open_study, folder))

    # -- the sample -------------------------------------------------------------------------------

    def make_sample(self) -> None:
        """Open the sample study where it is there whole; else make it, or go on where it was stopped."""
        if self._sample is not None:
            return
        if not (self._sample_folder / STUDY_FILE).exists():
            self._run_sample()
        elif self._make_sample is None:
            self.open_study(self._sample_folder)
        else:
            self.busy.emit(f"Looking at {self._sample_folder.name} …")
            self._studio.query(lambda: is_whole(self._sample_folder), self._on_looked, self._on_not_opened)

    def _on_looked(self, is_whole_now: bool) -> None:
        if is_whole_now:
            self.open_study(self._sample_folder)
        else:
            self._run_sample()

    def _run_sample(self) -> None:
        if self._make_sample is None or self._sample is not None:
            return
        job = self._make_sample(self._sample_folder)
        # It holds a study of its own, so it may go on whatever is opened meanwhile.
        self._sample = self._studio.runner.run(
            "Make the sample study", job, page="study", noun="steps", when_left=WhenLeft.GO_ON
        )
        self._sample.finished.connect(self._on_sample_made)
        self._sample.cancelled.connect(self._on_sample_not_made)
        self._sample.failed.connect(self._on_sample_not_made)
        self.busy.emit(MAKING_SAMPLE)

    def _on_sample_made(self, _result: object) -> None:
        self._sample = None
        if self._studio.store is None and not self._studio.is_opening:
            self.open_study(self._sample_folder)
        else:
            self._offer("The sample study is made.", self._sample_folder)

    def _on_sample_not_made(self, _error: object = None) -> None:
        self._sample = None
        self.busy.emit("")

    # -- leaving ----------------------------------------------------------------------------------

    def ask_about_jobs(
        self, tasks: Sequence[Task], stop: Callable[[], None], stay: Callable[[], None]
    ) -> None:
        """Ask whether the jobs of the open study may be stopped, without holding up the window."""
        self._ask(tasks, "Stop and leave the study", "Stay", stop, stay)

    def ask_before_end(self, tasks: Sequence[Task], stop: Callable[[], None]) -> None:
        """Ask whether the window may be closed while jobs run."""
        self._ask(tasks, "Stop and close", "Keep the window", stop, _nothing)

    def _ask(
        self,
        tasks: Sequence[Task],
        act: str,
        stay_words: str,
        stop: Callable[[], None],
        stay: Callable[[], None],
    ) -> None:
        if self.dialog is not None:
            self.dialog.raise_()
            stay()
            return
        title = "A job is running" if len(tasks) == 1 else f"{thousands(len(tasks))} jobs are running"
        kept = "What was done is kept, and the rest can be done by running it again."
        lines = [*map(_how_far, tasks), kept]
        dialog = self.dialog = ConsequenceDialog(title, lines, act, stay_words, "primary", self._window)
        dialog.finished.connect(partial(self._on_answered, stop, stay))
        dialog.open()

    def _on_answered(self, stop: Callable[[], None], stay: Callable[[], None], result: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()
        (stop if result else stay)()


def is_whole(folder: Path) -> bool:
    """Whether the last step of making the sample study in a folder was done; for a pool thread."""
    from storage.store import Store

    with Store.open(folder) as store:
        return any(job.kind == "simulate" and job.state == "done" for job in store.jobs())


def _how_far(task: Task) -> str:
    progress = task.progress
    if progress is None or not progress.total:
        return f"{task.name}."
    return f"{task.name}: {thousands(progress.done)} of {thousands(progress.total)} {task.noun}."


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _nothing() -> None:
    """Staying needs no act."""
