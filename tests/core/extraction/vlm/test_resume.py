"""A run that is killed goes on where it stopped, and pays for nothing that arrived."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from core.extraction.vlm.picture import make_picture
from core.jobs import run_here
from core.records import Status
from core.running import extract_in
from core.schema import load_schema
from storage.store import Store
from tests.core.extraction.vlm.shelf import SIZE, options, png
from tests.core.extraction.vlm.test_run import FOR_GOOD, MENDED
from tests.fake_server import Call, FakeServer, Mischief, true_reading
from tests.storage.builders import ROLES, make_image, make_prompt, make_study

COUNT = 120
AT_ONCE = 6

WORKER = """
import sys
from pathlib import Path
from core.extraction.vlm import VlmOptions
from core.jobs import run_here
from core.running import extract_in
from core.schema import load_schema
from storage.store import Store

with Store.open(Path(sys.argv[1])) as store:
    chosen = VlmOptions("fake-vision", sys.argv[2], concurrency=int(sys.argv[3]), image_size=int(sys.argv[4]),
                        first_wait=0.01)
    run_here(extract_in(store, "vlm", load_schema(), options=chosen))
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    with Store.create(folder, make_study()) as store:
        store.add_roles(ROLES)
        store.add_prompts([make_prompt()])
        store.add_generator("drawn-a", "drawn", {})
        store.add_images([make_image(number, data=png(number)) for number in range(COUNT)])
    return folder


def start(study: Path, server: FakeServer) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WORKER, str(study), server.base_url, str(AT_ONCE), str(SIZE)]
    return subprocess.Popen(command, env=os.environ | {"PYTHONPATH": "."})


def kill_when(worker: subprocess.Popen[bytes], server: FakeServer, calls: int) -> None:
    """Kill -9 once the server has answered so many more calls."""
    while len(server.calls) < calls and worker.poll() is None:
        time.sleep(0.005)
    worker.send_signal(signal.SIGKILL)
    worker.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_after_three_kills_every_image_has_one_record_and_only_what_was_under_way_is_paid_again(
    serve: Any, study: Path
) -> None:
    server = serve(latency=0.02)
    for kill in range(3):
        kill_when(start(study, server), server, 20 + 30 * kill)
    with Store.open(study) as store:
        before = {image.sha256: store.records_of(image.image_id) for image in store.images()}
        arrived = {sha for sha, records in before.items() if records}
        outcome = run_here(
            extract_in(store, "vlm", load_schema(), options=options(server, concurrency=AT_ONCE))
        )
        records = {image.image_id: store.records_of(image.image_id) for image in store.images()}

    assert (outcome.skipped, outcome.done) == (len(arrived), COUNT - len(arrived))
    assert all([record.status for record in found] == [Status.OK] for found in records.values())
    paid = server.pictures_paid()
    assert len(paid) == COUNT
    twice = sum(count - 1 for count in paid.values())
    # What was under way when the process died, and what arrived in its last milliseconds.
    assert twice <= 3 * (AT_ONCE + 3)
    assert len(arrived) > 20


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_kills_among_misbehaviour_lose_and_invent_nothing(serve: Any, study: Path) -> None:
    chance = Random(3)
    kinds = [*MENDED.values(), *(one[0] for one in FOR_GOOD.values())]
    mischief = [one for one in kinds if len(one.raw or b"") < 10**6]
    assert len(mischief) >= 25

    def misbehave(call: Call) -> Mischief | None:
        is_preflight = len(call.picture) < 1 or sha256(call.picture).hexdigest() == server_first[0]
        return None if is_preflight or chance.random() > 0.2 else chance.choice(mischief)

    server_first = [""]

    def remember(call: Call) -> Mischief | None:
        server_first[0] = server_first[0] or sha256(call.picture).hexdigest()
        return misbehave(call)

    server = serve(remember)
    for kill in range(2):
        kill_when(start(study, server), server, 25 + 45 * kill)
    with Store.open(study) as store:
        outcome = run_here(
            extract_in(store, "vlm", load_schema(), options=options(server, concurrency=AT_ONCE))
        )
        records = {image.image_id: store.records_of(image.image_id) for image in store.images()}
        pictures = {
            image.image_id: make_picture(store.image_bytes(image), SIZE, 90).data for image in store.images()
        }

    assert outcome.asked == outcome.done + outcome.failed + outcome.skipped == COUNT
    assert all(failure.kind and failure.reason for failure in outcome.failures)
    for number, found in records.items():
        truth = true_reading(pictures[number], load_schema())
        for name, reading in found[-1].readings.items():
            said = truth[name] if isinstance(truth[name], list) else [truth[name]]
            assert list(reading.labels) == (said if reading.status is Status.OK else [])
        settled = [record for record in found if record.status is not Status.ERROR]
        assert found
        assert len(settled) <= 1
        assert all(bool(record.readings) == (record.status is Status.OK) for record in found)
