"""The paper's study, 120 sets × 23 questions × 3 annotators, sent out, handed in and merged anyhow."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from annotation.agreement import agreement
from annotation.packet_desk import PacketDesk
from annotation.simulated import load_simulated, simulate_answers
from core.jobs import run_here
from core.records import ImageSet
from storage.frames import Frames
from storage.packet_book import PacketBook, RunBook
from storage.store import Store
from tests import team

GENERATORS = ("sdxl-turbo", "flux-dev", "qwen", "sd35")
QUESTIONS = 23


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study, and the same study in which everything is answered in one place."""
    folder = tmp_path_factory.mktemp("paper")
    with team.new_study(folder / "study", roles=10, generators=GENERATORS, more=0) as store:
        team.open_round(store, training=0, repeat_gap=20, repeat_share=0.05)
        for profile in load_simulated():
            store.add_annotator(profile.name, True)
            path = folder / f"{profile.name}.packet"
            team.packet_for(store, profile.name, path, is_simulated=True)
    shutil.copytree(folder / "study", folder / "one place")
    return folder


def truth_of(store: Store, sets: list[ImageSet]):
    return store.truth_of(image.image_id for one in sets for image in one.images)


def test_hand_ins_in_any_order_with_duplicates_give_the_study_done_in_one_place(place: Path) -> None:
    with Store.open(place / "one place") as store:
        sets = store.image_sets(1) + store.image_sets(1, "repeat")
        truth = truth_of(store, sets)
        assert len(store.image_sets(1)) == 120
        for packet in store.packets():
            own = {one.image_set_id for one in packet.plan.sets}
            mine = [one for one in sets if one.image_set_id in own]
            assert len(mine) == 126, "120 sets, and 5 % of them again"
            run_here(simulate_answers(mine, truth, team.questions(), [packet.annotator], 5, store))
        expected = team.standing(store)
    assert len(expected) == 3 * 126 * QUESTIONS

    files = []
    with Store.open(place / "study") as store:
        for packet in store.packets():
            path = place / f"{packet.annotator.name}.packet"
            by_id = {one.image_set_id: one for one in sets}
            shown = [by_id[one.image_set_id] for one in packet.plan.sets]
            for day, (first, last) in enumerate(((0, 40), (40, 90), (90, 126))):
                with PacketBook(path) as book:
                    desk = PacketDesk(packet.plan, RunBook(book, 0))
                    job = simulate_answers(
                        *(shown[first:last], truth, team.questions(), [packet.annotator], 5, desk)
                    )
                    run_here(job)
                files.append(team.hand_in(path, place / f"{packet.annotator.name} {day}.handin"))
        order = files + files
        random.Random(4).shuffle(order)
        said, outcome = team.merge(store, *order)

        assert outcome.failed == 0
        assert sum(one.counts["new"] for one in said) == len(expected)
        assert all(one.counts["conflicting"] == one.counts["quarantined"] == 0 for one in said)
        assert team.standing(store) == expected

    there, here = Frames(place / "study").answers(1), Frames(place / "one place").answers(1)
    keys = ["annotator", "image_set", "question"]
    columns = [*keys, "label", "slider", "status", "marks"]
    both = [frame[columns].astype(str).sort_values(keys).reset_index(drop=True) for frame in (there, here)]
    assert len(both[0]) == 8280
    assert both[0].equals(both[1])
    asked = [question for question in team.questions() if question.id in ("mood", "gender_presentation")]
    some = [frame[frame["question"].isin([one.id for one in asked])] for frame in (there, here)]
    tables = [run_here(agreement(frame, None, asked, bootstrap=50)).tables["agreement"] for frame in some]
    assert tables[0].equals(tables[1])
