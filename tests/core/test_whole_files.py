"""Files that are whole or not there, also while another process writes the same one."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from core.whole_files import sync_folder, write_whole


def test_two_processes_that_write_one_file_do_not_write_into_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "work.json"

    def write_while_another_does(path: Path) -> None:
        path.write_text("ours")
        with monkeypatch.context() as patched:
            patched.setattr(os, "getpid", lambda: 0)
            write_whole(place, lambda other: other.write_text("the other's, longer"))
        assert path.read_text() == "ours"

    write_whole(place, write_while_another_does)

    assert place.read_text() == "ours"
    assert list(tmp_path.iterdir()) == [place]


def test_what_was_there_stays_when_writing_fails(tmp_path: Path) -> None:
    place = tmp_path / "work.json"
    place.write_text("before")

    def fail(path: Path) -> None:
        path.write_text("half")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        write_whole(place, fail)

    assert place.read_text() == "before"
    assert list(tmp_path.iterdir()) == [place]


@pytest.mark.parametrize(("number", "is_let_pass"), [(errno.EINVAL, True), (errno.EIO, False)])
def test_only_a_disk_that_knows_no_forced_folders_is_excused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, is_let_pass: bool
) -> None:
    def refuse(_: int) -> None:
        raise OSError(number, "refused")

    monkeypatch.setattr(os, "fsync", refuse)
    if is_let_pass:
        sync_folder(tmp_path)
        return
    with pytest.raises(OSError, match="refused"):
        sync_folder(tmp_path)
