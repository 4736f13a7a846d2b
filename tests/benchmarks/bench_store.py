"""How fast a store is: `python tests/benchmarks/bench_store.py [FOLDER]`; the folder decides the disk."""

from __future__ import annotations

import io
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PIL import Image

from core.records import NewImage
from storage.store import Store
from tests.storage.builders import add_image_set, make_event, make_image, new_store


def noisy(first: int, count: int, side: int) -> list[NewImage]:
    """Images of a few hundred blocks each, so that they are neither empty nor incompressible."""
    rng = random.Random(first)
    images = []
    for number in range(first, first + count):
        blocks = Image.frombytes("RGB", (16, 16), rng.randbytes(16 * 16 * 3))
        out = io.BytesIO()
        blocks.resize((side, side), Image.Resampling.NEAREST).save(out, "PNG")
        data = out.getvalue()
        images.append(make_image(number, data=data, width=side, height=side))
    return images


def per_second(store: Store, images: list[NewImage], at_once: int) -> float:
    """How many images a second are stored, so many in an act."""
    began = time.perf_counter()
    for start in range(0, len(images), at_once):
        store.add_images(images[start : start + at_once])
    return len(images) / (time.perf_counter() - began)


def answer_milliseconds(store: Store, annotator: int, image_set: int, count: int) -> str:
    """From the act until it is on the disk."""
    taken = []
    for _ in range(count):
        began = time.perf_counter()
        store.append_answer(make_event(annotator, image_set, label="calm")).result()
        taken.append(1000 * (time.perf_counter() - began))
    taken.sort()
    return (
        f"median {taken[count // 2]:.2f} ms, 99 % {taken[count * 99 // 100]:.1f} ms, most {taken[-1]:.1f} ms"
    )


def main(folder: Path) -> None:
    """Measure and print."""
    with new_store(folder) as store:
        image_set, annotator = add_image_set(store), store.add_annotator("Ada").annotator_id
        for side, count in ((256, 300), (1024, 40)):
            alone = per_second(store, noisy(1000 * side, count, side), 1)
            together = per_second(store, noisy(1001 * side, count, side), 20)
            print(f"images of {side} px: {alone:.0f}/s one by one, {together:.0f}/s by twenties")
        print("answers:", answer_milliseconds(store, annotator, image_set, 1000))
        busy = noisy(10**6, 300, 256)
        arriving = threading.Thread(
            target=lambda: [store.add_images(busy[k : k + 10]) for k in range(0, 300, 10)]
        )
        arriving.start()
        print("answers while images arrive:", answer_milliseconds(store, annotator, image_set, 300))
        arriving.join()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as parent:
        main(Path(parent) / "study")
