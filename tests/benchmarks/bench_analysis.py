"""How long the analyses take, and how much memory, on a made-up corpus of the paper's size.

    python tests/benchmarks/bench_analysis.py [--mode paper] [--bootstrap 1000] [--roles 92] [--design paper]

From the label table on disk (Parquet) to written tables, in a process of its own. Seconds are of this machine
and its load; `cpu` is what the process itself used. Then the ratio to slow obvious twins, at a size that they
can bear. `--roles 920` is ten times the corpus. `--tenfold` measures both sizes in one run, the job alone and
through `main.py analyse`, and prints how many times as long the larger one takes (wanted: under ten times).
"""

from __future__ import annotations

import argparse
import os
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
    parser.add_argument("--bootstrap", type=int, default=2000, help="1000 in the paper")
    parser.add_argument("--seeds", choices=("prompt", "role", "all"), default="", help="who shares seeds")
    parser.add_argument("--mode", choices=("audit", "paper"), default="audit")
    parser.add_argument("--run", type=Path, help="a label table that is already there")
    parser.add_argument("--tenfold", action="store_true", help="both sizes, and how many times as long")
    parser.add_argument("--tables", type=Path, nargs=2, help="for --tenfold: the two that are already there")
    asked = parser.parse_args()
    if asked.tenfold:
        _tenfold(asked.tables, asked.design, asked.bootstrap, asked.mode)
        return
    if asked.run:
        _measure(asked.run, asked.bootstrap, asked.mode)
        return
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "labels.parquet"
        _make(table, asked.roles, asked.design, asked.seeds)
        options = ["--run", str(table), "--bootstrap", str(asked.bootstrap), "--mode", asked.mode]
        subprocess.run([sys.executable, __file__, *options], check=True)
    if asked.roles <= 92:
        _compare(asked.mode)


def _make(table: Path, roles: int, design: str, seeds: str = "") -> None:
    import pyarrow
    from corpus import corpus
    from pyarrow import parquet

    from core.schema import load_schema

    frame = corpus(load_schema(), roles=roles, prompts=DESIGNS[design], seeds=seeds)
    parquet.write_table(pyarrow.Table.from_pandas(frame, preserve_index=False), table)
    print(f"{len(frame):,} rows, {table.stat().st_size / 1e6:.0f} MB")


def _tenfold(tables: list[Path] | None, design: str, bootstrap: int, mode: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if not tables:
            tables = [Path(folder) / "once.parquet", Path(folder) / "tenfold.parquet"]
            for table, roles in zip(tables, (92, 920), strict=True):
                _make(table, roles, design)
        options = ["--bootstrap", str(bootstrap), "--mode", mode]
        main = str(Path(__file__).resolve().parents[2] / "main.py")
        ways = {
            "job alone": lambda table: [__file__, "--run", str(table), *options],
            "main.py": lambda table: [main, "analyse", "--labels", str(table), "--out", folder, *options],
        }
        for name, command in ways.items():
            once, tenfold = (_timed(command(table)) for table in tables)
            for size, (wall, cpu, memory) in (("once", once), ("tenfold", tenfold)):
                print(f"{name:10} {size:8} {wall:7.1f} s  cpu {cpu:6.1f} s  {memory:6.0f} MB")
            wall, cpu = tenfold[0] / once[0], tenfold[1] / once[1]
            print(f"{name:10} {wall:.1f} times as long for ten times the corpus ({cpu:.1f} times the cpu)")


def _timed(command: list[str]) -> tuple[float, float, float]:
    """Seconds, seconds of the processor, and most memory in MB of a Python program."""
    begun = time.perf_counter()
    child = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{command} ended with {child.returncode}")
    return time.perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


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


def _compare(mode: str) -> None:
    """Ratios to the twins of `slow_twins`, within this run."""
    from corpus import corpus
    from slow_twins import TWINS

    from core.schema import load_schema

    schema = load_schema()
    frame = corpus(schema, roles=12, words=60)
    print(f"twins at {len(frame):,} rows:")
    for name, twin in TWINS[mode].items():
        ours, slow, difference = twin(frame, schema)
        apart = f"{difference:.0e} apart"
        print(f"{slow / ours:10.0f} times as fast  {name} ({ours:.2f} s, twin {slow:.1f} s, {apart})")


if __name__ == "__main__":
    main()
