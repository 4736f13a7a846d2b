"""The pipeline's answer to an annotator's question: ten readings become one label and a count.

An image is *usable* when a label was read off it. The answer is the label that most usable images have, and
the slider is how many images have it; an image of a list question has each of its labels. An image read
as unknown has no label and takes no part; only when no image has a label and some are unknown, the answer
is unknown (people too answer unknown only when nothing can be seen). Images whose record failed take no
part either way. Labels of equally many images are a tie: the answer is mixed and both are named, never
the first of an alphabet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

import pandas as pd

from core.errors import BadInput
from core.questions import Question, image_label
from core.records import UNKNOWN, DimensionReading, Status
from core.schema import normal_text

MODE = "mode"
TIE = "tie"
NO_USABLE_IMAGE = "no usable image"
NOT_MEASURED = "not measured by "
"""Followed by the extractor: it never reads what the question asks for, so its `unknown` is no answer."""
COLUMNS = ("image_set", "question", "label", "slider", "how", "tied", "usable", "unknown", "images")
NEEDED = ("image_set", "image", "question", "label", "status")

Records: TypeAlias = Mapping[str, Mapping[str, DimensionReading]]
"""Image -> dimension -> reading."""


def pipeline_answers(readings: pd.DataFrame, questions: Sequence[Question]) -> pd.DataFrame:
    """What the pipeline answers to every question on every image set.

    Parameters
    ----------
    readings : DataFrame
        Columns image_set, image, question, label, status: one row per image and label, where `question`
        is the dimension that was read. A dimension that is missing for an image counts as unknown.
    questions : sequence of Question
        What is asked; the dimensions that a question folds in are used where it is unknown.

    Returns
    -------
    DataFrame
        Columns image_set, question, label (`unknown`; "" when mixed or nothing is usable), slider (images
        that have the label; missing without a label), how ("mode", "tie", "no usable image"), tied (the
        labels of a tie, "a | b"), usable, unknown and images (numbers of images). Sorted by image set,
        questions in the order given. A question of dimensions in `readings.attrs["not_measured"]`, as
        `storage.frames.Frames.readings` has it, has no label, and `how` is "not measured by …".

    Raises
    ------
    BadInput
        A column is missing.
    """
    absent = [name for name in NEEDED if name not in readings]
    if absent:
        raise BadInput(f"The readings lack the column {absent[0]!r}.", f"They need {', '.join(NEEDED)}.")
    rows = []
    unmeasured = {question.id: not_measured(question, readings) for question in questions}
    for image_set, records in records_by_set(readings):
        for question in questions:
            why = unmeasured[question.id]
            said = ("", None, why, "", 0, 0, len(records)) if why else _answer(question, records)
            rows.append((image_set, question.id, *said))
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"slider": "float64"})


def not_measured(question: Question, readings: pd.DataFrame) -> str:
    """ "not measured by …" where the extractor reads nothing that the question asks for, else ""."""
    absent: Mapping[str, str] = readings.attrs.get("not_measured", {})
    if not all(name in absent for name in (question.dimension, *question.folds)):
        return ""
    return f"{NOT_MEASURED}{absent[question.dimension]}"


def records_by_set(readings: pd.DataFrame) -> Iterable[tuple[str, Records]]:
    """Image sets in the order of their ids, each with what was read off its images."""
    table = pd.DataFrame({name: readings[name].astype(str).fillna("") for name in NEEDED})
    table = table.sort_values(list(NEEDED), kind="stable")
    in_order = zip(*(table[name].tolist() for name in NEEDED), strict=True)
    for image_set, rows in groupby(in_order, key=lambda row: row[0]):
        records: dict[str, dict[str, DimensionReading]] = {}
        for (image, dimension), cell in groupby(rows, key=lambda row: (row[1], row[2])):
            records.setdefault(image, {})[dimension] = _reading(cell)
        yield str(image_set), records


def labels_of_image(question: Question, record: Mapping[str, DimensionReading]) -> DimensionReading:
    """What one image shows in the words of a question; descriptors of open questions in lower case."""
    reading = image_label(question, record)
    if reading.status is Status.OK and question.is_open:
        words = {normal_text(label) for label in reading.labels}
        return DimensionReading(tuple(sorted(words - {""})))
    return reading


def _reading(rows: Iterable[tuple[Any, ...]]) -> DimensionReading:
    """The rows of one image and dimension as one reading; a status that is not ok goes first."""
    labels: list[str] = []
    for *_, label, status in rows:
        if label == UNKNOWN or status == Status.UNKNOWN:
            return DimensionReading(status=Status.UNKNOWN)
        if status not in (Status.OK, ""):
            return DimensionReading(status=_status(status))
        if label and label not in labels:
            labels.append(label)
    return DimensionReading(tuple(labels))


def _status(word: str) -> Status:
    try:
        return Status(word)
    except ValueError:
        known = ", ".join(Status)
        raise BadInput(f"The readings have the status {word!r}.", f"Use one of: {known}.") from None


def _answer(question: Question, records: Records) -> tuple[str, float | None, str, str, int, int, int]:
    seen: Counter[str] = Counter()
    usable = unknown = 0
    for record in records.values():
        reading = labels_of_image(question, record)
        unknown += reading.status is Status.UNKNOWN
        if reading.status is Status.OK and reading.labels:
            usable += 1
            seen.update(set(reading.labels))
    numbers = (usable, unknown, len(records))
    if not seen:
        return (UNKNOWN, None, MODE, "", *numbers) if unknown else ("", None, NO_USABLE_IMAGE, "", *numbers)
    most = max(seen.values())
    tied = sorted(label for label, number in seen.items() if number == most)
    if len(tied) > 1:
        return ("", None, TIE, " | ".join(tied), *numbers)
    return (tied[0], float(most), MODE, "", *numbers)
