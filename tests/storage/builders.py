"""A small study with something in every table, and its pieces one line each."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from core.bank_builder.candidate import proposing
from core.jobs import Failure, Outcome
from core.labels.proposal import Proposal
from core.labels.review import Act, LabelAct
from core.packets import KeyAnswer, PacketPlan, ShownSet
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
from storage.merge_rows import NewEvent, NewHandIn
from storage.store import Store
from storage.study import NewStudy

NURSE = Role("nurse", "nurse", "a", "nurses", "29-1141", "Registered nurses")
DRIVER = Role("bus_driver", "bus driver", "a", "bus drivers")
ROLES = [NURSE, DRIVER]

AT = "2026-03-01T09:00:00.000Z"


def make_study(name: str = "small", **changes: object) -> NewStudy:
    """A study with the released schema and no questions of its own."""
    return NewStudy(name, seed=7, **{"questions_json": '{"questions": []}', **changes})  # type: ignore[arg-type]


def make_prompt(role: str = "nurse", condition: Condition | None = Condition.CF, text: str = "") -> Prompt:
    """A base prompt; its text names role and condition unless given."""
    return Prompt(role, condition, PromptKind.BASE, text or f"a photo of a {role}, {condition}")


def make_picture(colour: object = "red", size: tuple[int, int] = (16, 16), kind: str = "png") -> bytes:
    """An encoded picture of one colour."""
    out = io.BytesIO()
    mode = "RGBA" if isinstance(colour, tuple) and len(colour) == 4 else "RGB"
    Image.new(mode, size, colour).save(out, kind)  # type: ignore[arg-type]
    return out.getvalue()


def make_image(number: int = 0, generator: str = "drawn-a", **changes: object) -> NewImage:
    """An image whose content, seed and run key follow from its number."""
    values: dict[str, object] = {
        "generator": generator,
        "prompt": make_prompt(),
        "seed": number,
        "run_key": f"{generator} {number}",
        "data": make_picture((number % 256, number // 256, 99)),
        "width": 16,
        "height": 16,
        "format": "png",
        **changes,
    }
    return NewImage(**values)  # type: ignore[arg-type]


def make_record(image_id: int, extractor: str = "reader", **changes: object) -> NewRecord:
    """A record that read a list, an empty list, a label and something unseen."""
    values: dict[str, object] = {
        "image_id": image_id,
        "extractor": extractor,
        "record_key": f"{extractor} {image_id}",
        "status": Status.OK,
        "readings": {
            "mood": DimensionReading(("calm",)),
            "dominant_colors": DimensionReading(("red", "blue")),
            "items": DimensionReading(()),
            "gender_presentation": DimensionReading((), Status.UNKNOWN),
        },
        "n_persons": 1,
        **changes,
    }
    return NewRecord(**values)  # type: ignore[arg-type]


def make_event(annotator_id: int, image_set_id: int, question: str = "mood", **answer: object) -> AnswerEvent:
    """An act that leaves the answer as given."""
    return AnswerEvent(annotator_id, image_set_id, question, "choose", Answer(**answer), AT)  # type: ignore[arg-type]


def new_store(folder: Path, **changes: object) -> Store:
    """A store with roles, prompts, a generator and an extractor, and nothing made yet."""
    store = Store.create(folder, make_study(**changes))
    store.add_roles(ROLES)
    store.add_prompts([make_prompt(role.name, condition) for role in ROLES for condition in Condition])
    store.add_generator("drawn-a", "drawn", {"size": 16})
    store.add_extractor("reader", {"temperature": 0})
    return store


def add_image_set(store: Store, key: str = "set 1", first: int = 0, size: int = 10) -> int:
    """An image set of new images in the round `main`, which is made when it is not there."""
    rounds = {found.name: found.round_id for found in store.rounds()}
    round_id = rounds.get("main") or store.add_round("main", 3, ["mood", "items"])
    images = store.add_images([make_image(number) for number in range(first, first + size)])
    (number,) = store.add_image_sets(round_id, [(key, "nurse", Condition.CF, "drawn-a", images)])
    return number


def fill(store: Store) -> None:
    """Put something into every table that `new_store` left empty."""
    image_set_id = add_image_set(store)
    store.add_image(make_image(10, truth={"mood": ("calm",), "items": ()}))
    store.add_records([make_record(image.image_id) for image in store.images()[:4]])
    store.add_records([make_record(5, status=Status.REFUSED, readings={}, reason="policy")])
    for name in ("Ada", "Ben"):
        annotator = store.add_annotator(name)
        chosen = make_event(annotator.annotator_id, image_set_id, label="calm", marks=frozenset({1, 3}))
        store.append_answer(chosen).result()
        confirmed = make_event(
            annotator.annotator_id,
            image_set_id,
            label="calm",
            slider=2,
            slider_source="marks",
            marks=frozenset({1, 3}),
            is_confirmed=True,
        )
        store.append_answer(confirmed).result()
    fill_packets(store)
    job = store.begin_job("generate", 3, {"generator": "drawn-a"})
    store.end_job(job, Outcome(3, 2, 0, [Failure("prompt 3", "GeneratorError", "it was too hot")]))
    store.put_proposals([Proposal("items", "tees", "tee", "spelling")], {"model": "none"})
    store.add_label_act(LabelAct(Act.ACCEPT, "Ada", {("items", "tees"): "tee"}))
    store.add_bank_acts([proposing("nurse", "related", "ward", "changing a dressing", "Ada")])


def fill_packets(store: Store) -> None:
    """A packet that left and came back with an answer that contradicts one that was there."""
    ada = next(person for person in store.annotators() if person.name == "Ada")
    round_id = store.add_round("packets", 4, ["mood", "items"])
    images = [image.image_id for image in store.images()[:4]]
    (image_set_id,) = store.add_image_sets(round_id, [("set p", "nurse", Condition.CF, "drawn-a", images)])
    here = make_event(ada.annotator_id, image_set_id, label="calm", is_confirmed=True)
    newest = store.append_answer(here).result()
    store.put_key_answers([(image_set_id, "mood", KeyAnswer("calm", 2, frozenset({1, 3}), "truth"))])
    shown = ShownSet("00ff", image_set_id, tuple(range(4)))
    plan = PacketPlan("a" * 32, (shown,), ("mood", "items"), is_reversed=False)
    packet_id = store.add_packet((round_id, ada, plan, "b" * 64))
    other = make_event(ada.annotator_id, image_set_id, label="tense", is_confirmed=True)
    hand_in = NewHandIn(
        *(packet_id, ada.annotator_id, "ada.handin", "c" * 64, "0.1.0", {"conflicting": 1}, []),
        events=[NewEvent("d" * 32 + ":1", other, is_held=True)],
        conflicts=[(newest.event_id or 0, "d" * 32 + ":1")],
        seen_until=newest.event_id or 0,
    )
    store.merge(hand_in)
    store.exclude(round_id, ada.annotator_id, "mood", "the same key all day", "Eve")
