"""Whether a study is whole: the file, its references, its jobs, and the image files beside it.

Nothing is changed by looking; `storage.repair` mends what can be mended.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from core.errors import StoreError
from core.jobs import Job, Progress
from core.keys import content_hash
from core.paths import IMAGES
from core.regular_files import read_regular
from storage.connections import connect_reader, study_file
from storage.images import UNFINISHED, must_be_inside
from storage.part import from_json
from storage.process import may_live
from storage.schema import is_pending
from storage.trouble import kind_of, put_in_words


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: its kind, a sentence, what to do, and where."""

    kind: str
    sentence: str
    remedy: str
    items: tuple[str, ...] = ()


def check_study(folder: Path | str) -> list[Finding]:
    """Everything that is wrong with the study in a folder; an empty list when nothing is.

    Kinds: `unusable` (cannot be opened or read further; then nothing more is looked at), `damaged file`,
    `dangling reference`, `no prompts`, `empty round`, `stopped job`, `unreadable folder`, `missing image`,
    `damaged image` (another size than it arrived with; `damaged_contents` reads whole files), `missing
    thumbnail`, `orphan file` (no row names it), `unfinished file` (what a crash left).
    A folder without a study raises StoreError.
    """
    folder = Path(folder)
    path = study_file(folder)
    found = []
    try:
        with put_in_words(path), contextlib.closing(connect_reader(path)) as connection:
            is_pending(connection)  # a newer file is not judged by what this release knows
            looks = (
                *(_of_file(connection), _of_plan(connection), _of_jobs(connection)),
                _of_images(connection, folder),
            )
            for finding in chain(*looks):
                found.append(finding)  # one by one: what was found stays when the next look fails
    except StoreError as error:
        found.append(Finding("unusable", error.sentence, error.remedy, (path.name,)))
    return found


def damaged_contents(folder: Path | str) -> Job[list[Finding]]:
    """Read every image file whole and compare it with the hash it arrived with; one step an image.

    Finds what a look at sizes cannot: bytes that the disk or another program changed in place.
    """
    folder = Path(folder)
    path = study_file(folder)
    with put_in_words(path), contextlib.closing(connect_reader(path)) as connection:
        rows = connection.execute("SELECT DISTINCT path, sha256 FROM image ORDER BY path").fetchall()
    damaged = []
    for done, (name, sha256) in enumerate(rows, start=1):
        must_be_inside(name)
        if _is_damaged(folder / name, sha256):
            damaged.append(name)
        yield Progress(done, len(rows), name, len(damaged))
    return [_finding("damaged image", damaged)] if damaged else []


def _is_damaged(path: Path, sha256: str) -> bool:
    """Whether something else lies there; a missing file or a folder there is told as missing."""
    with contextlib.suppress(FileNotFoundError, IsADirectoryError), put_in_words(path):
        try:
            return content_hash(read_regular(path)) != sha256
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            return True  # a pipe, a socket or a device
    return False


def _of_file(connection: sqlite3.Connection) -> Iterator[Finding]:
    try:
        faults = [text for (text,) in connection.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:
        if kind_of(error) != "CORRUPT":
            raise
        faults = [str(error)]
    if faults != ["ok"]:
        yield Finding(
            "damaged file",
            f"Faults that SQLite finds in the study file: {len(faults)}.",
            "Copy the folder away, then go back to a backup or ask for help with the copy.",
            tuple(faults),
        )
    broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    if broken:
        yield Finding(
            "dangling reference",
            f"Rows that refer to rows which are not there: {len(broken)}.",
            "The file was changed by another program; go back to a backup.",
            tuple(f"{table} {row} -> {parent}" for table, row, parent, _ in broken),
        )


def _of_plan(connection: sqlite3.Connection) -> Iterator[Finding]:
    (prompts,) = connection.execute("SELECT count(*) FROM prompt").fetchone()
    if not prompts:
        remedy = "Make the study again, or import images into it."
        yield Finding("no prompts", "The study has no prompts.", remedy)
    empty = connection.execute(
        "SELECT name FROM round WHERE NOT EXISTS (SELECT 1 FROM image_set WHERE round_id = round.id)"
    )
    if names := tuple(name for (name,) in empty):
        yield Finding(
            "empty round",
            f"Rounds without an image set: {len(names)}.",
            "The page Annotate fills one that is open when it is opened next.",
            names,
        )


def _of_jobs(connection: sqlite3.Connection) -> Iterator[Finding]:
    rows = connection.execute(
        "SELECT id, kind, process_json, started_at FROM job WHERE state = 'running' ORDER BY id"
    )
    stopped = [
        f"{kind} {number}"
        for number, kind, process, started in rows
        if not may_live({"seen_at": started, **from_json(process)})
    ]
    if stopped:
        yield Finding(
            "stopped job",
            f"Jobs that stand as running although nobody works at them: {len(stopped)}.",
            "Opening the study closes them, and the next run goes on from there.",
            tuple(stopped),
        )


def _of_images(connection: sqlite3.Connection, folder: Path) -> Iterator[Finding]:
    rows = connection.execute("SELECT DISTINCT path, thumbnail, bytes FROM image ORDER BY path").fetchall()
    found, unread = files_in(folder)
    named = {path for path, _, _ in rows} | {small for _, small, _ in rows}
    missing = [path for path, _, _ in rows if path not in found]
    damaged = [path for path, _, size in rows if found.get(path, size) != size]
    blind = [small for path, small, _ in rows if path in found and not found.get(small)]
    others = sorted(set(found) - named)
    unfinished = [path for path in others if path.endswith(UNFINISHED)]
    orphans = [path for path in others if not path.endswith(UNFINISHED)]
    for kind, items in (
        ("unreadable folder", unread),
        ("missing image", missing),
        ("damaged image", damaged),
        ("missing thumbnail", blind),
        ("orphan file", orphans),
        ("unfinished file", unfinished),
    ):
        if items:
            yield _finding(kind, items)


_IN_WORDS = {
    "unreadable folder": (
        "Folders of images that cannot be read: {n}.",
        "Give the account that runs this program the right to read them, or mend the disk.",
    ),
    "missing image": (
        "Image files missing: {n}.",
        "`--repair --look-in FOLDER` finds them by their content and puts them back; `main.py generate` makes"
        " drawn ones again.",
    ),
    "damaged image": (
        "Image files that are not as they arrived: {n}.",
        "`--repair` sets them aside in the folder `damaged`, so that `main.py generate` makes drawn ones"
        " again; with `--look-in FOLDER` it finds whole ones by their content and puts them back.",
    ),
    "missing thumbnail": ("Thumbnails missing: {n}.", "They can be made again from their images."),
    "orphan file": (
        "Files that belong to no image of this study: {n}.",
        "A crash while an image arrived leaves such files; they do no harm and can be deleted.",
    ),
    "unfinished file": (
        "Files left half-written by a crash: {n}.",
        "They do no harm; `--repair` removes those that nobody writes any more.",
    ),
}


def _finding(kind: str, items: Sequence[str]) -> Finding:
    sentence, remedy = _IN_WORDS[kind]
    return Finding(kind, sentence.format(n=len(items)), remedy, tuple(items))


def files_in(folder: Path) -> tuple[dict[str, int], list[str]]:
    """Size of every file under `images/` by its path in the study folder, and what could not be read.

    Paths have forward slashes. A link that leads nowhere is no file; a folder that was seen already, by
    whatever links, is not entered again.
    """
    found: dict[str, int] = {}
    unread = []
    waiting, seen = [IMAGES], set()
    while waiting:
        parent = waiting.pop()
        real = os.path.realpath(folder / parent)
        if real in seen:
            continue
        seen.add(real)
        try:
            with os.scandir(folder / parent) as entries:
                inside = list(entries)
        except FileNotFoundError:
            continue
        except OSError as error:
            unread.append(f"{parent} ({error.strerror})")
            continue
        for entry in inside:
            path = f"{parent}/{entry.name}"
            with contextlib.suppress(OSError):  # a link to itself
                if entry.is_dir():
                    waiting.append(path)
                else:
                    found[path] = entry.stat().st_size
    return found, unread
