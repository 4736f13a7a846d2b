"""The job that reads images: resumable, every image accounted for, nothing dropped.

An image is skipped when its record is there already. One that must not be sent (black, flagged, of the
wrong size) gets a record with that status without being sent. A picture that the extractor refuses, a file
that is missing and an error of the world each become a record and a row among the failures, and the job
goes on; records with the status `error` are tried again by the next run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from core.errors import StoreError, UserError
from core.extraction.extractor import Extractor, RefusedPicture, Truth, key_for
from core.jobs import Job, Outcome, Progress
from core.records import ImageStatus, NewRecord, Status, StoredImage

BATCH = 50
"""Images whose truth is asked for, and records that are saved, at a time."""

_WORDS = {
    Status.REFUSED: "refused picture",
    Status.FLAGGED: "not sent",
    Status.MISSING_IMAGE: "missing image",
}
"""Class of a failure where it is not the status itself."""

_NOT_SENT = {
    ImageStatus.BLACK: "The picture is black.",
    ImageStatus.FLAGGED: "The generator's safety filter flagged the picture.",
    ImageStatus.WRONG_SIZE: "The picture has another size than was asked for.",
}


class ImageSource(Protocol):
    """Where the images of a study are read from."""

    def truth_of(self, image_ids: Iterable[int]) -> Mapping[int, Truth]:
        """What is on the drawn ones among these images; others are left out."""

    def image_bytes(self, image: StoredImage) -> bytes:
        """The encoded file; StoreError when it is missing."""


class RecordSink(Protocol):
    """Where records go."""

    def record_keys(self, extractor: str) -> set[str]:
        """Keys of an extractor's records that need not be made again."""

    def add_records(self, records: Sequence[NewRecord]) -> None:
        """Save records in one transaction."""


@runtime_checkable
class ReadsMany(Protocol):
    """An extractor that reads many images at once and saves the records itself."""

    def prepare(self) -> Job[None]:
        """Find out what must be known before anything is read; again does nothing."""

    def read_many(self, images: Sequence[StoredImage], source: ImageSource, sink: RecordSink) -> Job[Outcome]:
        """Read images that have no record yet; every one is accounted for in the outcome."""


def extract_records(
    images: Sequence[StoredImage],
    extractor: Extractor,
    source: ImageSource,
    sink: RecordSink,
    *,
    batch: int = BATCH,
    every_seconds: float = 0.2,
) -> Job[Outcome]:
    """Read every image that has no record yet and save the records in batches.

    Parameters
    ----------
    images : sequence of StoredImage
        Whatever their status.
    extractor : Extractor
        What reads them.
    source : ImageSource
        Truth and files of the images.
    sink : RecordSink
        Records that are there, and where new ones go. Also a cancelled job has saved what it read.
    batch : int
        Records saved at a time.
    every_seconds : float
        Progress is told at least after every batch and otherwise no more often than this.
    """
    if isinstance(extractor, ReadsMany):
        return (yield from extractor.read_many(images, source, sink))
    outcome = Outcome(asked=len(images))
    known = set(sink.record_keys(extractor.name))
    for start in range(0, len(images), batch):
        todo = []
        for image in images[start : start + batch]:
            key = key_for(image, extractor)
            if key in known:
                outcome.skipped += 1
            else:
                known.add(key)
                todo.append(image)
        yield from _read_batch(todo, extractor, source, sink, outcome, every_seconds)
        yield _progress(outcome, extractor)
    outcome.check()
    return outcome


def _read_batch(
    images: Sequence[StoredImage],
    extractor: Extractor,
    source: ImageSource,
    sink: RecordSink,
    outcome: Outcome,
    every_seconds: float,
) -> Iterator[Progress]:
    truths = source.truth_of([image.image_id for image in images]) if images else {}
    unsaved: list[NewRecord] = []
    told = time.monotonic()
    try:
        for image in images:
            record = _record(image, extractor, source, truths.get(image.image_id))
            unsaved.append(record)
            _count(record, outcome)
            if time.monotonic() - told >= every_seconds:
                told = time.monotonic()
                yield _progress(outcome, extractor)
    finally:
        if unsaved:  # also when the job is cancelled between two images
            sink.add_records(unsaved)


def _record(image: StoredImage, extractor: Extractor, source: ImageSource, truth: Truth | None) -> NewRecord:
    kept_back = unsent(image, extractor.name, key_for(image, extractor))
    if kept_back is not None:
        return kept_back
    try:
        return extractor.read(image, truth, lambda: source.image_bytes(image))
    except RefusedPicture as error:
        return _failed(image, extractor, Status.REFUSED, error.sentence)
    except StoreError as error:
        return _failed(image, extractor, Status.MISSING_IMAGE, error.sentence)
    except UserError as error:
        return _failed(image, extractor, Status.ERROR, error.sentence)


def unsent(image: StoredImage, extractor: str, key: str) -> NewRecord | None:
    """The record of an image that must not be sent, and why; None for one that may."""
    if image.status is ImageStatus.OK:
        return None
    return NewRecord(image.image_id, extractor, key, Status.FLAGGED, reason=_NOT_SENT[image.status])


def _failed(image: StoredImage, extractor: Extractor, status: Status, reason: str) -> NewRecord:
    return NewRecord(image.image_id, extractor.name, key_for(image, extractor), status, reason=reason)


def _count(record: NewRecord, outcome: Outcome) -> None:
    if record.status is Status.OK:
        outcome.done += 1
    else:
        kind = _WORDS.get(record.status, record.status.value)
        outcome.fail(f"image {record.image_id}", kind, record.reason)


def _progress(outcome: Outcome, extractor: Extractor) -> Progress:
    seen = outcome.done + outcome.failed + outcome.skipped
    return Progress(seen, outcome.asked, f"reading with {extractor.name}", outcome.failed, outcome)
