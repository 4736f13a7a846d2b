"""The strip at the bottom while something runs: name, bar, done of all, rate, time left, failed, next."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from core.jobs import Outcome
from gui.fonts import px
from gui.tasks import Task, TaskRunner
from gui.widgets.button import Button
from gui.widgets.caption import Caption, ElidedCaption
from gui.widgets.progress_bar import ProgressBar
from gui.words import duration, rate, thousands

HEIGHT = 40
NARROW = 840
MILLISECONDS_A_CLEAN_RESULT_STAYS = 4000


class JobRow(QFrame):
    """One task: while it runs its progress, afterwards one line that says what became of it."""

    gone = Signal()

    def __init__(self, task: Task, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.task = task
        self._has_ended = False
        self.setProperty("kind", "strip")
        self.setMinimumHeight(px(HEIGHT))
        self.setAccessibleName(f"Job: {task.name}")
        self._name = Caption(task.name, "strong")
        self._bar = ProgressBar(task.name, is_moving=True)
        self._bar.setMinimumWidth(px(60))
        self._bar.setMaximumWidth(px(220))
        self._count, self._left = Caption(), Caption()
        self._rate, self._failed = Caption("", "muted"), Caption("", "danger")
        self._next = ElidedCaption("", "muted")
        self.pause_button = Button("Pause", icon="pause")
        self.cancel_button = Button("Cancel", "quiet")
        self._lay_out()
        self._connect()

    def set_next(self, name: str) -> None:
        """Name of the task that follows in the same lane."""
        if not self._has_ended:
            self._next.setText(f"Next: {name}" if name else self._now())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window the rate makes room."""
        super().resizeEvent(event)
        self._rate.setVisible(bool(self._rate.text()) and self.width() >= px(NARROW))

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(px(16), 0, px(16), 0)
        row.setSpacing(px(14))
        row.addWidget(self._name)
        row.addWidget(self._bar, 2)
        for widget in (self._count, self._rate, self._left, self._failed):
            row.addWidget(widget)
        row.addWidget(self._next, 1)
        row.addWidget(self.pause_button)
        row.addWidget(self.cancel_button)
        for caption in (self._count, self._rate, self._left, self._failed):
            caption.hide()

    def _connect(self) -> None:
        self.pause_button.clicked.connect(self._on_pause)
        self.cancel_button.clicked.connect(self._on_cancel)
        self.task.progressed.connect(self._on_progressed)
        self.task.held.connect(self._on_held)
        self.task.finished.connect(self._on_finished)
        self.task.failed.connect(self._on_failed)
        self.task.cancelled.connect(self._on_cancelled)

    def _now(self) -> str:
        return self.task.progress.text if self.task.progress else ""

    def _on_progressed(self, _progress: object) -> None:
        progress = self.task.progress
        if progress is None or self._has_ended:
            return
        self._bar.set_progress(progress.done, progress.total)
        self._say(self._count, f"{thousands(progress.done)} of {thousands(progress.total)}")
        self._say(self._failed, f"{thousands(progress.failed)} failed" if progress.failed else "")
        pace, left = self.task.pace.per_second, self.task.pace.seconds_left(progress.total)
        self._say(self._rate, rate(pace, self.task.noun) if pace else "", self.width() >= px(NARROW))
        self._say(self._left, f"{duration(left)} left" if left else "")
        if not self._next.text().startswith("Next:"):
            self._next.setText(progress.text)

    def _on_pause(self) -> None:
        if self.task.is_paused:
            self.task.resume()
        else:
            self.task.pause()

    def _on_held(self, is_paused: bool) -> None:
        self.pause_button.setText("Continue" if is_paused else "Pause")
        self.pause_button.set_icon("play" if is_paused else "pause")
        self._say(self._rate, "paused" if is_paused else "")
        self._left.hide()

    def _on_cancel(self) -> None:
        if self._has_ended:
            self.gone.emit()
            return
        self.cancel_button.setEnabled(False)
        self.pause_button.setEnabled(False)
        self._say(self._rate, "stops after this step")
        self.task.cancel()

    def _on_finished(self, result: object) -> None:
        failed = result.failed if isinstance(result, Outcome) else 0
        said = result.sentence(self.task.noun) if isinstance(result, Outcome) else "done"
        self._end(said, "danger" if failed else "")
        if not failed:
            QTimer.singleShot(MILLISECONDS_A_CLEAN_RESULT_STAYS, self, self.gone.emit)

    def _on_failed(self, _error: Exception) -> None:
        self.gone.emit()  # the notice bar or the dialog says what happened

    def _on_cancelled(self) -> None:
        progress = self.task.progress
        kept = f"{thousands(progress.done)} {self.task.noun} are kept" if progress else "nothing was made"
        self._end(f"cancelled; {kept}")

    def _end(self, said: str, kind: str = "") -> None:
        self._has_ended = True
        for widget in (self._bar, self._rate, self._left, self._failed, self.pause_button):
            widget.hide()
        self._rate.setText("")  # another width must not bring it back
        self._next.setText("")
        self._say(self._count, said)
        self.cancel_button.setText("Close")
        self.cancel_button.setEnabled(True)
        self._failed.setText("see What failed" if kind else "")
        self._failed.setVisible(bool(kind))

    @staticmethod
    def _say(caption: Caption, text: str, has_room: bool = True) -> None:
        caption.setText(text)
        caption.setVisible(bool(text) and has_room)


class JobStrip(QWidget):
    """All running tasks, one row each; hidden when there is none."""

    def __init__(self, runner: TaskRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._rows: list[JobRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.setAccessibleName("Running jobs")
        self.hide()
        for task in runner.tasks:
            self._on_added(task)
        runner.task_added.connect(self._on_added)
        runner.task_ended.connect(self._on_ended)

    @property
    def rows(self) -> tuple[JobRow, ...]:
        """The rows that are shown."""
        return tuple(self._rows)

    def _on_added(self, task: Task) -> None:
        if task.lane and any(other.lane == task.lane for other in self._runner.tasks if other is not task):
            self._name_next()
            return
        self._show(task)

    def _show(self, task: Task) -> None:
        for row in [row for row in self._rows if row.task not in self._runner.tasks]:
            self._remove(row)  # a new job takes the place of old results
        row = JobRow(task)
        row.gone.connect(self._on_gone)
        self._rows.append(row)
        self._column.addWidget(row)
        self._name_next()
        self.show()

    def _on_ended(self, task: Task) -> None:
        shown = {row.task for row in self._rows}
        for other in self._runner.tasks:
            if other.lane == task.lane and task.lane and other not in shown:
                self._show(other)
                break

    def _name_next(self) -> None:
        shown = {row.task for row in self._rows}
        waiting = [task for task in self._runner.tasks if task not in shown]
        for row in self._rows:
            follows = [task.name for task in waiting if task.lane == row.task.lane]
            row.set_next(follows[0] if follows else "")

    def _on_gone(self) -> None:
        row = self.sender()
        if isinstance(row, JobRow):
            self._remove(row)

    def _remove(self, row: JobRow) -> None:
        if row in self._rows:
            self._rows.remove(row)
            row.hide()
            row.deleteLater()
        self.setVisible(bool(self._rows))
