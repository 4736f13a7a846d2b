"""Killed, or without power, at a random moment of every work: nothing told is lost, torn or stuck.

A few of each here; `tests/benchmarks/bench_crashes.py` does 500 of each.
"""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.safety import crashing, disk_log

LINUX = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kill -9 is not for this system")
CAN_RECORD = pytest.mark.skipif(not disk_log.can_record(), reason="this SQLite cannot be listened to")


def crash(*arguments: str) -> None:
    """In a process of its own, which may fork: threads of other tests are not there."""
    done = subprocess.run(
        [sys.executable, crashing.__file__, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@LINUX
def test_a_kill_at_any_moment_loses_nothing_that_was_told() -> None:
    crash("kill", "11")


@CAN_RECORD
def test_a_power_cut_at_any_moment_loses_nothing_that_was_told() -> None:
    crash("power", "22")
