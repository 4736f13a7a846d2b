"""What adjudicating reads and writes, for a pool thread; and a case in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from core.questions import Question, choose
from core.records import UNKNOWN
from gui.models.coverage import in_words
from gui.team.facts import questions_of

if TYPE_CHECKING:
    from annotation.adjudication_cases import Case, Decision
    from annotation.adjudication_desk import AdjudicationDesk
    from storage.store import Store

Decisions = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class RoundCases:
    """A locked round with its cases; `names` are the names of its questions."""

    round_id: int
    name: str
    desk: AdjudicationDesk
    names: Mapping[str, str]


def read_round(store: Store) -> RoundCases | None:
    """Read the newest round; None while it is open, because nothing is adjudicated before the lock."""
    from annotation.adjudication_cases import cases_of
    from annotation.adjudication_desk import AdjudicationDesk
    from annotation.mapped_labels import Sides, mapped_sides
    from core.schema import read_schema
    from storage.frames import Frames

    rounds = store.rounds()
    if not rounds or not rounds[-1].is_locked:
        return None
    found = rounds[-1]
    asked = choose(questions_of(store), found.questions)
    said = Sides(Frames(store.folder).answers(found.round_id))
    answers = mapped_sides(said, store.label_map(), asked).answers
    decided = store.adjudications(found.round_id)
    cases = cases_of(answers, store.image_sets(found.round_id), asked, decided)
    schema = read_schema(store.study.schema_json)
    names = {one.id: schema.dimension(one.dimension).name for one in asked}
    return RoundCases(found.round_id, found.name, AdjudicationDesk(cases), names)


def deciding(store: Store, round_id: int, made: tuple[int, str, dict[str, Any]]) -> Callable[[], Decisions]:
    """Keep a decision; gives the decisions that count then."""

    def act() -> Decisions:
        store.adjudicate(*made)
        return store.adjudications(round_id)

    return act


def taking_back(
    store: Store, round_id: int, image_set_id: int, question: str, seen: Decision | None = None
) -> Callable[[], Decisions]:
    """Take a decision back, where it still counts; gives the decisions that count then."""

    def act() -> Decisions:
        store.take_back_adjudication(image_set_id, question, None if seen is None else asdict(seen))
        return store.adjudications(round_id)

    return act


def label_words(question: Question, label: str) -> str:
    """A label as the question names it; words of an open question are in the annotators' own already."""
    named = (option.name for option in question.options if option.id == label)
    return next(named, "") or ("unknown" if label == UNKNOWN else in_words(label))


def answer_words(case: Case, *, with_names: bool) -> str:
    """What each person said, a line each: "A: calm, 6 images"."""
    letters, lines = case.letters(), []
    for said in case.said:
        letter = letters[said.annotator]
        who = f"{letter} ({said.annotator})" if with_names else letter
        count = "" if said.count is None else f", {said.count:g} of {len(case.image_set.images)}"
        lines.append(f"{who}: {label_words(case.question, said.label)}{count}")
    return "\n".join(lines)


def how_words(case: Case) -> str:
    """How the label came about: "majority: calm", or "unresolved"."""
    label = f": {label_words(case.question, case.label)}" if case.label else ""
    return f"{case.how}{label}"
