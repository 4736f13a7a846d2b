"""What `round`, `packet`, `merge` and `adjudicate` say and leave behind when something is not as meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.commands.adjudicating import adjudicate_lines
from annotation.commands.exporting import export_line
from annotation.commands.merging import merge_book_lines
from annotation.commands.packets import packet_lines_of
from annotation.commands.rounds import round_lines
from core.command_line import parser
from core.csv_rows import read_rows, write_rows
from core.errors import BadInput, UserError
from core.jobs import run_here
from storage.frames import Frames
from storage.packet_book import PacketBook
from storage.packet_files import PacketFiles
from storage.quality_rows import quality_answers
from storage.store import Store
from tests import team


@pytest.fixture
def store(tmp_path: Path):
    with team.new_study(tmp_path / "study", roles=1, generators=("sdxl-turbo",), roomy=0) as made:
        yield made


def say(store: Store, *words: str) -> list[str]:
    """What a command says of the study."""
    command, *rest = words
    chosen = parser().parse_args([command, str(store.folder), *rest])
    asked = team.questions()
    if command == "round":
        return list(round_lines(store, asked, chosen))
    if command == "merge":
        return list(merge_book_lines(store, chosen))
    if command == "adjudicate":
        answers = Frames(store.folder).answers(store.rounds()[-1].round_id)
        return list(adjudicate_lines(store, answers, asked, chosen))
    run = lambda name, job: run_here(job)  # noqa: E731
    return list(packet_lines_of(store, asked, PacketFiles().open_writer, chosen, run))


def test_a_refused_packet_adds_nobody(store: Store, tmp_path: Path) -> None:
    say(store, "round", "--training", "0")
    words = "packet", "--annotator", " Cy  Berg", "--out", str(tmp_path / "cy.packet")
    say(store, *words)
    assert [one.name for one in store.annotators()] == ["Cy Berg"]
    say(store, "round", "--lock", "--even-so")
    for name in ("Cy Berg", "Dee"):
        with pytest.raises(BadInput, match="is locked"):
            say(store, "packet", "--annotator", name, "--out", str(tmp_path / "dee.packet"))
    assert [one.name for one in store.annotators()] == ["Cy Berg"]
    with pytest.raises(BadInput, match="no packet number 99"):
        say(store, "packet", "--withdraw", "99")


def test_a_name_that_the_study_does_not_have_is_named(store: Store) -> None:
    role = store.images()[0].role
    for option, name, meant in (
        ("--roles", role[:-1], role),
        ("--generators", "sdxl-turbbo", "sdxl-turbo"),
        ("--conditions", "CA-X", "CA-U"),
    ):
        with pytest.raises(BadInput, match=f"'{name}'.*{meant}"):
            say(store, "round", option, name)
    assert not store.rounds()


def test_an_earlier_round_stays_open_and_a_round_is_locked_when_it_is_complete(
    store: Store, tmp_path: Path
) -> None:
    said = "\n".join(say(store, "round", "--training", "0", "--gold", "1"))
    assert "stays open" not in said
    assert "judged by the drawn truth" in said
    with pytest.raises(BadInput, match="no answer yet"):
        say(store, "round", "--lock")
    packet = tmp_path / "cy.packet"
    say(store, "packet", "--annotator", "Cy", "--out", str(packet))
    assert "Round 1 stays open too" in say(store, "round", "--training", "0")[-1]
    with pytest.raises(BadInput, match="not back: Cy"):
        say(store, "round", "--lock", "--name", "Round 1")
    say(store, "round", "--lock", "--name", "Round 1", "--even-so")
    assert [one.is_locked for one in store.rounds()] == [True, False]


def test_answers_are_exported_by_letter_and_the_newest_merge_is_undone_without_its_number(
    store: Store, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match="no merge"):
        say(store, "merge", "--undo")
    team.open_round(store, training=0)
    packet = tmp_path / "cy.packet"
    team.packet_for(store, "Cy", packet)
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:2])
    team.merge(store, team.hand_in(packet, tmp_path / "cy.handin"))
    number = store.rounds()[-1].round_id
    said = Frames(store.folder).answers(number), Frames(store.folder).repeats(number)
    words = "export", str(store.folder), "--out", str(tmp_path / "out"), "--letters"
    chosen = parser().parse_args(words)
    export_line(store, quality_answers(store, number), said, team.questions(), chosen)
    assert {row["annotator"] for row in read_rows(tmp_path / "out" / "answers.csv")} == {"A"}
    assert "Cy" not in (tmp_path / "out" / "reliability.csv").read_text(encoding="utf-8")
    assert say(store, "round", "--list")[0].endswith("open, 1 packet back")
    assert say(store, "packet", "--list") == ["1: Cy, 3 image sets, 1 hand-in back"]
    assert say(store, "merge", "--undo")[0] == "Merge 1 (cy.handin, Cy) is undone: 2 answers taken back."
    assert say(store, "round", "--list")[0].endswith("open, 1 packet out")
    with pytest.raises(UserError, match="no merge"):
        say(store, "merge", "--undo")


def test_decisions_that_are_there_already_are_not_kept_again(store: Store, tmp_path: Path) -> None:
    round_id = team.open_round(store, training=0)
    store.lock_round(round_id)
    one = store.image_sets(round_id)[0].key
    row = {"image_set": one, "question": "mood", "label": "calm", "slider": "6"}
    row |= {"cause": "ambiguous image", "reason": "", "confidence": "high"}
    table = write_rows(tmp_path / "d.csv", [row])
    words = "adjudicate", "--decisions", str(table), "--by", "Eve"
    assert say(store, *words)[0] == "1 decision kept."
    assert say(store, *words)[0] == "0 decisions kept, 1 already there."
