"""Extractors by name. Each is imported when it is asked for, so that listing them costs nothing."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import BadInput
from core.extraction.extractor import Extractor
from core.schema import Schema


def _drawn_truth(schema: Schema) -> Extractor:
    from core.extraction.drawn_truth import DrawnTruth

    return DrawnTruth(schema)


def _drawn_reader(schema: Schema) -> Extractor:
    from core.extraction.drawn_truth import DrawnReader

    return DrawnReader(schema)


_MAKERS: dict[str, Callable[[Schema], Extractor]] = {
    "drawn-reader": _drawn_reader,
    "drawn-truth": _drawn_truth,
}


def names() -> tuple[str, ...]:
    """Names of all extractors that come with this release, in alphabetical order."""
    return tuple(sorted(_MAKERS))


def by_name(name: str, schema: Schema) -> Extractor:
    """The extractor with this name, reading for a schema; BadInput for another name."""
    if name not in _MAKERS:
        raise BadInput(f"There is no extractor {name!r}.", f"Use one of: {', '.join(names())}.")
    return _MAKERS[name](schema)
