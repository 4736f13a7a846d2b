"""The study on disk: one folder, one file, one writer.

`Store` is made of parts, one file each, that share the writer, the readers and the image folder. Every
method that writes is one act of the field: one transaction, committed when it returns (`append_answer`:
when its future resolves). Every method that reads may be called from any thread.

Why answers wait for the disk and images do not: an image that the power took is made again by the next
run, an answer is a person's and cannot be.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import uuid
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from core import __version__
from core.errors import StoreError
from core.paths import RESOURCES, STUDY_FILE
from core.whole_files import make_folder, sync_file, sync_folder
from storage.answer_rows import AnswerRows
from storage.bank_rows import BankRows
from storage.connections import WAIT_SECONDS, study_file
from storage.coverage import CoverageRows
from storage.image_rows import ImageRows
from storage.images import ImageFolder
from storage.job_rows import JobRows
from storage.label_rows import LabelRows
from storage.merge_rows import MergeRows
from storage.note_rows import NoteRows
from storage.packet_rows import PacketRows
from storage.part import as_json, from_json, now
from storage.plan_rows import PlanRows
from storage.readers import Readers
from storage.record_rows import RecordRows
from storage.round_rows import RoundRows
from storage.schema import migrate
from storage.study import NewStudy, StudyInfo
from storage.trouble import put_in_words
from storage.writer import Writer


class Store(
    PlanRows,
    ImageRows,
    RecordRows,
    LabelRows,
    BankRows,
    RoundRows,
    AnswerRows,
    PacketRows,
    MergeRows,
    NoteRows,
    JobRows,
    CoverageRows,
):
    """An open study. Make one with `create` or `open`; close it, or use it as a context manager."""

    def __init__(self, folder: Path, wait_seconds: float = WAIT_SECONDS) -> None:
        """Use `create` or `open`."""
        path = study_file(folder)
        self.folder = folder
        self._images = ImageFolder(folder)
        self._readers = Readers(path, wait_seconds)
        self._writer = Writer(path, wait_seconds)
        try:
            self.study = self._read_study()
            self.interrupted = tuple(self._interrupt_dead_jobs())
            """Jobs that a process left running when it ended without a word, as this opening found them."""
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, folder: Path | str, study: NewStudy) -> Store:
        """Make a new study in a folder and open it; a folder that holds one already raises StoreError."""
        folder = Path(folder)
        path = folder / STUDY_FILE
        if path.exists():
            raise StoreError(f"There is already a study in {folder}.", "Open it, or choose another folder.")
        with put_in_words(path):
            _make_folder(folder)
            # Whole under another name first: a crash here leaves no half study behind.
            unfinished = path.with_name(f"{STUDY_FILE}.{uuid.uuid4().hex}.part")
            try:
                _write_new(unfinished, study)
                place_new(unfinished, path)
            finally:
                for ending in ("", "-wal", "-shm"):
                    unfinished.with_name(unfinished.name + ending).unlink(missing_ok=True)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path | str, *, wait_seconds: float = WAIT_SECONDS) -> Store:
        """Open the study in a folder, moving an older file to the newest schema after a backup.

        Raises StoreError with a sentence when there is none, it is not a study, it is damaged, it cannot
        be written, or another process holds it for longer than `wait_seconds`; StoreTooNew for a file of
        a newer release. Jobs that an ended process left running are marked as interrupted.
        """
        return cls(Path(folder), wait_seconds)

    def close(self) -> None:
        """Finish what is queued and let go of the file; again does nothing."""
        # Readers first: the last connection to close tidies the log away, and only the writer may.
        self._readers.close()
        self._writer.close()
        self._images.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def moved_sentence(self) -> str:
        """What opening did to the file of an older release, in a sentence; empty when nothing."""
        if self._writer.moved_from is None:
            return ""
        before, backup = self._writer.moved_from
        return f"The study was of file version {before} and is of this release now; as it was: {backup.name}."

    def on_change(self, callback: Callable[[frozenset[str]], None]) -> None:
        """Call back after each commit of this store with the names of the tables that changed.

        The call comes on the writer thread and before the act returns to whoever asked for it: it must
        be short, must not write, and must not wait for another thread.
        """
        self._writer.listen(callback)

    def has_another_written(self) -> bool:
        """Whether another process wrote into the study since it was opened, or since this was last asked.

        It waits for what this process is writing, so it is not for the GUI thread.
        """
        return self._writer.has_another_written()

    def _read_study(self) -> StudyInfo:
        row = self._readers.row(f"SELECT {_STUDY_COLUMNS} FROM study")
        if row is None:
            raise StoreError(f"{self.folder / STUDY_FILE} holds no study: it was never finished.")
        key, name, seed, design, unrelated, number, mode, role, sample, *texts, settings, by, at = row
        return StudyInfo(
            *(key, name, seed, design, unrelated, number, mode, bool(role), bool(sample)),
            *(*texts, from_json(settings), by, at),
        )


def place_new(finished: Path, path: Path) -> None:
    """Give a finished study file its name, never over another one: StoreError when there is one."""
    there = StoreError(f"There is already a study in {path.parent}.", "Open it, or choose another folder.")
    try:
        os.link(finished, path)  # unlike a rename, fails when the name is taken
    except FileExistsError:
        raise there from None
    except OSError:  # a file system without links
        if path.exists():
            raise there from None
        finished.rename(path)
    sync_folder(path.parent)


def _make_folder(folder: Path) -> None:
    """Make the folder of a new study; what the system says against it becomes a sentence."""
    try:
        make_folder(folder)
    except OSError as error:
        raise StoreError(
            f"No study can be made in {folder}: {error.strerror}.", "Choose another folder."
        ) from error


_STUDY_COLUMNS = """
    study_key, name, seed, design, unrelated, images_per_prompt, count_mode, show_role, is_sample,
    schema_version, schema_json, questions_json, bank_hash, settings_json, application_version, created_at
"""


def _write_new(path: Path, study: NewStudy) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection)
        connection.execute(
            f"INSERT INTO study (id, {_STUDY_COLUMNS}) VALUES (1, {', '.join('?' * 16)})",
            (
                *(study.study_key or uuid.uuid4().hex, study.name, study.seed),
                *(study.design, study.unrelated, study.images_per_prompt, study.count_mode),
                *(int(study.show_role), int(study.is_sample), *_documents(study)),
                *(study.bank_hash, as_json(study.settings), __version__, now()),
            ),
        )
    sync_file(path)


def _documents(study: NewStudy) -> tuple[str, str, str]:
    """Version and text of the schema and text of the questions: the study's own, or as released."""
    schema = study.schema_json or (RESOURCES / "schema.json").read_text(encoding="utf-8")
    questions = study.questions_json or (RESOURCES / "questions.json").read_text(encoding="utf-8")
    return study.schema_version or str(from_json(schema)["version"]), schema, questions
