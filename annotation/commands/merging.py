"""`main.py merge` but for hand-ins: merges undone, listed; conflicts listed, decided; a table taken in."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.answer_import import import_answers
from annotation.commands.rounds import newest_round
from annotation.imported_row import COLUMNS, NEEDED
from annotation.team_lines import conflict_lines, merge_lines
from core.csv_rows import read_rows
from core.errors import BadInput
from core.figures.wording import counted
from core.near_names import check_columns
from core.questions import Question, choose


def merge_book_lines(study: Any, chosen: Namespace) -> Iterator[str]:
    """Undo, decide and list what is asked for.

    Raises
    ------
    BadInput
        A decision without an answer that counts or without somebody who decided; nothing at all to do.
    """
    if chosen.dry_run and (chosen.undo or chosen.decide):
        raise BadInput("Undoing and deciding have no dry run.", "Leave out --dry-run.")
    if chosen.undo:
        number = _newest(study) if chosen.undo is True else chosen.undo
        gone = study.undo_merge(number)
        one = next(one for one in study.hand_ins() if one.hand_in_id == number)
        back = f"{counted(gone, 'answer')} taken back"
        yield f"Merge {number} ({one.file_name}, {one.annotator}) is undone: {back}."
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


def _newest(study: Any) -> int:
    """The newest merge that stands; BadInput where none does."""
    standing = [int(one.hand_in_id) for one in study.hand_ins() if one.undone_at is None]
    if not standing:
        raise BadInput("There is no merge that could be undone.", "List them: `--list`.")
    return max(standing)


def import_table(
    study: Any, questions: Sequence[Question], path: Path, say: Callable[[str], object], *, is_dry_run: bool
) -> int:
    """Take a table that `export` wrote into the newest round and say what it brought.

    Returns the exit code: 1 where rows contradict the study, and BadInput where the round is locked.
    """
    rows = _rows_of(path)
    found = newest_round(study)
    parts = (study, found.round_id, rows, choose(questions, found.questions))
    brought = import_answers(*parts, is_dry_run=is_dry_run or found.is_locked)
    if found.is_locked and brought.counts["new"]:
        raise BadInput(f"{found.name} is locked, so no answer can be taken in.", "Design a new round.")
    say(f"{path.name}: {brought.sentence}.")
    for sentence in brought.contradicting:
        say(sentence)
    return int(bool(brought.contradicting))


def _rows_of(path: Path) -> Sequence[Mapping[str, Any]]:
    if path.suffix != ".parquet":
        return read_rows(path, COLUMNS, NEEDED)
    from core.table_files import read_table

    table = read_table(path)
    check_columns([str(name) for name in table.columns], COLUMNS, NEEDED, f"The table {path.name}")
    rows = table.astype(object).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]
