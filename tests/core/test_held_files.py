"""What this program holds through SQLite is opened by nothing else in it, however it is named."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

from core.csv_rows import write_rows
from core.errors import BadInput, UserError
from core.held_files import HeldHere, is_held
from core.importing import scan
from core.importing.map_file import read_map
from core.regular_files import read_regular
from core.whole_files import put_in_place, write_whole
from storage.handin_reader import read_hand_in
from storage.store import Store
from storage.study import NewStudy
from tests.safety.readers import READERS

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists its locks")
LINKS = pytest.mark.skipif(sys.platform == "win32", reason="a link needs a right there")


def locked(folder: Path) -> set[str]:
    """Names of the files in a folder on which anybody has a lock."""
    numbers = {os.stat(path).st_ino: path.name for path in folder.iterdir()}
    lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    return {numbers[found] for line in lines if (found := int(line.split()[5].split(":")[2])) in numbers}


@pytest.fixture
def study(tmp_path: Path):
    with Store.create(tmp_path / "s", NewStudy("mine", 1)) as store:
        store.add_generator("one", "one", {})
        yield store


WAYS: dict[str, Callable[[Path], object]] = {
    "open": lambda path: path.open("rb"),
    "read": Path.read_bytes,
    "number": lambda path: os.open(path, os.O_RDONLY),
    "copy": lambda path: shutil.copy(path, path.with_suffix(".copy")),
    "picture": Image.open,
    "table": pd.read_csv,
    "regular": read_regular,
    "overwrite": lambda path: path.open("w"),
    "whole": lambda path: write_whole(path, lambda place: place.touch()),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_open_study_is_opened_in_no_other_way(study: Store, way: str) -> None:
    file = study.folder / "study.sqlite"

    with pytest.raises(HeldHere, match="open in this program"):
        WAYS[way](file)
    with pytest.raises(HeldHere):
        WAYS[way](file.with_name("study.sqlite-shm"))

    if sys.platform == "linux":
        assert locked(study.folder) == {"study.sqlite", "study.sqlite-shm"}


def test_once_it_is_closed_anybody_may(tmp_path: Path) -> None:
    with Store.create(tmp_path / "s", NewStudy("mine", 1)) as store:
        store.images()
        assert is_held(tmp_path / "s" / "study.sqlite")

    assert (tmp_path / "s" / "study.sqlite").read_bytes()


@LINKS
@ON_LINUX
def test_whatever_reads_what_a_person_names_leaves_the_locks(study: Store, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("link.csv", "link.json", "link.txt", "link.parquet", "manifest.json", "link.handin"):
        (folder / name).symlink_to(study.folder / "study.sqlite")
    (folder / "log.csv").symlink_to(study.folder / "study.sqlite-shm")
    for ending, read in (*READERS.values(), (".handin", read_hand_in)):
        with pytest.raises((UserError, OSError)):
            read(folder / f"link{ending}")
    for place in (folder, tmp_path, study.folder):
        with contextlib.suppress(UserError):
            scan(place)

    assert locked(study.folder) == {"study.sqlite", "study.sqlite-shm"}


PAST_PYTHON = re.compile(
    r"QImageReader\(str|QImage\(str|QPixmap\(str|QSvgRenderer\(str|QFile\(|input_stream\(|ParquetFile\("
    r"|memory_map\(|safe_open\(|load_file\(|load_lora_weights\("
)
"""Calls that open a file by its name without Python's own door."""

OF_OURS = {"core/phantom/latents.py", "core/phantom/network.py"}
"""They open what came with the program."""


def test_readers_past_pythons_own_door_ask_first() -> None:
    root = Path(__file__).resolve().parents[2]
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for part in ("core", "storage", "annotation", "gui")
        for path in (root / part).rglob("*.py")
    }
    found = {name for name, text in texts.items() if PAST_PYTHON.search(text)}

    assert len(found - OF_OURS) >= 4
    assert [
        name
        for name in found - OF_OURS
        if "is_held(" not in texts[name] and "refuse_held(" not in texts[name]
    ] == []


@pytest.mark.parametrize("name", ["study.sqlite", "study.sqlite-shm"])
def test_nothing_is_written_over_an_open_study(study: Store, name: str, tmp_path: Path) -> None:
    place = study.folder / name
    other = tmp_path / "other"
    other.write_bytes(b"other")

    with pytest.raises(HeldHere):
        put_in_place(other, place)
    with pytest.raises(UserError, match=r"open in this program|cannot be the name of a table"):
        write_rows(place, [{"a": 1}])
    study.add_generator("two", "two", {})


@LINKS
def test_a_map_that_leads_to_the_open_study_is_refused_in_a_sentence(study: Store, tmp_path: Path) -> None:
    link = tmp_path / "map.csv"
    link.symlink_to(study.folder / "study.sqlite")

    with pytest.raises(BadInput, match="belongs to the study or packet that is open in this program"):
        read_map(link)
