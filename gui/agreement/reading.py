"""What the Agreement page reads: first the round as it stands, then the job that computes.

Both run off the GUI thread. Nothing heavy is imported before the job's first step.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from core.draws import OF_AGREEMENT
from core.errors import BadInput
from core.jobs import Job, Progress
from core.questions import asked_in, questions_from
from core.schema import schema_from
from gui.agreement.kept import input_key, keep, read_kept
from gui.agreement.view import AgreementView, Settings, view_of
from gui.models.people import Person
from gui.words import counted, day, thousands

if TYPE_CHECKING:
    from annotation.agreement import AgreementResult
    from storage.store import Store
    from storage.study import Round

BOOTSTRAP = OF_AGREEMENT
FEWEST_ANNOTATORS = 2


@dataclass(frozen=True, slots=True)
class Finished:
    """How far one annotator has come."""

    person: Person
    answers: int
    image_sets: int


@dataclass(frozen=True, slots=True)
class Situation:
    """The study as far as agreement is concerned, before anything is computed."""

    rounds: tuple[Round, ...]
    image_sets: int
    images: int
    annotators: tuple[Finished, ...]
    extractors: tuple[str, ...]
    is_sample: bool
    decided: str = ""
    """What people decided about the round's answers, in words: who is excluded, how much is adjudicated."""

    @property
    def answering(self) -> tuple[Finished, ...]:
        """Annotators with at least one answer."""
        return tuple(one for one in self.annotators if one.answers)

    def is_pipeline_open(self, which: Round) -> bool:
        """Whether people and pipeline may be compared: once locked, and always in the sample study."""
        return bool(self.extractors) and (which.is_locked or self.is_sample)


def read_situation(store: Store, round_id: int | None) -> Situation:
    """Read the rounds, and how far people have come in one of them (default: the latest)."""
    from storage.progress import annotator_progress

    rounds = tuple(store.rounds())
    chosen = next((one for one in rounds if one.round_id == round_id), rounds[-1] if rounds else None)
    image_sets = store.image_sets(chosen.round_id) if chosen is not None else []
    people = [
        Finished(Person(one.annotator.name, one.annotator.is_simulated), one.answers, one.image_sets)
        for one in annotator_progress(store)
    ]
    return Situation(
        rounds,
        len(image_sets),
        store.count_images(),
        tuple(people),
        tuple(one.name for one in store.extractors()),
        store.study.is_sample,
        "" if chosen is None else _decided(store, chosen.round_id),
    )


def _decided(store: Store, round_id: int) -> str:
    standing = [one for one in store.exclusions(round_id) if not one["withdrawn_at"]]
    out = [
        f"{one['annotator']} excluded ({one['question'] or 'all questions'}: {one['reason']})"
        for one in standing
    ]
    adjudicated = len(store.adjudications(round_id))
    return "; ".join([*out, *([f"{thousands(adjudicated)} adjudicated"] if adjudicated else [])])


def compute(store: Store, settings: Settings) -> Job[AgreementView]:
    """Agreement of one round for these settings."""
    total = 12
    yield Progress(0, total, "reading the answers")
    from annotation.adjudication import with_decisions
    from annotation.agreement import agreement
    from annotation.comparison import pipeline_answers
    from annotation.mapped_labels import Sides, mapped_sides
    from core.kept_analyses import KeptAnalyses
    from storage.frames import Frames

    frames = Frames(store.folder)
    schema = schema_from(json.loads(store.study.schema_json))
    which = _round(store, settings.round_id)
    questions = asked_in(questions_from(json.loads(store.study.questions_json), schema), which.questions)
    answers = frames.answers(settings.round_id)
    if answers["annotator"].nunique() < FEWEST_ANNOTATORS:
        raise BadInput("Agreement needs the answers of two annotators.", "Wait for a second hand-in.")
    pipeline = readings = None
    if settings.extractor is not None:
        yield Progress(1, total, "reading the records")
        readings = frames.readings(settings.round_id, settings.extractor)
    said = Sides(answers, readings, frames.repeats(settings.round_id))
    sides = mapped_sides(said, store.label_map(), questions)
    answers, readings = sides.answers, sides.readings
    if readings is not None:
        pipeline = pipeline_answers(readings, questions)
    unknown: Literal["label", "left out"] = "label" if settings.unknown == "label" else "left out"
    asked = [store.study.schema_json, store.study.questions_json, *which.questions]
    kept, key = KeptAnalyses(store.folder), input_key(asked, sides, [unknown, settings.extractor, BOOTSTRAP])
    result = read_kept(kept, key)
    if result is None:
        options: dict[str, Any] = {"bootstrap": BOOTSTRAP, "unknown": unknown, "repeats": sides.repeats}
        result = yield from _shifted(agreement(answers, pipeline, questions, readings=readings, **options), 2)
        keep(kept, key, result)
    result.run["label_map"] = sides.account()
    decisions = store.adjudications(settings.round_id), store.exclusions(settings.round_id)
    result = with_decisions(result, *decisions)
    people = _people(store, result.run["annotators"])
    names = {dimension.id: dimension.name for dimension in schema.dimensions}
    return view_of(
        result,
        settings,
        people,
        store.image_sets(settings.round_id),
        questions,
        names,
        (answers, pipeline, readings),
        sides.repeats,
    )


def _shifted(job: Job[AgreementResult], by: int) -> Job[AgreementResult]:
    """The same job with its progress after so many steps of our own."""
    while True:
        try:
            progress = next(job)
        except StopIteration as stop:
            result: AgreementResult = stop.value
            return result
        yield Progress(progress.done + by, progress.total + by, progress.text)


def _round(store: Store, round_id: int) -> Round:
    return next(one for one in store.rounds() if one.round_id == round_id)


def _people(store: Store, names: Sequence[str]) -> tuple[Person, ...]:
    known = {one.name: Person(one.name, one.is_simulated) for one in store.annotators()}
    return tuple(known.get(name, Person(name)) for name in names)


def round_facts(which: Round, situation: Situation, people: int) -> str:
    """ "Round 1, locked 28 Nov, 3 annotators, 120 image sets"."""
    state = f"locked {day(which.locked_at)}" if which.locked_at else "open"
    return ", ".join(
        [
            which.name,
            state,
            counted(people, "annotator"),
            counted(situation.image_sets, "image set"),
            *([situation.decided] if situation.decided else []),
        ]
    )


def what_locking_needs(which: Round, situation: Situation) -> str:
    """How far people are from a round that can be locked, in a sentence."""
    wanted = situation.image_sets * len(which.questions)
    unfinished = [one for one in situation.answering if one.answers < wanted]
    if not unfinished:
        return "Everybody who began has answered everything; nothing is missing."
    parts = [f"{one.person.full_name} lacks {counted(wanted - one.answers, 'answer')}" for one in unfinished]
    return f"{'; '.join(parts)}. What is unanswered then stays unanswered."
