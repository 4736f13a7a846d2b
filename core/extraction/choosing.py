"""Which extractor of a study is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from core.errors import BadInput


class ReadStudy(Protocol):
    """A study that extractors have read."""

    def extractors(self) -> Sequence[Any]:
        """Those that have read it, each with a `name`."""


def chosen_extractor(study: ReadStudy, wanted: str | None) -> str:
    """The name of the extractor asked for, or of the study's only one; BadInput where that is nobody."""
    names = [str(each.name) for each in study.extractors()]
    if wanted is None and len(names) == 1:
        return names[0]
    if wanted is not None and wanted in names:
        return wanted
    if not names:
        raise BadInput("No extractor has read this study's images.", "Run `main.py extract` first.")
    asked = f"Extractor {wanted!r} has not read this study." if wanted else "Several extractors have read it."
    raise BadInput(asked, f"Say `--extractor` and one of: {', '.join(names)}.")
