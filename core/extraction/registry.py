"""Extractors by name. Each is imported when it is asked for, so that listing them costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.extraction.extractor import Extractor
from core.schema import Schema

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions


def _drawn_truth(schema: Schema) -> Extractor:
    from core.extraction.drawn_truth import DrawnTruth

    return DrawnTruth(schema)


def _drawn_reader(schema: Schema) -> Extractor:
    from core.extraction.drawn_truth import DrawnReader

    return DrawnReader(schema)


def _pixels(schema: Schema) -> Extractor:
    from core.extraction.pixels.reader import PixelReader

    return PixelReader(schema)


def _pixels_with_faces(schema: Schema) -> Extractor:
    from core.extraction.pixels.reader import PixelReader

    return PixelReader.with_faces(schema)


def _reader(schema: Schema) -> Extractor:
    from core.extraction.reader import Reader

    return Reader(schema)


_MAKERS: dict[str, Callable[[Schema], Extractor]] = {
    "drawn-reader": _drawn_reader,
    "drawn-truth": _drawn_truth,
    "reader": _reader,
    "pixels": _pixels,
    "pixels-faces": _pixels_with_faces,
}


VLM = "vlm"
"""The extractor that asks a server; it needs options."""


def names() -> tuple[str, ...]:
    """Names of the extractors that need no server and no options, in alphabetical order."""
    return tuple(sorted(_MAKERS))


def dimensions_of(name: str) -> frozenset[str] | None:
    """The dimensions that an extractor ever has a label for; None where it is asked for all of the schema.

    >>> dimensions_of("vlm") is None, "mood" in (dimensions_of("pixels") or ())
    (True, False)
    """
    if name in ("pixels", "pixels-faces"):
        from core.extraction.pixels.reader import dimensions_read

        return frozenset(dimensions_read(name == "pixels-faces"))
    if name == "reader":
        from core.extraction.reader import dimensions_known

        return dimensions_known()
    if name in ("drawn-truth", "drawn-reader"):
        from core.generation.drawn.truth import READERS

        return frozenset((*READERS, "dominant_colors"))
    return None


def by_name(name: str, schema: Schema, options: VlmOptions | None = None) -> Extractor:
    """The extractor with this name, reading for a schema; BadInput for another name.

    Parameters
    ----------
    name : str
        One of `names()`, or "vlm".
    schema : Schema
        What it reads for.
    options : VlmOptions, optional
        Server, model and limits; "vlm" needs them, no other takes them.
    """
    if name == VLM:
        from core.extraction.vlm import vlm_extractor

        if options is None:
            raise BadInput("The extractor vlm needs a model.", "Say which one (--model).")
        return vlm_extractor(schema, options)
    if name not in _MAKERS:
        known = ", ".join([*names(), VLM])
        raise BadInput(f"There is no extractor {name!r}.", f"Use one of: {known}.")
    return _MAKERS[name](schema)
