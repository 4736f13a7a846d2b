"""A made-up study of the paper's size as a folder: `python tests/benchmarks/paper_study.py FOLDER`.

92 roles, 1,656 prompts, four generators, 66,240 images, one extractor with some 2.6 million labels, a label
map, three annotators who answered 23 questions about 120 image sets (8,280 answers, each of three acts), and
jobs with failures. The rows are written straight into the tables, so that it takes a minute or two; the
images share a few small picture files. With `--small` it has two roles, for a quick look at the script.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
import pandas as pd
from corpus import corpus
from paper_study_people import add_people
from PIL import Image, ImageDraw

from core.jobs import Outcome
from core.labels.review import Act, LabelAct
from core.paths import STUDY_FILE
from core.plan import choose_roles, plan_study
from core.schema import load_schema
from storage.images import ImageFolder, StoredFile
from storage.making import make_study
from storage.store import Store

GENERATORS = ("sdxl", "sd3.5", "flux.1", "qwen-image")
EXTRACTOR = "vision-reader"
IMAGES_PER_PROMPT, PROMPTS = 10, (3, 7, 8)
PICTURES, SIDE = 240, 128
AT = "2026-11-{day:02d}T{hour:02d}:00:00.000Z"
MERGED_WORDS = 40
"""Labels of the first open dimension that the label map merges into their neighbour."""


def make_paper_study(folder: Path, *, roles: str = "all", words: int = 900) -> None:
    """Make the study in an empty folder; a folder that holds a study already raises StoreError."""
    chosen = choose_roles(roles)
    plan = plan_study(
        *("paper-size study", chosen),
        **{"seed": 2026, "design": "paper", "images_per_prompt": IMAGES_PER_PROMPT},
        generators=GENERATORS,
    )
    make_study(folder, plan).close()
    with Store.open(folder) as store:
        store.add_extractor(EXTRACTOR, {"model": "a made-up reader", "temperature": 0}, is_simulated=False)
    labels = corpus(load_schema(), roles=len(chosen), prompts=PROMPTS, words=words, open_words=4, seed=7)
    files = _pictures(folder)
    with _quick(folder) as connection:
        images = _add_images(connection, files)
        records = _add_records(connection, images)
        _add_readings(connection, labels, records)
        add_people(connection, labels)
        connection.execute("ANALYZE")
    with Store.open(folder) as store:
        _add_label_map(store)
        _add_jobs(store, len(images))


@contextlib.contextmanager
def _quick(folder: Path) -> Iterator[sqlite3.Connection]:
    """A connection that need not survive a crash: the study can be made again."""
    with contextlib.closing(sqlite3.connect(folder / STUDY_FILE, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        yield connection
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _pictures(folder: Path) -> list[StoredFile]:
    """Small pictures, each of another colour and number."""
    made = []
    for number in range(PICTURES):
        hue = number * 360 // PICTURES
        picture = Image.new(
            "RGB", (SIDE, SIDE), f"hsl({hue}, {30 + number % 5 * 10}%, {45 + number % 3 * 12}%)"
        )
        draw = ImageDraw.Draw(picture)
        draw.ellipse((44, 24, 84, 64), fill=f"hsl({(hue + 180) % 360}, 30%, 80%)")
        draw.rectangle((34, 68, 94, 128), fill=f"hsl({(hue + 90) % 360}, 40%, 35%)")
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=85)
        made.append((out.getvalue(), "jpeg"))
    keeper = ImageFolder(folder)
    try:
        return keeper.keep(made)
    finally:
        keeper.close()


def _add_images(connection: sqlite3.Connection, files: list[StoredFile]) -> pd.DataFrame:
    """All images in the order of the label table; a few are black. Returns id and whether it is ok."""
    prompts = connection.execute(
        "SELECT prompt.id, role_id, condition FROM prompt ORDER BY prompt.id"
    ).fetchall()
    order = {None: 3, "CF": 0, "CA-R": 1, "CA-U": 2}
    prompts.sort(key=lambda row: (row[1], order[row[2]], row[0]))
    generators = [number for (number,) in connection.execute("SELECT id FROM generator ORDER BY id")]
    rng = np.random.default_rng(11)
    rows = []
    for generator in generators:
        for prompt, role, _ in prompts:
            for seed in range(IMAGES_PER_PROMPT):
                number = len(rows)
                file = files[(role * 13 + seed * 7 + generator * 29 + prompt) % len(files)]
                status = "black" if rng.random() < 0.001 * generator else "ok"
                rows.append(
                    (
                        *(number + 1, generator, prompt, 1000 * prompt + seed, f"run {number:06d}"),
                        *(file.sha256, file.path, file.thumbnail, "jpeg", SIDE, SIDE, file.bytes, status),
                        *(
                            2.5,
                            "made-up",
                            "{}",
                            AT.format(day=1 + number * 9 // 66_240 % 28, hour=number % 24),
                        ),
                    )
                )
    marks = ", ".join("?" * 17)
    connection.executemany(
        "INSERT INTO image (id, generator_id, prompt_id, seed, run_key, sha256, path, thumbnail, format,"
        f" width, height, bytes, status, seconds, source, provenance_json, arrived_at) VALUES ({marks})",
        rows,
    )
    return pd.DataFrame({"id": [row[0] for row in rows], "is_ok": [row[12] == "ok" for row in rows]})


def _add_records(connection: sqlite3.Connection, images: pd.DataFrame) -> np.ndarray:
    """A record for each image that is ok; some were refused, more of some roles. Returns ids, 0 for none."""
    rng = np.random.default_rng(12)
    per_role = sum(PROMPTS) * IMAGES_PER_PROMPT
    role = (images["id"].to_numpy() - 1) // per_role % max(1, len(images) // per_role // 4)
    chance = rng.random(len(images))
    refused = chance < np.where(role % 9 == 0, 0.02, 0.002)
    invalid = ~refused & (chance > 0.998)
    status = np.where(refused, "refused", np.where(invalid, "invalid", "ok"))
    status = np.where(images["is_ok"], status, "")
    reasons = {"refused": "The server declined to answer.", "invalid": "The reply was no JSON.", "ok": ""}
    rows = [
        (number, number, f"record {number:06d}", said, reasons[said], "{}", 1, 1.2, AT.format(day=12, hour=3))
        for number, said in zip(images["id"].tolist(), status.tolist(), strict=True)
        if said
    ]
    connection.executemany(
        "INSERT INTO record (id, image_id, extractor_id, record_key, status, reason, raw, n_persons, seconds,"
        " recorded_at) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    return np.where(status == "ok", images["id"].to_numpy(), 0)


def _add_readings(connection: sqlite3.Connection, labels: pd.DataFrame, records: np.ndarray) -> None:
    """Every label of the table; *unknown* becomes a status."""
    pairs = labels[["dimension", "label"]].apply(lambda column: column.cat.codes)
    known = pairs.drop_duplicates()
    dimensions, words = labels["dimension"].cat.categories, labels["label"].cat.categories
    values = {}
    for number, (dimension, label) in enumerate(known.itertuples(index=False), start=1):
        word = words[label]
        said = ("", "unknown") if word == "unknown" else (word, "ok")
        values[dimension, label] = number
        connection.execute(
            "INSERT INTO reading_value (id, dimension, label, status) VALUES (?, ?, ?, ?)",
            (number, dimensions[dimension], *said),
        )
    frame = pd.DataFrame(
        {
            "record": records[labels["image"].cat.codes.to_numpy()],
            "dimension": pairs["dimension"],
            "value": _looked_up(pairs, values, len(words)),
        }
    )
    frame = (
        frame[frame["record"] > 0]
        .drop_duplicates(["record", "value"])
        .sort_values(["record", "dimension"], kind="stable")
    )
    position = frame.groupby("record").cumcount()
    connection.executemany(
        "INSERT INTO reading (record_id, position, value_id) VALUES (?, ?, ?)",
        zip(frame["record"].tolist(), position.tolist(), frame["value"].tolist(), strict=True),
    )


def _looked_up(pairs: pd.DataFrame, values: dict[tuple[int, int], int], many: int) -> np.ndarray:
    table = np.zeros((int(pairs["dimension"].max()) + 1, many), dtype=np.int64)
    for (dimension, label), number in values.items():
        table[dimension, label] = number
    return table[pairs["dimension"].to_numpy(), pairs["label"].to_numpy()]


def _add_label_map(store: Store) -> None:
    """Merge some words of the first open dimension into their neighbours, so that mapped differs from raw."""
    first = next(one.id for one in load_schema().dimensions if not one.is_closed)
    counts = store.label_counts([first])
    words = sorted(label for _, label in counts)[: 2 * MERGED_WORDS]
    merged = {(first, word): to for to, word in zip(words[::2], words[1::2], strict=False)}
    store.add_label_act(LabelAct(Act.ACCEPT, "study lead", merged, "the same thing"))


def _add_jobs(store: Store, images: int) -> None:
    """Runs of generation and extraction, done and cancelled, with failures that some roles have more of."""
    prompts = store.prompts()
    for number, generator in enumerate(GENERATORS):
        asked = images // len(GENERATORS)
        outcome = Outcome(asked=asked, done=asked)
        if generator == "flux.1":
            outcome.done = asked - 24
            for place in range(24):
                text = prompts[place * place % len(prompts)].text
                outcome.fail(f"{text} (seed {place})", "out_of_memory", "The GPU ran out of memory.")
        elif number == 3:
            outcome.done = asked // 2
        job = store.begin_job("generate", asked, {"generator": generator})
        store.end_job(job, outcome, "cancelled" if number == 3 else "done")
    outcome = Outcome(asked=images, done=images - 60)
    for number in range(60):
        outcome.fail(f"image {number * number + 1}", "timeout", "The server did not answer in 60 s.")
    store.end_job(store.begin_job("extract", images, {"extractor": EXTRACTOR}), outcome, "done")


def main() -> None:
    """Make the study and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--small", action="store_true", help="two roles only")
    asked = parser.parse_args()
    begun = time.perf_counter()
    make_paper_study(asked.folder, roles="2" if asked.small else "all")
    size = sum(one.stat().st_size for one in asked.folder.rglob("*") if one.is_file())
    print(f"{asked.folder}: {time.perf_counter() - begun:.0f} s, {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
