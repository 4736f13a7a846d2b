"""What the review of the label map reads and writes, off the GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.errors import StoreError
from core.jobs import Job
from core.labels.board import Row, rows_of
from core.labels.label_map import LabelMap
from core.labels.proposal import Proposal
from core.labels.review import LabelAct, to_redo, to_undo
from core.labels.work import user_name
from core.records import StoredImage
from core.schema import Schema, read_schema
from gui.words import counted

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions
    from storage.store import Store

EXAMPLES = 8


@dataclass(frozen=True, slots=True)
class Board:
    """Everything the dialog shows but pictures; `undoes` and `redoes` say in words what the two would do.

    `trouble` says why an act was not done where it was not.
    """

    schema: Schema
    rows: tuple[Row, ...]
    label_map: LabelMap
    made_by: str
    undoes: str
    redoes: str
    trouble: str = ""


def read_board(store: Store) -> Board:
    """Labels, proposals, and the map as it stands."""
    from core.labels.work import open_dimensions

    schema = read_schema(store.study.schema_json)
    acts, label_map = store.label_acts(), store.label_map()
    rows = rows_of(store.label_counts(open_dimensions(schema)), store.proposals(), label_map)
    last, undo = to_undo(acts), to_redo(acts)
    taken_back = next((act for act in acts if undo is not None and act.act_id == undo.undoes), None)
    maker = store.proposals_maker()
    made_by = str(maker.get("model") or "spelling and aliases alone") if maker else ""
    return Board(schema, rows, label_map, made_by, in_words(last), in_words(taken_back))


def in_words(act: LabelAct | None) -> str:
    """An act for a tooltip, "" for none."""
    if act is None:
        return ""
    labels = [label for _, label in act.changes]
    more = f" and {len(labels) - 1} more" if len(labels) > 1 else ""
    whose = "" if act.author == user_name() else f", by {act.author}"
    return f"{act.act.value} {labels[0]}{more}{whose}" if labels else f"{act.act.value}{whose}"


def keep_act(store: Store, act: LabelAct) -> Board:
    """Keep an act and read everything anew."""
    if act.changes:
        store.add_label_act(act)
    return read_board(store)


def step_back(store: Store, author: str, seen: int, *, is_redo: bool) -> Board:
    """Undo or redo, and read everything anew; neither where somebody decided after act number `seen`."""
    back = store.redo_label_act if is_redo else store.undo_label_act
    try:
        back(author, seen)
    except StoreError as error:
        return replace(read_board(store), trouble=str(error))
    return read_board(store)


def read_examples(store: Store, key: tuple[str, str]) -> tuple[tuple[str, str], tuple[StoredImage, ...]]:
    """Some images that were read with a label."""
    return key, tuple(store.images_with_label(*key, EXAMPLES))


def proposing(store: Store, naming: VlmOptions | None = None) -> Job[list[Proposal]]:
    """Propose merges anew with the model on this machine, and names of groups by a server if one is given."""
    from core.labels.work import propose_in

    return (yield from propose_in(store, read_schema(store.study.schema_json), naming=naming))


def import_file(store: Store, path: object, author: str) -> Board:
    """Bring the decisions of a file in as one act."""
    from pathlib import Path

    from core.labels.work import import_in

    import_in(store, read_schema(store.study.schema_json), Path(str(path)), author)
    return read_board(store)


def export_file(rows: Sequence[Row], path: object) -> str:
    """Write every label with what was decided; a sentence about it."""
    from pathlib import Path

    from core.labels.files import write_map

    return f"{counted(len(rows), 'label')} exported to {write_map(Path(str(path)), rows)}"
