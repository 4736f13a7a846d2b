"""A calibration of the audit's intervals: how often they hold the phantom's own rate, over many studies.

A study of the phantom is drawn from the pictures that were made and read to measure it: so many pictures of
each role and condition, all labels of a picture together. Every study is analysed as any other; what an
interval should hold is the same number computed on all pictures. An interval of 95 % that deserves its name
holds it in about 95 % of the studies.

The labels of a drawn study are looked at in four ways: as they are, so that chance alone is at work; once
more by the reader with its measured errors; the same corrected for those errors; and by simulated people, the
commonest of whose answers counts.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from core.analysis import analyse
from core.errors import BadInput
from core.jobs import Job, Progress
from core.keys import seed_of
from core.phantom import NAME
from core.phantom.captions import FOLDER
from core.phantom.corrected_study import corrected_intervals
from core.phantom.instruments import Eye, looked_at, reader_eye
from core.phantom.truth import DIMENSIONS
from core.records import UNKNOWN, Status
from core.schema import Schema
from core.statistics.proportion import wilson

if TYPE_CHECKING:
    import pandas as pd

PICTURES = FOLDER / "pictures.jsonl.gz"
"""Role, condition, prompt and read labels of every picture that was measured."""

CHECKED = {
    "prevalence": (("role", "condition", "dimension", "label"), "prevalence"),
    "bi": (("condition", "cohort", "dimension"), "value"),
    "bi_change": (("comparison", "cohort", "dimension"), "value"),
    "persistence": (("role", "dimension", "label"), "ccs"),
}
"""Table -> the columns that name a row, and the column whose interval is checked."""

PLAIN, READER, CORRECTED, PEOPLE = "as they are", "reader", "reader, corrected", "simulated people"
"""The ways of looking at the pictures of a study."""

_DRAWS = 200
_RARE = 0.02
"""Shares nearer to 0 or 1 than this are left out: nearly every interval holds them."""


def save_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Keep what is needed of the pictures that were measured without a stated attribute."""
    kept = [
        {name: row[name] for name in ("role", "condition", "text")}
        | {"labels": {name: row["labels"][name] for name in DIMENSIONS}}
        for row in rows
        if row["condition"] and not row["stated"]
    ]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def load_rows(path: Path = PICTURES) -> list[dict[str, Any]]:
    """The rows of `save_rows`; BadInput when they are not there."""
    if not path.is_file():
        raise BadInput(f"{path} is not there.", "Run `main.py phantom measure` first.")
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def draw_study(rows: Sequence[Mapping[str, Any]], per_cell: int, seed: int) -> list[Mapping[str, Any]]:
    """Pictures of one study: `per_cell` of each role and condition, drawn with replacement."""
    cells: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        cells.setdefault((row["role"], row["condition"]), []).append(row)
    chance = Random(seed_of("calibration", seed))
    return [each for cell in cells.values() for each in chance.choices(cell, k=per_cell)]


def label_table(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """The label table of these pictures, one row per picture, dimension and label."""
    import pandas as pd

    columns = ["generator", "role", "condition", "prompt", "image", "dimension", "label", "status"]
    return pd.DataFrame(_label_rows(rows), columns=columns)


def _label_rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for number, row in enumerate(rows):
        where = (NAME, row["role"], row["condition"], row["text"], number)
        for dimension in DIMENSIONS:
            said = row["labels"][dimension]
            labels = said if isinstance(said, list) else [said]
            for label in labels or [UNKNOWN]:
                status = Status.UNKNOWN if label == UNKNOWN else Status.OK
                yield (*where, dimension, label, status.value)


def calibrate(
    rows: Sequence[Mapping[str, Any]],
    schema: Schema,
    studies: int,
    per_cell: int,
    seed: int,
    bootstrap: int | None = None,
    errors: Mapping[str, Mapping[str, Any]] | None = None,
    people: Sequence[Eye] = (),
) -> Job[list[dict[str, Any]]]:
    """Coverage of the audit's intervals over many drawn studies.

    Parameters
    ----------
    rows : sequence of mapping
        Of `load_rows`.
    schema : Schema
    studies : int
        How many studies to draw and analyse.
    per_cell : int
        Pictures of each role and condition in a study.
    seed : int
        Of the draws.
    bootstrap : int, optional
        Draws of the intervals that need them; the audit's own number when left out.
    errors : mapping, optional
        The reader's, as `instruments.reader_eye` takes them; without them no reader looks.
    people : sequence of Eye
        Simulated people; without them none look.

    Returns
    -------
    list of dict
        For each way of looking and each kind of number: intervals looked at, share that holds the truth, and
        its Wilson interval (which takes the intervals of one study for independent; they are not quite).
    """
    whole = (yield from analyse(label_table(rows), schema, bootstrap=0)).tables
    truth = {name: _values(whole[name], name) for name in CHECKED}
    hits: dict[tuple[str, str], list[bool]] = {}
    for number in range(studies):
        drawn = draw_study(rows, per_cell, seed_of("study", seed, number))
        for way, seen in _ways(drawn, errors, people, seed_of("looking", seed, number)):
            yield Progress(number, studies, f"drawn studies, labels {way}")
            job = analyse(label_table(seen), schema, bootstrap=bootstrap, seed=number)
            found = (yield from _silently(job)).tables
            for name in CHECKED:
                hits.setdefault((way, name), []).extend(_held(found[name], name, truth[name]))
            if way == READER and errors is not None:
                for name, is_held in _held_corrected(seen, errors, whole["bi"], truth, bootstrap, number):
                    hits.setdefault((CORRECTED, name), []).append(is_held)
    return [_line(*key, each, studies) for key, each in hits.items()]


def _ways(
    drawn: Sequence[Mapping[str, Any]],
    errors: Mapping[str, Mapping[str, Any]] | None,
    people: Sequence[Eye],
    seed: int,
) -> Iterator[tuple[str, Sequence[Mapping[str, Any]]]]:
    yield PLAIN, drawn
    if errors is not None:
        yield READER, looked_at(drawn, [reader_eye(errors)], seed)
    if people:
        yield PEOPLE, looked_at(drawn, people, seed)


def _held_corrected(
    seen: Sequence[Mapping[str, Any]],
    errors: Mapping[str, Mapping[str, Any]],
    bi: pd.DataFrame,
    truth: Mapping[str, Mapping[tuple[Any, ...], float]],
    bootstrap: int | None,
    seed: int,
) -> Iterator[tuple[str, bool]]:
    matrices = {name: errors[name]["matrix"] for name in DIMENSIONS if "matrix" in errors.get(name, {})}
    spaces = {row["dimension"]: (row["cohort"], int(row["k"])) for row in _own(bi).to_dict("records")}
    known = {name: matrix for name, matrix in matrices.items() if name in spaces}
    for name, key, low, high in corrected_intervals(seen, known, spaces, bootstrap or _DRAWS, seed):
        right = truth[name].get(key)
        if right is not None and _counts(name, right):
            yield name, low - 1e-9 <= right <= high + 1e-9


def _counts(name: str, right: float) -> bool:
    """Whether an interval is looked at."""
    return name != "prevalence" or _RARE <= right <= 1 - _RARE


def _silently(job: Job[Any]) -> Job[Any]:
    """Run a job without its progress, which counts within one study only."""
    yield from ()
    while True:
        try:
            next(job)
        except StopIteration as stop:
            return stop.value


def _values(table: pd.DataFrame, name: str) -> dict[tuple[Any, ...], float]:
    keys, column = CHECKED[name]
    rows = _own(table).dropna(subset=[column]).to_dict("records")
    return {tuple(row[key] for key in keys): float(row[column]) for row in rows}


def _held(table: pd.DataFrame, name: str, truth: Mapping[tuple[Any, ...], float]) -> Iterator[bool]:
    keys, column = CHECKED[name]
    low, high = _ends(table, column)
    for row in _own(table).dropna(subset=[low, high]).to_dict("records"):
        right = truth.get(tuple(row[key] for key in keys))
        if right is not None and _counts(name, right):
            yield bool(row[low] - 1e-9 <= right <= row[high] + 1e-9)


def _own(table: pd.DataFrame) -> pd.DataFrame:
    """The phantom's rows; of Bias Intensity the plug-in estimate of single dimensions, roles pooled."""
    mine = table[table["generator"] == NAME]
    if "estimator" not in mine.columns:
        return mine
    is_main = (mine["estimator"] == "plugin") & (mine["aggregation"] == "pool")
    return mine[is_main & (mine["dimension"] != "ALL") & (mine["cohort"] != "ALL")]


def _ends(table: pd.DataFrame, column: str) -> tuple[str, str]:
    """Names of the columns with an interval's ends."""
    own = (f"{column}_low", f"{column}_high")
    return own if own[0] in table.columns else ("low", "high")


def _line(way: str, name: str, hits: Sequence[bool], studies: int) -> dict[str, Any]:
    found = wilson(sum(hits), len(hits))
    return {
        "labels": way,
        "number": name,
        "studies": studies,
        "intervals": len(hits),
        "hold the truth": found.value,
        "low": found.low,
        "high": found.high,
    }
