"""Whether a study is whole: the file, its references, and the image files beside it.

Nothing is changed by looking. The one repair there is makes thumbnails again from their images, which
loses nothing; anything else is for a person to decide.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from core.errors import StoreError
from core.paths import IMAGES
from storage.connections import connect_reader, study_file
from storage.images import UNFINISHED, ImageFolder
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
    `dangling reference`, `missing image`, `damaged image` (another size than it arrived with),
    `missing thumbnail`, `orphan file` (no row names it), `unfinished file` (what a crash left).
    A folder without a study raises StoreError.
    """
    folder = Path(folder)
    path = study_file(folder)
    found = []
    try:
        with put_in_words(path), contextlib.closing(connect_reader(path)) as connection:
            for finding in chain(_of_file(connection), _of_images(connection, folder)):
                found.append(finding)  # one by one: what was found stays when the next look fails
    except StoreError as error:
        found.append(Finding("unusable", error.sentence, error.remedy, (path.name,)))
    return found


def renew_thumbnails(folder: Path | str) -> int:
    """Make every missing thumbnail again whose image is there; return how many were made."""
    folder = Path(folder)
    path = study_file(folder)
    with put_in_words(path), contextlib.closing(connect_reader(path)) as connection:
        rows = connection.execute("SELECT DISTINCT path, thumbnail FROM image").fetchall()
    found = _files(folder)
    wanted = [(image, small) for image, small in rows if image in found and not found.get(small)]
    with contextlib.closing(ImageFolder(folder)) as images:
        for image, small in wanted:
            images.renew_thumbnail(image, small)
    return len(wanted)


def repair(folder: Path | str, findings: Sequence[Finding]) -> list[str]:
    """Mend what can be mended without losing anything; a line for each thing that was done or left."""
    lines = []
    if any(finding.kind == "missing thumbnail" for finding in findings):
        lines.append(f"Thumbnails made again: {renew_thumbnails(folder)}.")
    left = [finding for finding in findings if finding.kind != "missing thumbnail"]
    return lines + [f"Left as it is: {finding.sentence} {finding.remedy}" for finding in left]


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


def _of_images(connection: sqlite3.Connection, folder: Path) -> Iterator[Finding]:
    rows = connection.execute("SELECT DISTINCT path, thumbnail, bytes FROM image ORDER BY path").fetchall()
    found = _files(folder)
    named = {path for path, _, _ in rows} | {small for _, small, _ in rows}
    missing = [path for path, _, _ in rows if path not in found]
    damaged = [path for path, _, size in rows if found.get(path, size) != size]
    blind = [small for path, small, _ in rows if path in found and not found.get(small)]
    others = sorted(set(found) - named)
    unfinished = [path for path in others if path.endswith(UNFINISHED)]
    orphans = [path for path in others if not path.endswith(UNFINISHED)]
    for kind, items in (
        ("missing image", missing),
        ("damaged image", damaged),
        ("missing thumbnail", blind),
        ("orphan file", orphans),
        ("unfinished file", unfinished),
    ):
        if items:
            yield _finding(kind, items)


_IN_WORDS = {
    "missing image": (
        "Image files missing: {n}.",
        "Copy them back from wherever the folder came from; the names are their content.",
    ),
    "damaged image": (
        "Image files that are not as they arrived: {n}.",
        "Copy them back from wherever the folder came from; the names are their content.",
    ),
    "missing thumbnail": ("Thumbnails missing: {n}.", "They can be made again from their images."),
    "orphan file": (
        "Files that belong to no image of this study: {n}.",
        "A crash while an image arrived leaves such files; they do no harm and can be deleted.",
    ),
    "unfinished file": (
        "Files left half-written by a crash: {n}.",
        "They do no harm and can be deleted while no other program has the study open.",
    ),
}


def _finding(kind: str, items: Sequence[str]) -> Finding:
    sentence, remedy = _IN_WORDS[kind]
    return Finding(kind, sentence.format(n=len(items)), remedy, tuple(items))


def _files(folder: Path) -> dict[str, int]:
    """Size of every file under `images/` by its path in the study folder, with forward slashes."""
    found = {}
    waiting = [IMAGES]
    while waiting:
        parent = waiting.pop()
        with contextlib.suppress(FileNotFoundError), os.scandir(folder / parent) as entries:
            for entry in entries:
                path = f"{parent}/{entry.name}"
                if entry.is_dir():
                    waiting.append(path)
                else:
                    found[path] = entry.stat().st_size
    return found
