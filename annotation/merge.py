"""What a hand-in adds to a study, told before anything is changed.

Each act has an origin for good: the random key of the sitting it was made in, and its number there. So it is
known of every act whether the study has it, and of every answer whether one side has seen the other's:

* *same*: the study knows the hand-in's latest act on this question;
* *new*: the study has no answer of this annotator to it;
* *newer*: the hand-in's answer was given with the study's answer before it;
* *conflicting*: neither knew of the other, and they differ. Both are kept, the first stands until a person
  decides;
* *quarantined*: it cannot be placed: the packet is not of this study, was withdrawn, its round is locked, or
  the act is about no set or question of it, or says what no act can. Nothing of it is taken.

The same rule makes merging the same file twice nothing, an older file after a newer one nothing, and the
order of hand-ins of different annotators irrelevant. Two laptops of one annotator that contradict each other
are the only thing that needs a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from annotation.answer_faults import fault_of
from core.packets import STUDY, HandedEvent, HandIn, NewEvent, NewHandIn, Packet, ShownSet
from core.questions import Question
from core.records import Answer, AnswerEvent

NEW, SAME, NEWER, CONFLICTING, QUARANTINED = "new", "same", "newer", "conflicting", "quarantined"
VERDICTS = (NEW, SAME, NEWER, CONFLICTING, QUARANTINED)

Place: TypeAlias = tuple[int, str]
"""Image set of the study, question."""

Known: TypeAlias = tuple[str | None, AnswerEvent]
"""An act of the study with its origin; None for one that was made in the study itself."""


@dataclass(frozen=True)
class MergePreview:
    """What merging a hand-in would do; counts are answers (image set × question).

    `reason` is there when the whole file is quarantined. `conflicts` are pairs: the id of the act that
    stands, and the origin of the one that contradicts it. `seen_until` is the newest act looked at.
    """

    hand_in: HandIn
    packet: Packet | None
    counts: Mapping[str, int]
    events: tuple[NewEvent, ...] = ()
    conflicts: tuple[tuple[int, str], ...] = ()
    reasons: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    training: tuple[Mapping[str, int | float], ...] = ()
    seen_until: int = 0

    @property
    def changes(self) -> bool:
        """Whether merging would change anything."""
        return bool(self.events)

    def to_merge(self) -> NewHandIn:
        """The hand-in as a study takes it; only for one that is not quarantined as a whole."""
        if self.packet is None or self.reason:
            raise ValueError("a quarantined hand-in cannot be merged")
        return NewHandIn(
            *(self.packet.packet_id, self.packet.annotator.annotator_id, self.hand_in.file_name),
            *(self.hand_in.events_hash, self.hand_in.application_version),
            {**self.counts, "reasons": dict(self.reasons)},
            self.training,
            self.events,
            self.conflicts,
            self.seen_until,
        )

    @property
    def sentence(self) -> str:
        """One line, such as "ada.handin: 40 new, 3 same, 0 newer, 0 conflicting, 0 quarantined"."""
        counted = ", ".join(f"{self.counts[verdict]} {verdict}" for verdict in VERDICTS)
        why = f" ({self.reason})" if self.reason else ""
        return f"{self.hand_in.file_name}: {counted}{why}"

    @property
    def reason_lines(self) -> list[str]:
        """A line for each reason for which answers are quarantined; none where the whole file is."""
        if self.reason:
            return []
        return [f"  quarantined: {number}, {why}" for why, number in self.reasons.items()]


def preview(
    hand_in: HandIn,
    packets: Iterable[Packet],
    questions: Sequence[Question],
    known: Sequence[Known],
    held: frozenset[int] | set[int],
    *,
    study_key: str,
    is_locked: bool = False,
) -> MergePreview:
    """Compare a hand-in with what a study has.

    Parameters
    ----------
    hand_in : HandIn
        As read.
    packets : iterable of Packet
        Packets that left this study.
    questions : sequence of Question
        The questions of the packet's round as the study has them now.
    known : sequence of (origin, event)
        All acts of this annotator in the study, of merges that stand; also those that wait for a decision.
    held : set of int
        Ids of those that wait for one, or lost it.
    study_key : str
        Key of the study.
    is_locked : bool
        Whether the packet's round takes no more answers.
    """
    packet = next((one for one in packets if one.key == hand_in.packet_key), None)
    reason = _why_not(hand_in, packet, questions, study_key, is_locked)
    if reason or packet is None:
        places = {(event.set_number, event.question) for event in hand_in.events if event.run == 0}
        counts = dict.fromkeys(VERDICTS, 0) | {QUARANTINED: len(places)}
        return MergePreview(hand_in, packet, counts, reasons={reason: len(places)}, reason=reason)
    return _compared(hand_in, packet, {one.id: one for one in questions}, known, held)


def _why_not(
    hand_in: HandIn,
    packet: Packet | None,
    questions: Sequence[Question],
    study_key: str,
    is_locked: bool,
) -> str:
    """Why nothing of a file can be taken; empty when it can."""
    if hand_in.fault:
        return hand_in.fault
    if hand_in.study_key != study_key:
        return "it belongs to another study"
    if packet is None:
        return "this study has no such packet"
    if packet.is_withdrawn:
        why = f" ({packet.withdrawn_reason})" if packet.withdrawn_reason else ""
        return f"its packet was withdrawn{why}"
    if hand_in.content_hash != packet.content_hash:
        return "its packet was changed after it left"
    absent = [one for one in packet.plan.questions if one not in {question.id for question in questions}]
    if absent:
        return f"the schema was changed meanwhile: the question {absent[0]} is gone"
    return "its round is locked" if is_locked else ""


def _compared(
    hand_in: HandIn,
    packet: Packet,
    questions: Mapping[str, Question],
    known: Sequence[Known],
    held: frozenset[int] | set[int],
) -> MergePreview:
    shown = dict(enumerate(packet.plan.sets, start=1))
    reasons: Counter[str] = Counter()
    bad: set[tuple[int, str]] = set()
    for event in hand_in.events:
        where = (event.set_number, event.question)
        why = _misplaced(event, shown, packet.plan.questions, questions)
        if why and where not in bad:
            bad.add(where)
            reasons[why] += 1
    acts = [
        (event, (shown[event.set_number].image_set_id, event.question))
        for event in hand_in.events
        if event.run == 0 and (event.set_number, event.question) not in bad
    ]
    origins = {origin for origin, _ in known if origin is not None}
    answers = {place: _in_the_study(event, shown[event.set_number], packet).answer for event, place in acts}
    verdicts, conflicts = _verdicts(acts, answers, known, held, origins)
    counts = Counter(verdicts.values())
    held_places = {place for place, verdict in verdicts.items() if verdict == CONFLICTING}
    events = tuple(
        NewEvent(
            *(event.origin, _in_the_study(event, shown[event.set_number], packet), event.undoes),
            is_held=place in held_places,
        )
        for event, place in acts
        if event.origin not in origins
    )
    return MergePreview(
        *(hand_in, packet, {one: counts[one] for one in VERDICTS[:-1]} | {QUARANTINED: len(bad)}),
        *(events, conflicts, dict(reasons)),
        training=tuple(_training(hand_in)),
        seen_until=max((event.event_id or 0 for _, event in known), default=0),
    )


def _verdicts(
    acts: Sequence[tuple[HandedEvent, Place]],
    answers: Mapping[Place, Answer],
    known: Sequence[Known],
    held: frozenset[int] | set[int],
    origins: set[str],
) -> tuple[dict[Place, str], tuple[tuple[int, str], ...]]:
    """What becomes of every answer of a hand-in, and which contradict one that stands."""
    theirs: dict[Place, HandedEvent] = {place: event for event, place in acts}
    seen_by_them: dict[Place, set[str]] = {}
    for event, place in acts:
        seen_by_them.setdefault(place, set()).add(event.origin)
    ours: dict[Place, Known] = {}
    for origin, known_event in known:
        if known_event.event_id not in held:
            ours[(known_event.image_set_id, known_event.question)] = (origin, known_event)
    verdicts, conflicts = {}, []
    for place, event in theirs.items():
        if event.origin in origins:
            verdicts[place] = SAME
        elif place not in ours:
            verdicts[place] = NEW
        elif ours[place][0] in seen_by_them[place]:
            verdicts[place] = NEWER
        elif ours[place][1].answer == answers[place]:
            verdicts[place] = SAME
        else:
            verdicts[place] = CONFLICTING
            conflicts.append((ours[place][1].event_id or 0, event.origin))
    return verdicts, tuple(conflicts)


def _misplaced(
    event: HandedEvent, shown: Mapping[int, ShownSet], asked: Sequence[str], questions: Mapping[str, Question]
) -> str:
    """Why an act has no place in the study; empty when it has."""
    found = shown.get(event.set_number)
    if found is None or (found.part == STUDY) != (event.run == 0):
        return "an image set that the packet does not hold"
    if event.question not in asked:
        return "a question that the packet does not ask"
    question, answer = questions[event.question], event.answer
    if answer.label is not None and not question.is_open and answer.label not in question.option_ids:
        return f"the schema was changed meanwhile: no option {answer.label!r}"
    n = len(found.order)
    if any(mark >= n for mark in answer.marks) or (answer.slider or 0) > n:
        return "more images than the set has"
    return fault_of(question, answer, event.at)


def _in_the_study(event: HandedEvent, shown: ShownSet, packet: Packet) -> AnswerEvent:
    answer = replace(event.answer, marks=frozenset(shown.order[place] for place in event.answer.marks))
    return AnswerEvent(
        *(packet.annotator.annotator_id, shown.image_set_id, event.question, event.act, answer, event.at),
        wall_seconds=event.wall_seconds,
        active_seconds=event.active_seconds,
        first_act_seconds=event.first_act_seconds,
        theme=event.theme,
    )


def _training(hand_in: HandIn) -> Iterable[Mapping[str, int | float]]:
    """How often training was tried, and how much was answered in each attempt."""
    for run in sorted({event.run for event in hand_in.events if event.run}):
        latest = {(one.set_number, one.question): one.answer for one in hand_in.events if one.run == run}
        yield {"attempt": run, "answers": sum(answer.is_confirmed for answer in latest.values())}
