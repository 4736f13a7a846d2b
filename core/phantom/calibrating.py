"""A calibration of the audit's intervals: how often they hold the phantom's own rate, over many studies.

A study of the phantom is drawn from the pictures that were made and read to measure it: so many pictures of
each role and condition, all labels of a picture together. Every study is analysed as any other; what an
interval should hold is the same number computed on all pictures. An interval of 95 % that deserves its name
holds it in about 95 % of the studies.
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

    Returns
    -------
    list of dict
        For each kind of number: intervals looked at, share that holds the truth, and its Wilson interval
        (which takes the intervals of one study for independent; they are not quite).
    """
    truth = {
        name: _values(table, name)
        for name, table in (yield from analyse(label_table(rows), schema, bootstrap=0)).tables.items()
        if name in CHECKED
    }
    hits: dict[str, list[bool]] = {name: [] for name in CHECKED}
    for number in range(studies):
        yield Progress(number, studies, "analysing drawn studies")
        table = label_table(draw_study(rows, per_cell, seed_of("study", seed, number)))
        found = (yield from _silently(analyse(table, schema, bootstrap=bootstrap, seed=number))).tables
        for name in CHECKED:
            hits[name] += _held(found[name], name, truth[name])
    return [_line(name, each, studies) for name, each in hits.items()]


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
        is_share = name == "prevalence"
        if right is not None and not (is_share and not _RARE <= right <= 1 - _RARE):
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


def _line(name: str, hits: Sequence[bool], studies: int) -> dict[str, Any]:
    found = wilson(sum(hits), len(hits))
    return {
        "number": name,
        "studies": studies,
        "intervals": len(hits),
        "hold the truth": found.value,
        "low": found.low,
        "high": found.high,
    }
