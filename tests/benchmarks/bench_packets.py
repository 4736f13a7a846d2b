"""Packets and hand-ins: `python tests/benchmarks/bench_packets.py`. Figures of one run on this machine.

A packet of 1,200 pictures of 1024 px (time, size against the pictures alone), opened; a hand-in of 2,760
answers written, read and merged three times.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from annotation.packet_pixels import re_encoded
from core.packets import PacketContent, PacketSet
from storage.packet_book import PacketBook
from storage.packet_files import PacketFiles
from tests import team

SIDE = 1024
SETS = 120


def main() -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent)
        _packet(folder)
        _merge(folder)


def picture(number: int, side: int = SIDE) -> bytes:
    """A picture with coarse patches, as PNG."""
    rng = np.random.default_rng(number)
    coarse = Image.fromarray(rng.integers(0, 255, (48, 48, 3), dtype=np.uint8)).resize((side, side))
    out = io.BytesIO()
    coarse.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _packet(folder: Path) -> None:
    originals = [picture(number) for number in range(6)]
    began = time.perf_counter()
    encoded = [re_encoded(data, SIDE) for data in originals]
    each = (time.perf_counter() - began) / len(originals)
    print(
        f"a picture of {SIDE} px is encoded anew in {1000 * each:.0f} ms"
        f" (1,200: {1200 * each:.0f} s in one thread)"
    )
    sets = tuple(
        PacketSet(number, f"{number:016x}", "study", tuple(range(10 * number - 9, 10 * number + 1)))
        for number in range(1, SETS + 1)
    )
    content = PacketContent(
        *("a" * 32, "b" * 32, "Ana", False, team.questions()),
        *("marks+slider", False, False, SIDE, sets),
    )
    path = folder / "bench.packet"
    writer = PacketFiles().open_writer(path, content)
    began = time.perf_counter()
    for _ in writer.write(lambda number: encoded[number % len(encoded)], lambda _: None):
        pass
    seconds = time.perf_counter() - began
    alone = sum(len(encoded[number % len(encoded)]) for number in range(1, 10 * SETS + 1))
    print(
        f"1,200 pictures written in {seconds:.1f} s, {path.stat().st_size / alone:.3f} of the pictures alone"
    )
    began = time.perf_counter()
    with PacketBook(path) as book:
        opened = time.perf_counter() - began
        began = time.perf_counter()
        for number in range(1, 101):
            book.picture(number)
        print(f"opened in {opened:.2f} s; a picture read in {10 * (time.perf_counter() - began):.1f} ms")


def _merge(folder: Path) -> None:
    with team.new_study(folder / "study", roles=10, generators=("a", "b", "c", "d"), more=0) as store:
        team.open_round(store, training=0, repeat_share=0)
        files = []
        for name in ("Ana", "Ben", "Cy"):
            team.packet_for(store, name, folder / f"{name}.packet")
            with PacketBook(folder / f"{name}.packet") as book:
                places = team.study_places(book)
                random.Random(1).shuffle(places)
                team.answer(book, places)
            files.append(team.hand_in(folder / f"{name}.packet", folder / f"{name}.handin"))
        began = time.perf_counter()
        said, _ = team.merge(store, *files)
        first = time.perf_counter() - began
        began = time.perf_counter()
        team.merge(store, *files)
        again = time.perf_counter() - began
        answers = sum(one.counts["new"] for one in said)
    print(f"three hand-ins, {answers} answers: merged in {first:.1f} s, again in {again:.1f} s")


if __name__ == "__main__":
    main()
