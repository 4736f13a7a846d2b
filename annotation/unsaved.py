"""Acts that could not be saved, put aside in a file so that a person can still read and enter them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.records import Annotator, AnswerEvent
from core.whole_files import force, put_in_place, sync_folder


def put_aside(folder: Path, annotator: Annotator, events: Sequence[AnswerEvent]) -> Path:
    """Write acts that are not in the study to a new file in its folder; returns the file.

    Parameters
    ----------
    folder : Path
        Folder of the study.
    annotator : Annotator
        Whose acts they are.
    events : sequence of AnswerEvent
        The acts, oldest first; each stands in the file with everything that would have been stored.

    Raises
    ------
    OSError
        When the file cannot be written; nothing is left half-written under its name then.
    """
    at = datetime.now(UTC)
    path = folder / f"not-saved-{annotator.annotator_id}-{at:%Y%m%dT%H%M%S%f}.json"
    content = {
        "what": "Acts of an annotator that could not be saved where they belong, oldest first.",
        "annotator": annotator.name,
        "written_at": at.isoformat(timespec="seconds"),
        "acts": [_plain(event) for event in events],
    }
    unfinished = path.with_suffix(".part")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            json.dump(content, file, ensure_ascii=False, indent=1)
            file.flush()
            force(file.fileno())
        put_in_place(unfinished, path)
        sync_folder(folder)
    finally:
        unfinished.unlink(missing_ok=True)
    return path


def _plain(event: AnswerEvent) -> dict[str, Any]:
    """An act as plain values; the places of the marked images in order."""
    found = asdict(event)
    found["answer"]["marks"] = sorted(event.answer.marks)
    return found
