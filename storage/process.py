"""Who runs a job: enough to tell later whether that process still lives."""

from __future__ import annotations

import os
import socket
import sys
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

SILENCE = timedelta(hours=1)
"""After this long without a word, a job on another machine counts as interrupted."""

_TOKEN = uuid.uuid4().hex
"""Ours alone: tells this process from an earlier one that had the same number."""


def this_process() -> dict[str, Any]:
    """Host, process number, when it started (where the system says) and a token of its own."""
    number = os.getpid()
    return {"host": socket.gethostname(), "pid": number, "started": _own_start(number), "token": _TOKEN}


def may_live(process: Mapping[str, Any]) -> bool:
    """Whether the process may still be at work.

    Of one on another machine nobody knows: it counts as at work until it was not heard of for an hour
    (`seen_at`). One that is only slow is not harmed, since its next word makes it running again.

    >>> may_live(this_process())
    True
    >>> may_live({**this_process(), "token": "an earlier process with the same number"})
    False
    >>> may_live({"host": "elsewhere", "seen_at": "2026-03-01T09:00:00.000Z"})
    False
    """
    if process["host"] != socket.gethostname():
        return _is_recent(process.get("seen_at", ""))
    if process["pid"] == os.getpid():
        return bool(process["token"] == _TOKEN)
    return is_running(process["pid"]) and process["started"] == _started(process["pid"])


def _is_recent(at: str) -> bool:
    try:
        # Either way: after a clock was set back, a word from the future says nothing.
        return abs(datetime.now(UTC) - datetime.fromisoformat(at)) < SILENCE
    except (ValueError, TypeError):
        return True  # nothing is known, so nothing is decided


@cache
def _own_start(number: int) -> str:
    return _started(number)


def _started(number: int, platform: str = sys.platform) -> str:
    # Numbers are used again, above all after the machine was switched off; the start time is not.
    if platform == "win32":
        return _started_on_windows(number)
    if platform == "darwin":
        return _started_as_ps_says(number)
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        ticks = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
    return f"{boot} {ticks}"


def _started_as_ps_says(number: int) -> str:
    """Day and time to the second, where there is no `/proc`; "" when nobody has the number."""
    import subprocess

    command = ["/bin/ps", "-o", "lstart=", "-p", str(number)]
    try:
        said = subprocess.run(
            command, capture_output=True, text=True, timeout=2, check=False, env={"LC_ALL": "C", "TZ": "UTC"}
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return " ".join(said.stdout.split())


def is_running(number: int) -> bool:
    """Whether this machine has a process of this number."""
    if sys.platform == "win32":
        return _is_running_on_windows(number)
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _is_running_on_windows(number: int) -> bool:
    # Not os.kill: on Windows signal 0 is Ctrl+C and would be sent.
    import ctypes

    still_active = 259
    code = ctypes.c_ulong()

    def ask(kernel: Any, handle: Any) -> bool:
        return bool(kernel.GetExitCodeProcess(handle, ctypes.byref(code))) and code.value == still_active

    return bool(_asked_windows(number, ask))


def _started_on_windows(number: int) -> str:
    """The process's creation time in steps of 100 ns, as Windows counts; "" when it cannot be asked."""
    import ctypes

    times = [ctypes.c_ulonglong() for _ in range(4)]  # creation, exit, kernel, user: each a FILETIME

    def ask(kernel: Any, handle: Any) -> str:
        return str(times[0].value) if kernel.GetProcessTimes(handle, *map(ctypes.byref, times)) else ""

    return str(_asked_windows(number, ask) or "")


def _asked_windows(number: int, ask: Callable[[Any, Any], object]) -> object:
    """What Windows says about a process; None when there is none that may be asked."""
    import ctypes

    query_limited_information = 0x1000
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    # A handle is a pointer; without this it would be cut to 32 bits on its way.
    kernel.OpenProcess.restype = ctypes.c_void_p
    found = kernel.OpenProcess(query_limited_information, False, number)
    if not found:
        return None
    handle = ctypes.c_void_p(found)
    try:
        return ask(kernel, handle)
    finally:
        kernel.CloseHandle(handle)
