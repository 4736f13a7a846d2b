"""The log: one line an act, small files, and nothing that tells who or what."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import log_file
from core.log_file import start_log, stop_log, told_traceback
from storage.store import Store
from tests.storage.builders import add_image_set, make_event, new_store


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    levels = {name: logging.getLogger(name).level for name in log_file.OURS}
    place = start_log(tmp_path / "logs")
    assert place is not None
    yield place
    stop_log()
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def test_an_act_is_one_line_without_a_name_an_answer_or_a_place(log: Path, tmp_path: Path) -> None:
    with new_store(tmp_path / "secret-study") as store:
        image_set = add_image_set(store)
        ada = store.add_annotator("Ada Lovelace").annotator_id
        before = len(log.read_text(encoding="utf-8").splitlines())
        store.append_answer(make_event(ada, image_set, label="calm")).result()

    lines = log.read_text(encoding="utf-8").splitlines()
    assert len(lines) == before + 1
    assert "INFO storage.writer: kept: answer" in lines[-1]
    for word in ("Ada", "calm", "secret-study", "nurse", "drawn-a"):
        assert word not in "\n".join(lines)


def test_a_fault_is_one_line_too_and_quotes_nothing(log: Path) -> None:
    said = f"{Path.home()}/study/nurse.png sk-proj-abcdefghijk"
    try:
        raise KeyError(said)
    except KeyError as error:
        logging.getLogger("gui").error("uncaught", exc_info=error)

    (line,) = log.read_text(encoding="utf-8").splitlines()
    assert "KeyError: “…”" in line
    assert "nurse" not in line
    assert "abcdefghijk" not in line
    assert str(Path.home()) not in line


def test_old_files_make_room(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handler = next(one for one in logging.getLogger().handlers if hasattr(one, "maxBytes"))
    monkeypatch.setattr(handler, "maxBytes", 2000)
    for number in range(400):
        logging.getLogger("core").info("act %d", number)

    files = sorted(log.parent.iterdir())
    assert len(files) == log_file.OLDER + 1
    assert all(path.stat().st_size <= 2000 for path in files)


def test_a_log_that_another_program_holds_open_grows_on_and_loses_nothing(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where it cannot be renamed then."""
    tried = []

    def held(*names: object) -> None:
        tried.append(names)
        raise PermissionError(13, "used by another process")

    handler = next(one for one in logging.getLogger().handlers if hasattr(one, "maxBytes"))
    monkeypatch.setattr(handler, "maxBytes", 100)
    monkeypatch.setattr(os, "replace", held)
    for number in range(40):
        logging.getLogger("core").info("act %d", number)

    assert len(tried) == 1  # not at every line
    assert [path.name for path in log.parent.iterdir()] == [log.name]
    assert len(log.read_text(encoding="utf-8").splitlines()) == 40


def test_a_place_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")

    assert start_log(tmp_path / "file" / "logs") is None


def test_details_name_the_places_in_the_code_and_chained_errors_and_quote_nothing() -> None:
    said = ("no generator 'flux.1' for prompt \"a photo of a nurse\" in /data/flux/x.png", "while “sdxl” ran")
    try:
        try:
            raise ValueError(said[0])
        except ValueError as first:
            raise RuntimeError(said[1]) from first
    except RuntimeError as error:
        details = told_traceback(error)

    assert "test_log_file.py" in details
    assert "ValueError: no generator “…” for prompt “…” in …" in details
    assert "RuntimeError: while “…” ran" in details
    for word in ("flux", "nurse", "sdxl"):
        assert word not in details


STOPPED = """UPDATE job SET process_json = '{"host": "elsewhere", "seen_at": "2026-01-01T00:00:00Z"}'"""


def test_opening_says_what_an_earlier_start_could_not_finish(tmp_path: Path) -> None:
    with new_store(tmp_path / "study") as store:
        store.begin_job("generate", 60, {"generator": "drawn-a"})
        store._writer.do(lambda connection: connection.execute(STOPPED))

    with Store.open(tmp_path / "study") as store:
        (job,) = store.interrupted
        assert job.stopped_sentence.startswith("Making images (drawn-a) stopped before its end")
        assert store.moved_sentence == ""
    with Store.open(tmp_path / "study") as store:
        assert store.interrupted == ()
