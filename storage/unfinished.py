"""Half-written image files that a stopped run left: ours by their name, and nobody's work any more."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Sequence
from pathlib import Path

from storage.images import UNFINISHED
from storage.process import is_running

QUIET_SECONDS = 600
"""A file is written in far less; after so long, also one from another machine is left over."""

_OURS = re.compile(
    r"images/(thumbnails/)?[0-9a-f]/[0-9a-f]{64}\.[a-z0-9]{1,5}\.(?P<process>\d{1,9})-\d+"
    + re.escape(UNFINISHED)
)


def remove_unfinished(folder: Path, names: Sequence[str]) -> list[str]:
    """Delete those of these files that this program gave their names and nobody writes; return them.

    Parameters
    ----------
    folder : Path
        Of the study.
    names : sequence of str
        Relative to it, as `storage.check.check_study` tells them.
    """
    removed = []
    for name in names:
        ours = _OURS.fullmatch(name)
        if ours is None:
            continue
        with contextlib.suppress(OSError):  # gone meanwhile, or not ours to delete
            place = folder / name
            is_quiet = time.time() - place.stat().st_mtime > QUIET_SECONDS
            if is_quiet or not is_running(int(ours["process"])):
                place.unlink()
                removed.append(name)
    return removed
