"""`main.py quality`: each annotator's answers looked over; exclusions recorded and withdrawn."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from annotation.commands.rounds import newest_round
from annotation.quality import MEANINGS, QUALITY_COLUMNS, Given, quality_rows, repeated_rows
from annotation.right_answers import right_answers
from core.csv_rows import write_rows
from core.errors import BadInput
from core.questions import read_questions
from core.schema import read_schema
from core.text_table import text_table

REPEAT_COLUMNS = ("annotator", "statistic", "pairs", "value", "low", "high", "reason")
SHOWN = (
    "annotator",
    "question",
    "answers",
    "median_seconds",
    "usual_seconds",
    "unknown_share",
    "gold_right",
    "flags",
)


def exclude(study: Any, chosen: Namespace) -> None:
    """Record and withdraw the exclusions that are asked for.

    Raises
    ------
    BadInput
        Nobody is named who decided, no reason is given, or there is no such annotator or question.
    """
    if chosen.exclude:
        if not (chosen.by and chosen.reason):
            raise BadInput("Say who decided, and why.", "Add --by and --reason.")
        people = {one.name: one.annotator_id for one in study.annotators()}
        if chosen.exclude not in people:
            known = ", ".join(people)
            raise BadInput(f"There is no annotator {chosen.exclude!r}.", f"There are: {known}.")
        found, who = newest_round(study), people[chosen.exclude]
        if chosen.question and chosen.question not in found.questions:
            asked = ", ".join(found.questions)
            raise BadInput(f"{found.name} does not ask {chosen.question!r}.", f"It asks: {asked}.")
        study.exclude(found.round_id, who, chosen.question, chosen.reason, chosen.by)
    if chosen.withdraw:
        study.withdraw_exclusion(chosen.withdraw)


def quality_lines(study: Any, given: Sequence[Given], chosen: Namespace) -> Iterator[str]:
    """Look over the answers of the newest round; write the tables where asked, and say what is flagged."""
    round_id = newest_round(study).round_id
    sets = {one.image_set_id: one.key for one in study.image_sets(round_id)}
    asked = read_questions(study.study.questions_json, read_schema(study.study.schema_json))
    keys = right_answers(study, round_id, asked)
    gold = {(sets[number], question): key for (number, question), key in keys.items() if number in sets}
    rows = quality_rows(given, gold)
    if chosen.out:
        chosen.out.mkdir(parents=True, exist_ok=True)
        write_rows(chosen.out / "quality.csv", rows, QUALITY_COLUMNS)
        write_rows(chosen.out / "repeats.csv", repeated_rows(given), REPEAT_COLUMNS)
    yield text_table([row for row in rows if row["question"] == "ALL" or row["flags"]], SHOWN)
    raised = {flag for row in rows for flag in row["flags"].split(", ")}
    yield from (f"{flag}: {meaning}." for flag, meaning in MEANINGS.items() if flag in raised)
    for one in study.exclusions(round_id):
        state = f", taken back {one['withdrawn_at']}" if one["withdrawn_at"] else ""
        where = one["question"] or "all questions"
        why = f"{one['reason']} ({one['decided_by']}{state})"
        yield f"Exclusion {one['exclusion']}: {one['annotator']}, {where}: {why}"
    yield "Flags are advice; nothing is left out unless somebody excludes it with a reason."
