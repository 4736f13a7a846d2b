"""A program for tests: works in a folder on a small disk until it is full, makes room, and works on.

`python full_disk.py FOLDER`, in a name space of mounts of its own. Prints "held" at the end, or fails.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.csv_rows import write_rows
from core.errors import UserError
from core.jobs import run_here
from core.running import generate_in
from storage.check import check_study
from storage.making import make_study
from storage.packet_book import PacketBook
from storage.store import Store
from tests import team
from tests.safety.works import HARMLESS, plan
from tests.storage.builders import add_image_set, make_event, make_image, new_store


def main(folder: Path) -> None:
    """Everything that writes, on a disk without room."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(folder)], check=True)
    with new_store(folder / "study") as store:
        add_image_set(store)
        store.add_annotator("Ada")
        with full(folder):
            must_say(lambda: append_for_ever(store), "disk is full")
            must_say(lambda: store.add_image(make_image(50)), "disk is full")
            must_say(lambda: write_rows(folder / "a.csv", [{"a": "x" * 100_000}]), "No space left")
            must_say(lambda: Store.create(folder / "other", store_of(store)), "disk is full")
        kept = len(store.answer_events(1))
        store.append_answer(make_event(1, 1, label="afterwards")).result()
        assert len(store.answer_events(1)) == kept + 1
        store.add_image(make_image(50))
    assert not (folder / "a.csv").exists()
    with make_study(folder / "drawn", plan()) as store:
        with full(folder):
            must_say(lambda: run_here(generate_in(store, "drawn-a", 3)), "disk is full")
        run_here(generate_in(store, "drawn-a", 3))
        assert len(store.images()) == 3
    assert {one.kind for one in check_study(folder / "study")} <= HARMLESS
    with team.new_study(folder / "team", roles=1, generators=("sdxl-turbo",), roomy=0) as store:
        team.open_round(store, training=0)
        with full(folder):
            must_say(lambda: team.packet_for(store, "Ana", folder / "a.packet"), "disk is full")
        assert not store.packets()
        team.packet_for(store, "Ana", folder / "a.packet")
    with PacketBook(folder / "a.packet") as book:
        places = team.study_places(book)
        with full(folder):
            must_say(lambda: [team.answer(book, places) for _ in range(99)], "disk is full")
        kept = len(book.events(0))
        team.answer(book, places[:3])
        assert len(book.events(0)) == kept + 3
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    must_say(lambda: Store.open(folder / "study"), "cannot be")
    must_say(lambda: PacketBook(folder / "a.packet"), "cannot be written")
    must_say(lambda: write_rows(folder / "a.csv", [{"a": 1}]), "Read-only")
    print("held")  # noqa: T201 (its report)


def append_for_ever(store: Store) -> None:
    for _ in range(9999):
        store.append_answer(make_event(1, 1, "items", comment="x" * 30_000)).result()


def store_of(store: Store) -> object:
    from storage.study import NewStudy

    return NewStudy("other", 1)


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """No room until the block ends."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
    try:
        yield
    finally:
        ballast.unlink()


def must_say(act: Callable[[], object], words: str) -> None:
    """The act fails with a sentence that has these words."""
    try:
        act()
    except UserError as error:
        assert words in str(error), str(error)  # noqa: PT017
    else:
        raise AssertionError(f"nothing was said where {words!r} was to be")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
