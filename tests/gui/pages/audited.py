"""A study that has been drawn, read and answered: small, and with known answers."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PIL import Image

from core.jobs import Job, Progress
from core.paths import RESOURCES
from core.records import (
    Answer,
    AnswerEvent,
    Condition,
    DimensionReading,
    NewImage,
    NewRecord,
    Prompt,
    PromptKind,
    Role,
    Status,
)
from storage.store import Store
from storage.study import NewStudy

T = TypeVar("T")

QUESTIONS = ("mood", "age_range", "items", "pose")
ROLES = (Role("baker", "baker", "a", "bakers"), Role("nurse", "nurse", "a", "nurses"))
GENERATORS = ("drawn-a", "drawn-b")
READER = "drawn-reader"
PEOPLE = ("Ana", "Ben", "Cem")
AT = "2026-11-26T10:00:00.000Z"
AGES = ("child", "teen", "young_adult", "middle_aged", "older_adult")
THINGS = ("bread", "cup", "book")


def already(result: T) -> Callable[..., Job[T]]:
    """In the place of a job that takes long: the result it had once, after one step."""

    def job(*_asked: object) -> Job[T]:
        yield Progress(0, 1, "looking it up")
        return result

    return job


def make_audited(
    folder: Path,
    *,
    is_sample: bool = True,
    people: Sequence[str] = PEOPLE,
    is_simulated: bool = False,
    has_records: bool = True,
    has_marks: bool = False,
    repeats: int = 0,
) -> Path:
    """The study; `people` answer everything. Everybody agrees on mood, nearly everybody on pose.

    With `has_marks` the first images of a set are marked, as many as are counted; `repeats` sets are shown
    again, and answered as at first except by the last person, who says child each second time.
    """
    questions = json.loads((RESOURCES / "questions.json").read_text(encoding="utf-8"))
    asked = [one for one in questions["questions"] if one["dimension"] in QUESTIONS]
    plan = NewStudy(
        "audited",
        7,
        images_per_prompt=5,
        is_sample=is_sample,
        questions_json=json.dumps({**questions, "questions": asked}),
    )
    with Store.create(folder, plan) as store:
        store.add_roles(list(ROLES))
        store.add_prompts(prompts())
        for name in GENERATORS:
            store.add_generator(name, "drawn", {"size": 8})
        store.add_images(pictures())
        if has_records:
            add_records(store)
        add_answers(store, people, is_simulated, has_marks)
        if repeats:
            add_repeats(store, people, repeats)
    return folder


def prompts() -> list[Prompt]:
    """Two prompts a role and condition."""
    return [
        Prompt(
            role.name,
            condition,
            PromptKind.BASE,
            f"a photo of a {role.name}, {condition.value}, {number}",
            wording="a photo",
            place=f"place {number}" if condition is not Condition.CF else None,
        )
        for role in ROLES
        for condition in Condition
        for number in range(2)
    ]


def pictures() -> list[NewImage]:
    """Five pictures a prompt and generator, each of its own colour."""
    made = []
    for generator in GENERATORS:
        for prompt in prompts():
            for seed in range(5):
                number = len(made)
                data = io.BytesIO()
                Image.new("RGB", (8, 8), (number % 256, number * 7 % 256, 99)).save(data, "PNG")
                made.append(NewImage(generator, prompt, seed, f"run {number}", data.getvalue(), 8, 8, "png"))
    return made


def add_records(store: Store, reader: str = READER) -> None:
    """What a reader read: the age moves with the condition, one image was refused, one shows no mood."""
    store.add_extractor(reader, {}, is_simulated=reader == READER)
    chance, records = random.Random(3), []
    for number, image in enumerate(store.images()):
        age = AGES[number % 2] if image.condition is Condition.CF else AGES[3 + number % 2]
        readings = {
            "mood": DimensionReading(("calm",)) if number != 1 else DimensionReading((), Status.UNKNOWN),
            "age_range": DimensionReading((age,)),
            "pose": DimensionReading(("standing",)),
            "items": DimensionReading((chance.choice(THINGS),)),
        }
        records.append(NewRecord(image.image_id, reader, f"{reader} {number}", Status.OK, readings))
    records[2] = NewRecord(
        records[2].image_id, reader, f"{reader} no", Status.REFUSED, reason="The server said no."
    )
    store.add_records(records)


def add_answers(store: Store, people: Sequence[str], is_simulated: bool, has_marks: bool = False) -> None:
    """One round with an image set a role, condition and generator; each person errs now and then."""
    round_id = store.add_round("Round 1", 1, list(QUESTIONS))
    sets = []
    for generator in GENERATORS:
        for role in ROLES:
            for condition in Condition:
                cell = (generator, role.name, condition)
                images = [
                    one.image_id for one in store.images() if (one.generator, one.role, one.condition) == cell
                ]
                sets.append((f"{role.name} {condition} {generator}", role.name, condition, generator, images))
    numbers = store.add_image_sets(round_id, sets)
    for name in people:
        annotator = store.add_annotator(name, is_simulated)
        chance = random.Random(name)
        store.append_answers(
            [
                AnswerEvent(
                    annotator.annotator_id, number, question, "confirm", _marked(answer, has_marks), AT
                )
                for at, number in enumerate(numbers)
                for question, answer in _answers(at, name, chance).items()
            ]
        )


def add_repeats(store: Store, people: Sequence[str], repeats: int) -> None:
    """The first sets shown again: everybody repeats the answer on age, but the last person says child."""
    round_id = store.rounds()[0].round_id
    shown = store.image_sets(round_id)[:repeats]
    again = store.add_repeats(round_id, shown, [f"{one.key} again" for one in shown])
    numbers = {one.name: one.annotator_id for one in store.annotators()}
    events = []
    for name in people:
        chance = random.Random(name)
        first = [_answers(at, name, chance)["age_range"] for at in range(repeats)]
        for image_set, answer in zip(again, first, strict=True):
            said = replace(answer, label="child", is_unknown=False) if name == people[-1] else answer
            where = (numbers[name], image_set.image_set_id, "age_range")
            events.append(AnswerEvent(*where, "confirm", said, AT))
    store.append_answers(events)


def _marked(answer: Answer, has_marks: bool) -> Answer:
    if not has_marks or answer.slider is None:
        return answer
    return replace(answer, marks=frozenset(range(answer.slider)), slider_source="marks")


def _answers(at: int, name: str, chance: random.Random) -> dict[str, Answer]:
    age = AGES[at % 5] if chance.random() < 0.7 else AGES[(at + 1) % 5]
    thing = THINGS[at % 3] if chance.random() < 0.8 else THINGS[(at + 1) % 3]
    count = min(at % 10 + chance.randint(0, 2), 10)
    is_unsure = name == "Cem" and at == 4
    return {
        "mood": Answer("calm", slider=10, slider_source="key", is_confirmed=True),
        "age_range": Answer(is_unknown=True, is_confirmed=True)
        if is_unsure
        else Answer(age, slider=count, slider_source="key", is_confirmed=True),
        "items": Answer(thing, slider=count, slider_source="key", is_confirmed=True),
        "pose": Answer(
            "sitting" if name == "Ben" and at == 7 else "standing",
            slider=10,
            slider_source="key",
            is_confirmed=True,
        ),
    }
