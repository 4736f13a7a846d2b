"""Judgements as lines of a file that only grows, so that several windows judge at once and none is lost.

Each line is one act: the image, what is said of it ("" takes a judgement back), when, and in which window.
Of several acts about one image the last line counts. A line that a power cut left half written is none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from core.errors import UserError
from core.whole_files import force, sync_folder

LOG = "judged.jsonl"
"""Beside the sheet."""


@dataclass(frozen=True, slots=True)
class Act:
    """What was said of an image: the words of the sheet's cell, when (UTC), in which window."""

    image: int
    label: str
    at: str = ""
    by: str = ""


def append_acts(path: Path, acts: Sequence[Act]) -> None:
    """Put acts at the end of the file, forced to the disk; UserError where that is not possible."""
    if not acts:
        return
    text = "".join(json.dumps(asdict(act), ensure_ascii=False) + "\n" for act in acts)
    is_new = not path.exists()
    try:
        with path.open("ab+") as file:  # the system itself puts each write behind those of other windows
            end = file.seek(0, os.SEEK_END)
            file.seek(max(end - 1, 0))
            is_torn = end > 0 and file.read(1) != b"\n"
            file.write(("\n" if is_torn else "").encode() + text.encode())
            file.flush()
            force(file.fileno())
        if is_new:
            sync_folder(path.parent)
    except OSError as error:
        raise UserError(
            f"{path} could not be written: {error.strerror}.", "Make room, or free it."
        ) from error


def read_acts(path: Path) -> tuple[list[Act], int]:
    """All acts in order, and the size of the file they were read from; none where there is no file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    except OSError as error:
        raise UserError(f"{path} could not be read: {error.strerror}.") from error
    return [act for line in data.splitlines() if (act := _act(line)) is not None], len(data)


def standing(acts: Iterable[Act]) -> dict[int, Act]:
    """The act that counts of each image.

    >>> standing([Act(1, "standing"), Act(2, "sitting"), Act(1, "")])[1].label
    ''
    """
    return {act.image: act for act in acts}


def _act(line: bytes) -> Act | None:
    try:
        said = json.loads(line)
        return Act(int(said["image"]), str(said["label"]), str(said["at"]), str(said["by"]))
    except (ValueError, KeyError, TypeError):
        return None
