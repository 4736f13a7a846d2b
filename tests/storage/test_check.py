from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreError
from core.jobs import run_here
from core.paths import STUDY_FILE
from core.records import StoredImage
from storage.check import Finding, check_study, damaged_contents
from storage.repair import renew_thumbnails, repair
from storage.store import Store
from tests.storage.builders import add_image_set, fill, new_store


@pytest.fixture
def ready(folder: Path) -> Path:
    with new_store(folder) as store:
        fill(store)
    return folder


@pytest.fixture
def image(ready: Path) -> StoredImage:
    with Store.open(ready) as store:
        return store.images()[0]


def only(folder: Path) -> Finding:
    (found,) = check_study(folder)
    return found


def test_a_whole_study_has_no_findings_open_or_closed(ready: Path) -> None:
    assert check_study(ready) == []
    with Store.open(ready) as store:
        add_image_set(store, "set 2", 50)
        assert check_study(ready) == []


def test_looking_changes_nothing(ready: Path) -> None:
    before = (ready / STUDY_FILE).read_bytes()

    check_study(ready)

    assert (ready / STUDY_FILE).read_bytes() == before


def test_a_folder_without_a_study_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no study in"):
        check_study(tmp_path)


def test_a_missing_image_is_found(ready: Path, image: StoredImage) -> None:
    (ready / image.path).unlink()

    assert (only(ready).kind, only(ready).items) == ("missing image", (image.path,))
    assert only(ready).sentence == "Image files missing: 1."


def test_an_image_of_another_size_is_found(ready: Path, image: StoredImage) -> None:
    with (ready / image.path).open("ab") as file:
        file.write(b"more")

    assert (only(ready).kind, only(ready).items) == ("damaged image", (image.path,))


@pytest.mark.parametrize("how", ["gone", "empty"])
def test_a_missing_thumbnail_is_found_and_made_again(ready: Path, image: StoredImage, how: str) -> None:
    path = ready / image.thumbnail
    before = path.read_bytes()
    path.unlink() if how == "gone" else path.write_bytes(b"")
    assert (only(ready).kind, only(ready).items) == ("missing thumbnail", (image.thumbnail,))

    assert renew_thumbnails(ready) == 1

    assert check_study(ready) == []
    assert path.read_bytes() == before
    assert renew_thumbnails(ready) == 0


def test_all_thumbnails_may_be_thrown_away_and_made_again(ready: Path) -> None:
    for path in (ready / "images" / "thumbnails").rglob("*.jpg"):
        path.unlink()

    assert renew_thumbnails(ready) == 11
    assert check_study(ready) == []


def test_a_thumbnail_cannot_be_made_of_a_missing_image(ready: Path, image: StoredImage) -> None:
    (ready / image.path).unlink()
    (ready / image.thumbnail).unlink()

    assert renew_thumbnails(ready) == 0
    assert only(ready).kind == "missing image"


def test_files_that_no_row_names_are_found(ready: Path) -> None:
    (ready / "images" / "ab").mkdir(exist_ok=True)
    (ready / "images" / "ab" / "stray.png").write_bytes(b"x")
    (ready / "images" / "ab" / "cut.png.12-34.part").write_bytes(b"x")

    assert {finding.kind: finding.items for finding in check_study(ready)} == {
        "orphan file": ("images/ab/stray.png",),
        "unfinished file": ("images/ab/cut.png.12-34.part",),
    }


def test_a_dangling_reference_is_found(ready: Path) -> None:
    with closing(sqlite3.connect(ready / STUDY_FILE)) as connection:
        connection.execute("DELETE FROM extractor")
        connection.commit()

    assert only(ready).kind == "dangling reference"
    assert only(ready).items[0] == "record 1 -> extractor"


def test_a_damaged_file_is_a_finding_and_no_error(ready: Path) -> None:
    path = ready / STUDY_FILE
    whole = bytearray(path.read_bytes())
    for page in range(3, len(whole) // 4096):
        whole[page * 4096 : page * 4096 + 60] = b"\xff" * 60
    path.write_bytes(whole)

    kinds = [finding.kind for finding in check_study(ready)]

    assert kinds[0] == "damaged file"
    assert kinds[-1] == "unusable"


def test_a_file_that_is_no_database_is_a_finding(folder: Path) -> None:
    folder.mkdir()
    (folder / STUDY_FILE).write_bytes(b"no database" * 500)

    assert only(folder).kind == "unusable"


def test_a_repair_mends_thumbnails_and_says_what_it_left(ready: Path, image: StoredImage) -> None:
    (ready / image.thumbnail).unlink()
    (ready / "images" / "stray.png").write_bytes(b"x")

    lines = repair(ready, check_study(ready))

    assert lines[0] == "Thumbnails made again: 1."
    assert lines[1].startswith("Left as it is: Files that belong to no image of this study: 1.")
    assert only(ready).kind == "orphan file"
    assert (ready / "images" / "stray.png").exists()


def test_nothing_to_repair_is_nothing_to_say(ready: Path) -> None:
    assert repair(ready, check_study(ready)) == []


def test_bytes_changed_in_place_are_found_by_reading_whole_files(ready: Path, image: StoredImage) -> None:
    path = ready / image.path
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert check_study(ready) == []

    (found,) = run_here(damaged_contents(ready))

    assert (found.kind, found.items) == ("damaged image", (image.path,))


def test_a_damaged_image_is_set_aside_and_waits_to_be_made_again(ready: Path, image: StoredImage) -> None:
    path = ready / image.path
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    changed = path.read_bytes()

    lines = repair(ready, run_here(damaged_contents(ready)))

    assert lines[-2] == f"Run: main.py generate {ready} --generator {image.generator}"
    assert (ready / "damaged" / path.name).read_bytes() == changed
    assert only(ready).kind == "missing image"
    with Store.open(ready) as store:
        of_it = store.images(generator=image.generator)
        assert len(store.run_keys(image.generator)) == len(of_it) - 1


def test_whole_files_that_are_as_they_arrived_are_no_finding(ready: Path, image: StoredImage) -> None:
    (ready / image.path).unlink()  # missing is not damaged

    assert run_here(damaged_contents(ready)) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders")
def test_a_pipe_or_a_folder_in_the_place_of_an_image_is_told_and_not_waited_for(
    ready: Path, image: StoredImage
) -> None:
    place = ready / image.path
    place.unlink()
    os.mkfifo(place)
    assert [found.kind for found in run_here(damaged_contents(ready))] == ["damaged image"]
    assert only(ready).kind == "damaged image"
    with Store.open(ready) as store, pytest.raises(StoreError, match="a pipe, a socket or a device"):
        store.image_bytes(image)

    place.unlink()
    place.mkdir()
    assert run_here(damaged_contents(ready)) == []
    assert only(ready).kind == "missing image"
    with Store.open(ready) as store, pytest.raises(StoreError, match="it is a folder"):
        store.image_bytes(image)


def test_links_to_nowhere_and_in_circles_hide_nothing(ready: Path, image: StoredImage) -> None:
    place = (ready / image.path).parent
    (place / "a-nowhere").symlink_to("/nowhere/at/all")
    (place / "circle").symlink_to("circle")
    (place / "again").symlink_to(ready / "images", target_is_directory=True)
    (ready / "images" / "z").mkdir(exist_ok=True)
    (ready / "images" / "z" / "stray.png").write_bytes(b"x")

    assert (only(ready).kind, only(ready).items) == ("orphan file", ("images/z/stray.png",))


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="root reads everything")
def test_a_folder_that_cannot_be_read_is_a_finding(ready: Path, image: StoredImage) -> None:
    place = (ready / image.path).parent
    place.chmod(0)
    try:
        kinds = {finding.kind for finding in check_study(ready)}
    finally:
        place.chmod(0o755)

    assert "unreadable folder" in kinds


def test_a_file_of_a_newer_release_is_not_judged(ready: Path) -> None:
    with closing(sqlite3.connect(ready / STUDY_FILE)) as connection:
        connection.execute("PRAGMA user_version = 9999")

    assert only(ready).kind == "unusable"
    assert "newer release" in only(ready).sentence


def test_a_round_without_image_sets_is_found(ready: Path) -> None:
    with Store.open(ready) as store:
        store.add_round("second", 1, [], "marks+slider")

    assert (only(ready).kind, only(ready).items) == ("empty round", ("second",))


def test_half_written_files_of_a_run_that_was_stopped_are_removed_and_no_others(ready: Path) -> None:
    folder = ready / "images" / "a"
    folder.mkdir(exist_ok=True)
    ours, written, strange = (
        folder / f"{'a' * 64}.png.{name}.part" for name in ("999999999-34", f"{os.getpid()}-34", "mine")
    )
    for place in (ours, written, strange):
        place.write_bytes(b"x")

    lines = repair(ready, check_study(ready))

    assert (ours.exists(), written.exists(), strange.exists()) == (False, True, True)
    assert lines[0] == "Half-written files of a stopped run removed: 1."
    assert lines[1].startswith("Left as it is: ")
