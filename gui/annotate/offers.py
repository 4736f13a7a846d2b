"""What the Annotate page can offer and what it does about it: functions for a pool thread, no widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.design_opening import open_round
from annotation.rounds import count_sets
from annotation.session import Session
from core.errors import BadInput
from core.questions import choose, read_questions
from core.records import Annotator
from core.schema import read_schema
from gui.words import counted

if TYPE_CHECKING:
    from annotation.rounds import LeftOut
    from storage.store import Store
    from storage.study import Round


@dataclass(frozen=True, slots=True)
class Person:
    """An annotator and how many answers they have confirmed."""

    annotator: Annotator
    answers: int
    last_at: str | None


@dataclass(frozen=True, slots=True)
class Offer:
    """The state of a study as far as annotating goes.

    `round` is the newest round, None before one is designed; then `sets` counts the image sets that the
    images could make and `reasons` says why others cannot be made.
    """

    images: int
    sets: int
    questions: int
    round: Round | None
    people: tuple[Person, ...]
    count_mode: str
    reasons: tuple[str, ...] = ()

    @property
    def answers(self) -> int:
        """Answers that one annotator gives in all."""
        return self.sets * self.questions


def read_offer(store: Store) -> Offer:
    """Read what there is to annotate and who does."""
    rounds = store.rounds()
    people = _people(store)
    if rounds:
        newest = rounds[-1]
        sets = store.count_image_sets(newest.round_id)
        return Offer(store.count_images(), sets, len(newest.questions), newest, people, newest.count_mode)
    sets, left_out = count_sets(store.count_cells())
    return Offer(
        *(store.count_images(), sets, len(_questions(store)), None, people),
        count_mode=store.study.count_mode,
        reasons=_reasons(left_out),
    )


def _reasons(left_out: Sequence[LeftOut]) -> tuple[str, ...]:
    """How many cells make no set, by reason alone.

    Whoever reads this is about to annotate, so no role, condition or generator may be told here.
    """
    few = sum(1 for one in left_out if one.images)
    none = len(left_out) - few
    said = []
    if few:
        said.append(f"{counted(few, 'cell')} {'has' if few == 1 else 'have'} fewer than ten usable images")
    if none:
        said.append(f"{counted(none, 'cell')} {'has' if none == 1 else 'have'} no usable image")
    return tuple(said)


def _people(store: Store) -> tuple[Person, ...]:
    from storage.progress import annotator_progress

    return tuple(Person(one.annotator, one.answers, one.last_at) for one in annotator_progress(store))


def _questions(store: Store) -> tuple[str, ...]:
    schema = read_schema(store.study.schema_json)
    return tuple(question.id for question in read_questions(store.study.questions_json, schema))


def open_session(
    store: Store, name: str, count_mode: str, on_saved: Callable[[], None]
) -> tuple[Session, bool]:
    """The session of an annotator in the newest round, which is designed first if there is none.

    Returns the session and whether the round shows the role. A simulated annotator and a locked round
    are refused.
    """
    name = " ".join(name.split())
    if not name:
        raise BadInput("An annotator needs a name.", "Type a name first.")
    rounds = store.rounds()
    found = rounds[-1] if rounds else _design(store, count_mode)
    if found.is_locked:
        raise BadInput(f"The round “{found.name}” is locked.", "Open a new round on the Team page.")
    known = {one.name: one for one in store.annotators()}
    if name in known and known[name].is_simulated:
        raise BadInput(f"“{name}” is simulated; nobody can answer in its place.", "Choose another name.")
    annotator = known.get(name) or store.add_annotator(name)
    schema = read_schema(store.study.schema_json)
    questions = choose(read_questions(store.study.questions_json, schema), found.questions)
    sets = store.image_sets(found.round_id)
    session = Session(store, annotator, sets, questions, found.seed, found.count_mode, on_saved=on_saved)
    return session, found.show_role


def _design(store: Store, count_mode: str) -> Round:
    """A round over everything there is, with the study's own questions."""
    schema = read_schema(store.study.schema_json)
    round_id = open_round(store, read_questions(store.study.questions_json, schema), count_mode=count_mode)
    return next(one for one in store.rounds() if one.round_id == round_id)
