"""How long audit mode takes, and how much memory, on a made-up corpus of the paper's size.

    python tests/benchmarks/bench_analysis.py [--roles 92] [--design paper] [--bootstrap 2000] [--mode audit]

From the label table on disk to written tables, in a process of its own. Seconds are of this machine and
its load; `cpu` is what the process itself used.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

DESIGNS = {"paper": (3, 7, 8), "balanced": (6, 6, 6)}


def main() -> None:
    """Make the corpus, or with --run measure the job on it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--roles", type=int, default=92)
    parser.add_argument("--design", choices=DESIGNS, default="paper")
    parser.add_argument("--bootstrap", type=int, default=2000)
    parser.add_argument("--mode", default="audit")
    parser.add_argument("--run", type=Path, help="a label table that is already there")
    asked = parser.parse_args()
    if asked.run:
        _measure(asked.run, asked.bootstrap, asked.mode)
        return
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "labels.csv"
        _make(table, asked.roles, asked.design)
        options = ["--run", str(table), "--bootstrap", str(asked.bootstrap), "--mode", asked.mode]
        subprocess.run([sys.executable, __file__, *options], check=True)


def _make(table: Path, roles: int, design: str) -> None:
    import pyarrow
    from corpus import corpus
    from pyarrow import csv

    from core.schema import load_schema

    frame = corpus(load_schema(), roles=roles, prompts=DESIGNS[design])
    csv.write_csv(pyarrow.Table.from_pandas(frame, preserve_index=False), table)
    print(f"{len(frame):,} rows, {table.stat().st_size / 1e6:.0f} MB")


def _measure(table: Path, bootstrap: int, mode: str) -> None:
    begun = time.perf_counter()
    from core.analysis import analyse
    from core.jobs import Progress, run_here
    from core.schema import load_schema
    from core.tables import read_labels, write_tables

    def say(what: str) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu = used.ru_utime + used.ru_stime
        wall = time.perf_counter() - begun
        print(f"{wall:6.1f} s  cpu {cpu:6.1f} s  {used.ru_maxrss / 1024:6.0f} MB  {what}")

    said: list[str] = []

    def report(progress: Progress) -> None:
        if progress.text not in said:
            said.append(progress.text)
            say(progress.text)

    say("imported")
    labels = read_labels(table)
    say("read")
    result = run_here(analyse(labels, load_schema(), mode=mode, bootstrap=bootstrap), report)
    say("computed")
    with tempfile.TemporaryDirectory() as folder:
        written = write_tables(result.tables, folder, result.run)
        say(f"written, {sum(path.stat().st_size for path in written) / 1e6:.0f} MB")
    for name, rows in result.run["table_rows"].items():
        print(f"{rows:10,} rows  {name}")


if __name__ == "__main__":
    main()
