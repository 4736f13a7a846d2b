"""Size, memory and time of every command and of the window's start on a study of the paper's size.

`python tests/benchmarks/bench_load.py [FOLDER] [--times 10] [--only analyse,report] [--limit 3600]` makes the
study in the folder unless it is there; `--times 10` makes ten times as many images of each prompt. Each
command runs in a process of its own, on a copy of the study; what it prints is thrown away. *seconds* are
by the clock, *computing* is what the processor worked for it (user and system, children too), *MB* the most
memory it had; a command that takes longer than the limit is ended and said to be unfinished. The pages are
timed by `bench_pages.py --study FOLDER`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))
sys.path.insert(0, str(PROJECT / "tests" / "benchmarks"))

WINDOW = """
import sys, time
began = time.perf_counter()
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gui.main_window import MainWindow
from gui.studio import Studio
from gui.tasks import TaskRunner
from gui.theme import Theme
application = QApplication(sys.argv[:1])
window = MainWindow(Studio(TaskRunner(), Theme(application, "light", 1.0)))
window.show()
application.processEvents()
print(f"window shown {time.perf_counter() - began:.2f} s", flush=True)
say = lambda what: print(f"{what} {time.perf_counter() - began:.2f} s", flush=True)
window.studio.study_opened.connect(lambda: say("study open"))
window.studio.feed.arrived.connect(lambda *_: (say("overview there"), QTimer.singleShot(200, window.close)))
window.open_study(Path(sys.argv[1]))
QTimer.singleShot(120000, application.quit)
application.exec()
"""


def commands(study: Path, out: Path) -> dict[str, list[str]]:
    """Every command that works on a study without a server, a GPU or a person."""
    of = str(study)
    return {
        "doctor": ["doctor", of],
        "prompts": ["prompts", of, "--overwrite", "--out", str(out / "prompts.csv")],
        "quality": ["quality", of, "--out", str(out / "quality")],
        "export csv": ["export", of, "--out", str(out / "answers")],
        "export parquet": ["export", of, "--format", "parquet", "--out", str(out / "parquet")],
        "export label-studio": ["export", of, "--format", "label-studio", "--out", str(out / "ls")],
        "agreement": ["agreement", of, "--out", str(out / "agreement")],
        "analyse": ["analyse", of, "--out", str(out / "audit")],
        "analyse paper": ["analyse", of, "--mode", "paper", "--out", str(out / "paper")],
        "labels propose": ["labels", of, "propose", "--rules-only"],
        "labels review": ["labels", of, "review"],
        "labels export": ["labels", of, "export", "--out", str(out / "map.csv")],
        "sheet": ["sheet", of, "--overwrite", "--role", "baker", "--out", str(out / "sheet.png")],
        "report": ["report", of, "--overwrite", "--out", str(out / "report.html")],
        "report pdf": ["report", of, "--out", str(out / "report.pdf")],
        "export imagefolder": ["export", of, "--format", "imagefolder", "--out", str(out / "release")],
        # Last, because a new round has no answers.
        "round": ["round", of, "--annotators", "2", "--training", "0"],
        "packet": ["packet", of, "--annotator", "Newcomer", "--out", str(out / "a.packet")],
        "handin": ["handin", str(out / "a.packet"), "--out", str(out / "a.handin")],
        "merge dry run": ["merge", of, str(out / "a.handin"), "--dry-run"],
    }


@dataclass(frozen=True)
class Spent:
    """What a process took: seconds by the clock and of computing, most MB, its exit code and last words."""

    seconds: float
    computing: float
    memory: float
    code: int
    said: str = ""


def measured(line: list[str], limit: float) -> Spent:
    """Run a process, at most so many seconds, and keep the last line it said to its errors."""
    began = time.monotonic()
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "CONTEXTBIAS_LOGS": ""}
    with subprocess.Popen(
        line, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        clock = threading.Timer(limit, process.kill)
        clock.start()
        said = process.stderr.read().decode(errors="replace").strip() if process.stderr else ""
        _, status, usage = os.wait4(process.pid, 0)
        clock.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    return Spent(
        time.monotonic() - began,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1024,
        process.returncode,
        said.splitlines()[-1] if said else "",
    )


def row_of(name: str, spent: Spent, limit: float) -> str:
    """A line of the table."""
    if spent.code < 0 and spent.seconds >= limit:
        return f"{name:22}  not finished in {limit:.0f} s ({spent.computing:.0f} s of computing)"
    row = f"{name:22}{spent.seconds:9.1f}{spent.computing:11.1f}{spent.memory:7.0f}{spent.code:6}"
    return row if spent.code == 0 else f"{row}  {spent.said[:90]}"


def make(folder: Path, times: int) -> None:
    """The study, unless it is there."""
    if (folder / "study.sqlite").exists():
        return
    import paper_study

    paper_study.IMAGES_PER_PROMPT *= times
    paper_study.corpus = partial(paper_study.corpus, images=paper_study.IMAGES_PER_PROMPT)
    began = time.monotonic()
    paper_study.make_paper_study(folder)
    print(f"made in {time.monotonic() - began:.0f} s")


def main() -> None:
    """Measure and print."""
    chosen = argparse.ArgumentParser(description=__doc__)
    chosen.add_argument("folder", type=Path, nargs="?")
    chosen.add_argument("--times", type=int, default=1)
    chosen.add_argument(
        "--only", default="", help="commands, with commas; none: only the sizes and the start"
    )
    chosen.add_argument("--limit", type=float, default=3600, help="seconds that a command may take")
    given = chosen.parse_args()
    with tempfile.TemporaryDirectory() as place:
        made = given.folder or Path(place) / "study"
        # In a process of its own: what a child may have needed before it began would count as its memory.
        maker = multiprocessing.get_context("spawn").Process(target=make, args=(made, given.times))
        maker.start()
        maker.join()
        study = Path(place) / "copy"  # proposals and a round would stay in the folder that was given
        shutil.copytree(made, study)
        out = Path(place) / "out"
        out.mkdir()
        size = (study / "study.sqlite").stat().st_size / 2**20
        pictures = (
            sum(path.stat().st_size for path in (study / "images").rglob("*") if path.is_file()) / 2**20
        )
        print(f"study.sqlite {size:.0f} MB; image files {pictures:.0f} MB")
        environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(PROJECT)}
        said = subprocess.run(
            [sys.executable, "-c", WINDOW, str(study)],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        print(", ".join(said.stdout.split("\n")).rstrip(", ") or said.stderr[-500:])
        print(f"other processes at work when it begins: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        print(f"{'command':22}{'seconds':>9}{'computing':>11}{'MB':>7}{'code':>6}")
        wanted = {name for name in given.only.split(",") if name}
        for name, line in commands(study, out).items():
            if not wanted or name in wanted:
                spent = measured([sys.executable, "main.py", *line], given.limit)
                print(row_of(name, spent, given.limit), flush=True)


if __name__ == "__main__":
    main()
