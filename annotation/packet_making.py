"""Make a packet: pick what an annotator sees, re-encode the pictures, write the file, note that it left."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from annotation.design import RoundDesign, design_of
from annotation.packet import plan_packet, repeat_key, showings
from annotation.packet_pixels import MOST_SIDE, QUALITY, common_side, re_encoded
from annotation.right_answers import right_answers
from core.errors import BadInput
from core.jobs import Job, Progress
from core.packets import (
    TRAINING,
    KeyAnswer,
    Packet,
    PacketContent,
    PacketPlan,
    PacketSet,
    ShownSet,
    Training,
)
from core.questions import Question, choose
from core.records import Annotator, ImageSet, StoredImage

SETS_AHEAD = 2
EVERYBODY = 99
"""Annotators that a round without a design of its own is for: all see all."""


class PacketStudy(Protocol):
    """What making a packet needs of a store."""

    study: Any

    def image_sets(self, round_id: int, purpose: str = "study") -> list[ImageSet]:
        """The image sets of a round."""

    def key_answers(self, round_id: int) -> dict[tuple[int, str], KeyAnswer]:
        """The study lead's answers."""

    def truth_of(self, image_ids: Iterable[int]) -> dict[int, dict[str, tuple[str, ...]]]:
        """Known true labels by image and dimension."""

    def packets(self, round_id: int | None = None) -> list[Packet]:
        """Packets that left."""

    def add_repeats(self, round_id: int, sets: Sequence[ImageSet], keys: Sequence[str]) -> list[ImageSet]:
        """Second showings of image sets."""

    def add_packet(self, packet: tuple[int, Annotator, PacketPlan, str]) -> int:
        """Note that a packet leaves; 0 where its slot was taken meanwhile, and nothing was noted."""


class Writer(Protocol):
    """Writes a packet file."""

    def write(self, picture: Callable[[int], bytes], note: Callable[[str], object]) -> Iterator[int]:
        """Write everything, one step a set; `note` gets the content's hash before the file has its name."""


OpenWriter = Callable[[Path, PacketContent], Writer]
ReadBytes = Callable[[StoredImage], bytes]


@dataclass(frozen=True, slots=True)
class MadePacket:
    """A packet that was written: where, for whom, and what it holds in numbers."""

    path: Path
    annotator: str
    packet_id: int
    sets: int
    repeats: int
    training: int
    side: int


def make_packet(
    study: PacketStudy,
    found: Any,
    questions: Sequence[Question],
    annotator: Annotator,
    path: Path,
    open_writer: OpenWriter,
    read: ReadBytes,
    *,
    most_side: int = MOST_SIDE,
) -> Job[MadePacket]:
    """Write the packet of one annotator.

    Parameters
    ----------
    study : PacketStudy
        Where the round is, and where it is noted that the packet left. From then on the design stays.
    found : Round
        The round. A locked one raises BadInput.
    questions : sequence of Question
        All questions of the study; the round chooses among them.
    annotator : Annotator
        Who it is for. Somebody who has a packet of the round already gets the same sets again, under
        other neutral keys. One with the number 0 is new, and in the study once the packet has left.
    path, open_writer, read
        Where it goes, what writes it, and what reads the bytes of an image.
    most_side : int
        Largest side of a picture in pixels.
    """
    if found.is_locked:
        raise BadInput(f"{found.name} is locked, so no packet can leave any more.", "Design a new round.")
    asked = choose(questions, found.questions)
    sets = study.image_sets(found.round_id)
    if not sets:
        raise BadInput(f"{found.name} has no image set.", "Design a round first: `main.py round`.")
    while True:
        try:
            made: MadePacket = yield from _once(
                study, found, asked, sets, annotator, path, open_writer, read, most_side
            )
        except _SlotTaken:
            continue  # another packet left while this one was written: the next slot is this one's
        return made


class _SlotTaken(Exception):
    """Another packet took the slot while this one was being written."""


def _once(
    study: PacketStudy,
    found: Any,
    asked: Sequence[Question],
    sets: Sequence[ImageSet],
    annotator: Annotator,
    path: Path,
    open_writer: OpenWriter,
    read: ReadBytes,
    most_side: int,
) -> Job[MadePacket]:
    """Write the packet with the slot that is free now; `_SlotTaken` where it is not when it would leave."""
    design = design_of(found.settings, found.seed) or _everything(found)
    plan, shown = _plan(study, found, design, annotator, sets, asked)
    pictures = _pictures(plan, shown)
    side = common_side((image for one in sets for image in one.images), most_side)
    content = _content(study, found, design, plan, shown, asked, annotator, side)
    writer = open_writer(path, content)
    again = {one.image_set_id for one in study.image_sets(found.round_id, "repeat")}
    is_again = [one.image_set_id in again for one in plan.sets for _ in one.order]
    noted: list[int] = []

    def note(content_hash: str) -> None:
        number = study.add_packet((found.round_id, annotator, plan, content_hash))
        if not number:
            raise _SlotTaken
        noted.append(number)

    yield from _write(writer, content, pictures, is_again, read, side, note)
    repeats = sum(one.image_set_id in again for one in plan.sets)
    training = len(content.of_part(TRAINING))
    return MadePacket(
        *(path, annotator.name, noted[0], len(plan.sets) - repeats - training, repeats, training, side)
    )


def _everything(found: Any) -> RoundDesign:
    return RoundDesign(
        seed=found.seed,
        count_mode=found.count_mode,
        show_role=found.show_role,
        annotators=EVERYBODY,
        overlap=EVERYBODY,
        gold_share=0,
        repeat_share=0,
        training=0,
    )


def _plan(
    study: PacketStudy,
    found: Any,
    design: RoundDesign,
    annotator: Annotator,
    sets: Sequence[ImageSet],
    questions: Sequence[Question],
) -> tuple[PacketPlan, dict[int, ImageSet]]:
    """The plan, and every image set in it by its id."""
    slot = _slot(study.packets(found.round_id), annotator)
    chosen = showings(design, annotator.name, slot, [one.key for one in sets])
    by_key = {one.key: one for one in sets}
    first = [by_key[key] for key in chosen.repeats]
    second = study.add_repeats(found.round_id, first, [repeat_key(design.seed, one.key) for one in first])
    repeats = {one.key: again for one, again in zip(first, second, strict=True)}
    training = study.image_sets(found.round_id, TRAINING)
    ids = [one.id for one in questions]
    plan = plan_packet(design, annotator.name, slot, chosen, sets, repeats, training, ids)
    return plan, {one.image_set_id: one for one in (*sets, *second, *training)}


def _slot(packets: Sequence[Packet], annotator: Annotator) -> int:
    """An annotator's own slot, or the lowest that nobody has.

    A withdrawn packet takes none. Simulated annotators stand in for people, so they take no slot of theirs.
    """
    alike = [one for one in packets if one.annotator.is_simulated == annotator.is_simulated]
    slots = {one.annotator.annotator_id: one.plan.slot for one in alike if not one.is_withdrawn}
    if annotator.annotator_id in slots:
        return slots[annotator.annotator_id]
    return next(slot for slot in range(len(slots) + 1) if slot not in slots.values())


def _pictures(plan: PacketPlan, sets: Mapping[int, ImageSet]) -> list[StoredImage]:
    """The images in the order in which the packet numbers them."""
    return [sets[one.image_set_id].images[position] for one in plan.sets for position in one.order]


def _content(
    study: PacketStudy,
    found: Any,
    design: RoundDesign,
    plan: PacketPlan,
    shown: Mapping[int, ImageSet],
    questions: Sequence[Question],
    annotator: Annotator,
    side: int,
) -> PacketContent:
    keys = right_answers(study, found.round_id, questions)
    sets: list[PacketSet] = []
    practice: dict[tuple[int, str], KeyAnswer] = {}
    next_picture = 1
    for number, one in enumerate(plan.sets, start=1):
        numbers = tuple(range(next_picture, next_picture + len(one.order)))
        next_picture += len(one.order)
        role = shown[one.image_set_id].role if found.show_role else ""
        sets.append(PacketSet(number, one.key, one.part, numbers, role))
        if one.part == TRAINING:
            practice |= _practice(number, one, keys, questions)
    return PacketContent(
        *(plan.key, study.study.study_key, annotator.name, annotator.is_simulated, tuple(questions)),
        *(found.count_mode, plan.is_reversed, found.show_role, side),
        tuple(sets),
        practice,
        Training(design.pass_share, design.attempts),
    )


def _practice(
    number: int,
    shown: ShownSet,
    keys: Mapping[tuple[int, str], KeyAnswer],
    questions: Sequence[Question],
) -> dict[tuple[int, str], KeyAnswer]:
    """Key answers to a training set, with marks in the packet's order and no word of where they are from."""
    found = {}
    for question in questions:
        key = keys.get((shown.image_set_id, question.id))
        if key is not None:
            marks = frozenset(place for place, position in enumerate(shown.order) if position in key.marks)
            found[(number, question.id)] = KeyAnswer(key.label, key.slider, marks)
    if not found:
        raise BadInput(
            "There is a training set without any right answer.",
            "Give the answers first, on the page Team or with `main.py round STUDY --keys-form FILE` and "
            "`--keys FILE`; or design a round without training.",
        )
    return found


def _write(
    writer: Writer,
    content: PacketContent,
    pictures: Sequence[StoredImage],
    is_again: Sequence[bool],
    read: ReadBytes,
    side: int,
    note: Callable[[str], object],
) -> Iterator[Progress]:
    """Step through the writer, with the next sets being re-encoded meanwhile."""
    waiting = deque(content.sets)
    ready: dict[int, Future[bytes]] = {}

    def encoded(number: int) -> bytes:
        # A second showing is encoded a little differently, so that no two pictures are the same bytes.
        return re_encoded(read(pictures[number - 1]), side, QUALITY - int(is_again[number - 1]))

    with ThreadPoolExecutor(thread_name_prefix="packet-pictures") as pool:

        def begin(sets: int) -> None:
            for _ in range(min(sets, len(waiting))):
                for number in waiting.popleft().pictures:
                    ready[number] = pool.submit(encoded, number)

        try:
            begin(1 + SETS_AHEAD)
            for done in writer.write(lambda number: ready.pop(number).result(), note):
                begin(1)
                yield Progress(done, len(content.sets), "packet")
        finally:
            for future in ready.values():
                future.cancel()
