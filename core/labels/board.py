"""What a reviewer of the label map sees, and the acts that a reviewer can do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import BadInput
from core.labels.label_map import LabelMap
from core.labels.proposal import Proposal
from core.labels.review import Act, Label, LabelAct
from core.labels.wording import SAFE, Kind, kind_of, wording
from core.schema import Schema, normal_text

OPEN, MAPPED, KEPT = "open", "mapped", "kept"
"""What was decided about a label: nothing yet, another name, its own."""


@dataclass(frozen=True, slots=True)
class Row:
    """One label: how many images say it, what is proposed, what was decided and what it counts as now."""

    images: int
    proposal: Proposal
    decision: str
    canonical: str

    @property
    def dimension(self) -> str:
        """Its dimension."""
        return self.proposal.dimension

    @property
    def label(self) -> str:
        """The label as said."""
        return self.proposal.label

    @property
    def key(self) -> Label:
        """Dimension and label."""
        return self.dimension, self.label

    @property
    def is_waiting(self) -> bool:
        """Whether a merge is proposed and nobody has decided."""
        return self.decision == OPEN and self.proposal.is_merge

    @property
    def shown_canonical(self) -> str:
        """What it counts as where decided, and else what is proposed."""
        return self.canonical if self.decision != OPEN else self.proposal.target


def rows_of(
    counts: Mapping[Label, int], proposals: Iterable[Proposal], label_map: LabelMap
) -> tuple[Row, ...]:
    """A row for every label, by dimension and canonical label, the most frequent of a group first."""
    proposed = {(each.dimension, each.label): each for each in proposals}
    decided = set(label_map.canonical)
    there = sorted(set(counts) | decided)
    rows = []
    for key in there:
        proposal = proposed.get(key) or Proposal(*key, key[1], "none")
        to = label_map.of(*key)
        decision = OPEN if key not in decided else MAPPED if to != key[1] else KEPT
        rows.append(Row(counts.get(key, 0), proposal, decision, to))
    sizes: dict[Label, int] = defaultdict(int)
    for row in rows:
        sizes[(row.dimension, row.shown_canonical)] += row.images
    return tuple(
        sorted(
            rows,
            key=lambda row: (
                row.dimension,
                -sizes[(row.dimension, row.shown_canonical)],
                row.shown_canonical,
                row.label != row.shown_canonical,
                -row.images,
                row.label,
            ),
        )
    )


def check_change(schema: Schema, key: Label, to: str) -> str:
    """The canonical label in its form; BadInput for one that the map never holds.

    Raises
    ------
    BadInput
        A dimension that is closed or not there, an empty label, a merge over a negation.
    """
    dimension, label = key
    if schema.dimension(dimension).is_closed:
        raise BadInput(
            f"{dimension} is a closed dimension and is not mapped.",
            "Other spellings of its labels go into the aliases of the schema.",
        )
    plain = normal_text(to)
    if not plain:
        raise BadInput(f"The canonical label of {label!r} is empty.", "Write one, or leave the label alone.")
    if wording(plain).negated != wording(label).negated:
        raise BadInput(
            f"{label!r} and {plain!r} say opposite things.", "A label is never merged over a negation."
        )
    return plain


def accept(rows: Sequence[Row], author: str, *, kinds: Sequence[Kind] | None = None) -> LabelAct:
    """Accept what is proposed for these rows; `kinds` leaves out proposals of other kinds.

    Raises
    ------
    BadInput
        When a proposal that changes a modifier or goes by meaning is among several: those are accepted one
        by one.
    """
    taken = [row for row in rows if row.proposal.is_merge and (kinds is None or row.proposal.kind in kinds)]
    unsafe = [row for row in taken if row.proposal.kind not in SAFE]
    if len(unsafe) > 1:
        raise BadInput(
            f"{len(unsafe)} of these proposals go by meaning or change a modifier.", "Accept them one by one."
        )
    changes: dict[Label, str] = {}
    for row in taken:
        changes[row.key] = row.proposal.target
        if row.proposal.name and row.proposal.name != row.proposal.canonical:
            changes[(row.dimension, row.proposal.canonical)] = row.proposal.name
    return LabelAct(Act.ACCEPT, author, changes)


def reject(rows: Sequence[Row], author: str) -> LabelAct:
    """Keep these labels as they were said; what was proposed for them does not come back."""
    return LabelAct(Act.REJECT, author, {row.key: row.label for row in rows})


def split(rows: Sequence[Row], author: str) -> LabelAct:
    """Take these labels out of the groups that they were merged into."""
    return LabelAct(Act.SPLIT, author, {row.key: row.label for row in rows if row.decision == MAPPED})


def rename(rows: Sequence[Row], to: str, author: str, schema: Schema, reason: str = "") -> LabelAct:
    """Give these labels another canonical label; see `check_change` for what is refused."""
    return LabelAct(Act.RENAME, author, {row.key: check_change(schema, row.key, to) for row in rows}, reason)


def differs_only_in_modifier(one: str, other: str) -> bool:
    """Whether two labels are of the same kind of thing but not the same thing, as "lab coat", "coat"."""
    return kind_of(wording(one), wording(other)) == "modifier"
