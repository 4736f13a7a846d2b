"""What a program is killed at: each work with how it begins, what it does, and what must hold afterwards.

`do` says with `keep` what it has told a person is safe. `check` opens what was left as the next start does,
and raises AssertionError when something is torn, lost or stuck; it also lets the work go on to its end.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from annotation.packet_session import PacketSession
from core.csv_rows import write_rows
from core.jobs import run_here
from core.paths import STUDY_FILE
from core.plan import choose_roles, plan_study
from core.release.folder import release_folder
from core.running import extract_in, generate_in
from core.schema import load_schema
from storage.check import check_study
from storage.export import export_tables
from storage.handin_reader import read_hand_in
from storage.left_jobs import continued, left_jobs
from storage.making import make_study
from storage.packet_book import PacketBook
from storage.store import Store
from tests import team
from tests.storage.builders import add_image_set, make_event, new_store

Keep = Callable[[Any], None]
STORES = Path(__file__).resolve().parents[1] / "stores"
HARMLESS = {"orphan file", "unfinished file"}
"""What a crash may leave; the doctor names it, and it can be deleted."""


def must_be_whole(folder: Path) -> None:
    """Integrity, references, image files, and no job that nobody works at."""
    with Store.open(folder) as store:
        assert all(job.state != "running" for job in store.jobs())
    findings = [one for one in check_study(folder) if one.kind not in HARMLESS]
    assert not findings, findings


def must_go_on_by_itself(folder: Path) -> None:
    """The job that was cut short is found, nobody has to be asked, and it comes to its end."""
    with Store.open(folder) as store:
        was_cut = any(job.state == "interrupted" for job in store.jobs())
        left = left_jobs(store)
        assert len(left) == was_cut
        for one in left:
            assert one.why_it_waits == ""
            outcome = run_here(continued(store, one, by_itself=True))
            assert outcome is not None
            assert outcome.done + outcome.skipped == one.job.asked
        assert left_jobs(store) == ()


class Annotating:
    """Answers in a study, one after the other."""

    def prepare(self, root: Path) -> None:
        with new_store(root / "study") as store:
            add_image_set(store)
            store.add_annotator("Ada")

    def do(self, root: Path, keep: Keep, times: int = 12) -> None:
        with Store.open(root / "study") as store:
            for number in range(times):
                event = store.append_answer(make_event(1, 1, label=f"word {number}")).result()
                keep([event.event_id, event.answer.label])

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        must_be_whole(root / "study")
        with Store.open(root / "study") as store:
            there = [[event.event_id, event.answer.label] for event in store.answer_events(1)]
            assert there[: len(kept)] == list(kept)
            assert len(there) <= len(kept) + 1
            store.append_answer(make_event(1, 1, label="afterwards")).result()


class AnnotatingPacket:
    """Answers in a packet, then a hand-in."""

    def prepare(self, root: Path) -> None:
        shutil.copy(_team_files() / "ana.packet", root)

    def do(self, root: Path, keep: Keep, times: int = 8) -> None:
        with PacketBook(root / "ana.packet") as book:
            for number, place in enumerate(team.study_places(book)[:times]):
                team.answer(book, [place])
                keep([number + 1, place[1]])

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        path = root / "ana.packet"
        with PacketBook(path) as book:
            there = [[event.event_id, event.question] for event in book.events(0)]
            assert there[: len(kept)] == list(kept)
            assert len(there) <= len(kept) + 1
            PacketSession(book.content, _run_of(book))  # the screen goes on from here
        found = read_hand_in(team.hand_in(path, root / "after.handin"))
        assert (found.fault, len(found.events)) == ("", len(there))


class Generating:
    """Drawn pictures, some of which the study wants and lacks."""

    images: ClassVar[int] = 4

    def prepare(self, root: Path) -> None:
        shutil.copytree(_drawn() / "empty", root / "study")

    def do(self, root: Path, keep: Keep) -> None:
        with Store.open(root / "study") as store:
            run_here(generate_in(store, "drawn-a", self.images))
            keep("done")

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        must_be_whole(root / "study")
        must_go_on_by_itself(root / "study")
        with Store.open(root / "study") as store:
            run_here(generate_in(store, "drawn-a", self.images))  # goes on, and ends with the same bytes
            assert _content_of(store) == _content_of_reference()
        must_be_whole(root / "study")


class Extracting:
    """Labels off drawn pictures."""

    def prepare(self, root: Path) -> None:
        shutil.copytree(_drawn() / "full", root / "study")

    def do(self, root: Path, keep: Keep) -> None:
        with Store.open(root / "study") as store:
            run_here(extract_in(store, "drawn-reader", load_schema()))
            keep("done")

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        must_be_whole(root / "study")
        must_go_on_by_itself(root / "study")
        with Store.open(root / "study") as store:
            run_here(extract_in(store, "drawn-reader", load_schema()))
            assert [len(store.records_of(image.image_id)) for image in store.images()] == [1] * 4
        must_be_whole(root / "study")


class Importing:
    """Pictures that arrive from elsewhere, several in an act."""

    def prepare(self, root: Path) -> None:
        new_store(root / "study").close()

    def do(self, root: Path, keep: Keep, times: int = 3) -> None:
        from tests.storage.builders import make_image

        with Store.open(root / "study") as store:
            for number in range(times):
                store.add_images([make_image(5 * number + extra) for extra in range(5)])

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        must_be_whole(root / "study")
        with Store.open(root / "study") as store:
            assert len(store.images()) % 5 == 0
            assert all(store.image_bytes(image) and store.thumbnail_bytes(image) for image in store.images())


class Merging:
    """A hand-in comes back."""

    def prepare(self, root: Path) -> None:
        shutil.copytree(_team_files() / "study", root / "study")
        shutil.copy(_team_files() / "ana.handin", root)

    def do(self, root: Path, keep: Keep) -> None:
        with Store.open(root / "study") as store:
            team.merge(store, root / "ana.handin")
            keep("merged")

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        must_be_whole(root / "study")
        with Store.open(root / "study") as store:
            before = len(store.hand_ins())
            assert before == 1 if kept else before <= 1
            assert len(team.standing(store)) == 20 * before  # all of it or nothing
            team.merge(store, root / "ana.handin")
            assert (len(store.hand_ins()), len(team.standing(store))) == (1, 20)


class Migrating:
    """A study of the first release is opened by this one."""

    def prepare(self, root: Path) -> None:
        (root / "study").mkdir()
        shutil.copy(STORES / "v1" / STUDY_FILE, root / "study")

    def do(self, root: Path, keep: Keep) -> None:
        Store.open(root / "study").close()
        keep("opened")

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        import sqlite3
        from contextlib import closing

        for backup in (root / "study").glob("*.backup*.sqlite"):
            with closing(sqlite3.connect(f"file:{backup}?mode=ro", uri=True)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], backup
        Store.open(root / "study").close()
        findings = [one for one in check_study(root / "study") if one.kind.split()[0] != "missing"]
        assert not findings, findings
        after = export_tables(root / "study")
        for table, rows in _rows_of_v1().items():
            assert len(after[table]) == len(rows), table


class Packing:
    """A packet is written."""

    def prepare(self, root: Path) -> None:
        shutil.copytree(_team_files() / "study", root / "study")

    def do(self, root: Path, keep: Keep) -> None:
        with Store.open(root / "study") as store:
            team.packet_for(store, "Ben", root / "ben.packet")
            keep("packed")

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        must_be_whole(root / "study")
        path = root / "ben.packet"
        assert path.exists() or not kept
        with Store.open(root / "study") as store:
            if path.exists():
                with PacketBook(path) as book:
                    team.answer(book, team.study_places(book)[:3])
                said, outcome = team.merge(store, team.hand_in(path, root / "ben.handin"))
                assert outcome.done == 1, said  # a packet that left is one that can come back
            else:
                team.packet_for(store, "Ben", path)


class HandingIn:
    """An annotator saves what goes back."""

    def prepare(self, root: Path) -> None:
        shutil.copy(_team_files() / "answered.packet", root)

    def do(self, root: Path, keep: Keep) -> None:
        team.hand_in(root / "answered.packet", root / "ana.handin")
        keep("handed in")

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        path = root / "ana.handin"
        assert path.exists() or not kept
        if path.exists():
            assert (read_hand_in(path).fault, len(read_hand_in(path).events)) == ("", 20)
        else:
            team.hand_in(root / "answered.packet", path)


class Exporting:
    """Tables and pictures go out."""

    def prepare(self, root: Path) -> None:
        shutil.copytree(_drawn() / "full", root / "study")

    def do(self, root: Path, keep: Keep) -> None:
        with Store.open(root / "study") as store:
            write_rows(root / "prompts.csv", [{"text": one.text} for one in store.prompts()])
            keep("prompts.csv")
            run_here(release_folder(store.images(), store.folder, root / "out", {"name": "x"}, []))
            keep("out/SHA256SUMS")

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        must_be_whole(root / "study")
        assert all((root / name).is_file() for name in kept)
        for path in _exported(root):
            assert path.read_bytes() == _exported_reference()[str(path.relative_to(root))], path


class Making:
    """A study is made."""

    def prepare(self, root: Path) -> None:
        pass

    def do(self, root: Path, keep: Keep) -> None:
        make_study(root / "study", plan()).close()
        keep("made")

    def check(self, root: Path, kept: Sequence[Any]) -> None:
        path = root / "study" / STUDY_FILE
        assert path.exists() or not kept
        if not path.exists():
            make_study(root / "study", plan()).close()
        must_be_whole(root / "study")
        with Store.open(root / "study") as store:
            assert len(store.prompts()) == len(plan().prompts)


WORKS: dict[str, Any] = {
    "annotating": Annotating(),
    "annotating a packet": AnnotatingPacket(),
    "generating": Generating(),
    "extracting": Extracting(),
    "importing": Importing(),
    "merging": Merging(),
    "migrating": Migrating(),
    "packing": Packing(),
    "handing in": HandingIn(),
    "exporting": Exporting(),
    "making a study": Making(),
}

# What several works begin with, made once in a folder of its own ------------------------------------------

_workshop: list[Path] = []


def use_workshop(folder: Path) -> None:
    """Where the beginnings are made; before anything else."""
    folder.mkdir()
    _workshop[:] = [folder]
    for made in (_drawn, _content_of_reference, _team_files, _exported_reference):
        made.cache_clear()


@cache
def plan() -> Any:
    """A small study of drawn pictures."""
    more = {"unrelated": "everyday", "images_per_prompt": 1, "generators": ["drawn-a"]}
    return plan_study("crash", choose_roles("2"), **more)


@cache
def _drawn() -> Path:
    folder = _workshop[0] / "drawn"
    make_study(folder / "empty", plan()).close()
    shutil.copytree(folder / "empty", folder / "full")
    with Store.open(folder / "full") as store:
        run_here(generate_in(store, "drawn-a", Generating.images))
    return folder


@cache
def _content_of_reference() -> dict[tuple[str, int], str]:
    with Store.open(_drawn() / "full") as store:
        return _content_of(store)


def _content_of(store: Store) -> dict[tuple[str, int], str]:
    return {(image.prompt, image.seed): image.sha256 for image in store.images()}


@cache
def _team_files() -> Path:
    folder = _workshop[0] / "team"
    with team.new_study(folder / "study", roles=1, generators=("sdxl-turbo",), roomy=0) as store:
        team.open_round(store, training=0, gold_share=0, repeat_share=0)
        team.packet_for(store, "Ana", folder / "ana.packet")
    shutil.copy(folder / "ana.packet", folder / "answered.packet")
    with PacketBook(folder / "answered.packet") as book:
        team.answer(book, team.study_places(book)[:20])
    team.hand_in(folder / "answered.packet", folder / "ana.handin")
    return folder


def _run_of(book: PacketBook) -> Any:
    from storage.packet_book import RunBook

    return RunBook(book, 0)


@cache
def _rows_of_v1() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = json.loads((STORES / "v1" / "rows.json").read_text(encoding="utf-8"))
    return found


def _exported(root: Path) -> Iterator[Path]:
    for path in [root / "prompts.csv", *(root / "out").rglob("*")]:
        if path.is_file() and not path.name.endswith(".part"):
            yield path


@cache
def _exported_reference() -> dict[str, bytes]:
    root = _workshop[0] / "exported"
    root.mkdir()
    Exporting().prepare(root)
    Exporting().do(root, lambda _: None)
    return {str(path.relative_to(root)): path.read_bytes() for path in _exported(root)}
