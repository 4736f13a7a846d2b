"""`main.py adjudicate`: what people did not agree on, out as a table and back in with decisions."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from annotation.adjudication import NEEDED, QUEUE_COLUMNS, decisions_from, queue_rows
from annotation.adjudication_cases import cases_of
from annotation.commands.rounds import newest_round
from annotation.mapped_labels import Sides, mapped_sides
from core.csv_rows import must_be_new, read_rows, write_rows
from core.errors import BadInput
from core.figures.wording import counted
from core.questions import Question, choose

if TYPE_CHECKING:
    import pandas as pd


def adjudicate_lines(
    study: Any, answers: pd.DataFrame, questions: Sequence[Question], chosen: Namespace
) -> Iterator[str]:
    """Keep the decisions of a filled table, write what waits, and say how much of either there is.

    Raises
    ------
    BadInput
        The newest round is open, or a row that cannot be kept; then nothing is kept.
    """
    found = newest_round(study)
    sets, asked = study.image_sets(found.round_id), choose(questions, found.questions)
    if not found.is_locked:
        remedy = "Lock it: `main.py round STUDY --lock`."
        raise BadInput(f"{found.name} is open, so nothing is adjudicated yet.", remedy)
    if chosen.out:
        must_be_new(chosen.out)
    if chosen.decisions:
        decided = decisions_from(read_rows(chosen.decisions, QUEUE_COLUMNS, NEEDED), sets, asked, chosen.by)
        keys = {one.image_set_id: one.key for one in sets}
        there = {(one["image_set"], one["question"]): one for one in study.adjudications(found.round_id)}
        new = [one for one in decided if not _is_there(one[2], there.get((keys[one[0]], one[1])))]
        for number, question, decision in new:
            study.adjudicate(number, question, decision)
        already = len(decided) - len(new)
        yield f"{counted(len(new), 'decision')} kept{f', {already} already there' if already else ''}."
    settled = study.adjudications(found.round_id)
    said = mapped_sides(Sides(answers), study.label_map(), asked)
    rows = queue_rows(cases_of(said.answers, sets, asked, settled), with_names=chosen.names)
    if chosen.out:
        write_rows(chosen.out, rows, QUEUE_COLUMNS)
    waiting = (
        "1 question of an image set waits" if len(rows) == 1 else f"{len(rows)} questions of image sets wait"
    )
    yield f"{waiting} for a decision; {len(settled)} {'is' if len(settled) == 1 else 'are'} decided."


def _is_there(decision: Mapping[str, Any], standing: Mapping[str, Any] | None) -> bool:
    """Whether what counts now is the same decision of the same person."""
    return standing is not None and all(standing[name] == value for name, value in decision.items())
