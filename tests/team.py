"""A study with known truth, its designed round, packets and hand-ins: small, but through the real files."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from annotation.design import DesignPlan, RoundDesign
from annotation.design_opening import open_designed, plan_for
from annotation.merge import MergePreview
from annotation.merge_running import merge_files
from annotation.packet_making import MadePacket, make_packet
from core.jobs import Outcome, run_here
from core.questions import Question, load_questions
from core.records import Annotator, Answer, AnswerEvent, Condition, NewImage, Prompt, PromptKind, Role
from storage.packet_book import PacketBook, RunBook
from storage.packet_files import PacketFiles
from storage.store import Store
from storage.study import NewStudy
from tests.storage.builders import make_picture

FILES = PacketFiles()
GENERATORS = ("sdxl-turbo", "flux-dev")
PROMPTS_A_CELL = 4
AT = "2026-11-30T10:00:00.000Z"


@cache
def questions() -> tuple[Question, ...]:
    """The released questions."""
    return load_questions()


def new_study(
    folder: Path,
    roles: int = 4,
    conditions: Sequence[Condition] = tuple(Condition),
    generators: Sequence[str] = GENERATORS,
    images: int = 10,
    more: int = 10,
    roomy: int = 6,
) -> Store:
    """A study with `images` images of known truth in each cell, and `more` in the first `roomy` cells.

    Cells share pictures, so that few files are written.
    """
    store = Store.create(folder, NewStudy("validation", seed=11))
    names = [f"occupation_{number}" for number in range(roles)]
    store.add_roles([Role(name, name.replace("_", " "), "an", f"{name}s") for name in names])
    for generator in generators:
        store.add_generator(generator, generator, {"steps": 7})
    rng, made = random.Random(3), []
    cells = [(role, condition, one) for role in names for condition in conditions for one in generators]
    for number, cell in enumerate(cells):
        for place in range(images + (more if number < roomy else 0)):
            made.append(new_image(number, place, cell, rng))
    store.add_images(made)
    return store


def new_image(number: int, place: int, cell: tuple[str, Condition, str], rng: random.Random) -> NewImage:
    """An image of a cell, with a truth that is mostly the same within the cell."""
    role, condition, generator = cell
    text = f"a photo of {role} number {place % PROMPTS_A_CELL}, {condition}"
    truth = {}
    for question in questions():
        words = question.option_ids or ("lamp", "desk", "cup")
        usual = words[number % len(words)]
        truth[question.dimension] = (usual if rng.random() < 0.8 else rng.choice(words),)
    side = 16 if generator == GENERATORS[0] else 20
    colour = (place * 11 % 256, 40, 90)
    return NewImage(
        *(generator, Prompt(role, condition, PromptKind.BASE, text), 70000 + place),
        *(f"run {number} {place}", make_picture(colour, (side, side)), side, side, "png"),
        truth=truth,
    )


def design(store: Store, **changes: Any) -> DesignPlan:
    """A design over everything, with a small gap between repeats."""
    chosen = {"seed": 5, "repeat_gap": 8, "repeat_share": 0.1, "gold_share": 0.1, "training": 2}
    return plan_for(store, questions(), RoundDesign(**{**chosen, **changes}))  # type: ignore[arg-type]


def open_round(store: Store, **changes: Any) -> int:
    """A designed round in the study."""
    return open_designed(store, questions(), design(store, **changes))


def packet_for(store: Store, name: str, path: Path, *, is_simulated: bool = False) -> MadePacket:
    """The packet of an annotator of the newest round."""
    person = store.add_annotator(name, is_simulated)
    job = make_packet(
        *(store, store.rounds()[-1], questions(), person, path, FILES.open_writer, store.image_bytes)
    )
    return run_here(job)


def answer(book: PacketBook, places: Sequence[tuple[int, str]], salt: int = 0) -> None:
    """Confirm an answer to each of these questions, in one act each; another salt gives other answers."""
    by_id = {one.id: one for one in book.content.questions}
    events = []
    for number, question in places:
        options = by_id[question].option_ids or ("lamp", "desk", "cup")
        rng = random.Random(f"{number} {question} {salt}")
        marks = frozenset(rng.sample(range(10), rng.randint(1, 10)))
        given = Answer(options[(number + salt) % len(options)], False, len(marks), "marks", marks, True)
        events.append(AnswerEvent(1, number, question, "confirm", given, AT, active_seconds=4.0))
    RunBook(book, 0).append_answers(events)


def study_places(book: PacketBook) -> list[tuple[int, str]]:
    """Every set and question of a packet's study, in its order."""
    sets = book.content.of_part("study")
    return [(one.number, question.id) for one in sets for question in book.content.questions]


def hand_in(packet: Path, path: Path) -> Path:
    """What an annotator sends back."""
    FILES.write_hand_in(packet, path)
    return path


def merge(store: Store, *files: Path, dry: bool = False) -> tuple[list[MergePreview], Outcome]:
    """Merge files; what was said of each, and what became of them."""
    said: list[MergePreview] = []
    job = merge_files(
        *(store, questions(), files, FILES.read_hand_in, lambda found, _: said.append(found)),
        is_dry_run=dry,
    )
    return said, run_here(job)


def standing(store: Store) -> dict[tuple[str, int, str], Answer]:
    """Every answer that stands, of study and repeats, by annotator, image set and question."""
    people: list[Annotator] = store.annotators()
    found = {}
    for person in people:
        for event in store.answer_events(person.annotator_id):
            found[(person.name, event.image_set_id, event.question)] = replace(event.answer)
    return found


def copied_by_another(path: Path, to: Path) -> Path:
    """A copy of a file that is open here, as a person makes one: in another program."""
    code = "import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])"
    subprocess.run([sys.executable, "-c", code, str(path), str(to)], check=True)
    return to
