"""Pictures decoded ahead: the set on the screen first, then the next two; the last one is kept.

Decoding runs in the pool, a few pictures at a time, from a queue of our own, so that what is visible comes
first and a jump drops what nobody waits for any more. Results arrive in the GUI thread, where alone a
QPixmap may be made. Pictures in full detail are for zoom only and bounded in bytes.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QThread, QTimer, Signal
from PySide6.QtGui import QPixmap

from core.records import StoredImage
from gui.annotate.decoding import Decoded, ReadBytes, decode

BYTES_FOR_DETAIL = 200 * 2**20
SMALL_ENOUGH = 0.66
MILLISECONDS_BEFORE_AHEAD = 40


class Runner(Protocol):
    """What the cache needs of `gui.tasks.TaskRunner`."""

    def query(self, read: Callable[[], Decoded], on_done: Callable[[Decoded], None]) -> object:
        """Call `read()` in the pool and hand its result to a bound method in the GUI thread."""


class ImageCache(QObject):
    """Says `ready(image_id)` when a picture of the set on the screen has come or has failed.

    `detail_ready(image_id)` is the same for zoom.
    """

    ready = Signal(int)
    detail_ready = Signal(int)

    def __init__(
        self,
        runner: Runner,
        read: ReadBytes,
        most_pixels: int,
        read_small: ReadBytes | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._read = read
        self._read_small = read_small
        self._most = most_pixels
        self._pixels = 0
        self._at_once = min(max(QThread.idealThreadCount(), 2), 4)
        self._pictures: dict[int, tuple[int, QPixmap]] = {}
        self._failures: dict[int, str] = {}
        self._detail: OrderedDict[int, QPixmap] = OrderedDict()
        self._queue: deque[tuple[StoredImage, int]] = deque()
        self._running: set[tuple[int, int]] = set()
        self._order: list[StoredImage] = []
        self._visible: frozenset[int] = frozenset()
        self._keep: frozenset[int] = frozenset()
        self._detail_wanted: StoredImage | None = None
        self._is_closed = False
        self._ahead_timer = QTimer(self, singleShot=True, interval=MILLISECONDS_BEFORE_AHEAD)
        self._ahead_timer.timeout.connect(self._feed)

    @property
    def detail_pixels(self) -> int:
        """Longer side of a picture in zoom, the same for all."""
        return self._most

    @property
    def is_waiting(self) -> bool:
        """Whether pictures are to be decoded that nobody has begun."""
        return bool(self._queue) or self._ahead_timer.isActive()

    def picture(self, image_id: int) -> QPixmap | None:
        """The decoded picture, maybe of an earlier size; None when it is not there yet."""
        found = self._pictures.get(image_id)
        return found[1] if found is not None else None

    def failure(self, image_id: int) -> str:
        """Why a picture cannot be shown; empty while it can or is not known."""
        return self._failures.get(image_id, "")

    def detail(self, image_id: int) -> QPixmap | None:
        """The picture in full detail, if it is in memory."""
        found = self._detail.get(image_id)
        if found is not None:
            self._detail.move_to_end(image_id)
        return found

    def set_pixels(self, pixels: int) -> None:
        """Decode for pictures of this many device pixels from now on.

        A little smaller is no reason to decode anew: the bar below the stage takes one row or two.
        """
        pixels = min(pixels, self._most)
        if pixels > self._pixels or pixels < self._pixels * SMALL_ENOUGH:
            self._pixels = pixels
            self._fill_queue()

    def want(
        self, visible: Sequence[StoredImage], ahead: Iterable[StoredImage], kept: Iterable[StoredImage]
    ) -> None:
        """Have the visible pictures, then those ahead; keep the kept ones and drop all others."""
        self._order = [*visible, *ahead]
        self._visible = frozenset(image.image_id for image in visible)
        self._keep = frozenset(image.image_id for image in (*self._order, *kept))
        for gone in self._pictures.keys() - self._keep:
            del self._pictures[gone]
        for gone in self._failures.keys() - self._keep:
            del self._failures[gone]
        self._fill_queue()

    def want_detail(self, image: StoredImage) -> None:
        """Have one picture in full detail, before everything else."""
        if image.image_id not in self._detail:
            self._detail_wanted = image
            self._feed()

    def forget_failure(self, image_id: int) -> None:
        """Try a picture that failed again."""
        if self._failures.pop(image_id, None) is not None:
            self._fill_queue()

    def close(self) -> None:
        """Start nothing more."""
        self._is_closed = True
        self._ahead_timer.stop()
        self._queue.clear()
        self._detail_wanted = None

    def _fill_queue(self) -> None:
        if not self._pixels:
            return
        self._queue.clear()
        for image in self._order:
            have = self._pictures.get(image.image_id)
            is_there = have is not None and have[0] == self._pixels
            if not is_there and image.image_id not in self._failures:
                self._queue.append((image, self._pixels))
        if self._queue and self._queue[0][0].image_id in self._visible:
            self._feed()
        else:
            self._ahead_timer.start()  # what is visible is painted before others are decoded

    def _feed(self) -> None:
        while not self._is_closed and len(self._running) < self._at_once:
            if self._detail_wanted is not None:
                image, pixels = self._detail_wanted, -self._most
                self._detail_wanted = None
            elif self._queue:
                image, pixels = self._queue.popleft()
            else:
                return
            job = (image.image_id, pixels)
            if job in self._running:
                continue
            self._running.add(job)
            self._start(image, pixels)

    def _start(self, image: StoredImage, pixels: int) -> None:
        read, read_small = self._read, self._read_small if pixels > 0 else None

        def in_pool() -> Decoded:
            found = decode(read, image, abs(pixels), read_small)
            return Decoded(found.image_id, pixels, found.image, found.reason)

        self._runner.query(in_pool, self._on_decoded)

    def _on_decoded(self, found: Decoded) -> None:
        self._running.discard((found.image_id, found.pixels))
        if self._is_closed:
            return
        if found.pixels < 0:
            self._take_detail(found)
        elif found.image_id in self._keep and found.pixels == self._pixels:
            self._take(found)
        self._feed()

    def _take(self, found: Decoded) -> None:
        if found.image is None:
            self._failures[found.image_id] = found.reason
        else:
            self._pictures[found.image_id] = (found.pixels, QPixmap.fromImage(found.image))
        self.ready.emit(found.image_id)

    def _take_detail(self, found: Decoded) -> None:
        if found.image is None:
            return
        self._detail[found.image_id] = QPixmap.fromImage(found.image)
        while len(self._detail) > 1 and sum(map(_bytes, self._detail.values())) > BYTES_FOR_DETAIL:
            self._detail.popitem(last=False)
        self.detail_ready.emit(found.image_id)


def _bytes(picture: QPixmap) -> int:
    return 4 * picture.width() * picture.height()
