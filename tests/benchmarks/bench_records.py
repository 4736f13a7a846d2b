"""Import of 66,240 records: rows/s, file size, time to find the pending work.

`python tests/benchmarks/bench_records.py [ROLES]`. Records are as a server gives them: 30 dimensions
read, the raw response of some 3 kB kept. A few are left out, so that there is work to find.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from paper_study import GENERATORS, IMAGES_PER_PROMPT, _add_images, _pictures, _quick

from core.extraction.extractor import key_for
from core.extraction.job import BATCH
from core.extraction.vlm import VlmOptions, vlm_extractor
from core.extraction.vlm.reader import VlmExtractor
from core.jobs import Outcome, run_here
from core.plan import choose_roles, plan_study
from core.records import DimensionReading, NewRecord, Status, StoredImage
from core.schema import load_schema
from storage.making import make_study
from storage.store import Store
from tests.fake_server import fake_server, true_reading

SCHEMA = load_schema()
LEFT = 240
"""Images without a record, spread over the study."""


def empty_study(folder: Path, roles: str) -> None:
    """A study of the paper's size with all images and no record."""
    plan = plan_study(
        "records",
        choose_roles(roles),
        seed=1,
        design="paper",
        images_per_prompt=IMAGES_PER_PROMPT,
        generators=GENERATORS,
    )
    make_study(folder, plan).close()
    files = _pictures(folder)
    with _quick(folder) as connection:
        _add_images(connection, files)


def record_of(image: StoredImage, extractor: VlmExtractor) -> NewRecord:
    """A record as an extractor with a server makes it."""
    said = true_reading(str(image.image_id).encode(), SCHEMA)
    answer = json.dumps({"choices": [{"message": {"content": json.dumps(said)}}], "usage": {"in": 5000}})
    raw = json.dumps({"class": "ok", "request": "0" * 64, "answers": [{"raw": answer}], "pad": "x" * 1000})
    readings = {
        one.id: DimensionReading(tuple(said[one.id]) if one.is_list else (said[one.id],))
        if said[one.id] not in ("unknown", ["unknown"])
        else DimensionReading(status=Status.UNKNOWN)
        for one in SCHEMA.dimensions
    }
    key = key_for(image, extractor)
    return NewRecord(image.image_id, extractor.name, key, Status.OK, readings, 1, "", raw, 1.5)


def main(roles: str) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as parent, fake_server() as server:
        folder = Path(parent) / "study"
        empty_study(folder, roles)
        extractor = vlm_extractor(SCHEMA, VlmOptions("fake", server.base_url))
        run_here(extractor.prepare())
        with Store.open(folder) as store:
            store.add_extractor(extractor.name, extractor.parameters, is_simulated=False)
            images = store.images()
            left = set(Random(1).sample(range(len(images)), LEFT))
            begun, rows, spent = time.perf_counter(), 0, 0.0
            for start in range(0, len(images), BATCH):
                batch = [record_of(images[at], extractor) for at in range(start, start + BATCH)
                         if at < len(images) and at not in left and images[at].status == "ok"]  # fmt: skip
                before = time.perf_counter()
                store.add_records(batch)
                spent += time.perf_counter() - before
                rows += len(batch)
            whole = time.perf_counter() - begun
            labels = rows * len(SCHEMA.dimensions)
            pace = f"{rows / spent:,.0f} records/s, {labels / spent:,.0f} readings/s"
            print(f"{rows:,} records ({labels:,} readings) in {spent:.1f} s of writing: {pace}")
            print(f"with making them: {whole:.0f} s")
        size = sum(one.stat().st_size for one in folder.glob("study.sqlite*"))
        print(f"study.sqlite: {size / 1e6:.0f} MB, {size / max(rows, 1):,.0f} bytes a record")
        with Store.open(folder) as store:
            begun = time.perf_counter()
            images = store.images()
            listed = time.perf_counter() - begun
            outcome = Outcome(asked=len(images))
            todo = run_here(extractor.plan(images, store, outcome))
            took = time.perf_counter() - begun
        said = f"{took:.1f} s ({listed:.1f} s of it to list images)"
        print(f"pending work: {len(todo)} of {len(images):,} found in {said}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "all")
