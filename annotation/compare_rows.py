"""Comparisons as rows of a table, for a spreadsheet: what is on the screen, with the images in one cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from annotation.compare import Comparison
from annotation.compare_images import Answers, ImageSaid, Readings, Said, images_of

COLUMNS = (
    *("image_set", "question", "cohort", "role", "condition", "generator"),
    *("people_label", "people_count", "people_how", "votes"),
    *("pipeline_label", "pipeline_count", "pipeline_how", "tied", "direction", "count_gap"),
    *("answers", "pipeline_images", "tag", "note"),
)

Notes = Mapping[tuple[str, str], tuple[str, str]]
"""(image set, question) -> tag and note."""


def compare_rows(
    comparisons: Iterable[Comparison], answers: Answers, readings: Readings, notes: Notes
) -> list[dict[str, object]]:
    """One row a comparison, in the order given; empty is missing.

    `answers` is each annotator's label and count with the images they marked, from 1; `pipeline_images`
    what was read off each image, in the order of the set.
    """
    return [_row(one, answers, readings, notes.get(one.place, ("", ""))) for one in comparisons]


def _row(one: Comparison, answers: Answers, readings: Readings, note: tuple[str, str]) -> dict[str, object]:
    where, people, machine, gap = one.image_set, one.people, one.pipeline, one.gap
    said = "; ".join(_said(each) for each in answers.get(one.place, ()))
    read = "; ".join(_read(each) for each in images_of(one, answers, readings))
    values = (
        *(where.key, one.question.id, one.question.cohort),
        *(where.role, str(where.condition or ""), where.generator),
        *(people.label, _plain(people.count), people.how, people.detail),
        *(machine.label, _plain(machine.count), machine.how, machine.detail),
        *(str(one.direction), _plain(gap), said, read, *note),
    )
    return dict(zip(COLUMNS, values, strict=True))


def _said(said: Said) -> str:
    count = "" if said.count is None else f" {_plain(said.count)}"
    marks = " ".join(str(at + 1) for at in sorted(said.marks))
    return f"{said.annotator}: {said.label}{count}" + (f" (images {marks})" if marks else "")


def _read(image: ImageSaid) -> str:
    return f"{image.position + 1} {', '.join(image.labels) or image.state}"


def _plain(number: float | None) -> object:
    """A whole count without a point, a mean with two decimals.

    >>> _plain(7.0), _plain(20 / 3), _plain(None)
    (7, 6.67, '')
    """
    if number is None:
        return ""
    return int(number) if number == int(number) else round(number, 2)
