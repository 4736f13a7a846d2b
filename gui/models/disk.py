"""What a study takes on disk and what is free beside it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from gui.words import data_size


def disk_words(folder: Path) -> str:
    """ "31.4 GB, 212 GB free"; walks the folder, so it is called off the GUI thread."""
    return f"{data_size(size_of(folder))}, {data_size(shutil.disk_usage(folder).free)} free"


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder and below; files that vanish meanwhile count nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_size
            except OSError:
                continue
    return total
