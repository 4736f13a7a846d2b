"""Images and a place for records in memory, and the run of a whole extraction in one line."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from PIL import Image

from core.errors import StoreError
from core.extraction.extractor import Truth
from core.extraction.vlm import VlmOptions, vlm_extractor
from core.extraction.vlm.picture import make_picture
from core.extraction.vlm.reader import VlmExtractor
from core.jobs import Outcome, Progress, run_here
from core.records import NewRecord, Status, StoredImage
from core.schema import Schema, load_schema
from tests.contracts.extractor_contract import make_image
from tests.fake_server import FakeServer, true_reading

SCHEMA = load_schema()
SIZE = 64


@cache
def png(number: int) -> bytes:
    """A small picture that no other number has."""
    out = io.BytesIO()
    image = Image.new("RGB", (32, 32), (number % 256, number // 256 * 16 % 256, 90))
    image.paste((number * 7 % 256, 20, 20), (0, 0, 16, 16))
    image.save(out, "PNG")
    return out.getvalue()


def sent(number: int) -> str:
    """Hash of the picture that is sent for an image."""
    return sha256(make_picture(png(number), SIZE, 90).data).hexdigest()


class Shelf:
    """Source and sink; like the store, it keeps every record and leaves the keys of errors free."""

    def __init__(self, missing: Sequence[int] = (), broken: Sequence[int] = ()) -> None:
        self.records: list[NewRecord] = []
        self.saves: list[int] = []
        self.missing = missing
        self.broken = broken

    def record_keys(self, extractor: str) -> set[str]:
        return {
            each.record_key
            for each in self.records
            if each.extractor == extractor and each.status is not Status.ERROR
        }

    def add_records(self, records: Sequence[NewRecord]) -> None:
        taken = self.record_keys(records[0].extractor) if records else set()
        self.records += [each for each in records if each.record_key not in taken]
        self.saves.append(len(records))

    def truth_of(self, image_ids: object) -> Mapping[int, Truth]:
        return {}

    def image_bytes(self, image: StoredImage) -> bytes:
        if image.image_id in self.missing:
            raise StoreError(f"The file {image.path} is missing.")
        return b"\x89PNG\r\n\x1a\n broken" if image.image_id in self.broken else png(image.image_id)

    def statuses(self) -> dict[int, Status]:
        """The last record's status of every image."""
        return {record.image_id: record.status for record in self.records}


def options(fake: FakeServer, /, **changes: Any) -> VlmOptions:
    """Options for a fake server: small pictures, short waits."""
    values: dict[str, Any] = {
        "model": "fake-vision",
        "base_url": fake.base_url,
        "image_size": SIZE,
        "first_wait": 0.01,
        "timeout": 20.0,
    }
    return VlmOptions(**{**values, **changes})


def make_extractor(fake: FakeServer, /, schema: Schema = SCHEMA, **changes: Any) -> VlmExtractor:
    """An extractor for a fake server."""
    return vlm_extractor(schema, options(fake, **changes))


def images(count: int) -> list[StoredImage]:
    """Images 1 to count."""
    return [make_image(number) for number in range(1, count + 1)]


def read(
    fake: FakeServer,
    count: int,
    shelf: Shelf | None = None,
    /,
    report: Callable[[Progress], None] | None = None,
    **changes: Any,
) -> tuple[Outcome, Shelf]:
    """Read images 1 to count from a fake server."""
    shelf = shelf or Shelf()
    extractor = make_extractor(fake, **changes)
    outcome = run_here(extractor.read_many(images(count), shelf, shelf), report)
    return outcome, shelf


def assert_right(record: NewRecord, schema: Schema = SCHEMA) -> None:
    """Hold every reading of a record that is ok against what the server reads off that picture."""
    truth = true_reading(make_picture(png(record.image_id), SIZE, 90).data, schema)
    for name, reading in record.readings.items():
        said = truth[name] if isinstance(truth[name], list) else [truth[name]]
        if reading.status is Status.OK:
            assert list(reading.labels) == said, (record.image_id, name)
        elif reading.status is Status.UNKNOWN:
            assert said == ["unknown"], (record.image_id, name)
