"""The run: many pictures at once, every record saved as soon as it is there, every image counted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from core.errors import StoreError
from core.extraction.job import ImageSource, RecordSink
from core.extraction.vlm.budget import Meter
from core.extraction.vlm.conversation import Conversation
from core.extraction.vlm.patience import Patience
from core.extraction.vlm.picture import Picture, UnreadablePicture, make_picture
from core.extraction.vlm.recorder import Read
from core.jobs import Outcome, Progress
from core.records import NewRecord, Status, StoredImage

MISSING, UNREADABLE = "missing image", "unreadable image"

AHEAD = 4
"""Pictures made ready beyond those being asked about, so that no place stays empty."""


@dataclass
class Run:
    """Reads images with one conversation.

    Parameters
    ----------
    conversation : Conversation
        What reads one picture.
    patience : Patience
        What it asks through; knows when to stop.
    meter : Meter
        Pace and cost.
    source, sink : ImageSource, RecordSink
        Where files come from and records go.
    size, quality : int
        Of the pictures that are sent.
    at_once : int
        Most pictures asked about at once.
    outcome : Outcome
        What became of every image.
    """

    conversation: Conversation
    patience: Patience
    meter: Meter
    source: ImageSource
    sink: RecordSink
    size: int
    quality: int
    at_once: int
    outcome: Outcome
    _total: int = 0
    _arrived: list[Read] = field(default_factory=list)
    _saving: asyncio.Lock = field(default_factory=asyncio.Lock)
    _saver: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "records"))

    async def read(self, images: Sequence[StoredImage]) -> None:
        """Read images until there are no more or the run is stopped."""
        feed = iter(images)
        self._total = len(images)
        count = min(self.at_once + min(AHEAD, self.at_once), len(images))
        workers = [asyncio.create_task(self._work(feed)) for _ in range(count)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            self._saver.shutdown()
            if self._arrived:  # what was waiting for its turn when the run was cancelled
                self._save_all(self._arrived)

    def progress(self, name: str) -> Progress:
        """How far the run is, at what pace and cost."""
        outcome = self.outcome
        done = outcome.done + outcome.failed + outcome.skipped
        parts = [f"reading with {name}", self.meter.text(self._total - self.meter.images)]
        shut = self.patience.throttle.shut_for
        if shut > 1:
            parts.append(f"waiting {shut:.0f} s as the server asks")
        elif self.patience.throttle.places < self.at_once:
            parts.append(f"{self.patience.throttle.places} at once")
        return Progress(done, outcome.asked, ", ".join(filter(None, parts)), outcome.failed, outcome)

    async def _work(self, feed: Iterator[StoredImage]) -> None:
        for image in feed:
            if self.patience.stopped is not None:
                return
            picture = await self._picture(image)
            read = picture if isinstance(picture, Read) else await self.conversation.read(image, picture)
            if read is None:
                return
            self.meter.note()
            await self._save(read)

    async def _save(self, read: Read) -> None:
        """Save a record at once, with those that arrived meanwhile; the worker goes on when it is saved.

        So a process that is killed loses what was under way, and what arrived within some milliseconds.
        """
        self._arrived.append(read)
        async with self._saving:
            arrived, self._arrived = self._arrived, []
            if arrived:
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._saver, self._save_all, arrived)

    def _save_all(self, reads: Sequence[Read]) -> None:
        self.sink.add_records([read.record for read in reads])
        for read in reads:
            count(self.outcome, read.record, read.kind)

    async def _picture(self, image: StoredImage) -> Picture | Read:
        """The picture to send, made in a thread; a record when there is none."""
        try:
            return await asyncio.to_thread(self._make, image)
        except StoreError as error:
            return self.conversation.recorder.without_picture(image, MISSING, error.sentence)
        except UnreadablePicture as error:
            return self.conversation.recorder.without_picture(image, UNREADABLE, error.sentence)

    def _make(self, image: StoredImage) -> Picture:
        return make_picture(self.source.image_bytes(image), self.size, self.quality)


def count(outcome: Outcome, record: NewRecord, kind: str) -> None:
    """Count a record as done or failed."""
    if record.status is Status.OK:
        outcome.done += 1
    else:
        outcome.fail(f"image {record.image_id}", kind, record.reason)
