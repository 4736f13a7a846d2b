"""Names that people gave, as names of files and folders on every system."""

from __future__ import annotations

import re

LONGEST = 80

_RESERVED = re.compile(r"^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)", re.IGNORECASE)
"""Windows takes these for devices, whatever follows the first dot."""


def plain_name(text: str) -> str:
    """A text as the name of a file or folder on every system.

    Examples
    --------
    >>> plain_name("black-forest/FLUX.1 dev"), plain_name(".."), plain_name("aux"), plain_name("Nul.v2")
    ('black-forest-FLUX.1-dev', 'unnamed', 'aux-', 'Nul-.v2')
    """
    kept = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in text).strip(".-")
    # Windows drops a dot at the end, and the file would have another name.
    return _RESERVED.sub(r"\1-", kept[:LONGEST].rstrip(".")) or "unnamed"
