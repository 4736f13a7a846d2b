"""Reading with a server from the page: the dialog, the run in the pool, a retry of one class of failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.errors import BadInput
from core.jobs import Job, Outcome
from core.records import StoredImage
from core.schema import Schema
from gui.extract.batches import BATCH_LANE, FOLDER, fetching, reading_in_batches
from gui.extract.server_dialog import ServerDialog
from gui.extract.server_work import reading_with_server
from gui.extract.states import LANE
from gui.studio import Studio
from gui.tasks import Task

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions
    from storage.store import Store

SERVED = "vlm-"
"""How names of extractors begin that ask a server."""

NOT_RETRIED = ("flagged", "missing_image")
"""Classes that asking again does not mend: the picture is not sent, or its file is not there."""


def can_retry(extractor: str, kind: str, is_here: bool) -> bool:
    """Whether images of a class of failures can be read again."""
    if kind == "error":
        return is_here or extractor.startswith(SERVED)
    return extractor.startswith(SERVED) and kind not in NOT_RETRIED


def retrying_here(store: Store, schema: Schema, name: str, images: Sequence[StoredImage]) -> Job[Outcome]:
    """Read images again with an extractor that needs no server."""
    from core.extraction.registry import by_name
    from core.running import extract_with

    return (yield from extract_with(store, by_name(name, schema), list(images)))


def retrying(
    store: Store, schema: Schema, name: str, kind: str, images: Sequence[StoredImage], options: VlmOptions
) -> Job[Outcome]:
    """Ask the server about these images again, under keys of their own unless the last attempt failed."""
    from core.extraction.vlm import vlm_extractor
    from core.running import extract_with

    extractor = vlm_extractor(schema, options)
    yield from extractor.prepare()
    if extractor.name != name:
        raise BadInput(
            f"With these choices the extractor is {extractor.name}, not {name}.",
            "Choose server, model and sizes as they were, or read all images with the new one.",
        )
    attempt = 0
    if kind != "error":
        attempt = max(
            sum(
                each.extractor == name and each.status.value != "error"
                for each in store.records_of(one.image_id)
            )
            for one in images
        )
    extractor.options = replace(
        options, attempt=attempt
    )  # the same question to the server is not asked twice
    return (yield from extract_with(store, extractor, list(images), store.folder / FOLDER))


class Serving(QObject):
    """Opens the dialog and starts what was chosen; `started` says so."""

    started = Signal()

    def __init__(self, studio: Studio, page: QWidget, page_name: str) -> None:
        super().__init__(page)
        self._studio, self._page, self._page_name = studio, page, page_name
        self.dialog: ServerDialog | None = None
        self._retry: tuple[str, str, tuple[StoredImage, ...]] | None = None
        self._schema: Schema | None = None

    def ask(self, schema: Schema, images: int) -> None:
        """Ask which server is to read all images."""
        self._open(schema, images, None)

    def ask_again(self, schema: Schema, name: str, kind: str, images: Sequence[StoredImage]) -> None:
        """Ask for the server that is to read these images again."""
        self._open(schema, len(images), (name, kind, tuple(images)))

    def retry_here(self, schema: Schema, name: str, images: Sequence[StoredImage]) -> None:
        """Read images again with an extractor that needs no server."""
        store = self._studio.store
        if store is not None:
            self._run(f"Retry, {name}", retrying_here(store, schema, name, images), name)

    def fetch(self, schema: Schema, name: str) -> None:
        """Go on with what an extractor ordered in batches."""
        store = self._studio.store
        if store is not None:
            self._run(f"Batch, {name}", fetching(store, schema, name), name, BATCH_LANE)

    def _open(
        self, schema: Schema, images: int, retry: tuple[str, str, tuple[StoredImage, ...]] | None
    ) -> None:
        self._schema, self._retry = schema, retry
        self.dialog = ServerDialog(self._studio, schema, images, self._page, offers_batch=retry is None)
        self.dialog.accepted.connect(self._on_accepted)
        self.dialog.finished.connect(self._on_finished)
        self.dialog.open()

    def _on_accepted(self) -> None:
        dialog, store, schema = self.dialog, self._studio.store, self._schema
        if dialog is None or dialog.options is None or store is None or schema is None:
            return
        options = dialog.options
        if self._retry is None:
            name = dialog.check.extractor if dialog.check is not None else ""
            if dialog.is_batch:
                job = reading_in_batches(store, schema, options)
                self._run(f"Batch, {options.model}", job, name, BATCH_LANE)
                return
            self._run(f"Extract, {options.model}", reading_with_server(store, schema, options), name)
        else:
            name, kind, images = self._retry
            self._run(f"Retry, {name}", retrying(store, schema, name, kind, images, options), name)

    def _on_finished(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()

    def _run(self, title: str, job: Job[Outcome], extractor: str, lane: str = LANE) -> Task:
        task = self._studio.runner.run(title, job, page=self._page_name, noun="images", lane=lane)
        task.setProperty("extractor", extractor)
        self.started.emit()
        return task
