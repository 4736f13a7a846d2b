"""A packet as simulated annotators see it: the study's image sets outside, the packet's showings inside.

They answer from the known truth of the study's images, which no packet holds; so the desk, which belongs to
the study lead's side, translates. What is written is exactly what a person's program writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from annotation.packet_session import PACKET_ANNOTATOR
from core.packets import PacketPlan
from core.records import AnswerEvent


class RunOfPacket(Protocol):
    """The acts of one run of an open packet."""

    def answer_events(self, annotator_id: int) -> list[AnswerEvent]:
        """Every act, oldest first."""

    def append_answers(self, events: Sequence[AnswerEvent]) -> None:
        """Append many acts in one transaction."""


class PacketDesk:
    """An answer book in the study's terms over a packet of one annotator."""

    def __init__(self, plan: PacketPlan, book: RunOfPacket) -> None:
        self._book = book
        self._numbers = {one.image_set_id: number for number, one in enumerate(plan.sets, start=1)}
        self._order = {one.image_set_id: one.order for one in plan.sets}
        self._ids = {number: image_set_id for image_set_id, number in self._numbers.items()}

    def answer_events(self, annotator_id: int) -> list[AnswerEvent]:
        """Everything answered so far, about the study's sets."""
        return [
            self._moved(event, self._ids[event.image_set_id], annotator_id)
            for event in self._book.answer_events(PACKET_ANNOTATOR)
        ]

    def append_answers(self, events: Sequence[AnswerEvent]) -> None:
        """Answer in the packet."""
        self._book.append_answers([self._inside(event) for event in events])

    def _moved(self, event: AnswerEvent, image_set_id: int, annotator_id: int) -> AnswerEvent:
        order = self._order[image_set_id]
        marks = frozenset(order[place] for place in event.answer.marks)
        answer = replace(event.answer, marks=marks)
        return replace(event, image_set_id=image_set_id, annotator_id=annotator_id, answer=answer)

    def _inside(self, event: AnswerEvent) -> AnswerEvent:
        place_of = {position: place for place, position in enumerate(self._order[event.image_set_id])}
        marks = frozenset(place_of[position] for position in event.answer.marks)
        return replace(
            event,
            image_set_id=self._numbers[event.image_set_id],
            annotator_id=PACKET_ANNOTATOR,
            answer=replace(event.answer, marks=marks),
        )
