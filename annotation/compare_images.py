"""What lies behind a comparison: each annotator's answer, and marks and reading of each single image."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from annotation.compare import Comparison
from annotation.comparison import NEEDED, NOT_MEASURED, labels_of_image, records_by_set
from core.questions import Question
from core.records import UNKNOWN, DimensionReading, Status

if TYPE_CHECKING:
    import pandas as pd

NOT_READ = "not read"


@dataclass(frozen=True, slots=True)
class Said:
    """One annotator's answer: label ("unknown" included), count of images, positions marked from 0."""

    annotator: str
    label: str
    count: float | None = None
    marks: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ImageSaid:
    """One image: who marked it, and what the pipeline read off it for the question.

    `state` says why there are no labels: a status, or "not read". `has_label` is whether the pipeline read
    the label that people agreed on, None where either is missing.
    """

    position: int
    marked_by: tuple[str, ...]
    labels: tuple[str, ...]
    state: str = ""
    has_label: bool | None = None


Answers: TypeAlias = Mapping[tuple[str, str], tuple[Said, ...]]
"""(image set, question) -> answers, annotators in their order."""
Readings: TypeAlias = Mapping[str, Mapping[int, Mapping[str, DimensionReading]]]
"""Image set -> position -> dimension -> reading."""


def answers_by_place(answers: pd.DataFrame, questions: Sequence[Question]) -> Answers:
    """The answers by what they are about.

    Parameters
    ----------
    answers : DataFrame
        As for `annotation.agreement.agreement`; marks where there is a column of them.
    questions : sequence of Question
        Whose answers are wanted.
    """
    asked = {one.id: one for one in questions}
    found: dict[tuple[str, str], list[Said]] = {}
    names = ("annotator", "image_set", "question", "label", "slider", "status", "marks")
    # As lists: a frame hands out its words one by one much more slowly.
    columns = [answers[name].tolist() if name in answers else [""] * len(answers) for name in names]
    for who, where, what, label, slider, status, marks in zip(*columns, strict=True):
        question = asked.get(str(what))
        if question is None:
            continue
        word = UNKNOWN if status == UNKNOWN else question.meaning(label if isinstance(label, str) else "")
        said = Said(str(who), word, None if word == UNKNOWN else _count(slider), _positions(marks))
        found.setdefault((str(where), question.id), []).append(said)
    return {place: tuple(each) for place, each in found.items()}


def readings_by_place(readings: pd.DataFrame) -> Readings:
    """What was read off each image, by its position in its set.

    Parameters
    ----------
    readings : DataFrame
        As for `annotation.comparison.pipeline_answers`, with the column `position`.
    """
    places = readings[["image_set", "image", "position"]].drop_duplicates()
    position = {
        (str(where), str(image)): int(place)
        for where, image, place in zip(*(places[name].tolist() for name in places), strict=True)
    }
    return {
        where: {position[where, image]: record for image, record in records.items()}
        for where, records in records_by_set(readings[list(NEEDED)])
    }


def images_of(one: Comparison, answers: Answers, readings: Readings) -> tuple[ImageSaid, ...]:
    """The images of a comparison in the order of their set.

    Marks are those of annotators who chose the label that people agreed on; where there is none, of
    everybody. The marks of who chose another label are about that other label.
    """
    key, label = one.image_set.key, one.people.label
    marks = [said for said in answers.get(one.place, ()) if label in ("", UNKNOWN) or said.label == label]
    records = readings.get(key, {})
    made = []
    for position in range(len(one.image_set.images)):
        marked = tuple(said.annotator for said in marks if position in said.marks)
        record = records.get(position)
        if record is None:
            made.append(ImageSaid(position, marked, (), NOT_READ))
            continue
        reading = labels_of_image(one.question, record)
        is_read = reading.status is Status.OK and bool(reading.labels)
        if one.pipeline.how.startswith(NOT_MEASURED):
            made.append(ImageSaid(position, marked, (), one.pipeline.how))
            continue
        state = "" if is_read else "nothing read" if reading.status is Status.OK else str(reading.status)
        has_label = label in reading.labels if is_read and label not in ("", UNKNOWN) else None
        made.append(ImageSaid(position, marked, reading.labels if is_read else (), state, has_label))
    return tuple(made)


def _count(value: Any) -> float | None:
    if value is None or value == "":
        return None
    number = float(value)
    return number if number == number else None


def _positions(text: Any) -> frozenset[int]:
    return frozenset(json.loads(text)) if isinstance(text, str) and text else frozenset()
