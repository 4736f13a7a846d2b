"""Adjudicating case by case: what is shown, the decision being made, what is still open, taking back.

No act is on the desk alone: whoever shows it writes each decision at once and hands the decisions that count
back (`set_decisions`). So taking back works on what is written, also after a restart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotation.adjudication import ADJUDICATED
from annotation.adjudication_cases import Case, Decision, Place, decisions_by_place
from annotation.consensus import How
from core.records import CAUSES, CONFIDENCES, UNKNOWN

WAITING, ALL = "waiting", "all"
FILTERS = (WAITING, ADJUDICATED, str(How.TIE_BY_SLIDER), str(How.MAJORITY), str(How.UNANIMOUS), ALL)
"""Which cases can be listed: those that wait, or those whose label came about in one way."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A decision being made; empty fields are open."""

    label: str = ""
    slider: int | None = None
    cause: str = ""
    reason: str = ""
    confidence: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """What a decision still needs, in words. A count is never needed."""
        parts = (("category", self.label), ("cause", self.cause), ("confidence", self.confidence))
        return tuple(word for word, value in parts if not value)


class AdjudicationDesk:
    """The cases of a round and the one that is looked at.

    Parameters
    ----------
    cases : sequence of Case
        In the order of the round.
    listing : str
        One of `FILTERS`. The list changes only when it is chosen anew: nothing vanishes under a hand.
    """

    def __init__(self, cases: Sequence[Case], listing: str = WAITING) -> None:
        self.cases = {one.place: one for one in cases}
        self.listing = listing
        self.listed: tuple[Place, ...] = ()
        self.place: Place | None = None
        self._drafts: dict[Place, Draft] = {}
        self._newest: list[Place] = []
        self._put_in_order()
        self.choose_listing(listing)

    # What is there

    @property
    def case(self) -> Case | None:
        """The case that is looked at."""
        return None if self.place is None else self.cases[self.place]

    @property
    def waiting(self) -> int:
        """How many cases wait."""
        return sum(one.waits for one in self.cases.values())

    @property
    def decided(self) -> int:
        """How many cases a person has decided."""
        return sum(one.decision is not None for one in self.cases.values())

    def counted(self, listing: str) -> int:
        """How many cases a list would hold now."""
        return sum(_belongs(one, listing) for one in self.cases.values())

    @property
    def draft(self) -> Draft:
        """The decision being made about this case; what was decided, where something was."""
        case = self.case
        if case is None:
            return Draft()
        if case.place in self._drafts:
            return self._drafts[case.place]
        found = case.decision
        if found is None:
            return Draft()
        return Draft(found.label or UNKNOWN, found.slider, found.cause, found.reason, found.confidence)

    # Moving

    def choose_listing(self, listing: str) -> None:
        """List other cases; the one that is looked at stays if it is among them."""
        self.listing = listing
        self.listed = tuple(place for place, one in self.cases.items() if _belongs(one, listing))
        if self.place not in self.listed:
            self.place = self.listed[0] if self.listed else None

    def go_to(self, place: Place) -> None:
        """Look at a case; one that is not listed is put on the list."""
        if place not in self.listed:
            known = {*self.listed, place}
            self.listed = tuple(one for one in self.cases if one in known)
        self.place = place

    def step(self, by: int) -> None:
        """Look at the next or the one before; at an end nothing happens."""
        if self.place is not None:
            at = self.listed.index(self.place) + by
            self.place = self.listed[min(max(at, 0), len(self.listed) - 1)]

    def next_waiting(self) -> bool:
        """Look at the next case that waits, from here on and then from the start; False when none does."""
        order = list(self.cases)
        at = order.index(self.place) + 1 if self.place is not None else 0
        for place in (*order[at:], *order[:at]):
            if self.cases[place].waits:
                self.go_to(place)
                return True
        return False

    # The decision being made

    def change(self, **changes: Any) -> None:
        """Change the decision being made: label, slider, cause, reason, confidence."""
        if self.place is not None:
            self._drafts[self.place] = replace(self.draft, **changes)

    def choose(self, label: str) -> None:
        """Choose a label by its id or, for an open question, in words; `unknown` takes the count away."""
        case = self.case
        if case is None:
            return
        label = case.question.meaning(label) if case.question.is_open else label
        self.change(label=label, **({"slider": None} if label == UNKNOWN else {}))

    def take_over(self, letter: str) -> bool:
        """Take the answer of one of the people, label and count; False when nobody has that letter."""
        case = self.case
        said = {} if case is None else dict(zip(case.letters().values(), case.said, strict=True))
        if letter not in said:
            return False
        one = said[letter]
        self.change(label=one.label, slider=None if one.count is None else int(one.count))
        return True

    def count(self, by: int) -> None:
        """One more or one less; without a count, from none of the images or from all."""
        case = self.case
        if case is None or self.draft.label == UNKNOWN:
            return
        most, now = len(case.image_set.images), self.draft.slider
        self.change(slider=(0 if by > 0 else most) if now is None else min(max(now + by, 0), most))

    def decision(self, decided_by: str) -> tuple[int, str, dict[str, Any]] | None:
        """The decision as a study keeps it: image set, question, what was decided; None while it is open.

        From here on it is shown as decided, until `set_decisions` says how things stand.
        """
        case, draft = self.case, self.draft
        if case is None or draft.missing or not decided_by.strip():
            return None
        made = Decision(
            None if draft.label == UNKNOWN else draft.label,
            *(draft.slider, draft.cause, draft.reason.strip(), draft.confidence, decided_by.strip()),
        )
        self.cases[case.place] = replace(case, decision=made)
        self._newest.append(case.place)
        self._drafts.pop(case.place, None)
        kept = {
            **{"label": made.label, "slider": made.slider, "cause": made.cause, "reason": made.reason},
            **{"confidence": made.confidence, "decided_by": made.decided_by},
        }
        return case.image_set.image_set_id, case.question.id, kept

    def newest_decided(self) -> Case | None:
        """The case that was decided last: the one whose decision is taken back next."""
        return self.cases[self._newest[-1]] if self._newest else None

    def take_back(self) -> tuple[int, str] | None:
        """Look at the case that was decided last, as one that waits; None when nothing is decided.

        Gives the image set and the question whose decision the study is to take back, also where that is
        still on its way there: what is written after it is about the decision before.
        """
        if not self._newest:
            return None
        case = self.cases[self._newest.pop()]
        self.cases[case.place] = replace(case, decision=None)
        self.go_to(case.place)
        return case.image_set.image_set_id, case.question.id

    def set_decisions(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """How things stand in the study now."""
        found = decisions_by_place(rows)
        self.cases = {
            place: replace(one, decision=found.get(place)) if one.decision != found.get(place) else one
            for place, one in self.cases.items()
        }
        self._put_in_order()

    def _put_in_order(self) -> None:
        decided = [(one.decision.decided_at, place) for place, one in self.cases.items() if one.decision]
        self._newest = [place for _, place in sorted(decided, key=lambda pair: pair[0])]


def _belongs(case: Case, listing: str) -> bool:
    if listing == ALL:
        return True
    if listing == WAITING:
        return case.waits
    # One answer alone is unanimous in a way; it is listed there, and still says "one answer".
    how = str(How.UNANIMOUS) if case.how_now == How.SINGLE else case.how_now
    return how == listing


__all__ = ["ALL", "CAUSES", "CONFIDENCES", "FILTERS", "WAITING", "AdjudicationDesk", "Draft"]
