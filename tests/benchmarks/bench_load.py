"""Size, memory and time of every command and of the window's start on a study of the paper's size.

`python tests/benchmarks/bench_load.py [FOLDER] [--times 10] [--only analyse,report]` makes the study in the
folder unless it is there; `--times 10` makes ten times as many images of each prompt. Each command runs in a
process of its own; what it prints is thrown away, its time and its largest memory are kept.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
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
        "export label-studio": ["export", of, "--format", "label-studio", "--out", str(out / "ls")],
        "agreement": ["agreement", of, "--out", str(out / "agreement")],
        "analyse": ["analyse", of, "--out", str(out / "audit")],
        "analyse paper": ["analyse", of, "--mode", "paper", "--out", str(out / "paper")],
        "labels review": ["labels", of, "review"],
        "sheet": ["sheet", of, "--overwrite", "--role", "baker", "--out", str(out / "sheet.png")],
        "report": ["report", of, "--overwrite", "--out", str(out / "report.html")],
        # Last, because a new round has no answers.
        "round": ["round", of, "--annotators", "2", "--training", "0"],
        "packet": ["packet", of, "--annotator", "Newcomer", "--out", str(out / "a.packet")],
        "handin": ["handin", str(out / "a.packet"), "--out", str(out / "a.handin")],
        "merge dry run": ["merge", of, str(out / "a.handin"), "--dry-run"],
    }


def measured(line: list[str]) -> tuple[float, float, int]:
    """Seconds, largest memory in MB, and exit code of a process."""
    began = time.monotonic()
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "CONTEXTBIAS_LOGS": ""}
    with subprocess.Popen(
        line, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        said = process.stderr.read() if process.stderr else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.stderr.write(said.decode()[-2000:])
    if process.returncode == 1:
        print(f"  {said.decode().strip().splitlines()[-1][:100] if said.strip() else ''}")
    return time.monotonic() - began, usage.ru_maxrss / 1024, process.returncode


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
    chosen.add_argument("--only", default="")
    given = chosen.parse_args()
    with tempfile.TemporaryDirectory() as place:
        study = given.folder or Path(place) / "study"
        # In a process of its own: what a child may have needed before it began would count as its memory.
        maker = multiprocessing.get_context("spawn").Process(target=make, args=(study, given.times))
        maker.start()
        maker.join()
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
        print(f"{'command':22}{'seconds':>9}{'MB':>7}{'code':>6}")
        wanted = {name for name in given.only.split(",") if name}
        for name, line in commands(study, out).items():
            if wanted and name not in wanted:
                continue
            seconds, memory, code = measured([sys.executable, "main.py", *line])
            print(f"{name:22}{seconds:9.1f}{memory:7.0f}{code:6}", flush=True)


if __name__ == "__main__":
    main()
