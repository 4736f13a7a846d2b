"""What the command `labels` does with a study."""

from __future__ import annotations

import getpass
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from core.errors import BadInput
from core.figures.wording import counted
from core.jobs import Job
from core.labels.board import MAPPED, Row, accept, reject, rename, rows_of, split
from core.labels.label_map import LabelMap
from core.labels.proposal import Proposal
from core.labels.review import Label, LabelAct
from core.labels.wording import SAFE
from core.schema import Schema

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions


class LabelledStudy(Protocol):
    """A study whose labels can be reviewed."""

    def label_counts(self, dimensions: Sequence[str]) -> dict[Label, int]:
        """(dimension, label) -> images."""

    def put_proposals(self, proposals: Sequence[Proposal], maker: Mapping[str, Any]) -> None:
        """Replace the proposals."""

    def proposals(self) -> list[Proposal]:
        """The latest proposals."""

    def label_map(self) -> LabelMap:
        """The map as it stands."""

    def add_label_act(self, act: LabelAct) -> int:
        """Keep an act."""

    def undo_label_act(self, author: str) -> LabelAct | None:
        """Take the last standing act back."""

    def redo_label_act(self, author: str) -> LabelAct | None:
        """Take the last undo back."""


def open_dimensions(schema: Schema) -> list[str]:
    """Ids of the dimensions whose labels are in the extractor's own words."""
    return [dimension.id for dimension in schema.dimensions if not dimension.is_closed]


def rows_in(study: LabelledStudy, schema: Schema) -> tuple[Row, ...]:
    """Every label with what is proposed and what was decided."""
    return rows_of(study.label_counts(open_dimensions(schema)), study.proposals(), study.label_map())


def propose_in(
    study: LabelledStudy,
    schema: Schema,
    *,
    rules_only: bool = False,
    model_folder: Path | None = None,
    naming: VlmOptions | None = None,
) -> Job[list[Proposal]]:
    """Propose merges and keep the proposals; earlier decisions stand.

    Parameters
    ----------
    study : LabelledStudy
        Whose labels; BadInput when no record has a label of an open dimension.
    schema : Schema
        The study's schema.
    rules_only : bool
        Spelling and aliases alone, without a sentence model.
    model_folder : Path, optional
        Another sentence model.
    naming : VlmOptions, optional
        Ask this server for names of the groups.
    """
    from core.labels.embedding import SentenceModel
    from core.labels.names import name_groups, template
    from core.labels.proposals import maker_of, propose

    counts = study.label_counts(open_dimensions(schema))
    if not counts:
        raise BadInput(
            "No record has a label of an open dimension yet.", "Read images first: `main.py extract`."
        )
    embedder = None if rules_only else SentenceModel(model_folder)
    proposals = yield from propose(counts, embedder)
    maker = maker_of(embedder)
    if naming is not None:
        proposals = yield from name_groups(proposals, counts, schema, naming)
        maker |= {"names": {"model": naming.model, "template": template()["version"]}}
    study.put_proposals(proposals, maker)
    return proposals


def decide_in(study: LabelledStudy, schema: Schema, wanted: Mapping[str, Any], author: str = "") -> list[str]:
    """Carry out the decisions of one command line, in the order of its options; a sentence each.

    Parameters
    ----------
    wanted : mapping
        `accept_safe` (bool), `accept`, `reject`, `split` (lists of "dimension:label"), `rename` (list of
        "dimension:label=new"), `undo`, `redo` (bool).
    author : str
        Whose decisions; default the name one is logged in under.
    """
    who = author.strip() or user_name()
    said: list[str] = []
    rows = {row.key: row for row in rows_in(study, schema)}
    if wanted.get("accept_safe"):
        waiting = [row for row in rows.values() if row.is_waiting]
        said += _keep(study, accept(waiting, who, kinds=SAFE))
    for name, act in (("accept", accept), ("reject", reject), ("split", split)):
        for text in wanted.get(name) or ():
            said += _keep(study, act([_row(rows, text, schema)], who))
    for text in wanted.get("rename") or ():
        where, _, to = text.rpartition("=")
        said += _keep(study, rename([_row(rows, where, schema)], to, who, schema))
    for name, back in (("undo", study.undo_label_act), ("redo", study.redo_label_act)):
        if wanted.get(name):
            done = back(who)
            said.append(f"{name}: {done.act.value if done else 'nothing'}.")
    return said


def export_in(study: LabelledStudy, schema: Schema, path: Path | None) -> str:
    """Write every label with what was decided; a sentence about it."""
    from core.labels.files import write_map

    if path is None:
        raise BadInput("No file is named to write the label map to.", "Say `--out FILE.csv`.")
    rows = rows_in(study, schema)
    write_map(path, rows)
    return f"{counted(len(rows), 'label')} written to {path}."


def import_in(study: LabelledStudy, schema: Schema, path: Path | None, author: str = "") -> str:
    """Bring the decisions of a file in, as one act; a sentence about it."""
    from core.labels.files import import_act, read_changes

    if path is None:
        raise BadInput("No file is named to read decisions from.", "Say `--file FILE.csv`.")
    changes = read_changes(path, schema)
    act = import_act(changes, study.label_map(), author.strip() or user_name(), path.name)
    if not act.changes:
        return f"{path.name} decides {counted(len(changes), 'label')}, all as the study has them."
    study.add_label_act(act)
    return f"{counted(len(act.changes), 'decision')} taken over from {path.name}."


def review_rows(rows: Sequence[Row], *, waiting_only: bool = False) -> list[dict[str, Any]]:
    """Labels as rows for a terminal or as JSON."""
    return [
        {
            "dimension": row.dimension,
            "label": row.label,
            "images": row.images,
            "canonical": row.shown_canonical,
            "kind": row.proposal.kind,
            "likeness": row.proposal.likeness,
            "decision": row.decision,
        }
        for row in rows
        if row.is_waiting or not waiting_only
    ]


def user_name() -> str:
    """The name one is logged in under, for decisions on a command line."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "somebody"


def summary(rows: Sequence[Row], label_map: LabelMap) -> str:
    """One sentence about where the review stands."""
    waiting = sum(row.is_waiting for row in rows)
    moved = sum(row.decision == MAPPED for row in rows)
    canonical = len({(row.dimension, row.canonical) for row in rows})
    left = "1 proposal waits" if waiting == 1 else f"{waiting} proposals wait"
    return (
        f"{counted(len(rows), 'label')}, {moved} of them mapped to others, so {canonical} remain; "
        f"{left}. Map version {label_map.version}."
    )


def _keep(study: LabelledStudy, act: LabelAct) -> list[str]:
    if not act.changes:
        return [f"{act.act.value}: nothing to do."]
    study.add_label_act(act)
    shown = "; ".join(f"{name}: {label} -> {to}" for (name, label), to in list(act.changes.items())[:5])
    more = f" and {len(act.changes) - 5} more" if len(act.changes) > 5 else ""
    return [f"{act.act.value}: {shown}{more}."]


def _row(rows: Mapping[Label, Row], text: str, schema: Schema) -> Row:
    dimension, _, label = text.partition(":")
    schema.dimension(dimension)
    found = rows.get((dimension, label))
    if found is None:
        raise BadInput(f"{dimension} has no label {label!r} in this study.", "See `main.py labels … export`.")
    return found
