"""`main.py merge` but for hand-ins: merges undone, listed; conflicts listed, decided; a table taken in."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.answer_import import import_answers
from annotation.commands.rounds import newest_round
from annotation.team_lines import conflict_lines, merge_lines
from core.csv_rows import read_rows
from core.errors import BadInput
from core.questions import Question, choose


def merge_book_lines(study: Any, chosen: Namespace) -> Iterator[str]:
    """Undo, decide and list what is asked for.

    Raises
    ------
    BadInput
        A decision without an answer that counts or without somebody who decided; nothing at all to do.
    """
    if chosen.undo:
        yield f"Merge {chosen.undo} is undone: {study.undo_merge(chosen.undo)} acts no longer stand."
    if chosen.decide:
        if not (chosen.keep and chosen.by):
            raise BadInput("Say which answer counts and who decided.", "Add --keep and --by.")
        study.decide_conflict(chosen.decide, chosen.keep, chosen.by, chosen.reason)
    if chosen.conflicts or chosen.decide:
        yield "\n".join(conflict_lines(study.conflicts())) or "No answers contradict each other."
    if chosen.list or chosen.undo:
        yield "\n".join(merge_lines(study.hand_ins())) or "Nothing was merged yet."
    book = (chosen.undo, chosen.decide, chosen.conflicts, chosen.list)
    if not (chosen.files or chosen.answers or any(book)):
        raise BadInput("Name the files to merge.", "See `main.py merge --help`.")


def import_line(study: Any, questions: Sequence[Question], path: Path) -> str:
    """Take a table that `export` wrote back into the newest round, and say what it brought."""
    rows = _rows_of(path)
    found = newest_round(study)
    brought = import_answers(study, found.round_id, rows, choose(questions, found.questions))
    return f"{path.name}: {brought.sentence}."


def _rows_of(path: Path) -> Sequence[Mapping[str, Any]]:
    if path.suffix != ".parquet":
        return read_rows(path)
    import pandas as pd

    rows = pd.read_parquet(path).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]
