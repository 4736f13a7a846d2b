"""What an entry of `generators.json` may say; everything else is refused with what, where and what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.generation.entry import Entry, Folder, Hub, Lora

DTYPES = ("float32", "float16", "bfloat16")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_SOURCE = {"repository", "revision", "variant", "folder", "allow_pickled"}
_NUMBERS: Mapping[str, tuple[type, float, float]] = {
    "width": (int, 16, 4096),
    "height": (int, 16, 4096),
    "steps": (int, 1, 1000),
    "max_sequence_length": (int, 1, 1024),
    "threads": (int, 1, 256),
    "guidance_scale": (float, 0, 100),
    "true_cfg_scale": (float, 0, 100),
}
_TEXTS = {"title", "pipeline", "scheduler", "negative_prompt", "negative_prompt_note", "licence"}
_NEEDED = ("name", "pipeline", "width", "height", "steps", "dtype")
_MAY_BE_NULL = {"negative_prompt", "scheduler", "guidance_scale", "true_cfg_scale", "max_sequence_length"}
_OTHERS = {"name", "dtype", "vae_dtype", "scheduler_options", "uses_safety_checker", "lora", "gated", "bytes"}


def entry_from(row: Any, path: Path) -> Entry:
    """The entry that one JSON object of the file at `path` states; BadInput says what is wrong with it."""
    if not isinstance(row, Mapping):
        raise BadInput(f"{path}: an entry is not an object.", "Write {…} with a name and a pipeline.")
    rules = _Rules(dict(row), path)
    rules.check_keys()
    values = {key: rules.checked(key) for key in row if key not in _SOURCE | {"lora"}}
    return Entry(source=rules.source(), loras=rules.loras(), **values)


class _Rules:
    """One entry while it is looked at."""

    def __init__(self, row: dict[str, Any], path: Path) -> None:
        self._row = row
        self._path = path
        self._name = row.get("name", "without a name")

    def bad(self, what: str, remedy: str) -> BadInput:
        return BadInput(f"{self._path}: the generator {self._name!r} {what}.", remedy)

    def check_keys(self) -> None:
        missing = [key for key in _NEEDED if key not in self._row]
        if missing:
            raise self.bad(f"has no {missing[0]!r}", f"Needed are {', '.join(_NEEDED)}.")
        known = {*_SOURCE, *_NUMBERS, *_TEXTS, *_OTHERS}
        unknown = [key for key in self._row if key not in known]
        if unknown:
            raise self.bad(f"says {unknown[0]!r}, which means nothing here", "Take it out.")

    def checked(self, key: str) -> Any:
        value = self._row[key]
        if value is None and key in _MAY_BE_NULL:
            return None
        if key in _NUMBERS:
            return self._number(key, value)
        if key in _TEXTS:
            return self._typed(key, value, str, "a text")
        return self._other(key, value)

    def _other(self, key: str, value: Any) -> Any:
        if key == "name":
            if not isinstance(value, str) or not _NAME.fullmatch(value):
                raise self.bad("has an unusable name", "Use at most 40 of a–z, 0–9, dot, _ and -.")
        elif key in ("dtype", "vae_dtype"):
            if value not in DTYPES:
                raise self.bad(f"has the {key} {value!r}", f"Choose one of {', '.join(DTYPES)}.")
        elif key in ("gated", "uses_safety_checker"):
            return self._typed(key, value, bool, "true or false")
        else:
            return self._typed(key, value, dict, "an object")
        return value

    def _typed(self, key: str, value: Any, kind: type, words: str) -> Any:
        if not isinstance(value, kind):
            raise self.bad(f"has {key!r} that is not {words}", f"Write {words}.")
        return value

    def _number(self, key: str, value: Any) -> Any:
        kind, least, most = _NUMBERS[key]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or (kind is int and value != int(value)) or not least <= value <= most:
            whole = "a whole number" if kind is int else "a number"
            raise self.bad(f"has {key!r} = {value!r}", f"Give {whole} from {least} to {most}.")
        return kind(value)

    def source(self) -> Hub | Folder:
        folder, repository = self._row.get("folder"), self._row.get("repository")
        variant = self._row.get("variant")
        if variant is not None:
            self._typed("variant", variant, str, "a text")
        if (folder is None) == (repository is None):
            raise self.bad("names not one model", "Give a folder, or a repository with its revision.")
        allows = self._typed("allow_pickled", self._row.get("allow_pickled", False), bool, "true or false")
        if folder is not None:
            path = Path(self._typed("folder", folder, str, "a text")).expanduser()
            return Folder(path if path.is_absolute() else self._path.parent / path, variant, allows)
        if allows:
            raise self.bad(
                "allows pickled weights from the hub", "Copy the model here, look at it, and name its folder."
            )
        if not isinstance(repository, str) or not _REPOSITORY.fullmatch(repository):
            raise self.bad(f"has the repository {repository!r}", "Write it as owner/name.")
        revision = self._row.get("revision")
        if not isinstance(revision, str) or not _COMMIT.fullmatch(revision):
            raise self.bad(
                "has no fixed revision", "Give the commit, 40 digits: a branch moves, and so would images."
            )
        return Hub(repository, revision, variant)

    def loras(self) -> tuple[Lora, ...]:
        rows = self._row.get("lora", [])
        rows = rows if isinstance(rows, list) else [rows]
        return tuple(self._lora(row) for row in rows)

    def _lora(self, row: Any) -> Lora:
        row = {"file": row} if isinstance(row, str) else row
        if (
            not isinstance(row, dict)
            or not isinstance(row.get("file"), str)
            or row.keys() - {"file", "scale"}
        ):
            raise self.bad("has a LoRA without a file", 'Write {"file": "name.safetensors", "scale": 1.0}.')
        scale = row.get("scale", 1.0)
        if isinstance(scale, bool) or not isinstance(scale, int | float) or not -10 <= scale <= 10:
            raise self.bad(f"has a LoRA with the scale {scale!r}", "Give a number from -10 to 10.")
        file = Path(row["file"]).expanduser()
        return Lora(file if file.is_absolute() else self._path.parent / file, float(scale))
