"""Which extractor of a study is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from core.errors import BadInput
from core.sample import EXACT


class ReadStudy(Protocol):
    """A study that extractors have read."""

    def extractors(self) -> Sequence[Any]:
        """Those that have read it, each with a `name`."""


def usual_extractor(names: Sequence[str]) -> str:
    """The extractor whose records are meant where nobody has said which; "" for no names.

    It is the first that read the study's images, but never the one that knows what was drawn where another
    has read them too: its agreement with people and its labels say nothing about any reader.

    >>> usual_extractor(["drawn-truth", "drawn-reader", "pixels"]), usual_extractor(["drawn-truth"])
    ('drawn-reader', 'drawn-truth')
    """
    return next((name for name in names if name != EXACT), names[0] if names else "")


def chosen_extractor(study: ReadStudy, wanted: str | None) -> str:
    """The name of the extractor asked for, or of the study's only one; BadInput where that is nobody.

    The one that knows what was drawn is not counted where another has read the images (`usual_extractor`).
    """
    names = [str(each.name) for each in study.extractors()]
    reading = [name for name in names if name != EXACT] or names
    if wanted is None and len(reading) == 1:
        return usual_extractor(names)
    if wanted is not None and wanted in names:
        return wanted
    if not names:
        raise BadInput("No extractor has read this study's images.", "Run `main.py extract` first.")
    asked = f"Extractor {wanted!r} has not read this study." if wanted else "Several extractors have read it."
    raise BadInput(asked, f"Say `--extractor` and one of: {', '.join(names)}.")
