"""What folder and file names state: the published tree, and plain sub-folders.

The published tree is `[<generator>/]<Condition folder>/<role>/[<type>/]<prompt>/image_<i>_seed_<s>.jpg`
with an optional `manifest.json`. Condition folders end in CF, CA-R or CA-U. In any other folder, the
sub-folder names the role.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from core.errors import BadInput
from core.importing.map_file import PUBLISHED, stated_by
from core.importing.plan import Stated, plain_words, shortened, shown_path
from core.records import condition_of
from core.regular_files import read_regular

_SEED = re.compile(r"seed_(\d+)", re.IGNORECASE)
_NUMBERED = re.compile(r"^prompt_\d+_")
MANIFEST = "manifest.json"
MOST_MANIFEST_BYTES = 64 * 1024 * 1024
"""Ten times the manifest of a study of the paper's size."""


def stated_by_path(relative: PurePosixPath) -> Stated:
    """What a picture's path below the imported folder states.

    Examples
    --------
    >>> path = PurePosixPath("Context-free_CF/baker/a_photo_of_a_baker/image_0_seed_41.jpg")
    >>> said = stated_by_path(path)
    >>> said.role, said.condition, said.prompt, said.seed
    ('baker', <Condition.CF: 'CF'>, 'a photo of a baker', 41)
    """
    folders = relative.parts[:-1]
    seed = _SEED.search(relative.name)
    number = int(seed.group(1)) if seed and len(seed.group(1)) < 19 else None
    for position, name in enumerate(folders):
        condition = condition_of(name)
        if condition is not None:
            below = folders[position + 1 :]
            return Stated(
                role=_words(below[0]) if below else None,
                condition=condition,
                generator=_words(folders[position - 1]) if position else None,
                prompt=_words(_prompt_text(below[-1])) if len(below) > 1 else None,
                seed=number,
            )
    return Stated(role=_words(folders[-1]) if folders else None, seed=number)


def _words(name: str) -> str | None:
    return plain_words(name, f"Folder {shortened(shown_path(name))}")


def _prompt_text(folder: str) -> str:
    return _NUMBERED.sub("", folder).replace("_", " ").strip()


def read_manifests(root: Path, manifests: Iterable[Path] | None = None) -> dict[str, Stated]:
    """What `manifests`, or every `manifest.json` below `root`, state: path relative to `root` -> Stated."""
    stated: dict[str, Stated] = {}
    for manifest in sorted(root.rglob(MANIFEST)) if manifests is None else manifests:
        if not manifest.is_file():
            continue
        if manifest.stat().st_size > MOST_MANIFEST_BYTES:
            raise BadInput(f"{manifest} is larger than {MOST_MANIFEST_BYTES} bytes.", "Import part by part.")
        folder = manifest.parent.relative_to(root)
        for number, entry in enumerate(_entries(manifest)):
            name = _path_in(entry)
            row = {PUBLISHED.get(key, key): value for key, value in entry.items()}
            if name:
                stated[(folder / name).as_posix()] = stated_by(row, f"{manifest.name}, entry {number + 1}")
    return stated


def _path_in(entry: dict[str, Any]) -> str:
    """The path that an entry of a manifest names; NUL, which no path can hold, taken out."""
    name = str(entry.get("relpath") or entry.get("filename") or "")
    return name.replace("\\", "/").replace("\0", "")


def _entries(manifest: Path) -> list[dict[str, Any]]:
    try:
        loaded = json.loads(read_regular(manifest).decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(
            f"{manifest} cannot be read as JSON: {str(error)[:120]}.", "Repair or remove it."
        ) from error
    entries = loaded if isinstance(loaded, list) else []
    return [entry for entry in entries if isinstance(entry, dict)]
