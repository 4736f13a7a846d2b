"""People at packets, at full length: `python tests/benchmarks/bench_packet_sessions.py [PART …]`. Parts:

* speed: 20 sets by keyboard in the real window, an answer every 30 ms with jumps and steps back, against a
  log of the script's own;
* kill: a process that answers is killed (SIGKILL) at 200 random moments; what it had said to be saved is
  there;
* hours: 2,760 answers by keyboard, which is five hours of work at 6.5 s each; memory at every tenth;
* paper: 120 sets × 23 questions × 3 annotators at the real session object, through packets and hand-ins in
  any order, against the same study done in one place.

Each part raises when anything is lost, wrong or unlike.
"""

from __future__ import annotations

import gc
import os
import random
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotation.packet_session import PacketSession
from core.packets import PacketContent, PacketSet
from gui.annotate.alone import AloneWindow
from gui.tasks import TaskRunner
from gui.theme import Theme
from storage.handin_reader import read_hand_in
from storage.packet_book import PacketBook, RunBook
from storage.packet_files import PacketFiles
from tests import team
from tests.benchmarks.bench_packets import picture
from tests.gui.annotate.scripted_annotator import ScriptedAnnotator, differences
from tests.played_study import play

SPEED_SETS, KILLS, HOUR_SETS = 20, 200, 120
MILLISECONDS_AN_ANSWER = 30
MOST_GROWTH = 24.0
"""MiB that five hours may add after the first tenth."""


def main(parts: list[str]) -> None:
    """Run the parts asked for, or all."""
    known = {"speed": speed, "kill": kill, "hours": hours, "paper": paper}
    application = QApplication([])
    theme = Theme(application, "light")
    for name in parts or list(known):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            known[name](Path(folder))
            print(f"  {name}: {time.perf_counter() - began:.0f} s")
    assert theme is not None


def packet_of(folder: Path, sets: int, side: int = 512) -> Path:
    """A packet of so many sets; pictures are few and repeat."""
    shown = tuple(
        PacketSet(number, f"{number:016x}", "study", tuple(range(10 * number - 9, 10 * number + 1)))
        for number in range(1, sets + 1)
    )
    content = PacketContent(
        *("a" * 32, "b" * 32, "Ana", False, team.questions()), *("marks+slider", False, False, side, shown)
    )
    pictures = [picture(number, side) for number in range(6)]
    path = folder / "ana.packet"
    writer = PacketFiles().open_writer(path, content)
    for _ in writer.write(lambda number: pictures[number % len(pictures)], lambda _: None):
        pass
    return path


class Desk:
    """An annotator's window on a packet."""

    def __init__(self, path: Path) -> None:
        self.path, self.runner = path, TaskRunner()
        self.window = AloneWindow(self.runner, PacketBook(path))
        self.window.resize(1280, 720)
        self.window.show()
        self.window.activateWindow()
        self.window._on_go()
        while QApplication.focusWidget() is None:
            QTest.qWait(5)
        screen = self.window.screen_widget
        assert screen is not None
        self.screen = screen
        while not all(tile.has_picture for tile in screen.parts.grid.shown):
            QTest.qWait(5)

    def close(self, ana: ScriptedAnnotator) -> None:
        """Close it, and hold what is stored against the log."""
        assert self.screen.hand_over()
        self.window.close()
        with PacketBook(self.path) as book:
            events = book.events(0)
        stored = {(event.image_set_id, event.question): event.answer for event in events}
        wrong = differences(ana.log, stored)
        assert not wrong, wrong[:5]
        assert len(events) == ana.acts, f"{len(events)} events, {ana.acts} acts"


def speed(folder: Path) -> None:
    """20 sets, paced."""
    desk = Desk(packet_of(folder, SPEED_SETS))
    ana = ScriptedAnnotator(desk.screen, 11, lambda: QTest.qWait(MILLISECONDS_AN_ANSWER))
    ana.work(20 * 23)
    ana.finish()
    desk.close(ana)
    confirmed = sum(one.is_confirmed for one in ana.log.values())
    print(
        f"{confirmed} answers on {SPEED_SETS} sets in {ana.acts} acts, {ana.jumps} jumps, {ana.undone} taken"
        " back: nothing lost, nothing on the wrong question"
    )


def kill(folder: Path) -> None:
    """A child answers; it is killed; the packet is opened again by the next child."""
    path = packet_of(folder, 12, side=64)
    rng, kept, most = random.Random(3), 0, 0
    for number in range(KILLS):
        said = _killed(path, rng.uniform(0.0, 0.12))
        with PacketBook(path) as book:
            events = len(book.events(0))
        assert kept + said <= events <= kept + said + 1, f"kill {number}: {events}, said {kept} + {said}"
        most, kept = max(most, events - kept - said), events
    assert read_hand_in(path).fault == ""
    print(
        f"{KILLS} kills, {kept} acts kept, none lost that was said to be saved; at most {most} more than said"
    )


def _killed(path: Path, seconds: float) -> int:
    """How many acts a child said to have saved before it was killed."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _answer_for_ever(path, write)
        finally:
            os._exit(1)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        assert pipe.read(1) == b"o"
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        said = len(pipe.read())
    os.waitpid(child, 0)
    return said


def _answer_for_ever(path: Path, write: int) -> None:
    book = PacketBook(path)
    session = PacketSession(book.content, RunBook(book, 0))
    os.write(write, b"o")
    place = random.randrange(10)
    while True:
        assert session.toggle_mark(place % 10)
        assert session.wait_saved()
        os.write(write, b".")
        place += 1
        if place % 7 == 0:
            session.go_to_set(place % session.set_total)


def hours(folder: Path) -> None:
    """The whole packet of the paper's size in one sitting."""
    desk = Desk(packet_of(folder, HOUR_SETS, side=1024))
    ana = ScriptedAnnotator(desk.screen, 12, QApplication.processEvents)
    sizes = []
    for _ in range(10):
        ana.work(HOUR_SETS * 23 // 10)
        gc.collect()
        sizes.append(_resident())
    print("  MiB at every tenth: " + " ".join(f"{size:.0f}" for size in sizes))
    desk.close(ana)
    growth = sizes[-1] - sizes[1]
    print(f"{len(ana.log)} questions, {ana.acts} acts: {growth:+.1f} MiB after the first two tenths")
    assert growth < MOST_GROWTH, sizes


def _resident() -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * resource.getpagesize() / 2**20


def paper(folder: Path) -> None:
    """The paper's study."""
    found = play(
        *(folder,),
        roles=10,
        generators=("sdxl-turbo", "flux-dev", "qwen", "sd35"),
        asked=("mood", "gender_presentation"),
    )
    assert found.answers == 3 * 126 * 23
    print(
        f"{found.answers} answers in {found.acts} acts, {found.files} hand-ins twice in any order, "
        f"{found.merges} merges: as in one place"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
