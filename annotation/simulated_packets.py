"""Simulated annotators on the way that people's answers take: packet, hand-in, merge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from annotation.merge_running import MergeStudy, ReadHandIn, merge_files
from annotation.packet_desk import PacketDesk, RunOfPacket
from annotation.packet_making import OpenWriter, PacketStudy, ReadBytes, make_packet
from annotation.simulated import SimulatedAnnotator, Truth, load_simulated, simulate_answers
from annotation.simulated_round import SimulatedStudy, simulated_settings, what_is_known
from core.jobs import Job, Outcome, recorded
from core.packets import Packet
from core.questions import Question, choose
from core.records import Annotator, ImageSet

SIMULATED_SIDE = 64
"""Of the pictures in a packet that nobody looks at."""


class PacketFiles(Protocol):
    """The files on the way; `storage.packet_files` has them."""

    open_writer: OpenWriter
    read_hand_in: ReadHandIn

    def open_run(self, path: Path) -> AbstractContextManager[RunOfPacket]:
        """The acts of the study in an open packet."""

    def write_hand_in(self, packet: Path, path: Path) -> object:
        """Write what is in a packet to a hand-in."""


class SimulatedPacketStudy(PacketStudy, MergeStudy, Protocol):
    """A study whose packets simulated annotators answer."""

    def image_sets(self, round_id: int, purpose: str = "study") -> list[ImageSet]:
        """The image sets of a round."""

    def packets(self, round_id: int | None = None) -> list[Packet]:
        """Packets that left."""


class SimulatedStudyWithPackets(SimulatedPacketStudy, SimulatedStudy, Protocol):
    """A study that simulated annotators can answer, through packets."""

    def image_sets(self, round_id: int, purpose: str = "study") -> list[ImageSet]:
        """The image sets of a round."""


@dataclass(frozen=True)
class Play:
    """What is played: a round, who answers, and what is known to be right."""

    found: Any
    questions: Sequence[Question]
    annotators: Sequence[Annotator]
    truth: Truth
    profiles: Sequence[SimulatedAnnotator] | None = None


def simulate_through_packets(
    study: SimulatedPacketStudy, play: Play, folder: Path, files: PacketFiles, read: ReadBytes
) -> Job[Outcome]:
    """Let each annotator answer a packet of their own, hand it in, and merge what came back.

    Parameters
    ----------
    study : SimulatedPacketStudy
        Where the round is.
    play : Play
        What is played. Sets with an image whose truth is unknown are left unanswered.
    folder : Path
        An empty folder for the files; nothing in it is needed afterwards.
    files : PacketFiles
        Packet and hand-in files.
    read : callable
        Bytes of an image, or of a small form of it: nobody looks at a simulated annotator's packet.

    Returns
    -------
    Outcome
        Answers asked and given.
    """
    asked = choose(play.questions, play.found.questions)
    profiles = play.profiles or load_simulated()
    outcome = Outcome()
    merged: list[str] = []
    for number, annotator in enumerate(play.annotators):
        packet = folder / f"{number}.packet"
        yield from make_packet(
            *(study, play.found, play.questions, annotator, packet, files.open_writer, read),
            most_side=SIMULATED_SIDE,
        )
        plan = study.packets(play.found.round_id)[-1].plan
        shown = {one.image_set_id for one in plan.sets if one.part == "study"}
        sets = [one for one in _all_sets(study, play.found.round_id) if one.image_set_id in shown]
        known = [one for one in sets if all(image.image_id in play.truth for image in one.images)]
        with files.open_run(packet) as run:
            desk = PacketDesk(plan, run)
            answered = yield from simulate_answers(
                known, play.truth, asked, [annotator], play.found.seed, desk, profiles
            )
        hand_in = folder / f"{number}.handin"
        files.write_hand_in(packet, hand_in)
        told: Callable[[Any, int | None], None] = lambda found, _: merged.append(found.sentence)  # noqa: E731
        back = yield from merge_files(study, play.questions, [hand_in], files.read_hand_in, told)
        outcome.asked += answered.asked
        outcome.done += answered.done
        outcome.skipped += answered.skipped
        for failure in back.failures:
            raise AssertionError(f"a simulated hand-in was refused: {failure.reason}")
    outcome.check()
    return outcome


def simulate_in_packets(
    study: SimulatedStudyWithPackets,
    questions: Sequence[Question],
    folder: Path,
    files: PacketFiles,
    read: ReadBytes,
    profiles: Sequence[SimulatedAnnotator] | None = None,
) -> Job[Outcome]:
    """Play the newest round: each annotator who has not answered it yet gets a packet, and hands it in.

    The truth of second showings is that of the first. Annotators who handed in before are skipped, each
    with all their answers.
    """
    profiles = profiles or load_simulated()
    round_id, image_sets, _, unknown = what_is_known(study, questions)
    found = next(one for one in study.rounds() if one.round_id == round_id)
    truth = study.truth_of(image.image_id for one in image_sets for image in one.images)
    people = [study.add_annotator(profile.name, True) for profile in profiles]
    ids = {one.image_set_id for one in image_sets}
    done = [
        one
        for one in people
        if any(event.image_set_id in ids for _, event in study.standing_events(one.annotator_id))
    ]
    play = Play(found, questions, [one for one in people if one not in done], truth, profiles)
    skipped = len(done) * len(image_sets) * len(found.questions)
    job = _with_skipped(simulate_through_packets(study, play, folder, files, read), skipped)
    asked = len(people) * len(image_sets) * len(found.questions)
    return recorded(job, study, "simulate", asked, simulated_settings(people, unknown))


def _with_skipped(job: Job[Outcome], skipped: int) -> Job[Outcome]:
    outcome = yield from job
    outcome.asked += skipped
    outcome.skipped += skipped
    return outcome


def _all_sets(study: SimulatedPacketStudy, round_id: int) -> list[ImageSet]:
    return [*study.image_sets(round_id), *study.image_sets(round_id, "repeat")]
