"""Read a JSON file that anybody may have written: whatever is wrong with it is a sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.regular_files import read_regular

MOST_BYTES = 64 * 2**20
"""The largest of ours, the contexts of all roles, has a thousandth of that."""

_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""How half of a pair of surrogates is written; two of them together make a character."""


def read_json(path: Path, what: str = "") -> Any:
    """The value that a file holds.

    Parameters
    ----------
    path : Path
        The file.
    what : str
        How it is called in an error; the file's name when left out.

    Raises
    ------
    BadInput
        It cannot be read, is too large, is no UTF-8 text or no JSON.
    """
    named = what or path.name
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{named} is larger than {MOST_BYTES // 2**20} MB, which no file of ours is.")
        text = read_regular(path).decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{named} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{named} cannot be read: it is not UTF-8 text.") from error
    return parse_json(text, named)


def parse_json(text: str, named: str) -> Any:
    """The value of a JSON text; BadInput for any other, with the line."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"{named} is not JSON: {error.msg} in line {error.lineno}.") from error
    except (ValueError, RecursionError) as error:  # a number of too many digits, lists within lists
        raise BadInput(f"{named} is not JSON that can be used: {str(error)[:100]}.") from error
    if _HALF.search(text) and not _is_text(found):
        raise BadInput(f"{named} holds half a character, such as \\ud800.", "Write whole characters.")
    return found


def _is_text(found: Any) -> bool:
    """Whether all words of a value can be written as UTF-8."""
    try:
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
