"""The gallery with as many images as the paper's study: to show, to jump, to scroll, to filter; memory.

Run by name: `python tests/benchmarks/bench_gallery.py`. Thumbnails are real files of 512 px, a thousand of
them used over and over.
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

import psutil
from PIL import Image
from PySide6.QtWidgets import QApplication

from core.plan import choose_roles, plan_study
from core.records import Condition, ImageStatus, StoredImage
from gui.generate.gallery_filter import Wanted
from gui.generate.gallery_sheet import GallerySheet
from gui.studio import Studio
from gui.tasks import TaskRunner
from gui.theme import Theme
from storage.making import make_study

IMAGES, FILES = 66_240, 1000


def image(number: int) -> StoredImage:
    """One image of 92 roles × 18 prompts × ten seeds × four generators."""
    condition = list(Condition)[number // 920 % 3]
    name = ("sdxl", "sd3.5", "flux.1", "qwen-image")[number // 16_560]
    return StoredImage(
        *(number + 1, name, f"role_{number // 10 % 92}", condition, f"a photo, {number}", number % 10),
        *("0" * 64, "path", f"thumbnails/{number % FILES}.jpg", 1024, 1024, ImageStatus.OK),
    )


def ms(call: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    begun = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - begun)


def memory() -> float:
    """Megabytes of this process."""
    return float(psutil.Process().memory_info().rss) / 1e6


def main() -> None:
    """Measure and print."""
    application = QApplication([])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "study"
        make_study(folder, plan_study("bench", choose_roles("baker"), unrelated="everyday")).close()
        (folder / "thumbnails").mkdir()
        for number in range(FILES):
            colour = (number % 256, number // 4 % 256, 99)
            Image.new("RGB", (512, 512), colour).save(folder / "thumbnails" / f"{number}.jpg")
        studio = Studio(TaskRunner(), Theme(application, "light"))
        studio.open_study(folder)
        settle(application, studio)
        before = memory()
        images = [image(number) for number in range(IMAGES)]
        listed = memory()
        sheet = GallerySheet(studio)
        sheet.resize(1200, 900)
        shown = ms(
            lambda: (sheet.show(), sheet.show_images(images, is_other=True), application.processEvents())
        )
        settle(application, studio)
        jumps = [ms(lambda at=at: jump(sheet, at, application)) for at in range(0, IMAGES, IMAGES // 50)]
        settle(application, studio)
        bar, frames = sheet.verticalScrollBar(), []
        for _ in range(600):
            frames.append(ms(lambda: (bar.setValue(bar.value() + 40), sheet.viewport().repaint())))
            application.processEvents()
        decode = ms(lambda: settle(application, studio))
        filtered = ms(lambda: sheet.show_images(Wanted("role 3", "CA-R").of(images), is_other=True))
        frames.sort()
        print(
            f"{IMAGES} images: shown in {shown:.0f} ms, a jump takes {median(jumps):.1f} ms "
            f"(worst {max(jumps):.1f}), a filter {filtered:.0f} ms"
        )
        print(
            f"scrolling: a frame takes {median(frames):.1f} ms, 99 % within {frames[593]:.1f}, "
            f"worst {frames[-1]:.1f}; what is in sight at rest is there after {decode:.0f} ms"
        )
        print(f"memory: {listed - before:.0f} MB for the list, {memory() - listed:.0f} MB for the pictures")
        studio.runner.close()
        studio.close_study()


def jump(sheet: GallerySheet, at: int, application: QApplication) -> None:
    """Go to an image and paint."""
    sheet.jump_to(at)
    sheet.viewport().repaint()
    application.processEvents()


def settle(application: QApplication, studio: Studio) -> None:
    """Until nothing is read or waited for."""
    end = time.monotonic() + 30
    rest = time.monotonic() + 0.15
    while time.monotonic() < end and (time.monotonic() < rest or not studio.runner.is_idle):
        application.processEvents()
        time.sleep(0.001)


if __name__ == "__main__":
    main()
