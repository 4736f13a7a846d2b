"""Why a file cannot be read, in the words of a person who would look for it, not in those of the system."""

from __future__ import annotations

import csv
from pathlib import Path

from core.errors import BadInput
from core.whole_files import HELD


def unreadable_table(path: Path, error: OSError | UnicodeDecodeError | csv.Error) -> BadInput:
    """What to raise for a CSV file that could not be read.

    >>> str(unreadable_table(Path("map.csv"), FileNotFoundError(2, "No such file or directory")))
    'There is no file map.csv. Check its name and folder.'
    >>> str(unreadable_table(Path("map.csv"), csv.Error("line contains NUL")))
    'map.csv is not a CSV table: line contains NUL. Save it as a CSV file in UTF-8.'
    """
    if isinstance(error, FileNotFoundError):
        return BadInput(f"There is no file {path}.", "Check its name and folder.")
    if isinstance(error, IsADirectoryError):
        return BadInput(f"{path} is a folder, not a file.", "Name a CSV file.")
    if isinstance(error, OSError) and getattr(error, "winerror", None) in HELD:
        return BadInput(f"{path} is open in another program.", "Close it there, and try again.")
    if isinstance(error, PermissionError):
        return BadInput(f"{path} may not be read by you.", "Ask its owner, or copy it.")
    if isinstance(error, UnicodeDecodeError):
        return BadInput(f"{path.name} is not UTF-8 text.", "Save it as a CSV file in UTF-8.")
    if isinstance(error, csv.Error):
        return BadInput(f"{path.name} is not a CSV table: {error}.", "Save it as a CSV file in UTF-8.")
    return BadInput(f"{path} cannot be read: {error.strerror or 'the disk does not answer'}.")
