"""What Windows and macOS do otherwise, tried here as far as it can be: each branch with their answers."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import SimpleNamespace
from typing import Any

import pytest

import main
from core import paths, whole_files
from core.file_names import plain_name
from core.file_words import unreadable_table
from core.regular_files import read_regular
from core.whole_files import force, put_in_place
from gui.platform_check import own_place_in_taskbar
from gui.words import key_words
from storage import process
from storage.connections import address_of
from storage.trouble import in_words

PROJECT = Path(__file__).resolve().parents[2]
EIGHTH_OF_MARCH = 134_173_000_000_000_000


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows is asked again as often, but at once."""
    monkeypatch.setattr(whole_files, "WAITS", (0.0,) * 3)


def held(winerror: int = 32) -> PermissionError:
    """What Windows answers of a file that another program holds open."""
    error = PermissionError(errno.EACCES, "The process cannot access the file")
    error.winerror = winerror  # type: ignore[attr-defined,unused-ignore]
    return error


@pytest.mark.parametrize(("refused", "is_written"), [(2, True), (9, False)])
def test_a_file_that_a_virus_scanner_holds_is_replaced_when_it_lets_go(
    refused: int, is_written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, place = tmp_path / "new", tmp_path / "table.csv"
    new.write_text("new")
    place.write_text("old")
    answers = iter([held()] * refused)
    really = os.replace

    def replace(one: Path, other: Path) -> None:
        for error in answers:
            raise error
        really(one, other)

    monkeypatch.setattr(os, "replace", replace)
    if is_written:
        put_in_place(new, place, "win32")
        assert place.read_text() == "new"
        return
    with pytest.raises(PermissionError, match="open in another program") as told:
        put_in_place(new, place, "win32")
    assert (told.value.filename, place.read_text()) == (str(place), "old")


def test_elsewhere_a_refusal_is_no_matter_of_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def refuse(*names: Path) -> None:
        asked.append(names)
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError, match="denied"):
        put_in_place(tmp_path / "new", tmp_path, "linux")
    assert len(asked) == 1
    with pytest.raises(IsADirectoryError):  # Windows has the same answer for a folder in the way
        put_in_place(tmp_path / "new", tmp_path, "win32")


def test_a_mac_is_asked_to_write_what_its_disk_still_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answer = [], [0]
    said: list[int] = []

    def control(number: int, what: int) -> int:
        asked.append(what)
        if answer[0]:
            raise OSError(answer[0], "refused")
        return 0

    monkeypatch.setattr("fcntl.fcntl", control)
    monkeypatch.setattr(os, "fsync", said.append)
    force(7, "darwin")
    assert (asked, said) == ([51], [])
    answer[0] = errno.ENOTSUP  # a share
    force(7, "darwin")
    assert said == [7]
    answer[0] = errno.EIO
    with pytest.raises(OSError, match="refused"):
        force(7, "darwin")
    force(8, "linux")
    assert said == [7, 8]


def test_sqlite_finds_a_file_by_drive_and_on_a_share(tmp_path: Path) -> None:
    drive = address_of(PureWindowsPath(r"C:\my study\#1.sqlite"), "rw")
    assert drive == "file:C%3A/my%20study/%231.sqlite?mode=rw"
    assert address_of(PureWindowsPath(r"\\lab\share\s.sqlite"), "ro") == "file:////lab/share/s.sqlite?mode=ro"
    assert address_of(PurePosixPath("/a?b/s"), "ro") == "file:/a%3Fb/s?mode=ro"
    place = tmp_path / "100% ä?#" / "s.sqlite"
    place.parent.mkdir()
    with closing(sqlite3.connect(place)) as made:
        made.execute("CREATE TABLE one (two)")
    with closing(sqlite3.connect(address_of(place, "ro"), uri=True)) as found:
        assert found.execute("SELECT count(*) FROM one").fetchone() == (0,)


class Kernel:
    """The few functions of Windows that are asked about a process; it knows one, which runs or has ended."""

    def __init__(self, code: int) -> None:
        self.code, self.closed = code, 0
        self.OpenProcess = lambda _what, _inherit, number: 5 if number == 42 else None

    def GetExitCodeProcess(self, _handle: object, code: Any) -> int:
        code._obj.value = self.code
        return 1

    def GetProcessTimes(self, _handle: object, created: Any, *_others: object) -> int:
        created._obj.value = EIGHTH_OF_MARCH
        return 1

    def CloseHandle(self, _handle: object) -> None:
        self.closed += 1


def test_windows_tells_a_process_from_a_later_one_of_the_same_number(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(259)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)

    assert process._started(42, "win32") == str(EIGHTH_OF_MARCH)
    assert process._is_running_on_windows(42)
    assert not process._is_running_on_windows(43)
    assert process._started(43, "win32") == ""
    kernel.code = 1
    assert not process._is_running_on_windows(42)
    assert kernel.closed == 3


@pytest.mark.skipif(not shutil.which("ps"), reason="this system has no ps to ask")
def test_a_mac_tells_it_by_the_time_that_ps_says() -> None:
    ours = process._started(os.getpid(), "darwin")

    assert re.fullmatch(r"[A-Z][a-z]{2} [A-Z][a-z]{2} \d+ [\d:]{8} \d{4}", ours)
    assert process._started(2**22 + 1, "darwin") == ""


@pytest.mark.parametrize(
    ("platform", "settings", "logs"),
    [
        ("win32", "AppData/Roaming", "AppData/Local/contextbias-studio"),
        ("darwin", "Library/Application Support", "Library/Logs"),
        ("linux", ".config", ".local/state"),
    ],
)
def test_folders_of_a_person_are_where_their_system_has_them(
    platform: str, settings: str, logs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "CONTEXTBIAS_LOGS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(paths.sys, "platform", platform)

    assert paths.user_settings() == tmp_path / settings / "contextbias-studio"
    found = paths.user_logs()
    assert found is not None
    assert found.parent == tmp_path / logs


def test_what_another_program_holds_is_said_so(tmp_path: Path) -> None:
    told = in_words(held(), tmp_path / "study.sqlite")
    assert told is not None
    assert told.sentence.endswith("study.sqlite is open in another program.")
    assert "open in another program" in str(unreadable_table(tmp_path / "map.csv", held(33)))


@pytest.mark.parametrize(("winerror", "length", "is_said"), [(206, 10, True), (3, 250, True), (3, 20, False)])
def test_a_path_that_is_too_long_for_windows_is_said_so(winerror: int, length: int, *, is_said: bool) -> None:
    error = FileNotFoundError(errno.ENOENT, "The system cannot find the path", "x" * length)
    error.winerror = winerror  # type: ignore[attr-defined,unused-ignore]

    told = in_words(error, Path("images/1.png"))

    assert (told is not None and "longer path than Windows allows" in told.sentence) is is_said


def test_keys_are_called_as_on_the_keyboards_of_the_system() -> None:
    assert key_words("Redo (Ctrl+Shift+Z)", "darwin") == "Redo (Cmd+Shift+Z)"
    assert key_words("Alt+Left, Backspace", "darwin") == "Option+Left, Delete"
    assert key_words("Alt+Left, Ctrl F", "win32") == "Alt+Left, Ctrl F"


def test_the_window_is_ours_in_the_taskbar_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    shell = SimpleNamespace(SetCurrentProcessExplicitAppUserModelID=said.append)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(shell32=shell), raising=False)

    own_place_in_taskbar("linux")
    own_place_in_taskbar("win32")

    assert said == ["contextbias-studio"]


def test_a_folder_in_place_of_a_file_is_one_also_where_it_may_not_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        read_regular(tmp_path)


def test_a_reader_of_our_output_that_has_gone_is_no_fault() -> None:
    windows = OSError(errno.EINVAL, "Invalid argument")

    assert main._has_nobody_listening(windows, "win32")
    assert not main._has_nobody_listening(windows, "linux")
    assert not main._has_nobody_listening(OSError(errno.EINVAL, "Invalid argument", "a:b"), "win32")
    assert main._has_nobody_listening(BrokenPipeError(), "linux")


@pytest.mark.parametrize("name", ["CON", "lpt1", "com¹.txt", "a:b", "end.", "a/b\\c", 'q"?*<>|\t', "..", ""])
def test_names_of_people_and_models_are_names_of_files_everywhere(name: str) -> None:
    made = plain_name(name)

    assert made == plain_name(made)
    assert not re.search(r'[<>:"/\\|?*\x00-\x1f]', made)
    assert made.rstrip(". ") == made != ""
    assert not re.fullmatch(r"(?i)(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\..*)?", made)


def test_every_text_file_is_written_with_the_same_bytes_everywhere() -> None:
    """Windows would end lines with two characters where nobody says how."""
    assert list(_writing_text_unsaid()) == []


def _writing_text_unsaid() -> Iterator[str]:
    writes = re.compile(r"""(?<!def )(?<!_)(write_text\(|open\((?:\w+, )?["'][awx]t?["'])(?P<rest>[^\n]*)""")
    for package in ("core", "annotation", "storage", "gui"):
        for path in (PROJECT / package).rglob("*.py"):
            for found in writes.finditer(path.read_text(encoding="utf-8")):
                if "newline=" not in found["rest"]:
                    yield f"{path.relative_to(PROJECT)}: {found[0]}"
