"""How long an annotator waits: from a key to the screen, from set to set warm and cold.

Run by name: `python tests/benchmarks/bench_annotate.py`. Prints medians beside their budgets, and ratios
measured in the same run, which hold on any machine: a set that was decoded ahead against one that was not,
and a cold set against decoding its ten pictures one after the other in place.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotation.packet_pixels import re_encoded
from annotation.session import Session
from core.questions import load_questions
from core.records import Annotator, ImageSet, StoredImage
from gui.annotate.decoding import decode
from gui.annotate.saved_caption import SavedRelay
from gui.annotate.screen import AnnotateScreen
from gui.tasks import TaskRunner
from gui.theme import Theme
from tests.annotation.sittings import ListBook, make_set

SETS = 120
PIXELS = 1024
KEYS = (Qt.Key.Key_Q, Qt.Key.Key_W, Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_M, Qt.Key.Key_U, Qt.Key.Key_3)
SIZES = ((1280, 720), (1920, 1080), (3840, 2160))


def photographs(folder: Path) -> list[Path]:
    """Twenty pictures with the grain of a photograph, as PNG and as JPEG, small, and as packets hold them."""
    rng = np.random.default_rng(1)
    files = []
    for number in range(20):
        ramp = np.linspace(0, 180, PIXELS)[:, None, None] + rng.normal(0, 9, (PIXELS, PIXELS, 3))
        picture = Image.fromarray(np.clip(ramp + 3 * number, 0, 255).astype(np.uint8))
        path = folder / f"{number}.{'png' if number % 2 else 'jpg'}"
        picture.save(path, quality=92, compress_level=3)
        picture.resize((512, 512)).save(path.with_suffix(".small.jpg"), quality=88)
        path.with_suffix(".packet").write_bytes(re_encoded(path.read_bytes(), PIXELS))
        files.append(path)
    return files


def ms(call: Callable[[], None]) -> float:
    """Milliseconds of one call."""
    start = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - start)


class Bench:
    """A screen at work and what is timed on it."""

    def __init__(
        self, size: tuple[int, int], files: list[Path], image_sets: list[ImageSet], *, has_small: bool
    ) -> None:
        self.files = files
        self.runner, relay = TaskRunner(), SavedRelay()
        session = Session(
            *(ListBook(), Annotator(1, "Ada"), image_sets, load_questions(), 7), on_saved=relay.tell
        )
        self.relay = relay
        small, read = (self.read_small, self.read) if has_small else (None, self.read_packet)
        self.screen = AnnotateScreen(session, self.runner, read, relay, read_small=small)
        self.screen.resize(*size)
        self.screen.show()
        self.screen.activateWindow()
        self.settle()

    def read(self, image: StoredImage) -> bytes:
        """A picture's file."""
        return self.files[image.image_id % len(self.files)].read_bytes()

    def read_packet(self, image: StoredImage) -> bytes:
        """A picture as a packet holds it."""
        return self.files[image.image_id % len(self.files)].with_suffix(".packet").read_bytes()

    def read_small(self, image: StoredImage) -> bytes:
        """A picture's small form."""
        return self.files[image.image_id % len(self.files)].with_suffix(".small.jpg").read_bytes()

    def settle(self) -> None:
        """Until nothing is decoded or painted any more, the sets ahead included."""
        while not self.runner.is_idle or not self.is_shown() or self.screen.cache.is_waiting:
            QApplication.processEvents()
            time.sleep(0.001)
        QApplication.processEvents()

    def is_shown(self) -> bool:
        """Whether all ten pictures are there."""
        return all(tile.has_picture for tile in self.screen.parts.grid.shown)

    def press(self, key: Qt.Key) -> None:
        """One key, until it is painted."""
        QTest.keyClick(self.screen, key)
        QApplication.processEvents()

    def key_to_screen(self) -> list[float]:
        """Every key of an answer, many times over; a confirmation among them."""
        found = []
        for _ in range(20):
            self._leave_open_question()
            found += [ms(lambda key=key: self.press(key)) for key in KEYS]
            self.press(Qt.Key.Key_Equal)
            found.append(ms(lambda: self.press(Qt.Key.Key_Return)))
        return found

    def next_set_warm(self) -> list[float]:
        """The next set, decoded ahead."""
        found = []
        for _ in range(15):
            self._leave_open_question()
            self.settle()
            before = self.screen.session.set_index
            found.append(ms(lambda: (self.press(Qt.Key.Key_PageDown), self._until_shown())))
            assert self.screen.session.set_index == before + 1
        return found

    def _leave_open_question(self) -> None:
        """To a question with categories: on an open one, letters are typing."""
        if self.screen.session.question.is_open:
            self.screen.acting.do(lambda: self.screen.session.go_to_question(0))
        self.screen.setFocus()

    def jump_cold(self) -> list[float]:
        """A set far away, of which nothing is decoded."""
        found = []
        for index in (40, 5, 50, 12, 30):
            self.settle()
            found.append(ms(lambda index=index: self._jump(index)))
        return found

    def _jump(self, index: int) -> None:
        self.screen.acting.do(lambda: self.screen.session.go_to_set(index))
        self._until_shown()

    def _until_shown(self) -> None:
        while not self.is_shown():
            QApplication.processEvents()
            time.sleep(0.0005)  # a window waits for events; one that asks without rest would take a core
        QApplication.processEvents()

    def ten_in_place(self) -> list[float]:
        """Ten pictures decoded one after the other in this thread."""
        images = self.screen.session.image_set.images
        side = self.screen.parts.grid.side
        return [ms(lambda: [decode(self.read, image, side) for image in images]) for _ in range(5)]

    def close(self) -> None:
        """Stop everything."""
        self.settle()
        self.screen.stop()
        self.screen.hide()
        self.runner.close()


def line(name: str, times: list[float], budget: float | None = None) -> float:
    """Print one measurement; returns its median."""
    middle = median(times)
    worst = sorted(times)[int(0.95 * (len(times) - 1))]
    held = "" if budget is None else f"   budget {budget:4.0f} ms, {middle / budget:4.2f} of it"
    print(f"  {name:<34}{middle:7.1f} ms   95 % {worst:7.1f} ms{held}")
    return middle


def main() -> None:
    """Measure at three window sizes, up to 4K, and print."""
    application = QApplication([])
    theme = Theme(application, "light")
    image_sets = [make_set(number) for number in range(1, SETS + 1)]
    with tempfile.TemporaryDirectory() as folder:
        files = photographs(Path(folder))
        for size, has_small in ((SIZES[0], True), (SIZES[1], True), (SIZES[1], False), (SIZES[2], False)):
            bench = Bench(size, files, image_sets, has_small=has_small)
            source = "study (small forms)" if has_small else "packet (whole images)"
            print(f"{size[0]} × {size[1]}, pictures of {bench.screen.parts.grid.side} px, {source}")
            line("key to screen", bench.key_to_screen(), 50)
            warm = line("next set, decoded ahead", bench.next_set_warm(), 100)
            cold = line("a set far away, cold", bench.jump_cold(), 400)
            serial = line("ten pictures decoded in place", bench.ten_in_place())
            print(f"  cold / warm {cold / warm:.1f}   cold / in place {cold / serial:.2f}")
            bench.close()
    assert theme is not None


if __name__ == "__main__":
    main()
