"""What goes to an annotator and what comes back, as records: packet, plan of a packet, hand-in.

The plan stays with the study lead. It alone says which image set stands behind a neutral key, and in which
order its images were shown; the packet has neither. Positions in an answer's marks are positions in the
packet's own order until a merge puts them back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.amounts import counted
from core.keys import key_of
from core.label_form import open_form
from core.questions import Question
from core.records import Annotator, Answer, AnswerEvent
from core.schema import LabelDefinition

STUDY, TRAINING = "study", "training"
"""The two parts of a packet: what is annotated, and what is practised before."""


@dataclass(frozen=True, slots=True)
class KeyAnswer:
    """The study lead's answer: None for the label is unknown, `marks` are positions in the set's order.

    The label of an open question is the words that are accepted, parted by a bar; without such a list an
    open question has no key, because free words cannot be told right from wrong.

    `source` says where it is from: "truth" of drawn pictures, or a file.
    """

    label: str | None
    slider: int | None = None
    marks: frozenset[int] = frozenset()
    source: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The labels that are right: for an open question there may be several, parted by a bar.

        >>> KeyAnswer("lamp | desk lamp").words
        ('lamp', 'desk lamp')
        """
        return tuple(word.strip() for word in (self.label or "").split("|") if word.strip())

    def accepts(self, label: str) -> bool:
        """Whether a label is one of those that are right, in whatever spelling.

        >>> KeyAnswer("lamp | desk lamp").accepts("Desk_Lamp")
        True
        """
        return open_form(label) in {open_form(word) for word in self.words}


@dataclass(frozen=True, slots=True)
class ShownSet:
    """One showing of an image set in a packet.

    `order[place]` is the position in the image set of the image at that place of the packet.
    """

    key: str
    image_set_id: int
    order: tuple[int, ...]
    part: str = STUDY


@dataclass(frozen=True, slots=True)
class PacketPlan:
    """What a packet shows and in which order; `sets` come as the annotator sees them, training first."""

    key: str
    sets: tuple[ShownSet, ...]
    questions: tuple[str, ...]
    is_reversed: bool
    slot: int = 0

    def in_words(self, repeats: Collection[int]) -> str:
        """What the packet shows, such as "12 image sets, 1 of them again, 2 to practise on".

        `repeats` are the ids of image sets that are second showings.
        """
        training = sum(one.part == TRAINING for one in self.sets)
        again = sum(one.image_set_id in repeats for one in self.sets)
        sets = len(self.sets) - training - again
        return showings_in_words(sets, again, training)

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON-able values."""
        sets = [[one.key, one.image_set_id, list(one.order), one.part] for one in self.sets]
        return {
            "key": self.key,
            "sets": sets,
            "questions": list(self.questions),
            "is_reversed": self.is_reversed,
            "slot": self.slot,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> PacketPlan:
        """The plan from its JSON-able values."""
        sets = tuple(ShownSet(key, number, tuple(order), part) for key, number, order, part in data["sets"])
        return cls(data["key"], sets, tuple(data["questions"]), data["is_reversed"], data["slot"])


@dataclass(frozen=True, slots=True)
class Training:
    """The pass rule: the share of answers that must be right, in how many attempts."""

    pass_share: float = 0.8
    attempts: int = 3


@dataclass(frozen=True, slots=True)
class PacketSet:
    """One showing as the packet holds it: its pictures are numbered through the packet.

    `role` is there only in a round that shows the role.
    """

    number: int
    key: str
    part: str
    pictures: tuple[int, ...]
    role: str = ""


@dataclass(frozen=True, slots=True)
class PacketContent:
    """Everything that a packet holds but the pictures, as an annotator's program reads it.

    `keys` are the study lead's answers to training sets, by set number and question, with marks in the
    packet's own order.
    """

    key: str
    study_key: str
    annotator: str
    is_simulated: bool
    questions: tuple[Question, ...]
    count_mode: str
    is_reversed: bool
    shows_role: bool
    side: int
    sets: tuple[PacketSet, ...]
    keys: Mapping[tuple[int, str], KeyAnswer] = field(default_factory=dict)
    training: Training = Training()

    def of_part(self, part: str) -> tuple[PacketSet, ...]:
        """The sets of one part in their order."""
        return tuple(one for one in self.sets if one.part == part)


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet that left, as the study remembers it."""

    packet_id: int
    key: str
    round_id: int
    annotator: Annotator
    plan: PacketPlan
    content_hash: str
    made_at: str
    withdrawn_at: str | None = None
    withdrawn_by: str = ""
    withdrawn_reason: str = ""

    @property
    def is_withdrawn(self) -> bool:
        """Whether nothing that comes back from it is taken any more."""
        return self.withdrawn_at is not None


@dataclass(frozen=True, slots=True)
class HandedEvent:
    """One act as it came back.

    `origin` names it for good: the sitting it was made in and its number there. `run` is 0 for the study
    and the number of the attempt for training. `undoes` is an origin.
    """

    origin: str
    run: int
    set_number: int
    question: str
    act: str
    answer: Answer
    at: str
    undoes: str | None = None
    wall_seconds: float = 0.0
    active_seconds: float = 0.0
    first_act_seconds: float | None = None
    theme: str = ""


@dataclass(frozen=True, slots=True)
class HandIn:
    """What came back from one packet: all acts, oldest first. `fault` says why it may not be trusted."""

    file_name: str
    packet_key: str
    study_key: str
    annotator: str
    content_hash: str
    application_version: str
    events: tuple[HandedEvent, ...]
    fault: str = ""

    @property
    def events_hash(self) -> str:
        """Content key of the acts: two files with the same acts have the same one."""
        return key_of([self.packet_key, [one.origin for one in self.events]])


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An act to be merged. `undoes` is an origin in the same hand-in or one that is there already."""

    origin: str
    event: AnswerEvent
    undoes: str | None = None
    is_held: bool = False


@dataclass(frozen=True, slots=True)
class NewHandIn:
    """A hand-in to be merged: whose packet, its acts, and what the preview said of it.

    `seen_until` is the id of the newest event that the preview had seen; `conflicts` are pairs of the
    event that is there and the origin of the one that contradicts it.
    """

    packet_id: int
    annotator_id: int
    file_name: str
    content_hash: str
    application_version: str
    counts: Mapping[str, Any]
    training: Sequence[Mapping[str, Any]]
    events: Sequence[NewEvent]
    conflicts: Sequence[tuple[int, str]]
    seen_until: int


def showings_in_words(sets: int, again: int, training: int) -> str:
    """Image sets of a packet: those of the study, how many of them again, and those to practise on.

    >>> showings_in_words(12, 0, 1)
    '12 image sets, 1 to practise on'
    """
    parts = [counted(sets, "image set")]
    parts += [f"{again} of them again"] if again else []
    return ", ".join([*parts, *([f"{training} to practise on"] if training else [])])


def questions_as_data(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Questions as JSON-able values, whole: an annotator's program has no schema to look things up in."""
    return [
        {
            "id": one.id,
            "dimension": one.dimension,
            "cohort": one.cohort,
            "wording": one.wording,
            "kind": one.kind,
            "options": [[label.id, label.name, label.definition] for label in one.options],
            "help": one.help,
        }
        for one in questions
    ]


def questions_from_data(data: Sequence[Mapping[str, Any]]) -> tuple[Question, ...]:
    """The questions of a packet."""
    return tuple(
        Question(
            *(one["id"], one["dimension"], one["cohort"], one["wording"], one["kind"]),
            tuple(LabelDefinition(*label) for label in one["options"]),
            one["help"],
        )
        for one in data
    )
