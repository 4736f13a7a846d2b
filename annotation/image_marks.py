"""Agreement on single images: who marked an image, among those who chose the same label for its set.

An annotator who chose "female" and marked seven of ten images says of each image whether it shows that
label. Only marks whose number is the count are used: when the count was set by hand afterwards, marks and
count say two things. People who chose different labels say nothing about each other's images.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from annotation.coding import MISSING, Coded, Codes, Reader, Sheet
from annotation.comparison import NEEDED, labels_of_image, records_by_set
from core.errors import BadInput
from core.questions import Question
from core.records import IMAGES_PER_SET, UNKNOWN, DimensionReading, Status

LABELS = ("not shown", "shown")
Marks = Mapping[tuple[str, str, str], frozenset[int]]
"""(annotator, image set, question) -> positions marked."""

Known = dict[tuple[DimensionReading | None, ...], DimensionReading]
"""What a question makes of the readings that it asks for."""


@dataclass(frozen=True)
class _Set:
    """An image set: how many images, and the record of each by position, where there are readings."""

    size: int
    records: Mapping[int, Mapping[str, DimensionReading]]


def image_sheet(
    sheet: Sheet, answers: pd.DataFrame, readings: pd.DataFrame | None, questions: Sequence[Question]
) -> tuple[Sheet | None, dict[str, Any]]:
    """The same people on single images, and what became of the answers with marks.

    Parameters
    ----------
    sheet : Sheet
        The coded answers to whole image sets.
    answers : DataFrame
        With a column `marks`: a JSON list of positions, "" where nothing was marked.
    readings : DataFrame, optional
        As for `annotation.comparison.pipeline_answers`, with the column `position` of an image in its
        set. Without it the pipeline is not compared and a set is taken to have ten images; with it, as
        many as its last position that was read or marked.
    questions : sequence of Question
        Those of the sheet.

    Returns
    -------
    tuple
        None when nobody marked anything that can be used; and the account of rows of `marks`, and of
        `readings` where single images are compared with them.
    """
    if "marks" not in answers:
        return None, {}
    marks, account = _usable_marks(sheet, answers)
    accounts = {"marks": account}
    if not marks:
        return None, accounts
    sets = _sets(readings, questions, marks)
    if sets and readings is not None:
        accounts["readings"] = _account_of_readings(readings, questions, marks)
    coded = tuple(
        _code(sheet, coded, question, marks, sets)
        for coded, question in zip(sheet.questions, questions, strict=True)
    )
    has_pipeline = bool(sets)
    return Sheet(sheet.image_sets, sheet.annotators, coded, has_pipeline), accounts


def _account_of_readings(
    readings: pd.DataFrame, questions: Sequence[Question], marks: Marks
) -> dict[str, Any]:
    """Rows of readings that single images are compared with, and those that are not needed for it."""
    wanted = {name for question in questions for name in (question.dimension, *question.folds)}
    asked = readings["question"].astype(str).isin(wanted).to_numpy()
    marked = readings["image_set"].astype(str).isin({where for _, where, _ in marks}).to_numpy()
    reasons = {
        "no question asks for the dimension": int((~asked).sum()),
        "nobody marked the image set": int((asked & ~marked).sum()),
    }
    left_out = {reason: number for reason, number in reasons.items() if number}
    return {"in": len(readings), "used": int((asked & marked).sum()), "left_out": left_out}


def _usable_marks(sheet: Sheet, answers: pd.DataFrame) -> tuple[Marks, dict[str, Any]]:
    row_of = {name: row for row, name in enumerate(sheet.image_sets)}
    column_of = {name: column for column, name in enumerate(sheet.annotators)}
    coded = {one.question: one for one in sheet.questions}
    left_out: Counter[str] = Counter()
    usable: dict[tuple[str, str, str], frozenset[int]] = {}
    names = ["annotator", "image_set", "question", "marks"]
    table = pd.DataFrame({name: answers[name].astype(str).fillna("") for name in names})
    read: dict[str, frozenset[int]] = {}
    for who, where, what, text in zip(*(table[name].tolist() for name in names), strict=True):
        if text in ("", "[]"):
            continue
        if text not in read:  # ten images can be marked in a thousand ways, in a million answers
            read[text] = _positions(text, who, where, what)
        positions = read[text]
        one, place = coded.get(what), (row_of.get(where, -1), column_of.get(who, -1))
        if one is None or one.ratings[place] == MISSING or one.labels[one.ratings[place]] == UNKNOWN:
            left_out["no label"] += 1
        elif one.sliders[place] != len(positions):
            left_out["count differs from the number of marks"] += 1
        else:
            usable[who, where, what] = positions
    reasons = {reason: left_out[reason] for reason in sorted(left_out)}
    return usable, {"in": len(usable) + left_out.total(), "used": len(usable), "left_out": reasons}


def _positions(text: str, who: str, where: str, what: str) -> frozenset[int]:
    try:
        positions = json.loads(text)
        if not all(isinstance(one, int) and 0 <= one < IMAGES_PER_SET for one in positions):
            raise ValueError("a position is 0 to 9")
        return frozenset(positions)
    except (ValueError, TypeError) as error:
        raise BadInput(
            f"The marks of {who} for {what} on image set {where} are not a list of positions: {text}."
        ) from error


def _sets(readings: pd.DataFrame | None, questions: Sequence[Question], marks: Marks) -> dict[str, _Set]:
    if readings is None or "position" not in readings:
        return {}
    wanted = {name for question in questions for name in (question.dimension, *question.folds)}
    used = readings[readings["question"].astype(str).isin(wanted)]
    position = {
        (str(where), str(image)): int(place)
        for where, image, place in zip(
            *(used[name].tolist() for name in ("image_set", "image", "position")), strict=True
        )
    }
    last: dict[str, int] = {}
    for (_, where, _), positions in marks.items():
        last[where] = max(last.get(where, 0), *positions)
    for (where, _), place in position.items():
        last[where] = max(last.get(where, 0), place)
    return {
        where: _Set(last[where] + 1, {position[where, image]: record for image, record in records.items()})
        for where, records in records_by_set(used[list(NEEDED)])
    }


def _code(sheet: Sheet, coded: Coded, question: Question, marks: Marks, sets: Mapping[str, _Set]) -> Coded:
    blocks = list(_blocks(sheet, coded, question, marks, sets))
    people = len(sheet.annotators)
    ratings = np.concatenate([np.full((0, people), MISSING), *(block[1] for block in blocks)])
    machine = np.concatenate([np.zeros(0, dtype=np.int64), *(block[2] for block in blocks)])
    places = np.repeat([block[0] for block in blocks], [len(block[1]) for block in blocks])
    return Coded(
        coded.question,
        LABELS,
        ratings.astype(np.int64),
        np.full(ratings.shape, np.nan),
        _majority(ratings),
        _reader(machine, coded.not_measured or "not read"),
        places=places.astype(np.int64),
    )


def _blocks(
    sheet: Sheet, coded: Coded, question: Question, marks: Marks, sets: Mapping[str, _Set]
) -> Iterator[tuple[int, Codes, Codes]]:
    """(place of the image set, ratings, pipeline) of the images of a set, once for each label chosen."""
    known: Known = {}
    for row, image_set in enumerate(sheet.image_sets):
        images = sets.get(image_set, _Set(IMAGES_PER_SET, {}))
        said: dict[int, tuple[str, ...]] | None = None
        for label in np.unique(coded.ratings[row][coded.ratings[row] >= 0]):
            ratings = np.full((images.size, len(sheet.annotators)), MISSING)
            for column in np.flatnonzero(coded.ratings[row] == label):
                key = (sheet.annotators[column], image_set, coded.question)
                if key in marks:
                    ratings[:, column] = 0
                    ratings[[one for one in marks[key] if one < images.size], column] = 1
            if (ratings >= 0).any():
                said = _said(question, images, known) if said is None else said
                codes = np.full(images.size, MISSING)
                for position, labels in said.items():
                    codes[position] = coded.labels[label] in labels
                yield row, ratings, codes


def _said(question: Question, images: _Set, known: Known) -> dict[int, tuple[str, ...]]:
    """What the pipeline read off each image, by position; images off which nothing was read are left out."""
    asked = (question.dimension, *question.folds)
    said = {}
    for position, record in images.records.items():
        key = tuple(record.get(name) for name in asked)
        if key not in known:  # the same few readings come again and again
            known[key] = labels_of_image(question, record)
        if known[key].status is Status.OK and position < images.size:
            said[position] = known[key].labels
    return said


def _majority(ratings: Codes) -> Reader:
    """What more people say of each image; equally many on both sides is a tie."""
    balance = (ratings == 1).sum(axis=1) - (ratings == 0).sum(axis=1)
    return _reader(np.where(balance == 0, MISSING, (balance > 0).astype(np.int64)), "tied")


def _reader(codes: Codes, otherwise: str) -> Reader:
    states = tuple("" if code >= 0 else otherwise for code in codes)
    return Reader(codes, np.full(len(codes), np.nan), states)
