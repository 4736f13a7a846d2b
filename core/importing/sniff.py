"""What a file is, from its first bytes; a name proves nothing."""

from __future__ import annotations

HEAD = 16
"""Bytes that suffice to tell."""

SUFFIXES = {"jpeg": ".jpg", "png": ".png", "webp": ".webp"}


def sniff(head: bytes) -> str | None:
    """The image format ("jpeg", "png", "webp") that the first bytes show, or None.

    Examples
    --------
    >>> sniff(b"\\xff\\xd8\\xff\\xe0") == "jpeg", sniff(b"GIF89a") is None
    (True, True)
    """
    if head.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    return None
