"""Read a gzip file that a stranger may have made: what comes out of it is bounded by what went in."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path

from core.errors import BadInput

SMALL = 512 * 2**20
"""So many bytes may come out of any file."""

MOST_TIMES = 200
"""Beyond that, so many times the file's own size: tables of labels come to 20 to 60 times, zeros to 1,000."""


class Unpacked(io.RawIOBase):
    """The bytes of a gzip file as a stream; BadInput when more comes out of it than of any honest table."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._most = max(SMALL, MOST_TIMES * path.stat().st_size)
        self._read = 0
        self._file = gzip.open(path)  # noqa: SIM115 (closed with this stream)

    def readable(self) -> bool:
        """Always."""
        return True

    def read(self, size: int = -1) -> bytes:
        """At most so many bytes."""
        try:
            data = self._file.read(min(size, 2**22) if size >= 0 else 2**22)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise BadInput(f"{self._path.name} cannot be unpacked: {error}.", "Send it again.") from error
        self._read += len(data)
        if self._read > self._most:
            raise BadInput(
                f"{self._path.name} unpacks to more than {MOST_TIMES} times its size, as no table does.",
                "Unpack it yourself if it is really one.",
            )
        return data

    def close(self) -> None:
        """Close the file too."""
        self._file.close()
        super().close()
