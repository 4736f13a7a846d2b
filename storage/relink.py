"""Put images that are missing back in their place, wherever a file with just their content lies.

The name of an image is its content, so a file that somebody renamed or moved, or a copy of the folder that
lies elsewhere, can be recognised. Files are copied and none is moved or deleted.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core.jobs import Job, Progress
from core.keys import content_hash
from core.paths import IMAGES
from core.regular_files import read_regular
from storage.connections import connect_reader, study_file
from storage.images import ImageFolder, must_be_inside
from storage.trouble import put_in_words

MOST_FILES = 2_000_000
"""Looked at in one place; a folder with more is not where images were put."""


def relink(folder: Path, places: Sequence[Path] = ()) -> Job[list[str]]:
    """Look for missing and damaged images among the study's own stray files and in other folders.

    Parameters
    ----------
    folder : Path
        The study's folder.
    places : sequence of Path
        Where else to look, with everything below.

    Returns
    -------
    Job of list of str
        Paths of the images that are in their place again.
    """
    path = study_file(folder)
    with put_in_words(path), contextlib.closing(connect_reader(path)) as connection:
        rows = connection.execute("SELECT DISTINCT path, thumbnail, bytes, sha256 FROM image").fetchall()
    for image, small, _, _ in rows:
        must_be_inside(image, small)
    missing = {sha256: image for image, _, size, sha256 in rows if _size(folder / image) != size}
    sizes = {size for _, _, size, sha256 in rows if sha256 in missing}
    found: list[str] = []
    with contextlib.closing(ImageFolder(folder)) as images:
        for number, candidate in enumerate(_files([folder / IMAGES, *places], sizes)):
            if not missing:
                break
            found += _put_back(candidate, missing, images)
            yield Progress(number, number + 1, candidate.name)
    return found


def _put_back(candidate: Path, missing: dict[str, str], images: ImageFolder) -> Iterator[str]:
    try:
        data = read_regular(candidate)
    except OSError:
        return  # another file may have it
    wanted = missing.pop(content_hash(data), None)
    if wanted is not None:
        images.put_back(wanted, data)
        yield wanted


def _files(places: Sequence[Path], sizes: set[int]) -> Iterator[Path]:
    """Files of these sizes below the places; a folder is entered once, whatever links lead to it."""
    seen: set[str] = set()
    count = 0
    for place in places:
        for parent, folders, names in os.walk(place, followlinks=True):
            real = os.path.realpath(parent)
            if real in seen:
                folders.clear()
                continue
            seen.add(real)
            for name in names:
                count += 1
                if count > MOST_FILES:
                    return
                candidate = Path(parent, name)
                if _size(candidate) in sizes:
                    yield candidate


def _size(path: Path) -> int:
    """Size of a file; -1 where there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def sentence(found: Sequence[str], before: Mapping[str, int]) -> str:
    """What was put back, of how many."""
    wanted = before.get("missing image", 0) + before.get("damaged image", 0)
    return f"Images found elsewhere and put back: {len(found)} of {wanted}."
