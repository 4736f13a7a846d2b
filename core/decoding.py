"""What Pillow says while it decodes a stranger's file, in words for a person."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

FORMATS = ("PNG", "JPEG", "WEBP")
"""What a picture may be. Pillow would try fifty, some of them by starting other programs on the file."""


class _Quiet:
    """Pillow's warnings off while any thread decodes.

    `catch_warnings` changes the whole program's filters and is not made for threads: two that overlap
    would leave the filters of the one that ended first. So the first to come in changes them, and the
    last to go out puts them back.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._filters = ExitStack()

    def enter(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._filters.enter_context(warnings.catch_warnings())
                warnings.filterwarnings("ignore", module=r"PIL\b")

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._filters.close()


_QUIET = _Quiet()


@contextmanager
def without_warnings() -> Iterator[None]:
    """Keep Pillow's remarks (large picture, odd EXIF, palette) off the terminal; errors stay errors."""
    _QUIET.enter()
    try:
        yield
    finally:
        _QUIET.leave()


def why_undecodable(error: Exception) -> str:
    """The reason why a file cannot be decoded, without a name or address of ours.

    Examples
    --------
    >>> from PIL import UnidentifiedImageError
    >>> why_undecodable(UnidentifiedImageError("cannot identify image file <_io.BytesIO object at 0x7f>"))
    'its format is not known, or its beginning is damaged'
    >>> why_undecodable(OSError("image file is truncated (3 bytes not processed)"))
    'image file is truncated (3 bytes not processed)'
    """
    from PIL import UnidentifiedImageError

    if isinstance(error, UnidentifiedImageError):
        return "its format is not known, or its beginning is damaged"
    return str(error).rstrip(".") or type(error).__name__
