"""Mend a study without losing anything.

Damaged images are set aside, images that lie elsewhere put back, thumbnails made again from their images,
and jobs that nobody works at closed, so that the next run goes on with what is missing. Nothing is ever
deleted but half-written files of a run that was stopped; anything else is for a person to decide.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence
from pathlib import Path

from core.errors import BadInput
from core.jobs import run_here
from core.whole_files import make_folder, put_in_place
from storage.check import Finding, files_in
from storage.connections import connect_reader, study_file
from storage.images import ImageFolder, must_be_inside
from storage.relink import relink, sentence
from storage.store import Store
from storage.trouble import put_in_words
from storage.unfinished import remove_unfinished

ASIDE = "damaged"
"""Folder of a study for damaged image files."""


def repair(folder: Path | str, findings: Sequence[Finding], places: Sequence[Path] = ()) -> list[str]:
    """Mend what can be mended without losing anything; a line for each thing that was done or left.

    Missing images are looked for among the study's own stray files and in `places`.
    """
    folder = Path(folder)
    kinds = {finding.kind: len(finding.items) for finding in findings}
    lines, mended = [], {"missing thumbnail", "stopped job", "damaged image"}
    if kinds.keys() & {"missing image", "damaged image"}:
        damaged = [item for finding in findings if finding.kind == "damaged image" for item in finding.items]
        gone = [item for finding in findings if finding.kind == "missing image" for item in finding.items]
        set_aside(folder, damaged)
        found = run_here(relink(folder, places))
        lines.append(sentence(found, kinds))
        if damaged:
            lines.append(f"Damaged files set aside in {folder / ASIDE}: {len(damaged)}.")
        lines += [f"Run: {command}" for command in commands_for(folder, {*damaged, *gone} - set(found))]
        if not set(gone) - set(found):
            mended.add("missing image")
    if "missing thumbnail" in kinds or lines:
        lines.append(f"Thumbnails made again: {renew_thumbnails(folder)}.")
    if "stopped job" in kinds:
        Store.open(folder).close()  # opening closes them
        lines.append(f"Jobs closed: {kinds['stopped job']}; the next run goes on with what is missing.")
    unfinished = [item for finding in findings if finding.kind == "unfinished file" for item in finding.items]
    if unfinished:
        removed = remove_unfinished(folder, unfinished)
        lines.append(f"Half-written files of a stopped run removed: {len(removed)}.")
        if len(removed) == len(unfinished):
            mended.add("unfinished file")
    left = [finding for finding in findings if finding.kind not in mended]
    return lines + [f"Left as it is: {finding.sentence} {finding.remedy}" for finding in left]


def set_aside(folder: Path, damaged: Sequence[str]) -> None:
    """Move damaged images out of the way, so that they count as missing and can be made again."""
    for name in damaged:
        must_be_inside(name)
        place, number = folder / ASIDE / Path(name).name, 1
        while place.exists():  # set aside before: both are kept
            number += 1
            place = place.with_name(f"{Path(name).stem}-{number}{place.suffix}")
        with put_in_words(folder / name):
            make_folder(place.parent)
            put_in_place(folder / name, place)


def commands_for(folder: Path, names: Collection[str]) -> list[str]:
    """The commands that make images again: one for each generator of the study that made any of them."""
    path = study_file(folder)
    with put_in_words(path), contextlib.closing(connect_reader(path)) as connection:
        rows = connection.execute(
            "SELECT DISTINCT name, path FROM image JOIN generator ON generator.id = generator_id"
            " WHERE generator.kind <> 'imported' ORDER BY name"
        ).fetchall()
    makers = dict.fromkeys(name for name, image in rows if image in names)
    return [f"main.py generate {folder} --generator {name}" for name in makers]


def renew_thumbnails(folder: Path | str) -> int:
    """Make every missing thumbnail again whose image is there; return how many were made."""
    folder = Path(folder)
    path = study_file(folder)
    with put_in_words(path), contextlib.closing(connect_reader(path)) as connection:
        rows = connection.execute("SELECT DISTINCT path, thumbnail FROM image").fetchall()
    found, _ = files_in(folder)
    wanted = [(image, small) for image, small in rows if found.get(image) and not found.get(small)]
    made = 0
    with contextlib.closing(ImageFolder(folder)) as images:
        for image, small in wanted:
            with contextlib.suppress(BadInput):  # a damaged image, which the findings name
                images.renew_thumbnail(image, small)
                made += 1
    return made
