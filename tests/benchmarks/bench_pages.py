"""How fast every page opens and filters on a study of the paper's size, interleaved with an empty one.

    python tests/benchmarks/bench_pages.py [--study FOLDER] [--rounds 2] [--only results,agreement] [--stacks]

Without `--study` the study is made first (`paper_study.py`, half a minute). For each page: *painted* is from
asking for the page to its first picture, *first* to its first images or annotators (Extract, Generate,
Annotate: the rest is read behind them), *filled* to the end of everything that is read for it, *again* the
same when it was shown before. *blocked* is the longest time in which the window could not have answered a
key, by the clock (other processes count) and by what the GUI thread itself computed. Analyses run in the
background: their seconds stand apart. With `--stacks` every block longer than 50 ms names its line.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from paper_study import GENERATORS, make_paper_study
from PySide6.QtCore import QSettings, QTimer, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from core.plan import choose_roles, plan_study
from gui.main_window import MainWindow
from gui.studio import Studio
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.tidying import Tidying
from storage.making import make_study

BEAT, MOST_SECONDS = 0.005, 1800
BLOCK = 0.05


@dataclass
class Watch:
    """Looks at the event loop every five milliseconds and keeps the longest silence."""

    with_stacks: bool = False
    wall: float = 0.0
    cpu: float = 0.0
    stacks: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._beat = time.perf_counter()
        self._cpu = time.thread_time()
        self._main = threading.get_ident()
        self._timer = QTimer()
        self._timer.setInterval(int(1000 * BEAT))
        self._timer.timeout.connect(self._on_beat)
        self._timer.start()
        if self.with_stacks:
            threading.Thread(target=self._look, daemon=True).start()

    def begin(self) -> None:
        """Forget what was seen so far."""
        self.wall = self.cpu = 0.0
        self._beat, self._cpu = time.perf_counter(), time.thread_time()

    def _on_beat(self) -> None:
        now, cpu = time.perf_counter(), time.thread_time()
        self.wall, self.cpu = max(self.wall, now - self._beat), max(self.cpu, cpu - self._cpu)
        self._beat, self._cpu = now, cpu

    def _look(self) -> None:
        while True:
            time.sleep(0.01)
            if time.perf_counter() - self._beat > BLOCK:
                self.stacks[" < ".join(self._where())] += 1

    def _where(self) -> list[str]:
        frame, named = sys._current_frames().get(self._main), []
        while frame is not None and len(named) < 5:
            code = frame.f_code
            if "/gui/" in code.co_filename or "/core/" in code.co_filename or not named:
                named.append(f"{Path(code.co_filename).name}:{frame.f_lineno} {code.co_name}")
            frame = frame.f_back
        return named


class Bench:
    """A window on a study, and how long it takes to do things in it."""

    def __init__(self, application: QApplication, theme: Theme, folder: Path, watch: Watch) -> None:
        self.application, self.watch = application, watch
        self.studio = Studio(TaskRunner(), theme)
        self.window = MainWindow(self.studio)
        self.window.resize(1440, 900)
        Tidying(self.window)
        self.window.show()
        self.studio.open_study(folder)
        self.wait(lambda: self.studio.store is not None)
        self.settle()

    def wait(self, is_over: Callable[[], bool]) -> float:
        """Run the event loop until something holds; seconds, the paint after it included."""
        begun = time.perf_counter()
        while not is_over():
            self.application.processEvents()
            if time.perf_counter() - begun > MOST_SECONDS:
                raise TimeoutError("still busy")
            time.sleep(0.0005)
        self.application.processEvents()
        return time.perf_counter() - begun

    def settle(self) -> float:
        """Until nothing is read or computed."""
        return self.wait(lambda: self.studio.runner.is_idle)

    def reads_done(self) -> float:
        """Until no read is under way; jobs in the background may go on."""
        return self.wait(lambda: not self.studio.runner._queries)

    def timed(
        self, act: Callable[[], object], has_first: Callable[[], bool] | None = None
    ) -> tuple[float, float, float, float, float]:
        """(painted, first, filled, blocked by the clock, blocked by computing) in milliseconds.

        `first` is NaN where nothing is asked about, or nothing came.
        """
        self.watch.begin()
        begun, first = time.perf_counter(), math.nan
        act()
        self.application.processEvents()
        painted = time.perf_counter() - begun
        if has_first is not None:
            self.wait(lambda: has_first() or not self.studio.runner._queries)
            first = time.perf_counter() - begun if has_first() else math.nan
        self.reads_done()
        filled = time.perf_counter() - begun
        self.watch._on_beat()
        times = (painted, first, filled, self.watch.wall, self.watch.cpu)
        return tuple(1000 * one for one in times)  # type: ignore[return-value]

    def close(self) -> None:
        """Let go of everything."""
        self.window._may_end = True
        self.window.close()
        self.studio.shut_down()
        self.window.deleteLater()


def walk(bench: Bench, only: set[str]) -> list[tuple[str, float, float, float, float, float]]:
    """Open every page and do on it what a person would; a row for each act."""
    rows = []

    def note(name: str, act: Callable[[], object], has_first: Callable[[], bool] | None = None) -> None:
        rows.append((name, *bench.timed(act, has_first)))

    for entry in bench.window.entries:
        if only and entry.name not in only:
            continue
        note(f"{entry.name}: open", partial(bench.window.show_page, entry.name), first_of(bench, entry.name))
        jobs = bench.timed(bench.settle)
        if jobs[2] > 100:
            rows.append((f"{entry.name}: in the background", 0.0, *jobs[1:]))
        acts = ACTS.get(entry.name)
        for name, act in acts(bench.window.pages[entry.name]) if acts else ():
            note(f"{entry.name}: {name}", act)
            bench.settle()
        bench.window.pages[entry.name].close_drawer()
        if entry.name != "study":
            bench.window.show_page("study")
            bench.settle()
            note(f"{entry.name}: again", partial(bench.window.show_page, entry.name))
            bench.settle()
    return rows


FIRST: dict[str, Callable[[Any], bool]] = {
    "generate": lambda page: len(page._groups) > 0,
    "extract": lambda page: bool(page.list.model.rows),
    "annotate": lambda page: bool(page.start.words),
}
"""Whether a page shows the first of what it is there for."""


def first_of(bench: Bench, name: str) -> Callable[[], bool] | None:
    """Whether a page that was asked for shows something; None for pages that fill at once."""
    is_there = FIRST.get(name)
    if is_there is None:
        return None
    pages = bench.window.pages
    return lambda: name in pages and is_there(pages[name])


Acts = Iterator[tuple[str, Callable[[], object]]]


def on_study(page: Any) -> Acts:
    """Another layer, the filters, a cell's images."""
    yield "records", lambda: (page.layers.choose(2), page._on_layer())
    yield "filter", lambda: page.filter.setText("er")
    yield "unfinished", lambda: page.unfinished.setChecked(True)
    page.unfinished.setChecked(False)
    page.filter.clear()
    if page.grid.current is not None:
        yield "open a cell", lambda: page._on_opened(page.grid.current)


def on_prompts(page: Any) -> Acts:
    """The filter."""
    yield "filter", lambda: page.filter.setText("clinic")


def on_results(page: Any) -> Acts:
    """Filters, sorting, rows of dimensions, and what is behind a number."""
    if page.view is None:
        return
    card = page.table_card
    for text in ("e", "er", "black", ""):
        yield f"filter {text!r}", lambda text=text: (card.text.setText(text), card.apply_filter())
    yield "one role", lambda: (card.role.choose(3), card.apply_filter())
    yield "all roles", lambda: (card.role.choose(0), card.apply_filter())
    yield "one verdict", lambda: card.verdicts.chips[0].click()
    yield "all verdicts", lambda: card.verdicts.chips[0].click()
    for key in ("label", "ccs", "p_adjusted"):
        yield f"sort by {key}", lambda key=key: card.table.sort_by(key, True)
    yield "open a row", lambda: page._on_row(0)
    yield "dimensions", lambda: (page.chart_card.level.choose(1), page.chart_card._on_level(1))
    spots = [spot for _, spot in page.view.intensities.values]
    own = [spot for spot in spots if spot.generator != "ALL"]
    yield "open a mean", lambda: page._on_spot(spots[0])
    for name in ("mood", "items"):
        spot = next(one for one in own if one.dimension == name)
        yield f"open {name}", lambda spot=spot: page._on_spot(spot)


def on_agreement(page: Any) -> Acts:
    """Levels, what is behind a number, and people beside the pipeline with its filters."""
    if page.view is None:
        return
    for level in (1, 2, 0):
        yield f"level {level}", lambda level=level: (page.level.choose(level), page._show_rows())
    yield "open a number", lambda: page._on_opened(*page.grid.current)
    yield "image sets", lambda: (page.part.choose(1), page._show_part())
    boxes = page.compare.boxes
    for part in ("question", "role", "difference"):
        yield (
            f"filter by {part}",
            lambda part=part: (
                boxes[part].choose(boxes[part].itemText(1)),
                page.compare._on_filter(""),
            ),
        )


ACTS: dict[str, Callable[[Any], Acts]] = {
    "study": on_study,
    "prompts": on_prompts,
    "results": on_results,
    "agreement": on_agreement,
}


def main() -> None:
    """Measure both studies in turn and print a line for each act."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--study", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--stacks", action="store_true")
    parser.add_argument("--report", action="store_true", help="how long a report takes, and its size")
    asked = parser.parse_args()
    qInstallMessageHandler(lambda *_: None)  # what the offscreen plugin cannot do is no news
    application = QApplication(sys.argv[:1])
    theme, watch = Theme(application, "light"), Watch(asked.stacks)
    only = {one for one in asked.only.split(",") if one}
    with tempfile.TemporaryDirectory() as holder:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, f"{holder}/settings")
        empty, full = Path(holder) / "empty", asked.study
        make_study(empty, plan_study("empty", choose_roles("all"), generators=GENERATORS)).close()
        if full is None:
            full = Path(holder) / "paper"
            make_paper_study(full)
        if asked.report:
            time_report(full, Path(holder))
            return
        found: dict[str, list[tuple[float, ...]]] = {}
        for _ in range(asked.rounds):
            for name, folder in (("empty", empty), ("paper", full)):
                bench = Bench(application, theme, folder, watch)
                for act, *times in walk(bench, only):
                    found.setdefault(f"{name} {act}", []).append(tuple(times))
                bench.close()
    report(found)
    for said, times in watch.stacks.most_common(30):
        print(f"{times * 10:6} ms  {said}")


def time_report(study: Path, out: Path) -> None:
    """Write the report as HTML and PDF in a process of its own."""
    begun, program = time.perf_counter(), Path(__file__).resolve().parents[2] / "main.py"
    command = [sys.executable, str(program), "report", str(study), "--out", str(out / "report.html"), "--pdf"]
    subprocess.run(command, check=True)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    sizes = [f"{kind} {(out / f'report.{kind}').stat().st_size / 1e6:.1f} MB" for kind in ("html", "pdf")]
    seconds = (
        f"{time.perf_counter() - begun:.0f} s, of them {spent.ru_utime + spent.ru_stime:.0f} s computing"
    )
    print(f"report: {seconds}, {spent.ru_maxrss / 1024:.0f} MB at most; {', '.join(sizes)}")


def report(found: dict[str, list[tuple[float, ...]]]) -> None:
    """The median of the rounds, in milliseconds."""
    print(f"{'':44}{'painted':>9}{'first':>9}{'filled':>9}{'blocked':>9}{'by GUI':>9}")
    for name in sorted(found, key=lambda one: (one.split()[1], list(found).index(one))):
        columns = zip(*found[name], strict=True)
        print(f"{name:44}" + "".join(_cell(median(column)) for column in columns))


def _cell(milliseconds: float) -> str:
    return f"{'–':>9}" if math.isnan(milliseconds) else f"{milliseconds:9.0f}"


if __name__ == "__main__":
    main()
