from __future__ import annotations

import random
from argparse import Namespace
from pathlib import Path

import pytest

from annotation.commands.quality import exclude
from annotation.quality import MEANINGS, QUALITY_COLUMNS, quality_rows, repeated_rows
from core.errors import BadInput
from core.packets import KeyAnswer
from core.records import Answer
from storage.frames import EXCLUDED, Frames
from storage.packet_book import PacketBook
from storage.quality_rows import quality_answers
from tests import team

LABELS = ("calm", "tense", "happy")


def given(name: str, number: int, label: str | None, seconds: float = 6.0, **more):
    """One answer to `mood` on a set; unknown without a label."""
    said = {
        "slider": None if label is None else 4,
        "slider_source": None if label is None else "marks",
        **more,
    }
    answer = Answer(label, label is None, said["slider"], said["slider_source"], is_confirmed=True)
    return name, f"set {number}", "", "mood", answer, seconds


def usual(name: str, seed: int, sets: int = 40):
    """An annotator like any other: three labels, some six seconds."""
    rng = random.Random(seed)
    return [given(name, number, LABELS[number % 3], rng.uniform(4, 9)) for number in range(sets)]


def row_of(answers, name: str = "Zoe", question: str = "mood", keys=None):
    rows = quality_rows([*answers, *usual("Ada", 1), *usual("Ben", 2)], keys or {})
    return next(row for row in rows if (row["annotator"], row["question"]) == (name, question))


def test_there_is_a_row_for_each_annotator_and_question_and_one_for_all() -> None:
    rows = quality_rows(usual("Ada", 1) + usual("Ben", 2), {})

    assert [(row["annotator"], row["question"]) for row in rows] == [
        *(("Ada", "mood"), ("Ada", "ALL"), ("Ben", "mood"), ("Ben", "ALL"))
    ]
    assert all(tuple(row) == QUALITY_COLUMNS for row in rows)
    assert all(row["flags"] == "" for row in rows)
    assert rows[0]["gold_right"] is None
    assert rows[0]["repeats_same"] is None


def test_who_is_much_faster_than_everybody_is_flagged() -> None:
    row = row_of([given("Zoe", number, LABELS[number % 3], 0.4) for number in range(40)])
    assert (row["flags"], row["fast"], row["median_seconds"]) == ("under 1 s, fast", 40, 0.4)
    assert 4 < row["usual_seconds"] < 9
    assert set(row["flags"].split(", ")) <= set(MEANINGS)


def test_an_only_annotator_who_hurries_is_flagged_by_the_clock_alone() -> None:
    hurried = [given("Zoe", number, "cheerful", seconds=0.3) for number in range(8)]
    assert row_of(hurried)["flags"].split(", ")[0] == "under 1 s"
    assert (
        "under 1 s" not in row_of([*hurried, *(given("Zoe", 10 + n, "sad", 1.0) for n in range(8))])["flags"]
    )


def test_four_slow_answers_are_counted_and_no_flag() -> None:
    answers = usual("Zoe", 3)
    slow = [(*one[:5], 900.0) if place < 4 else one for place, one in enumerate(answers)]
    row = row_of(slow)
    assert (row["slow"], row["flags"]) == (4, "")


def test_an_answer_without_a_time_is_not_a_fast_one() -> None:
    row = row_of([given("Zoe", number, LABELS[number % 3], 0.0) for number in range(40)])
    assert (row["fast"], row["median_seconds"], row["flags"]) == (0, None, "")


def test_many_unknowns_are_flagged_only_beside_what_the_others_say() -> None:
    many = [given("Zoe", number, None if number < 12 else LABELS[number % 3]) for number in range(40)]
    assert row_of(many)["flags"] == "unknown"
    assert row_of(many)["unknown_share"] == 0.3
    others = [(name, *row[1:]) for name in ("Cy", "Dan") for row in many]
    rows = quality_rows([*many, *others], {})
    assert all(row["flags"] == "" for row in rows)


def test_one_label_all_the_time_is_flagged_unless_everybody_gives_it() -> None:
    same = [given("Zoe", number, "calm") for number in range(40)]
    row = row_of(same)
    assert (row["flags"], row["top_label"], row["top_share"], row["longest_run"]) == (
        "one label",
        "calm",
        1.0,
        40,
    )
    rows = quality_rows([*same, *[("Cy", *one[1:]) for one in same]], {})
    assert all(row["flags"] == "" for row in rows)


def test_gold_is_right_with_the_category_and_a_count_within_one() -> None:
    keys = {("set 0", "mood"): KeyAnswer("calm", 5), ("set 1", "mood"): KeyAnswer("tense", 4)}
    keys |= {("set 2", "mood"): KeyAnswer("calm", 4), ("set 3", "mood"): KeyAnswer(None)}
    keys |= {("set 4", "mood"): KeyAnswer("tense", 6), ("training", "mood"): KeyAnswer("calm", 1)}
    row = row_of(usual("Zoe", 3), keys=keys)
    # Right: 0 (5 against 4) and 1; wrong: 2 (happy), 3 (unknown expected), 4 (6 against 4).
    assert (row["gold"], row["gold_right"], row["flags"]) == (5, 0.4, "gold")


def test_repeats_that_come_out_otherwise_are_flagged_and_enter_nothing_else() -> None:
    again = [
        ("Zoe", f"again {number}", f"set {number}", "mood", Answer("other", slider=1, is_confirmed=True), 3.0)
        for number in range(6)
    ]
    row = row_of([*usual("Zoe", 3), *again])
    assert (row["answers"], row["repeats"], row["repeats_same"], row["flags"]) == (40, 6, 0.0, "repeats")
    raw = next(
        one for one in repeated_rows([*usual("Zoe", 3), *again]) if one["statistic"] == "raw_agreement"
    )
    assert (raw["pairs"], raw["value"]) == (6, 0.0)


def test_agreement_with_oneself_without_a_repeat_is_undefined_and_says_why() -> None:
    rows = repeated_rows(usual("Ada", 1))
    assert [(row["value"], row["reason"]) for row in rows] == [(None, "no repeated answer")] * 3


def test_sliders_left_where_they_rest_are_flagged() -> None:
    ends = [
        given("Zoe", n, LABELS[n % 3], slider=(0, 5, 10)[n % 3], slider_source="slider") for n in range(30)
    ]
    assert (row_of(ends)["flags"], row_of(ends)["at_rest_share"]) == ("ends", 1.0)
    marked = [given("Zoe", n, LABELS[n % 3], slider=10, slider_source="marks") for n in range(30)]
    assert (row_of(marked)["flags"], row_of(marked)["by_hand"]) == ("", 0)


def test_an_exclusion_leaves_every_table_with_its_reason_and_can_be_taken_back(tmp_path: Path) -> None:
    with team.new_study(tmp_path / "study", roles=1, generators=("sdxl-turbo",), roomy=0) as store:
        round_id = team.open_round(store, training=0)
        files = []
        for name in ("Ana", "Ben"):
            packet = tmp_path / f"{name}.packet"
            team.packet_for(store, name, packet)
            with PacketBook(packet) as book:
                team.answer(book, team.study_places(book))
            files.append(team.hand_in(packet, tmp_path / f"{name}.handin"))
        team.merge(store, *files)
        given_before = quality_answers(store, round_id)
        ana, ben = (one.annotator_id for one in store.annotators())
        frames = Frames(tmp_path / "study")
        assert len(frames.answers(round_id)) == len(given_before) == 2 * 3 * 23

        first = store.exclude(round_id, ana, "mood", "asleep", "Eve")
        store.exclude(round_id, ben, None, "another person answered", "Eve")
        left = frames.answers(round_id)

        assert len(left) == 3 * 22
        assert set(left["annotator"]) == {"Ana"}
        assert left.attrs["left_out"] == {EXCLUDED: 3 + 3 * 23}
        assert quality_answers(store, round_id) == given_before, "the look at quality sees everybody"
        store.withdraw_exclusion(first)
        assert len(frames.answers(round_id)) == 3 * 23
        assert [bool(one["withdrawn_at"]) for one in store.exclusions(round_id)] == [True, False]
        with pytest.raises(BadInput, match="that stands"):
            store.withdraw_exclusion(first)
        with pytest.raises(BadInput, match="needs a reason"):
            store.exclude(round_id, ana, None, "  ", "Eve")
        chosen = {"exclude": "Ana", "question": "zz", "reason": "asleep", "by": "Eve", "withdraw": None}
        with pytest.raises(BadInput, match="does not ask 'zz'"):
            exclude(store, Namespace(**chosen))
