"""How near extraction comes to the ideal of N·L/C: `python tests/benchmarks/bench_vlm.py [IMAGES] [SIDE]`.

The server runs in a process of its own, answers after 400 ms and is asked 32 times at once.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.extraction.vlm import VlmOptions, vlm_extractor
from core.jobs import run_here
from core.running import extract_with
from core.schema import load_schema
from storage.store import Store
from tests.benchmarks.bench_store import noisy
from tests.storage.builders import new_store

LATENCY, AT_ONCE = 0.4, 32


def measure(store: Store, base_url: str, count: int) -> str:
    """Read every image and say how long it took."""
    extractor = vlm_extractor(load_schema(), VlmOptions("fake", base_url, concurrency=AT_ONCE))
    run_here(extractor.prepare())
    began, used = time.perf_counter(), time.process_time()
    outcome = run_here(extract_with(store, extractor, store.images()))
    seconds, used = time.perf_counter() - began, time.process_time() - used
    ideal = count * LATENCY / AT_ONCE
    return (
        f"{outcome.done} of {count} in {seconds:.1f} s, ideal {ideal:.1f} s: {ideal / seconds:.2f} of it,"
        f" {1000 * used / count:.1f} ms of processor an image"
    )


def main(count: int, side: int) -> None:
    """Measure and print."""
    command = [sys.executable, "-m", "tests.fake_server", "--latency", str(LATENCY)]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None
    assert server.stdout is not None
    base_url = server.stdout.readline().strip()
    try:
        with tempfile.TemporaryDirectory() as folder, new_store(Path(folder) / "study") as store:
            store.add_images(noisy(0, count, side))
            print(measure(store, base_url, count))
    finally:
        server.stdin.close()
        server.wait()


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:] or ("2000", "256")))
