"""Crash every work at random moments and say what was left: `python tests/safety/crashing.py kill 50`.

`kill` ends a process of the work with SIGKILL; `power` lets the work run to its end with a log of what it
asked of the disk, and cuts the power at a random place of that log. Prints a table; exit code 1 when
anything was lost, torn or stuck.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from storage import process
from tests.safety.disk_log import recording
from tests.safety.power_cut import Disk
from tests.safety.works import WORKS, use_workshop

SEED = 20261130


def main(how: str, crashes: int, names: list[str]) -> int:
    """So many crashes, shared out among the works; returns the exit code."""
    lost = 0
    with tempfile.TemporaryDirectory(dir=_memory()) as place:
        use_workshop(Path(place) / "workshop")
        print(f"{'work':22}{'crashes':>8}{'before the end':>16}{'lost':>6}{'seconds':>9}")  # noqa: T201
        for number, name in enumerate(names):
            share = crashes // len(names) + (number < crashes % len(names))
            began, rng = time.monotonic(), random.Random(f"{SEED} {how} {name}")
            folder = Path(place) / str(number)
            folder.mkdir()
            tried, early, faults = (killed if how == "kill" else cut)(name, share, folder, rng)
            print(f"{name:22}{tried:8}{early:16}{faults:6}{time.monotonic() - began:9.1f}", flush=True)  # noqa: T201
            lost += faults
    return 1 if lost else 0


def _memory() -> str | None:
    """Where nobody waits for a disk: what a disk would lose is in the log, not in the place."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def killed(name: str, times: int, folder: Path, rng: random.Random) -> tuple[int, int, int]:
    """Kill a process at the work so often; how often it was before the end, and what went wrong."""
    work, early, faults = WORKS[name], 0, 0
    longest = _seconds_of(name, folder)
    for number in range(times):
        root = folder / str(number)
        root.mkdir()
        work.prepare(root)
        kept, is_early = _kill_once(work, root, rng.uniform(0, longest))
        early += is_early
        longest *= 1.1 if is_early else 0.7  # how long it takes changes with what else the machine does
        faults += not _holds(work, root, kept, f"{name}, kill {number}")
        shutil.rmtree(root)
    return times, early, faults


def _seconds_of(name: str, folder: Path) -> float:
    """How long the work takes; the first time is for what it imports."""
    for _ in range(2):
        root = folder / "whole"
        root.mkdir()
        WORKS[name].prepare(root)
        began = time.monotonic()
        WORKS[name].do(root, lambda _: None)
        seconds = time.monotonic() - began
        shutil.rmtree(root)
    return seconds


def _kill_once(work: object, root: Path, seconds: float) -> tuple[list[object], bool]:
    """Fork a process at the work, kill it after some time; what it said is safe, and whether it was early."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            work.do(root, lambda what: os.write(writing, json.dumps(what).encode() + b"\n"))  # type: ignore[attr-defined]
            code = 0
        except BaseException:  # noqa: BLE001 - a child may not go on as if it were its parent
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writing)
    deadline = time.monotonic() + seconds
    while os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() >= deadline:
            os.kill(child, signal.SIGKILL)
            break
        time.sleep(0.0005)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().splitlines(keepends=True)
    is_early = os.WIFSIGNALED(status)
    assert is_early or os.WEXITSTATUS(status) == 0
    return [json.loads(line) for line in said if line.endswith(b"\n")], is_early


def cut(name: str, times: int, folder: Path, rng: random.Random) -> tuple[int, int, int]:
    """Cut the power so often; how often it was before the last request, and what went wrong."""
    work, faults = WORKS[name], 0
    root = folder / "root"
    root.mkdir()
    work.prepare(root)
    disk = Disk(root)
    with recording(root) as log:
        work.do(root, log.keep)
    process._TOKEN = uuid.uuid4().hex  # what ran when the power went runs no more
    total = len(log.requests)
    moments = sorted(rng.randint(0, total) for _ in range(times))
    done = 0
    for number, moment in enumerate(moments):
        disk.follow(log.requests[done:moment])
        done = moment
        after = folder / str(number)
        disk.write_after_cut(after, rng)
        faults += not _holds(work, after, disk.kept, f"{name}, power cut at request {moment} of {total}")
        shutil.rmtree(after)
    return times, sum(moment < total for moment in moments), faults


def _holds(work: object, root: Path, kept: list[object], where: str) -> bool:
    try:
        work.check(root, kept)  # type: ignore[attr-defined]
    except Exception:  # noqa: BLE001 - whatever goes wrong here is what is looked for
        print(f"-- {where}, {len(kept)} kept:", file=sys.stderr)  # noqa: T201
        traceback.print_exc()
        return False
    return True


if __name__ == "__main__":
    wanted = sys.argv[3:] or list(WORKS)
    sys.exit(main(sys.argv[1], int(sys.argv[2]), wanted))
