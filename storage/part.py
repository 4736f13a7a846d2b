"""What every part of the store has: the way to write, the way to read, and JSON and time as text."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from core.errors import StoreError
from core.keys import canonical_json
from core.records import Condition, ImageStatus, StoredImage
from storage.images import ImageFolder, must_be_inside
from storage.readers import Readers
from storage.writer import Writer

IMAGE_COLUMNS = """
    image.id, generator.name, role.name, prompt.condition, prompt.text, image.seed, image.sha256,
    image.path, image.thumbnail, image.width, image.height, image.status
"""
"""In the order of `StoredImage`; read with `IMAGE_TABLES`."""

IMAGE_TABLES = """
    image
    JOIN generator ON generator.id = image.generator_id
    JOIN prompt ON prompt.id = image.prompt_id
    JOIN role ON role.id = prompt.role_id
"""


class Part:
    """The parts of `Store` are classes over the same writer, readers and image folder."""

    _writer: Writer
    _readers: Readers
    _images: ImageFolder


def now() -> str:
    """UTC time as ISO 8601 with milliseconds, ending in Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def as_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON text of a mapping or sequence, the same for equal values.

    JSON has no infinity: Python's module would write one that SQLite refuses to read, so it becomes a word.

    >>> as_json({"least": float("-inf"), "most": 1.5})
    '{"least":"-Infinity","most":1.5}'
    """
    plain = dict(value) if isinstance(value, Mapping) else list(value)
    text = canonical_json(plain)
    return canonical_json(_in_finite(plain)) if "Infinity" in text or "NaN" in text else text


def _in_finite(value: Any) -> Any:
    """The value with every number that JSON does not know as the word that Python writes for it."""
    if isinstance(value, float) and not math.isfinite(value):
        return canonical_json(value)
    if isinstance(value, Mapping):
        return {name: _in_finite(each) for name, each in value.items()}
    return [_in_finite(each) for each in value] if isinstance(value, list | tuple) else value


def from_json(text: str) -> Any:
    """The value of a JSON text that this program wrote; another one raises StoreError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StoreError(
            "The study holds a value that cannot be read.",
            "The file is damaged: run `main.py doctor` on the study, and go back to a backup.",
        ) from error


def marks_in(values: Sequence[Any]) -> str:
    """As many question marks as there are values, for a list in SQL.

    >>> marks_in("abc")
    '?, ?, ?'
    """
    return ", ".join("?" * len(values))


_CONDITIONS = {one.value: one for one in Condition}
_STATUSES = {one.value: one for one in ImageStatus}
# A look into a dictionary costs a tenth of a call of the class, and a study has sixty thousand images.


def condition_of(text: str | None) -> Condition | None:
    """The condition of a column's text; None where nobody stated one."""
    return None if text is None else _CONDITIONS.get(text) or Condition(text)


def stored_image(row: Sequence[Any]) -> StoredImage:
    """A row of `IMAGE_COLUMNS` as a record; a path that is not one of ours raises StoreError."""
    number, generator, role, condition, prompt, seed, sha256, path, thumbnail, width, height, status = row
    must_be_inside(path, thumbnail)
    return StoredImage(
        number,
        generator,
        role,
        condition_of(condition),
        prompt,
        seed,
        sha256,
        path,
        thumbnail,
        width,
        height,
        _STATUSES.get(status) or ImageStatus(status),
    )
