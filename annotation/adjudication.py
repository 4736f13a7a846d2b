"""What people did not agree on, decided by a person after the lock; the consensus with these decisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from annotation.consensus import How
from annotation.filled_cells import Said as Before
from annotation.filled_cells import count_in, must_not_contradict
from core.errors import BadInput
from core.near_names import check_columns
from core.questions import Question
from core.records import CAUSES, CONFIDENCES, UNKNOWN, ImageSet
from core.set_wording import for_images

if TYPE_CHECKING:
    from annotation.adjudication_cases import Case
    from annotation.agreement import AgreementResult
    from annotation.compare_images import Said

ADJUDICATED = str(How.ADJUDICATED)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

QUEUE_COLUMNS = (
    *("image_set", "question", "wording", "how", "votes", "answers", "images"),
    *("label", "slider", "cause", "reason", "confidence"),
)

NEEDED = ("image_set", "question", "label", "cause", "confidence")
"""Columns without which no decision can be read."""


def queue_rows(cases: Iterable[Case], *, with_names: bool = False) -> list[dict[str, Any]]:
    """What waits for a decision: one row a question of an image set that no rule settled.

    Each person's answer is told with the images they marked, by position from 1, under a letter; names only
    when asked for. Letters are given anew for each row, in the order of the answers. The last five columns
    are empty, for the person who decides.
    """
    return [
        {
            "image_set": one.image_set.key,
            "question": one.question.id,
            "wording": for_images(one.question.wording, len(one.image_set.images)),
            "how": one.how,
            "votes": one.votes,
            "answers": "; ".join(
                f"{said.annotator if with_names else LETTERS[place % 26]}: {said_words(said)}"
                for place, said in enumerate(one.said)
            ),
            "images": " ".join(image.path for image in one.image_set.images),
            **dict.fromkeys(QUEUE_COLUMNS[-5:], ""),
        }
        for one in sorted(cases, key=lambda one: one.place)
        if one.waits
    ]


def decisions_from(
    rows: Iterable[Mapping[str, str]],
    sets: Sequence[ImageSet],
    questions: Sequence[Question],
    decided_by: str,
) -> list[tuple[int, str, dict[str, Any]]]:
    """Filled rows as decisions: image set, question, and what was decided; rows without a label are skipped.

    Raises
    ------
    BadInput
        A column is missing or misspelt, or a row, named by its number, cannot be kept as it is; then nothing
        is kept.
    """
    if not decided_by.strip():
        raise BadInput("Nobody is named who decided.", "Add --by NAME.")
    rows = list(rows)
    if rows:
        check_columns(list(rows[0]), QUEUE_COLUMNS, NEEDED, "The table of decisions")
    known = {one.key: one for one in sets}
    asked = {one.id: one for one in questions}
    found: list[tuple[int, str, dict[str, Any]]] = []
    before: Before = {}
    for number, row in enumerate(rows, start=1):
        if row.get("label", ""):
            image_set, question, decision = _decision(number, row, known, asked, decided_by.strip())
            must_not_contradict(before, (image_set, question), number, decision)
            found.append((image_set, question, decision))
    return found


def with_decisions(
    result: AgreementResult,
    decided: Sequence[Mapping[str, Any]],
    excluded: Sequence[Mapping[str, Any]],
    *,
    with_names: bool = True,
) -> AgreementResult:
    """The result with what people decided beside it: adjudications, exclusions and their reasons.

    The study's answers bring both along: adjudicated labels are in the consensus and what rests on it, and
    who is excluded is in no table. Here it is said by whom and why.
    `with_names=False` leaves out who was excluded and who decided, for a report that names nobody.
    """
    import pandas as pd

    tables, run = dict(result.tables), dict(result.run)
    hidden = () if with_names else ("annotator", "decided_by")
    told = [{name: value for name, value in one.items() if name not in hidden} for one in excluded]
    if decided:
        rows = [{name: value for name, value in one.items() if name not in hidden} for one in decided]
        tables["adjudications"] = pd.DataFrame(rows)
    if excluded:
        tables["exclusions"] = pd.DataFrame(told)
    run["exclusions"], run["adjudicated"] = told, len(decided)
    return replace(result, tables=tables, run=run)


def said_words(said: Said) -> str:
    """An answer in a few words: label, count, images marked by position from 1."""
    count = "" if said.count is None else f" {said.count:g}"
    marks = " ".join(str(place + 1) for place in sorted(said.marks))
    return f"{said.label}{count}" + (f" (images {marks})" if marks else "")


def _decision(
    number: int,
    row: Mapping[str, str],
    sets: Mapping[str, ImageSet],
    questions: Mapping[str, Question],
    decided_by: str,
) -> tuple[int, str, dict[str, Any]]:
    where = f"Row {number}"
    image_set, question, label = sets.get(row.get("image_set", "")), row.get("question", ""), row["label"]
    if image_set is None or question not in questions:
        raise BadInput(f"{where} names no image set and question of this round.")
    options = questions[question].option_ids
    if not options:
        label = questions[question].meaning(label)
    if label != UNKNOWN and options and label not in options:
        raise BadInput(f"{where}: {label!r} is no answer to {question}.")
    if row.get("cause", "") not in CAUSES:
        raise BadInput(f"{where} needs a cause.", f"One of: {', '.join(CAUSES)}.")
    if row.get("confidence", "") not in CONFIDENCES:
        raise BadInput(f"{where} needs a confidence.", f"One of: {', '.join(CONFIDENCES)}.")
    slider = count_in(row.get("slider", ""), len(image_set.images), where)
    decision = {
        "label": None if label == UNKNOWN else label,
        "slider": None if label == UNKNOWN else slider,
        "cause": row["cause"],
        "reason": row.get("reason", ""),
        "confidence": row["confidence"],
        "decided_by": decided_by,
    }
    return image_set.image_set_id, question, decision
