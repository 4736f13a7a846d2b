"""Files of requests, as large as a server takes: counted in requests and in bytes after encoding."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import BadInput
from core.extraction.batch.ledger import Ledger, Part
from core.extraction.vlm.picture import Picture
from core.extraction.vlm.request import Asking
from core.records import StoredImage
from core.whole_files import force, put_in_place

ENDPOINTS = {"chat": "/v1/chat/completions", "responses": "/v1/responses"}


@dataclass
class Builder:
    """Writes requests into parts; a part is in the ledger once it is whole.

    Parameters
    ----------
    ledger : Ledger
        Where parts are kept.
    asking : Asking
        What is the same in every request.
    most_requests, most_bytes : int
        Limits of one file.
    """

    ledger: Ledger
    asking: Asking
    most_requests: int
    most_bytes: int
    _asked: dict[str, dict[str, Any]] = field(default_factory=dict)
    _bytes: int = 0
    _file: BinaryIO | None = None

    def build(
        self,
        images: Iterable[StoredImage],
        picture_of: Callable[[StoredImage], Picture | None],
        key_of: Callable[[StoredImage], str],
    ) -> Iterator[StoredImage]:
        """Write a request for every image that has a picture; yields after each image."""
        self.ledger.folder.mkdir(parents=True, exist_ok=True)
        try:
            for image in images:
                picture = picture_of(image)
                if picture is not None:
                    self._add(key_of(image), picture)
                yield image
            self._finish()
        finally:
            if self._file is not None:
                self._file.close()

    def _add(self, key: str, picture: Picture) -> None:
        line = self._line(key, picture)
        if len(line) > self.most_bytes:
            raise BadInput(
                f"One request has {len(line):,} bytes and a file may have {self.most_bytes:,}.",
                "Lower the longest side (--image-size).",
            )
        if self._asked and (
            len(self._asked) >= self.most_requests or self._bytes + len(line) > self.most_bytes
        ):
            self._finish()
        if self._file is None:
            self._file = self._path.open("wb")
        self._file.write(line)
        self._bytes += len(line)
        self._asked[key] = {"request": self.asking.key(picture), "picture": picture.as_data()}

    def _line(self, key: str, picture: Picture) -> bytes:
        request = {
            "custom_id": key,
            "method": "POST",
            "url": ENDPOINTS[self.asking.terms.api],
            "body": self.asking.body(picture),
        }
        return json.dumps(request, separators=(",", ":")).encode() + b"\n"

    def _finish(self) -> None:
        """Close the part that is being written and put it into the ledger."""
        if self._file is None:
            return
        self._file.flush()
        force(self._file.fileno())
        self._file.close()
        self._file = None
        part = Part(len(self.ledger.parts) + 1, len(self._asked), self._bytes)
        put_in_place(self._path, self.ledger.requests_file(part))
        self.ledger.write_asked(part, self._asked)
        self.ledger.parts.append(part)
        self.ledger.save()
        self._asked, self._bytes = {}, 0

    @property
    def _path(self) -> Path:
        return self.ledger.folder / "part.new"
