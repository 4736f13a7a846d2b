"""A whole human study, played: simulated annotators at the real session object, packets, hand-ins, merges.

The same study is answered a second time in one place. Whatever the order of the hand-ins and however often
each is merged, both must come out alike: every answer, the tables made of them, and agreement.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from annotation.agreement import agreement
from annotation.packet_session import PacketSession
from annotation.simulated import load_simulated, simulate_answers
from core.jobs import run_here
from core.packets import Packet
from core.questions import Question
from core.records import Answer
from storage.frames import Frames
from storage.packet_book import PacketBook, RunBook
from storage.store import Store
from tests import team

Wanted = Mapping[tuple[int, str], Answer]
"""By number of the set in a packet, and question."""

KEYS = ["annotator", "image_set", "question"]
COMPARED = [*KEYS, "label", "slider", "status", "marks"]


@dataclass(frozen=True)
class Played:
    """What a played study came to."""

    answers: int
    acts: int
    files: int
    merges: int


def play(
    folder: Path,
    *,
    roles: int,
    generators: tuple[str, ...],
    days: int = 3,
    asked: tuple[str, ...] | None = None,
    repeat_gap: int = 20,
) -> Played:
    """Play a study of `roles` × 3 conditions × `generators` with three annotators.

    AssertionError where the two ways do not come out alike.
    """
    questions = team.questions()
    with team.new_study(folder / "study", roles=roles, generators=generators, more=0, roomy=0) as store:
        team.open_round(store, training=0, repeat_gap=repeat_gap, repeat_share=0.05)
        for profile in load_simulated():
            store.add_annotator(profile.name, True)
            team.packet_for(store, profile.name, folder / f"{profile.name}.packet", is_simulated=True)
    shutil.copytree(folder / "study", folder / "one place")
    expected, number = _in_one_place(folder / "one place")

    acts, files = 0, []
    with Store.open(folder / "study") as store:
        packets = store.packets()
        for packet in packets:
            more, handed = _over_days(folder, packet, expected, days)
            acts, files = acts + more, [*files, *handed]
        order = files + files
        random.Random(4).shuffle(order)
        said, outcome = team.merge(store, *order)
        assert outcome.failed == 0
        assert sum(one.counts["new"] for one in said) == number
        assert all(one.counts["conflicting"] == one.counts["quarantined"] == 0 for one in said)
        assert team.standing(store) == expected
    _must_be_alike(folder, [one for one in questions if asked is None or one.id in asked])
    return Played(number, acts, len(files), sum(one.changes for one in said))


def _in_one_place(folder: Path) -> tuple[dict[tuple[str, int, str], Answer], int]:
    with Store.open(folder) as store:
        sets = store.image_sets(1) + store.image_sets(1, "repeat")
        truth = store.truth_of(image.image_id for one in sets for image in one.images)
        for packet in store.packets():
            own = {one.image_set_id for one in packet.plan.sets}
            mine = [one for one in sets if one.image_set_id in own]
            run_here(simulate_answers(mine, truth, team.questions(), [packet.annotator], 5, store))
        expected = team.standing(store)
    return expected, len(expected)


def _over_days(
    folder: Path, packet: Packet, expected: Mapping[tuple[str, int, str], Answer], days: int
) -> tuple[int, list[Path]]:
    """One annotator's sittings, with a hand-in after each."""
    name = packet.annotator.name
    path = folder / f"{name}.packet"
    wanted = {}
    for number, shown in enumerate(packet.plan.sets, start=1):
        for question in packet.plan.questions:
            answer = expected[(name, shown.image_set_id, question)]
            marks = frozenset(place for place, at in enumerate(shown.order) if at in answer.marks)
            wanted[(number, question)] = (answer, marks)
    files, before, acts = [], 0, 0
    for day in range(1, days + 1):
        until = len(packet.plan.sets) * day // days
        with PacketBook(path) as book:
            # Whether an act outlives a power cut is tried elsewhere; here it would only take its time.
            book._connection.execute("PRAGMA synchronous = OFF")
            session = PacketSession(book.content, RunBook(book, 0))
            assert session.progress.answers_done == before * len(packet.plan.questions)
            for number in range(before + 1, until + 1):
                session.go_to_set(number - 1)
                for index, question in enumerate(session.questions):
                    session.go_to_question(index)
                    answer_as(session, question, *wanted[(number, question.id)])
                assert session.wait_saved()
            acts = len(book.events(0))
        before = until
        files.append(team.hand_in(path, folder / f"{name} {day}.handin"))
    return acts, files


def answer_as(session: PacketSession, question: Question, answer: Answer, marks: frozenset[int]) -> None:
    """Bring the answer about by acts of the screen, and confirm it; what is asked is answered with keep."""
    if answer.is_unknown:
        session.choose_unknown()
    elif question.is_open:
        session.describe(answer.label or "")
    else:
        session.choose(answer.label or "")
    if len(marks) > 5:
        session.mark_all()
    for place in sorted(session.answer.marks ^ marks):
        session.toggle_mark(place)
    if answer.slider_source == "slider" and answer.slider is not None:
        session.set_count(answer.slider)
    where = (session.image_set.image_set_id, question.id)
    session.confirm()
    while session.asking:
        session.keep()
    assert session._history.state(where).answer.is_confirmed, (where, answer, session.open_sentence)


def _must_be_alike(folder: Path, asked: list[Question]) -> None:
    there, here = (Frames(folder / name).answers(1) for name in ("study", "one place"))
    both = [frame[COMPARED].astype(str).sort_values(KEYS).reset_index(drop=True) for frame in (there, here)]
    assert both[0].equals(both[1])
    some = [frame[frame["question"].isin([one.id for one in asked])] for frame in (there, here)]
    tables = [run_here(agreement(frame, None, asked, bootstrap=50)).tables["agreement"] for frame in some]
    assert tables[0].equals(tables[1])
