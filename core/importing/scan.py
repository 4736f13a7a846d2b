"""Look through a folder and plan the import: nothing is brought in yet."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from core.held_files import HeldHere
from core.importing.folders import MANIFEST, read_manifests, stated_by_path
from core.importing.map_file import columns_passed_over, read_map
from core.importing.plan import UNSORTED, ImportPlan, Pending, Stated, folder_of_pictures, plain_words
from core.importing.sniff import HEAD, SUFFIXES, sniff
from core.importing.walk import NotWanted, walk
from core.regular_files import regular
from core.release.names import CARD, MARK, METADATA, RUN, SUMS

MOST_BYTES = 256 * 1024 * 1024
"""A larger file is not a generated picture."""

PICTURE_ENDINGS = frozenset({*SUFFIXES.values(), ".jpeg"})


def scan(
    folder: Path,
    map_file: Path | None = None,
    said: Stated | None = None,
    is_wanted: Callable[[], bool] = lambda: True,
) -> ImportPlan:
    """Plan what to take from `folder` and its sub-folders.

    Parameters
    ----------
    folder : Path
        Folder of JPEG, PNG and WebP files, in any depth, or the published tree.
    map_file : Path, optional
        CSV that says role, condition, generator, prompt and seed by file name (see `map_file`).
    said : Stated, optional
        What holds for every picture that nothing else says anything about.
    is_wanted : callable, optional
        Asked at every file and folder; once it says no, `NotWanted` is raised.

    Returns
    -------
    ImportPlan
        Every file below the folder is in it once: to be taken, or refused with a class and a reason.
        What the map says comes first, then a manifest, then folder names, then `said`. With a map, a
        picture whose role none of them says is refused; without one it goes in unsorted. A folder that this
        program released brings its own map; its card, checksums and marks are companions, not failures.
        Folders of studies are left out and counted: their images are in a study already.
    """
    root = folder_of_pictures(folder)
    is_release = all((root / name).is_file() for name in (METADATA, SUMS))
    if is_release and map_file is None:
        map_file = root / METADATA
    mapped = read_map(map_file) if map_file else {}
    found = walk(root, is_wanted)
    manifests = read_manifests(root, [path for path in found.paths if path.name == MANIFEST])
    passed_over = columns_passed_over(map_file) if map_file else []
    plan = ImportPlan(root, passed_over=passed_over, studies_left_out=found.studies)
    rest = Stated(role=UNSORTED, generator=plain_words(root.name, "The folder's name"))
    seen: set[str] = set()
    for path in found.paths:
        if not is_wanted():
            raise NotWanted
        relative = path.relative_to(root).as_posix()
        if path.name == MANIFEST or (map_file and path == map_file.resolve()):
            continue
        if path.is_dir():
            _look_at_folder(path, relative, plan)
            continue
        if is_release and (relative in (CARD, SUMS, RUN) or path.suffix == MARK):
            plan.companions.append(relative)
            continue
        seen.add(relative)
        kind = _readable(path, relative, plan)
        if kind is None:
            continue
        stated = _by_map(mapped, relative).filled_from(manifests.get(relative, Stated()))
        stated = stated.filled_from(stated_by_path(PurePosixPath(relative))).filled_from(said or Stated())
        if map_file and stated.role is None:
            plan.refuse(relative, "not in the map", "Neither the map nor its folder says what it shows.")
        else:
            plan.pictures.append(Pending(path, kind, stated.filled_from(rest)))
    _name_missing(plan, root, [*mapped, *manifests], seen)
    return plan


def _look_at_folder(path: Path, relative: str, plan: ImportPlan) -> None:
    """A folder is walked through, not taken; one that calls itself a picture, or leads elsewhere, is told."""
    if path.is_symlink() and not path.resolve().is_relative_to(plan.root):  # the walk follows no link
        plan.refuse(relative, "outside the folder", "It is a link to a folder elsewhere.")
    elif path.suffix.lower() in PICTURE_ENDINGS and not any(path.iterdir()):
        plan.refuse(relative, "not a file", "It is an empty folder.")


def _by_map(mapped: dict[str, Stated], relative: str) -> Stated:
    found = mapped.get(relative)
    return found if found is not None else mapped.get(PurePosixPath(relative).name, Stated())


def _readable(path: Path, relative: str, plan: ImportPlan) -> str | None:
    """The format of a file worth opening; otherwise None, with the reason noted in the plan."""
    try:
        if path.is_symlink() and not path.resolve().is_relative_to(plan.root):
            plan.refuse(relative, "outside the folder", "It is a link to a file outside the imported folder.")
            return None
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # a pipe would be waited for without end
            plan.refuse(relative, "not a file", "It is a pipe, a socket or a device.")
            return None
        size = found.st_size
        with open(path, "rb", opener=regular) as file:
            head = file.read(HEAD)
    except HeldHere:
        plan.refuse(relative, "in use", "It belongs to the study or packet that is open in this program.")
        return None
    except (OSError, RuntimeError) as error:  # RuntimeError: a link that leads to itself
        why = getattr(error, "strerror", None) or "the link leads to itself"
        plan.refuse(relative, "cannot be read", f"The system says: {why}.")
        return None
    if size == 0:
        plan.refuse(relative, "empty", "The file has no bytes.")
        return None
    if size > MOST_BYTES:
        plan.refuse(relative, "too large", f"It has {size} bytes; the limit is {MOST_BYTES}.")
        return None
    kind = sniff(head)
    if head.startswith(b"GIF8"):
        plan.refuse(relative, "not taken", "It is a GIF, which is not taken; convert it to PNG.")
    elif kind is None:
        plan.refuse(relative, "not a picture", "Its first bytes are not those of a JPEG, PNG or WebP file.")
    return kind


def _name_missing(plan: ImportPlan, root: Path, named: list[str], seen: set[str]) -> None:
    names = {PurePosixPath(relative).name for relative in seen}
    for name in dict.fromkeys(named):
        if name in seen or name in names:
            continue
        inside = (root / name).resolve().is_relative_to(root)
        if inside:
            plan.refuse(name, "missing", "The map or manifest names it, but it is not in the folder.")
        else:
            plan.refuse(name, "outside the folder", "The map or manifest names a file outside the folder.")
