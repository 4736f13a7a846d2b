"""`main.py merge`, the part without files: merges undone and listed, conflicts listed and decided."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from annotation.team_lines import conflict_lines, merge_lines
from core.errors import BadInput


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
