"""An open packet: what is saved, who may open it, and what its file says of itself."""

from __future__ import annotations

import errno
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from annotation.packet_session import PacketSession
from core.errors import StoreError, StoreTooNew
from core.records import AnswerEvent
from storage import packet_book
from storage.handin_reader import read_hand_in
from storage.packet_book import PacketBook, RunBook
from storage.store import Store
from tests import team

ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be deleted")
PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    with team.new_study(folder / "study", roles=1, generators=("sdxl-turbo",), roomy=2) as store:
        team.open_round(store, training=1)
        team.packet_for(store, "Ana", folder / "ana.packet")
    return folder


@pytest.fixture
def packet(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made / "ana.packet", tmp_path / "ana.packet"))


def test_a_session_goes_on_where_it_was_left(packet: Path) -> None:
    with PacketBook(packet) as book:
        session = PacketSession(book.content, RunBook(book, 0))
        session.choose(session.question.option_ids[0])
        session.toggle_mark(3)
        session.confirm()
        session.choose(session.question.option_ids[1])
        assert session.wait_saved()
        where, answer = session.question.id, session.answer

    with PacketBook(packet) as book:
        session = PacketSession(book.content, RunBook(book, 0))
        assert (session.set_index, session.question.id, session.answer) == (0, where, answer)
        assert session.progress.answers_done == 1
        assert session.undo()
        assert session.answer.label is None
        assert session.wait_saved()


def test_marks_are_places_on_the_screen(packet: Path) -> None:
    with PacketBook(packet) as book:
        session = PacketSession(book.content, RunBook(book, 0))
        assert session.image_order == tuple(range(10))
        session.toggle_mark(7)
        assert session.answer.marks == {7} == session.marked
        assert session.wait_saved()


def test_practice_and_study_do_not_mix(packet: Path) -> None:
    with PacketBook(packet) as book:
        training = book.content.of_part("training")[0]
        event = AnswerEvent(1, training.number, "mood", "choose", _answer(), team.AT)
        RunBook(book, 1).append_answers([event])
        assert RunBook(book, 0).answer_events(1) == []
        assert book.newest_run() == 1


def _answer():
    from core.records import Answer

    return Answer("calm")


def test_a_second_window_is_told_and_loses_nothing(packet: Path) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:3])
        with pytest.raises(StoreError, match="open in another window"):
            PacketBook(packet)
        team.answer(book, team.study_places(book)[3:5])
    with PacketBook(packet) as book:
        assert len(book.events(0)) == 5


def test_another_process_is_told_too(packet: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from storage.packet_book import PacketBook\n"
        "try: PacketBook(Path(sys.argv[1]))\n"
        "except Exception as error: print(error)"
    )
    with PacketBook(packet):
        done = subprocess.run(
            [sys.executable, "-c", code, str(packet)], cwd=PROJECT, capture_output=True, text=True, check=True
        )
    assert done.stdout.strip() == (
        "This packet is open in another window. Go on there, or close that window first."
    )


def test_a_copy_made_while_the_packet_was_open_says_so_and_holds_what_was_saved(packet: Path) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:4])
        copy = team.copied_by_another(packet, packet.with_name("copy.packet"))
        team.answer(book, team.study_places(book)[4:6])

    with PacketBook(copy) as book:
        assert "copy that was made while the packet was open" in book.note
        assert len(book.events(0)) == 4
    with PacketBook(packet) as book:
        assert book.note == ""
        assert len(book.events(0)) == 6


def test_a_packet_whose_program_was_killed_opens_without_a_word(packet: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from storage.packet_book import PacketBook\n"
        "from tests import team\n"
        "book = PacketBook(Path(sys.argv[1])); team.answer(book, team.study_places(book)[:2])\n"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(packet)], cwd=PROJECT, check=False)

    with PacketBook(packet) as book:
        assert (book.note, len(book.events(0))) == ("", 2)


@pytest.mark.parametrize("moment", range(5))
def test_whatever_was_said_to_be_saved_is_there_after_the_program_was_killed(
    packet: Path, moment: int
) -> None:
    code = (
        "import sys; from pathlib import Path; from storage.packet_book import PacketBook\n"
        "from tests import team\n"
        "book = PacketBook(Path(sys.argv[1])); places = team.study_places(book)\n"
        "for number in range(100000):\n"
        "    team.answer(book, [places[number % len(places)]], number)\n"
        "    print(number + 1, flush=True)"
    )
    command = [sys.executable, "-c", code, str(packet)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(3 + 17 * moment):
            said = process.stdout.readline()
        time.sleep(random.Random(moment).uniform(0, 0.02))
        process.kill()
        rest = process.stdout.read().splitlines()
    saved = int(rest[-1] if rest and rest[-1].isdecimal() else said)

    with PacketBook(packet) as book:
        events = book.events(0)
    assert saved <= len(events) <= saved + 1
    assert read_hand_in(packet).fault == ""


def test_a_packet_that_was_cut_off_is_not_opened_as_if_it_were_whole(packet: Path) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:4])
        torn = team.copied_by_another(packet, packet.with_name("torn.packet"))
    torn.write_bytes(torn.read_bytes()[:-20000])

    with pytest.raises(StoreError, match="damaged"):
        PacketBook(torn)


def test_a_newer_packet_is_refused_with_a_sentence_and_not_changed(packet: Path) -> None:
    with closing(sqlite3.connect(packet)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = packet.read_bytes()

    with pytest.raises(StoreTooNew, match="newer release"):
        PacketBook(packet)

    assert packet.read_bytes() == before


def test_what_is_no_packet_is_named(packet: Path, made: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.packet"
    text.write_text("hello" * 400, encoding="utf-8")
    with PacketBook(packet):
        pass
    file = team.hand_in(packet, tmp_path / "a.handin")
    for path, words in (
        (text, "is no packet"),
        (made / "study" / "study.sqlite", "is a study"),
        (file, "is a hand-in"),
        (tmp_path / "nowhere", "There is no file"),
    ):
        with pytest.raises(StoreError, match=words):
            PacketBook(path)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("SQLITE_CANTOPEN", "The folder of .* cannot be written"),
        ("SQLITE_READONLY", "cannot be written where it lies"),
        ("SQLITE_READONLY_DIRECTORY", "cannot be written where it lies"),
    ],
)
def test_a_place_that_cannot_be_written_is_said_before_anything_is_answered(
    packet: Path, monkeypatch: pytest.MonkeyPatch, name: str, sentence: str
) -> None:
    def refuse(self: PacketBook) -> None:
        error = sqlite3.OperationalError("no")
        error.sqlite_errorname = name
        raise error

    monkeypatch.setattr(PacketBook, "_sit_down", refuse)

    with pytest.raises(StoreError, match=sentence):
        PacketBook(packet)
    monkeypatch.undo()
    PacketBook(packet).close()


def test_a_full_disk_keeps_the_acts_until_there_is_room(
    packet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    with PacketBook(packet) as book:
        session = PacketSession(book.content, RunBook(book, 0))
        session.choose(session.question.option_ids[0])
        assert session.wait_saved()
        with monkeypatch.context() as patch:
            patch.setattr(packet_book, "link", full)
            session.toggle_mark(1)
            session.toggle_mark(2)
            assert not session.wait_saved()
            assert "disk is full" in session.trouble
            assert "2 acts are waiting to be saved; none is lost." in session.trouble
        session.retry()
        assert session.wait_saved()
        assert [event.act for event in book.events(0)] == ["choose", "mark", "mark"]


def test_simulated_annotators_answer_a_packet_as_they_would_the_study(tmp_path: Path) -> None:
    from annotation.simulated import load_simulated, simulate_answers
    from annotation.simulated_packets import Play, simulate_through_packets
    from core.jobs import run_here

    found = []
    for name in ("packets", "direct"):
        with team.new_study(tmp_path / name, roles=1, roomy=2) as store:
            team.open_round(store, repeat_share=0)
            people = [store.add_annotator(one.name, True) for one in load_simulated()]
            sets = store.image_sets(1)
            truth = store.truth_of(image.image_id for one in sets for image in one.images)
            if name == "packets":
                play = Play(store.rounds()[0], team.questions(), people, truth)
                run_here(simulate_through_packets(store, play, tmp_path, team.FILES, store.thumbnail_bytes))
            else:
                run_here(simulate_answers(sets, truth, team.questions(), people, 5, store))
            found.append(team.standing(store))

    assert len(found[0]) == 3 * 6 * 23
    assert found[0] == found[1]


def test_a_study_is_not_needed_to_open_a_packet(packet: Path, made: Path) -> None:
    with Store.open(made / "study") as store, PacketBook(packet) as book:
        assert book.content.key == store.packets()[0].key
        assert len(book.picture(1)) > 100


def _deleted(path: Path) -> None:
    path.unlink()


def _replaced(path: Path) -> None:
    other = path.with_name("older.packet")
    other.write_bytes(b"an older one")
    other.replace(path)


@ON_POSIX
@pytest.mark.parametrize("lose", [_deleted, _replaced])
def test_a_packet_that_is_lost_while_it_is_open_is_said_at_once_and_goes_on_in_a_copy(
    packet: Path, lose: Callable[[Path], None]
) -> None:
    with PacketBook(packet) as book:
        session = PacketSession(book.content, RunBook(book, 0))
        session.choose(session.question.option_ids[0])
        assert session.wait_saved()
        lose(packet)
        session.toggle_mark(1)

        assert not session.wait_saved()
        assert "was deleted, moved or replaced while it was open here" in session.trouble
        assert "ana-kept.packet beside it" in session.trouble
        assert str(packet.parent) not in session.trouble

        session.retry()
        session.toggle_mark(2)
        assert session.wait_saved()

    kept = packet.with_name("ana-kept.packet")
    with PacketBook(kept) as book:
        assert [event.act for event in book.events(0)] == ["choose", "mark", "mark"]
        assert book.note == ""
    assert read_hand_in(kept).fault == ""


@ON_POSIX
def test_a_packet_that_is_put_back_goes_on_as_if_nothing_had_been(packet: Path) -> None:
    with PacketBook(packet) as book:
        session = PacketSession(book.content, RunBook(book, 0))
        elsewhere = packet.rename(packet.with_name("elsewhere.packet"))
        session.choose(session.question.option_ids[0])
        assert not session.wait_saved()
        elsewhere.rename(packet)
        session.retry()
        assert session.wait_saved()

    assert not packet.with_name("ana-kept.packet").exists()
    with PacketBook(packet) as book:
        assert len(book.events(0)) == 1


@ON_POSIX
def test_a_packet_lost_in_the_middle_of_an_act_holds_it_once(
    packet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PacketBook(packet) as book:
        session = PacketSession(book.content, RunBook(book, 0))
        insert = book._insert

        def insert_and_lose(*given: Any) -> Any:
            written = insert(*given)
            packet.unlink()
            return written

        with monkeypatch.context() as patch:
            patch.setattr(book, "_insert", insert_and_lose)
            session.choose(session.question.option_ids[0])
            assert not session.wait_saved()
        session.retry()
        assert session.wait_saved()
        assert len(book.events(0)) == 1
    assert read_hand_in(packet.with_name("ana-kept.packet")).fault == ""


@ON_POSIX
def test_a_packet_lost_after_the_last_act_is_whole_in_a_copy_once_it_is_closed(packet: Path) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:3])
        packet.unlink()

    with PacketBook(packet.with_name("ana-kept.packet")) as book:
        assert len(book.events(0)) == 3
