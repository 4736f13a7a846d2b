"""Agreement with a label map: what people and pipeline said in their own words, each in canonical labels.

The map holds labels of open dimensions as extractors said them. A person's descriptor is looked up by the
same form (`core.label_form`), so both sides are mapped alike; what the map does not hold stays as it was
said. Categories that were offered are never mapped, and the store keeps every word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from annotation.agreement import AgreementResult, agreement
from annotation.comparison import pipeline_answers
from core.jobs import Job
from core.labels.analysing import BOTH, RAW_LABELS, STUDY
from core.labels.files import map_from
from core.labels.label_map import RAW, LabelMap
from core.questions import Question
from core.schema import Schema

KEYS = ["question", "scope", "statistic", "level"]
VALUES = ["value", "low", "high", "units", "reason"]


@dataclass(frozen=True)
class Sides:
    """What agreement is computed from, on either side of a label map.

    `repeats` are second answers to image sets that were shown again; `readings` is None without a pipeline.
    `moved` counts the rows of each table whose label has another name now.
    """

    answers: pd.DataFrame
    readings: pd.DataFrame | None = None
    repeats: pd.DataFrame | None = None
    label_map: LabelMap = RAW
    moved: tuple[tuple[str, int], ...] = ()

    def account(self) -> dict[str, Any]:
        """What a result says about the map it was made with."""
        return {**self.label_map.as_data(), "rows_mapped": dict(self.moved)}


def mapped_sides(said: Sides, label_map: LabelMap, questions: Sequence[Question]) -> Sides:
    """Answers, readings and second answers with canonical labels; the tables given stay as they are.

    Parameters
    ----------
    said : Sides
        As people and pipeline said it.
    label_map : LabelMap
        Which labels count as which.
    questions : sequence of Question
        What was asked; only open ones are mapped.
    """
    own: dict[str, pd.DataFrame | None] = {
        "answers": _people(said.answers, label_map, questions),
        "readings": _pipeline(said.readings, label_map),
        "repeats": _people(said.repeats, label_map, questions),
    }
    before = {"answers": said.answers, "readings": said.readings, "repeats": said.repeats}
    moved = tuple((name, _moved(table, own[name])) for name, table in before.items() if table is not None)
    assert own["answers"] is not None
    return Sides(own["answers"], own["readings"], own["repeats"], label_map, moved)


def chosen_map(mapping: str, own_map: LabelMap, schema: Schema) -> LabelMap:
    """The map that is meant: the study's ("study", "both"), none ("raw"), or one from a CSV file."""
    if mapping in (STUDY, BOTH):
        return own_map
    return RAW if mapping == RAW_LABELS else map_from(Path(mapping), schema)


def agreement_mapped(
    said: Sides,
    questions: Sequence[Question],
    own_map: LabelMap,
    schema: Schema,
    *,
    mapping: str = STUDY,
    **options: Any,
) -> Job[AgreementResult]:
    """Agreement, as `annotation.agreement.agreement`, with labels mapped first.

    Parameters
    ----------
    said : Sides
        As people and pipeline said it.
    questions : sequence of Question
        What was asked.
    own_map : LabelMap
        The study's; an empty one maps nothing.
    schema : Schema
        Dimensions of a map from a file.
    mapping : str
        "study", "raw", "both" for tables of either kind (the raw ones with the ending `_raw`) and
        `agreement_by_map` side by side, else the path of a map as CSV.
    **options
        For `agreement`.
    """
    mapped = mapped_sides(said, chosen_map(mapping, own_map, schema), questions)
    result = yield from _agreement_of(mapped, questions, options)
    if mapping != BOTH:
        return result
    raw = yield from _agreement_of(mapped_sides(said, RAW, questions), questions, options)
    tables = result.tables | {f"{name}_raw": table for name, table in raw.tables.items()}
    tables["agreement_by_map"] = _side_by_side(raw.tables["agreement"], result.tables["agreement"])
    return AgreementResult(tables, {**result.run, "raw": raw.run})


def _agreement_of(
    sides: Sides, questions: Sequence[Question], options: dict[str, Any]
) -> Job[AgreementResult]:
    pipeline = None if sides.readings is None else pipeline_answers(sides.readings, questions)
    more: dict[str, Any] = {"readings": sides.readings, "repeats": sides.repeats}
    result = yield from agreement(sides.answers, pipeline, questions, **more, **options)
    result.run["label_map"] = sides.account()
    return result


def _people(
    table: pd.DataFrame | None, label_map: LabelMap, questions: Sequence[Question]
) -> pd.DataFrame | None:
    if table is None or not label_map.moved or table.empty:
        return table
    asked = {question.id: question for question in questions if question.is_open}
    moved = label_map.moved

    def canonical(question: str, label: str) -> str:
        about = asked.get(question)
        return label if about is None else moved.get((about.dimension, about.meaning(label)), label)

    return _with_labels(table, canonical)


def _pipeline(table: pd.DataFrame | None, label_map: LabelMap) -> pd.DataFrame | None:
    if table is None or not label_map.moved or table.empty:
        return table
    moved = label_map.moved
    return _with_labels(table, lambda dimension, label: moved.get((dimension, label), label))


def _with_labels(table: pd.DataFrame, canonical: Any) -> pd.DataFrame:
    """The table with each label replaced; every pair of question and label is looked up once."""
    pairs = list(zip(table["question"].astype(str), table["label"], strict=True))
    new = {pair: canonical(*pair) for pair in set(pairs) if isinstance(pair[1], str) and pair[1]}
    changed = table.assign(label=[new.get(pair, pair[1]) for pair in pairs])
    changed.attrs = dict(table.attrs)
    if "decided" in table.attrs:  # what a person decided is in the same words
        changed.attrs["decided"] = {
            (where, question): (canonical(question, label) if label else label, slider)
            for (where, question), (label, slider) in table.attrs["decided"].items()
        }
    return changed


def _moved(before: pd.DataFrame, after: pd.DataFrame | None) -> int:
    if after is None or after is before:
        return 0
    pairs = zip(before["label"], after["label"], strict=True)
    return sum(isinstance(new, str) and old != new for old, new in pairs)


def _side_by_side(raw: pd.DataFrame, mapped: pd.DataFrame) -> pd.DataFrame:
    names = [name for name in VALUES if name in raw.columns]
    both = raw[KEYS + names].merge(mapped[KEYS + names], on=KEYS, suffixes=("_raw", "_mapped"), how="outer")
    return both.sort_values(KEYS, kind="stable").reset_index(drop=True)
