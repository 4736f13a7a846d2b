"""Every question of every image set as it stands after the lock: what each person said, how it came out.

Votes, labels and exclusions are exactly those of the agreement tables, because both are coded by
`annotation.coding`: what waits here is what is unresolved there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from annotation.adjudication import ADJUDICATED, LETTERS
from annotation.compare_images import Said, answers_by_place
from annotation.consensus import How
from core.questions import Question
from core.records import UNKNOWN, ImageSet

if TYPE_CHECKING:
    import pandas as pd

Place: TypeAlias = tuple[str, str]
"""Key of the image set, question."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided: None for the label is unknown, None for the count is no count."""

    label: str | None
    slider: int | None
    cause: str
    reason: str
    confidence: str
    decided_by: str = ""
    decided_at: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One question of one image set.

    `number` is the place of the set in its round, from 1; `how` and `label` are what the votes gave. `said`
    is in the order of the labels and says nothing about who is who: letters are given anew for each case.
    """

    number: int
    image_set: ImageSet
    question: Question
    how: str
    label: str
    votes: str
    said: tuple[Said, ...]
    decision: Decision | None = None

    @property
    def place(self) -> Place:
        """Where it is."""
        return self.image_set.key, self.question.id

    @property
    def waits(self) -> bool:
        """Whether no rule and no person has settled it."""
        return self.decision is None and self.how == How.UNRESOLVED

    @property
    def how_now(self) -> str:
        """How the label came about, a decision included."""
        return ADJUDICATED if self.decision is not None else self.how

    @property
    def label_now(self) -> str:
        """The label that counts: `unknown` included, empty while there is none."""
        return self.label if self.decision is None else self.decision.label or UNKNOWN

    def letters(self) -> dict[str, str]:
        """Letter of each annotator in this case."""
        return {one.annotator: LETTERS[at % len(LETTERS)] for at, one in enumerate(self.said)}


def cases_of(
    answers: pd.DataFrame,
    sets: Sequence[ImageSet],
    questions: Sequence[Question],
    decisions: Iterable[Mapping[str, Any]] = (),
) -> tuple[Case, ...]:
    """All cases of a round in the order of its sets and questions; places nobody answered are left out.

    Parameters
    ----------
    answers : DataFrame
        Confirmed answers as `storage.frames.Frames.answers` gives them, without those excluded.
    sets, questions
        The round's image sets and questions.
    decisions : iterable of mapping
        As `storage.packet_rows.PacketRows.adjudications` gives them.
    """
    from annotation.coding import code_answers

    said = answers_by_place(answers, questions)
    votes = answers.copy(deep=False)
    votes.attrs = {}  # what the votes alone give; decisions are told beside them
    sheet = code_answers(votes, None, questions, "label")
    found = {
        (image_set, coded.question): one
        for coded in sheet.questions
        for image_set, one in zip(sheet.image_sets, coded.consensus, strict=True)
    }
    decided = decisions_by_place(decisions)
    cases = []
    for number, image_set in enumerate(sets, start=1):
        for question in questions:
            place = (image_set.key, question.id)
            given = sorted(said.get(place, ()), key=lambda one: (one.label, one.annotator))
            if given and place in found:
                one = found[place]
                cases.append(
                    Case(
                        *(number, image_set, question, str(one.how), one.label or "", one.votes_text),
                        *(tuple(given), decided.get(place)),
                    )
                )
    return tuple(cases)


def decisions_by_place(rows: Iterable[Mapping[str, Any]]) -> dict[Place, Decision]:
    """The decisions that count, by what they are about."""
    return {
        (row["image_set"], row["question"]): Decision(
            *(row["label"], row["slider"], row["cause"], row["reason"], row["confidence"]),
            *(row.get("decided_by", ""), row.get("decided_at", "")),
        )
        for row in rows
    }
