"""Answers for other programs: a matrix for R, Label Studio's JSON, COCO for image marks, a codebook.

Stable ids everywhere (keys of image sets, file names), never row order. Empty is missing; unknown is an
answer and says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from core.questions import Question
from core.records import UNKNOWN, Answer, ImageSet

if TYPE_CHECKING:
    import pandas as pd

Given: TypeAlias = tuple[str, str, str, str, Answer, float]
"""Annotator, image set, set that it repeats or '', question, answer, active seconds."""


def reliability_rows(
    given: Iterable[Given], sets: Sequence[ImageSet], questions: Sequence[Question]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Units by raters, as packages for agreement read it: a row an image set and question, a column a rater.

    Returns the rows and the columns. A cell is the label as it is, `unknown` included; empty when the
    rater did not answer. Second showings are left out.
    """
    cells: dict[tuple[str, str], dict[str, str]] = {}
    people: dict[str, None] = {}
    for annotator, image_set, repeats, question, answer, _ in given:
        if not repeats:
            people[annotator] = None
            cells.setdefault((image_set, question), {})[annotator] = _label(answer)
    rows = [
        {"image_set": one.key, "question": question.id, **cells.get((one.key, question.id), {})}
        for one in sets
        for question in questions
    ]
    return rows, ["image_set", "question", *people]


def answer_table(answers: pd.DataFrame, repeats: pd.DataFrame, given: Iterable[Given]) -> pd.DataFrame:
    """The table of answers as it is written: with where each count came from, and with second showings.

    Parameters
    ----------
    answers, repeats : DataFrame
        From `storage.frames.Frames`; who was excluded is in neither.
    given : iterable
        From `storage.quality_rows`.

    Returns
    -------
    DataFrame
        The columns of `answers`, then slider_source and repeat_of, which is the set that a row's set shows
        a second time, or empty. `annotation.answer_import` reads it back.
    """
    import pandas as pd

    given = list(given)
    by_place = {
        (who, image_set, question): (answer, seconds)
        for who, image_set, _, question, answer, seconds in given
    }
    again = {(who, first, question): key for who, key, first, question, *_ in given if first}
    places = list(zip(answers["annotator"], answers["image_set"], answers["question"], strict=True))
    first = answers.assign(
        image_set=answers["image_set"].astype(str),
        slider_source=[by_place[place][0].slider_source or "" for place in places],
        repeat_of="",
    )
    rows = []
    for row in repeats.to_dict("records"):
        place = (row["annotator"], str(row["image_set"]), row["question"])
        key = again[place]
        answer, seconds = by_place[(place[0], key, place[2])]
        rows.append(
            {
                **{str(name): value for name, value in row.items()},
                **{"image_set": key, "repeat_of": place[1], "is_flagged": answer.is_flagged},
                **{"marks": json.dumps(sorted(answer.marks)) if answer.marks else ""},
                **{"comment": answer.comment, "slider_source": answer.slider_source or ""},
                **{"active_seconds": seconds, "answered_at": ""},
            }
        )
    first.attrs = {}  # what is known about the table does not belong into a file of answers
    if not rows:
        return first
    return pd.concat(
        [first, pd.DataFrame(rows)[[c for c in first.columns if c in rows[0]]]], ignore_index=True
    )


def without_excluded(given: Iterable[Given], exclusions: Iterable[Mapping[str, Any]]) -> list[Given]:
    """The answers that no standing exclusion leaves out."""
    out = {(one["annotator"], one["question"]) for one in exclusions if not one["withdrawn_at"]}
    return [row for row in given if (row[0], "") not in out and (row[0], row[3]) not in out]


def label_studio_tasks(
    given: Iterable[Given], sets: Sequence[ImageSet], questions: Sequence[Question]
) -> list[dict[str, Any]]:
    """One task an image set, with one annotation a rater: choices or text, and the count as a number.

    `lead_time` is the sum of active seconds of the rater on the set. Ids of tasks are positions from 1 in
    the order of keys, as that program wants numbers; the key stands in `data`.
    """
    by_set: dict[str, dict[str, list[tuple[str, Answer, float]]]] = {}
    for annotator, image_set, repeats, question, answer, seconds in given:
        if not repeats:
            by_set.setdefault(image_set, {}).setdefault(annotator, []).append((question, answer, seconds))
    kinds = {one.id: one for one in questions}
    tasks = []
    for number, one in enumerate(sorted(sets, key=lambda found: found.key), start=1):
        images = [image.path for image in one.images]
        annotations = [
            {
                "completed_by": annotator,
                "lead_time": round(sum(seconds for _, _, seconds in answers), 3),
                "result": [
                    part
                    for question, answer, _ in answers
                    if question in kinds
                    for part in _results(kinds[question], answer)
                ],
            }
            for annotator, answers in by_set.get(one.key, {}).items()
        ]
        tasks.append(
            {"id": number, "data": {"image_set": one.key, "images": images}, "annotations": annotations}
        )
    return tasks


def coco_of(
    given: Iterable[Given], sets: Sequence[ImageSet], questions: Sequence[Question]
) -> dict[str, Any]:
    """Image marks as whole-image annotations: an image, a category (question: label), and who marked it.

    COCO has no notion of a question about a set, so only marks go in; counts set by hand do not.
    """
    images = {image.image_id: image for one in sets for image in one.images}
    categories: dict[tuple[str, str], int] = {}
    for question in questions:
        for label in question.option_ids:
            categories[(question.id, label)] = len(categories) + 1
    by_key = {one.key: one for one in sets}
    annotations: list[dict[str, Any]] = []
    for annotator, key, repeats, question_id, answer, _ in given:
        if repeats or answer.label is None or key not in by_key:
            continue
        category = categories.setdefault((question_id, answer.label), len(categories) + 1)
        for place in sorted(answer.marks):
            image = by_key[key].images[place]
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": image.image_id,
                    "category_id": category,
                    "bbox": [0, 0, image.width, image.height],
                    "area": image.width * image.height,
                    "iscrowd": 0,
                    "attributes": {"annotator": annotator, "image_set": key},
                }
            )
    return {
        "info": {"description": "Marks on images: which of a set show the label that an annotator chose"},
        "images": [
            {"id": image.image_id, "file_name": image.path, "width": image.width, "height": image.height}
            for image in images.values()
        ],
        "categories": [
            {"id": number, "name": f"{question}: {label}", "supercategory": question}
            for (question, label), number in categories.items()
        ],
        "annotations": annotations,
    }


def codebook_rows(questions: Sequence[Question]) -> list[dict[str, str]]:
    """A readable table of what was asked: one row an option, *unknown* included, open questions one row."""
    rows = []
    for question in questions:
        options = [(one.id, one.name, one.definition) for one in question.options]
        options.append(
            (UNKNOWN, "unknown / not visible", "Not visible in most images, or not enough to tell.")
        )
        if question.is_open:
            options.insert(0, ("", "a descriptor in the annotator's own words", ""))
        rows += [
            {
                **{"question": question.id, "cohort": question.cohort, "wording": question.wording},
                **{"label": label, "name": name, "definition": definition, "help": question.help},
            }
            for label, name, definition in options
        ]
    return rows


def codebook_schema(questions: Sequence[Question], count_mode: str) -> dict[str, Any]:
    """JSON Schema of one answer, so that a table can be checked by a program."""
    labels = {one.id: [*one.option_ids, UNKNOWN] for one in questions if not one.is_open}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "answer",
        "type": "object",
        "required": ["annotator", "image_set", "question"],
        "properties": {
            "annotator": {"type": "string"},
            "image_set": {"type": "string", "description": "key of an image set"},
            "question": {"enum": [one.id for one in questions]},
            "label": {"type": "string"},
            "slider": {"type": ["integer", "null"], "minimum": 0, "maximum": 10},
            "count_mode": {"const": count_mode},
        },
        "allOf": [
            {
                "if": {"properties": {"question": {"const": question}}},
                "then": {"properties": {"label": {"enum": found}}},
            }
            for question, found in labels.items()
        ],
    }


def as_text(data: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON as it is written: readable, the same for equal data."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _results(question: Question, answer: Answer) -> list[dict[str, Any]]:
    name = {"from_name": question.id, "to_name": "images"}
    if question.is_open and not answer.is_unknown:
        found = [{**name, "type": "textarea", "value": {"text": [answer.label or ""]}}]
    else:
        found = [{**name, "type": "choices", "value": {"choices": [_label(answer)]}}]
    if answer.slider is not None:
        count = {"from_name": f"{question.id}_count", "to_name": "images", "type": "number"}
        found.append({**count, "value": {"number": answer.slider}})
    return found


def _label(answer: Answer) -> str:
    return UNKNOWN if answer.is_unknown else answer.label or ""
