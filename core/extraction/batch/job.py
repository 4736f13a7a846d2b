"""The job that reads images in batches, from files of requests to records; it can stop anywhere and go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from core.amounts import are_counted
from core.errors import BadInput, StoreError
from core.extraction.batch.join import HALF_PRICE, Joiner
from core.extraction.batch.ledger import Ledger, Part, Stage
from core.extraction.batch.options import BatchOptions
from core.extraction.batch.parts import Builder
from core.extraction.batch.remote import Remote
from core.extraction.batch.tending import Tending
from core.extraction.extractor import RunStopped
from core.extraction.job import ImageSource, RecordSink
from core.extraction.vlm.picture import Picture, UnreadablePicture, make_picture
from core.extraction.vlm.reader import VlmExtractor, close
from core.extraction.vlm.recorder import Read
from core.extraction.vlm.run import MISSING, UNREADABLE, count
from core.extraction.vlm.stepped import SteppedLoop
from core.jobs import Job, Outcome, Progress
from core.records import StoredImage

SAVED = 200
"""Records saved at a time."""


def read_in_batches(
    extractor: VlmExtractor,
    images: Sequence[StoredImage],
    source: ImageSource,
    sink: RecordSink,
    folder: Path,
    options: BatchOptions | None = None,
    *,
    now: Callable[[], float] = time.time,
) -> Job[Outcome]:
    """Read every image that has no record yet, at half price.

    Parameters
    ----------
    extractor : VlmExtractor
        What is asked, of whom, with which limits.
    images : sequence of StoredImage
        All images that may be meant, also those of parts that an earlier run ordered.
    source, sink : ImageSource, RecordSink
        Where files come from and records go.
    folder : Path
        Of the study's batches; the extractor has a folder of its own in it.
    options : BatchOptions, optional
        Limits of files.
    now : callable
        The time in seconds since 1970; orders are timed across runs.

    Raises
    ------
    RunStopped
        When an account, a key or a limit ends the run. What was ordered goes on at the server, and the next
        run fetches it.
    """
    options = options or BatchOptions()
    if not extractor.server.has_batch:
        raise BadInput(
            f"{extractor.server.name} has no Batch interface.", "Ask one by one (without --batch)."
        )
    yield from extractor.prepare()
    outcome = Outcome(asked=len(images))
    todo = yield from extractor.plan(images, sink, outcome)
    ledger = Ledger(folder / extractor.name)
    ledger.keep_options(extractor.options)
    batches = _Batches(extractor, ledger, options, source, sink, outcome, todo, images)
    yield from batches.build()
    yield from batches.tend(now)
    left = outcome.asked - outcome.done - outcome.failed - outcome.skipped
    if batches.stopped is not None:
        outcome.skipped += left
        read = are_counted(outcome.done, "image", were=True)
        error = RunStopped(
            f"{batches.stopped.sentence} {read} read, {left:,} left.",
            batches.stopped.remedy,
        )
        error.outcome = outcome
        raise error
    outcome.check()
    return outcome


class _Batches:
    """One run over the parts of a study."""

    def __init__(
        self,
        extractor: VlmExtractor,
        ledger: Ledger,
        options: BatchOptions,
        source: ImageSource,
        sink: RecordSink,
        outcome: Outcome,
        todo: Sequence[StoredImage],
        images: Sequence[StoredImage],
    ) -> None:
        self.stopped: RunStopped | None = None
        self._joined: set[int] = set()
        self._extractor = extractor
        self._ledger = ledger
        self._options = options
        self._source = source
        self._sink = sink
        self._outcome = outcome
        self._todo = {extractor.record_key(image): image for image in todo}
        self._images = {extractor.record_key(image): image for image in images} if ledger.open_parts else {}
        self._images |= self._todo
        self._recorder = extractor.recorder

    def build(self) -> Iterator[Progress]:
        """Write requests for the images that no open part asks about."""
        asked = set(self._ledger.asked_about())
        fresh = [image for key, image in self._todo.items() if key not in asked]
        keys = {image.image_id: key for key, image in self._todo.items()}
        options = self._options
        builder = Builder(self._ledger, self._extractor.asking, options.most_requests, options.most_bytes)
        built = builder.build(fresh, self._picture, lambda image: keys[image.image_id])
        for number, _ in enumerate(built, start=1):
            yield self._progress(f"writing requests, {number:,} of {len(fresh):,}")

    def tend(self, now: Callable[[], float]) -> Job[None]:
        """Send, order, wait and fetch; records are made of each part as it comes."""
        if not self._ledger.open_parts:
            return
        loop = SteppedLoop()
        client = self._extractor.connect()
        extractor = self._extractor
        tending = Tending(
            self._ledger,
            Remote(client, extractor.options.tries, extractor.options.first_wait),
            extractor.budget,
            extractor.options,
            extractor.asking.terms.api,
            self._options,
            now,
        )
        try:
            for _ in loop.run(tending.run()):
                yield from self._join_all()
                yield self._progress(tending.text())
            self.stopped = tending.stopped
        except RunStopped as stop:
            self.stopped = stop
        finally:
            close(loop, client)
        yield from self._join_all()

    def _join_all(self) -> Iterator[Progress]:
        for part in self._ledger.open_parts:
            if part.stage is Stage.FETCHED and part.number not in self._joined:
                self._joined.add(part.number)
                yield from self._join(part)

    def _join(self, part: Part) -> Iterator[Progress]:
        extractor, ledger = self._extractor, self._ledger
        joiner = Joiner(
            extractor.asking, self._recorder, extractor.model, extractor.options.allow_other_model,
            extractor.budget, extractor.secret,
        )  # fmt: skip
        files = (ledger.answers_file(part), ledger.errors_file(part))
        reads: list[Read] = []
        for read in joiner.join(ledger.asked(part), self._images, files, part.status, part.problem):
            reads.append(read)
            if len(reads) >= SAVED:
                self._save(reads)
                reads = []
                yield self._progress(f"reading the answers of {part.name}")
        self._save(reads)
        if not joiner.tally.left:
            part.stage = Stage.JOINED
        part.problem = joiner.tally.sentence() or part.problem
        ledger.save()

    def _save(self, reads: Sequence[Read]) -> None:
        if not reads:
            return
        self._sink.add_records([read.record for read in reads])
        for read in reads:
            if self._todo.pop(read.record.record_key, None) is not None:
                count(self._outcome, read.record, read.kind)

    def _picture(self, image: StoredImage) -> Picture | None:
        options = self._extractor.options
        try:
            data = self._source.image_bytes(image)
            return make_picture(data, options.image_size, options.image_quality)
        except StoreError as error:
            self._save([self._recorder.without_picture(image, MISSING, error.sentence)])
        except UnreadablePicture as error:
            self._save([self._recorder.without_picture(image, UNREADABLE, error.sentence)])
        return None

    def _progress(self, text: str) -> Progress:
        outcome = self._outcome
        done = outcome.done + outcome.failed + outcome.skipped
        expected = self._extractor.budget.expected(len(self._todo), HALF_PRICE)
        price = f", about {expected:.2f} at half price" if expected else ""
        return Progress(done, outcome.asked, f"{text}{price}", outcome.failed, outcome)
