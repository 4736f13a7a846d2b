"""Who runs a job: enough to tell later whether that process still lives."""

from __future__ import annotations

import os
import socket
import sys
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

SILENCE = timedelta(hours=1)
"""After this long without a word, a job on another machine counts as interrupted."""

_TOKEN = uuid.uuid4().hex
"""Ours alone: tells this process from an earlier one that had the same number."""


def this_process() -> dict[str, Any]:
    """Host, process number, when it started (where the system says) and a token of its own."""
    number = os.getpid()
    return {"host": socket.gethostname(), "pid": number, "started": _started(number), "token": _TOKEN}


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


def _started(number: int) -> str:
    # Numbers are used again, above all after the machine was switched off; the start time is not.
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        ticks = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
    return f"{boot} {ticks}"


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

    query_limited_information, still_active = 0x1000, 259
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(query_limited_information, False, number)
    if not handle:
        return False
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == still_active
