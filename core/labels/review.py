"""Acts on the label map, and what they come to: every act is kept, and taking one back is an act, too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from core.labels.label_map import LabelMap

Label: TypeAlias = tuple[str, str]
"""Dimension and label."""


class Act(StrEnum):
    """What somebody did to the map."""

    ACCEPT = "accept"
    REJECT = "reject"
    SPLIT = "split"
    RENAME = "rename"
    IMPORT = "import"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class LabelAct:
    """One act: for each label that it decides, the canonical label from then on.

    A label that is its own canonical label stays as it was said, and is decided all the same: a rejected
    proposal does not come back. `undoes` is the act that is taken back (undo), or the undo (redo).
    """

    act: Act
    author: str
    changes: Mapping[Label, str] = field(default_factory=dict)
    reason: str = ""
    undoes: int | None = None
    act_id: int | None = None
    at: str = ""


def standing(acts: Sequence[LabelAct]) -> list[LabelAct]:
    """The acts that hold: those that change labels and are not taken back."""
    gone: set[int] = set()
    for act in acts:
        if act.act is Act.UNDO and act.undoes is not None:
            gone.add(act.undoes)
        elif act.act is Act.REDO:
            gone.discard(_undone_by(acts, act.undoes))
    return [act for act in acts if act.undoes is None and act.act_id not in gone]


def map_of(acts: Sequence[LabelAct]) -> LabelMap:
    """What the acts come to; the version is the number of the last act, whatever it was."""
    decided: dict[Label, str] = {}
    for act in standing(acts):
        decided |= act.changes
    return LabelMap(settled(decided), version=max((act.act_id or 0 for act in acts), default=0))


def settled(decided: Mapping[Label, str]) -> dict[Label, str]:
    """Every label with its last canonical label: a -> b and b -> c make a -> c; a circle ends where it began.

    >>> settled({("items", "tee"): "t-shirt", ("items", "t-shirt"): "shirt"})[("items", "tee")]
    'shirt'
    """
    return {(name, label): _end_of(name, label, decided) for name, label in decided}


def to_undo(acts: Sequence[LabelAct]) -> LabelAct | None:
    """The act that an undo takes back next; None when there is none."""
    return max(standing(acts), key=lambda act: act.act_id or 0, default=None)


def to_redo(acts: Sequence[LabelAct]) -> LabelAct | None:
    """The undo that a redo takes back next; None once something else was done after it."""
    open_undos: list[LabelAct] = []
    for act in acts:
        if act.act is Act.UNDO:
            open_undos.append(act)
        elif act.act is Act.REDO:
            open_undos = [each for each in open_undos if each.act_id != act.undoes]
        else:
            open_undos.clear()
    return open_undos[-1] if open_undos else None


def _undone_by(acts: Iterable[LabelAct], undo_id: int | None) -> int:
    return next((act.undoes or 0 for act in acts if act.act_id == undo_id), 0)


def _end_of(name: str, label: str, decided: Mapping[Label, str]) -> str:
    seen = [label]
    while (further := decided.get((name, seen[-1]), seen[-1])) != seen[-1]:
        if further in seen:
            return min(seen[seen.index(further) :])
        seen.append(further)
    return seen[-1]
