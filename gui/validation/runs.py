"""The jobs of a validation, begun one at a time: prompts, images, readings here or by a server."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.jobs import Job
from gui.extract.server_dialog import ServerDialog
from gui.extract.states import LANE
from gui.studio import Studio
from gui.tasks import Task
from gui.validation.facts import SERVED, Situation, making_images, making_prompts, reading
from gui.validation.next_step import NextStep


class ValidationRuns(QObject):
    """`begun` when a job began, `ended` when one ended in whatever way, `failed(str)` with the reason."""

    begun = Signal()
    ended = Signal()
    failed = Signal(str)

    def __init__(self, studio: Studio, owner: QWidget) -> None:
        super().__init__(owner)
        self._studio, self._owner = studio, owner
        self.asking: ServerDialog | None = None
        self._served = ""
        studio.runner.task_ended.connect(self._on_task_ended)

    @property
    def is_busy(self) -> bool:
        """Whether one is at work, also one of an earlier dialog."""
        return any(task.property("validation") for task in self._studio.runner.tasks)

    def make_prompts(self, extractor: str, most: int, images_per_prompt: int) -> None:
        """Mine prompts from what an extractor read."""
        store = self._studio.store
        if store is not None:
            self._run("Make prompts", making_prompts(store, extractor, most, images_per_prompt), "prompts")

    def make_images(self, generator: str, readers: list[str]) -> None:
        """Make the images that are missing, and read them with whoever can here."""
        store = self._studio.store
        if store is not None:
            title = f"Make images for validation, {generator}"
            self._run(title, making_images(store, generator, readers), "images")

    def read(self, step: NextStep, found: Situation | None) -> None:
        """Read what is unread; a model behind a server is asked for first."""
        store = self._studio.store
        if not step.extractor.startswith(SERVED):
            if store is not None:
                self._run_reading(step.extractor, reading(store, step.extractor))
        elif found is not None:
            self._served = step.extractor
            self.asking = ServerDialog(
                self._studio, found.schema, found.unread_by(step.extractor), self._owner
            )
            self.asking.accepted.connect(self._on_server)
            self.asking.open()

    def leave(self) -> None:
        """Tell nothing more; what was begun goes on."""
        self._studio.runner.task_ended.disconnect(self._on_task_ended)

    def _on_server(self) -> None:
        asking, store = self.asking, self._studio.store
        self.asking = None
        if asking is not None and asking.options is not None and store is not None:
            self._run_reading(self._served, reading(store, self._served, asking.options))
            asking.deleteLater()

    def _run_reading(self, extractor: str, job: Job[Any]) -> None:
        self._run(f"Read for validation, {extractor}", job, "images")

    def _run(self, title: str, job: Job[Any], noun: str) -> None:
        task = self._studio.runner.run(title, job, page="extract", noun=noun, lane=LANE)
        task.setProperty("validation", True)
        task.failed.connect(self._on_task_failed)
        self.begun.emit()

    def _on_task_ended(self, task: Task) -> None:
        if task.property("validation"):
            self.ended.emit()

    def _on_task_failed(self, error: Exception) -> None:
        self.failed.emit(str(error))
