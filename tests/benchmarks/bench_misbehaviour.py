"""2,000 images against a server that misbehaves in every known way, mixed at random, with kills in between.

`python tests/benchmarks/bench_misbehaviour.py [IMAGES] [KILLS] [direct|batch]`. The tests do the same with
fewer images. A worker process reads into a study; it is killed (-9) at random and started again until every
image has a record that is not an error. At the end: asked = done + failed, every failure has a name, no image
that was answered properly was paid again but what was under way at a kill, and no label is wrong.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.extraction.vlm.picture import make_picture
from core.records import Status
from core.schema import load_schema
from storage.store import Store
from tests.core.extraction.batch.test_batches import FATES
from tests.core.extraction.vlm.shelf import SIZE, png
from tests.core.extraction.vlm.test_run import FOR_GOOD, MENDED, STOPPING
from tests.fake_batches import FakeBatches
from tests.fake_server import Call, FakeServer, Mischief, error, fake_server, true_reading
from tests.storage.builders import ROLES, make_image, make_prompt, make_study

SCHEMA = load_schema()
AT_ONCE = 16
MOST_RUNS = 60
WORKER = """
import sys
from pathlib import Path
from core.errors import UserError
from core.extraction.batch import BatchOptions
from core.extraction.vlm import VlmOptions
from core.jobs import run_here
from core.running import extract_in, extract_in_batches
from core.schema import load_schema
from storage.store import Store

folder, address, how = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
with Store.open(folder) as store:
    chosen = VlmOptions("fake-vision", address, concurrency=int(sys.argv[4]), image_size=int(sys.argv[5]),
                        first_wait=0.01, timeout=2.0, allow_other_model=True, tries=6)
    if how == "batch":
        limits = BatchOptions(poll_seconds=0.02, most_requests=100)
        job = extract_in_batches(store, load_schema(), folder / "batches", chosen, batches=limits)
    else:
        job = extract_in(store, "vlm", load_schema(), options=chosen)
    try:
        outcome = run_here(job)
    except UserError as stop:
        outcome = getattr(stop, "outcome", None)
    if outcome is not None:
        assert outcome.asked == outcome.done + outcome.failed + outcome.skipped
        assert all(failure.kind and failure.reason for failure in outcome.failures)
"""


class Mixture:
    """Decides at random what happens to a call, and counts the proper answers to each picture."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.kinds = [*MENDED.values(), *(one[0] for one in FOR_GOOD.values()), Mischief(hang=True)]
        self.kinds += [Mischief(drip=0.1), Mischief(model="fake-vision-2"), Mischief(delay=0.3)]
        self.good: Counter[str] = Counter()
        self.used: Counter[int] = Counter()
        self.first = ""

    def __call__(self, call: Call) -> Mischief | None:
        digest = sha256(call.picture).hexdigest()
        self.first = self.first or digest
        dice = self.chance.random()
        if digest != self.first and dice < 0.003:
            return self.chance.choice(list(STOPPING.values()))
        if digest != self.first and dice < 0.3:
            at = self.chance.randrange(len(self.kinds))
            self.used[at] += 1
            found = self.kinds[at]
            if found.delay or found.model:
                self.good[digest] += 1
            return found
        self.good[digest] += 1
        return None


def new_study(folder: Path, count: int) -> None:
    """A study of so many small pictures, each of its own."""
    with Store.create(folder, make_study()) as store:
        store.add_roles(ROLES)
        store.add_prompts([make_prompt()])
        store.add_generator("drawn-a", "drawn", {})
        for start in range(0, count, 100):
            numbers = range(start, min(start + 100, count))
            store.add_images([make_image(number, data=png(number)) for number in numbers])


def run_until_done(folder: Path, how: str, server: FakeServer, kills: int, calls: Callable[[], int]) -> int:
    """Start workers, kill the first ones at random, until a run leaves nothing to ask; returns runs."""
    chance = Random(17)
    for run in range(1, MOST_RUNS + 1):
        command = [sys.executable, "-c", WORKER, str(folder), server.base_url, how, str(AT_ONCE), str(SIZE)]
        worker = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": "."})
        if run <= kills:
            limit = calls() + chance.randrange(5, 300 if how == "direct" else 40)
            while calls() < limit and worker.poll() is None:
                time.sleep(0.003)
            worker.send_signal(signal.SIGKILL)
            worker.wait()
            continue
        assert worker.wait() == 0, "a run broke"
        with Store.open(folder) as store:
            name = store.extractors()[0].name
            if len(store.record_keys(name)) == len(store.images()):
                return run
    raise AssertionError(f"not done after {MOST_RUNS} runs")


def check(folder: Path) -> str:
    """Hold every record against what the server reads off that picture."""
    classes: Counter[str] = Counter()
    attempts = labels = 0
    with Store.open(folder) as store:
        images = store.images()
        for image in images:
            records = store.records_of(image.image_id)
            settled = [one for one in records if one.status is not Status.ERROR]
            assert len(settled) == 1, image.image_id
            attempts += len(records) - 1
            for one in records:
                assert bool(one.readings) == (one.status is Status.OK)
                kind = json.loads(one.raw)["class"]
                assert kind
                assert one.status is Status.OK or one.reason
                classes[kind] += 1
            truth = true_reading(make_picture(store.image_bytes(image), SIZE, 90).data, SCHEMA)
            for name, reading in settled[0].readings.items():
                said = truth[name] if isinstance(truth[name], list) else [truth[name]]
                if reading.status is Status.OK:
                    assert list(reading.labels) == said, (image.image_id, name)
                    labels += 1
                elif reading.status is Status.UNKNOWN:
                    assert said == ["unknown"], (image.image_id, name)
    named = ", ".join(f"{count} {kind}" for kind, count in classes.most_common())
    whole = f"{len(images)} images, one settled record each, {attempts} attempts before"
    return f"{whole}; {labels:,} labels, none wrong; {named}"


def direct(folder: Path, kills: int) -> None:
    """One call an image."""
    mixture = Mixture(Random(5))
    with fake_server(mixture, latency=0.02) as server:
        begun = time.perf_counter()
        runs = run_until_done(folder, "direct", server, kills, lambda: len(server.calls))
        took, calls = time.perf_counter() - begun, len(server.calls)
    again = {digest: count - 1 for digest, count in mixture.good.items() if digest != mixture.first}
    twice = sum(again.values())
    print(f"direct: {check(folder)}")
    print(
        f"{calls:,} calls in {runs} runs, {kills} of them killed, {took:.0f} s; {len(mixture.used)} of"
        f" {len(mixture.kinds)} kinds of misbehaviour occurred, {sum(mixture.used.values()):,} times;"
        f" {twice} proper answers were paid again (at most {AT_ONCE + 3} a kill or stop)"
    )
    assert len(mixture.used) >= 25
    assert twice <= (kills + runs) * (AT_ONCE + 3)


def batch(folder: Path, kills: int) -> None:
    """Through the Batch interface."""
    chance = Random(6)
    fates = [*["ok"] * 24, "twice", *(what for what, _ in FATES.values())]
    good: Counter[str] = Counter()
    used: Counter[str] = Counter()

    def line_fate(place: int, request: dict[str, Any]) -> Any:
        what = chance.choice(fates)
        used[str(what)[:200]] += 1
        if what in ("ok", "twice"):
            good[request["custom_id"]] += 1
        return what

    trouble: list[Any] = [*[None] * 6, error(500, "Oops"), error(429, "Slow", retry_after_ms="1")]
    trouble += [Mischief(reset=True), Mischief(raw=b"<html>"), Mischief(502, raw=b"<h1>"), "reset after"]
    with fake_server() as server:
        cabinet = FakeBatches(server)
        cabinet.line_fate = line_fate
        cabinet.fate = lambda number: chance.choice([*["completed"] * 4, "expired", "failed"])
        cabinet.misbehave = lambda method, path, number: chance.choice(trouble)
        begun = time.perf_counter()
        runs = run_until_done(folder, "batch", server, kills, lambda: len(cabinet.calls))
        took = time.perf_counter() - begun
    twice = sum(count - 1 for count in good.values())
    print(f"batch: {check(folder)}")
    print(
        f"{len(cabinet.batches)} orders, {len(cabinet.calls):,} calls in {runs} runs, {kills} of them killed,"
        f" {took:.0f} s; {len(used)} fates of a request; {twice} proper answers were paid again"
    )


def main(count: int, kills: int, which: str) -> None:
    """Run one or both."""
    for name, run in (("direct", direct), ("batch", batch)):
        if which in (name, "both"):
            with tempfile.TemporaryDirectory() as parent:
                new_study(Path(parent) / "study", count)
                run(Path(parent) / "study", kills)


if __name__ == "__main__":
    words = sys.argv[1:]
    main(*(int(word) for word in (words[:2] or ("2000", "10"))), words[2] if len(words) > 2 else "both")
