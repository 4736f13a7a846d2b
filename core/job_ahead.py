"""A job begun ahead of its turn, in a process of its own: it keeps one core busy while another works."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from core.jobs import Job, run_here

MakeJob = Callable[[Path], Job[Any]]


def begin_ahead(make_job: MakeJob, folder: Path) -> BaseProcess | None:
    """Begin a job that goes on where it was when it is run again; None on a machine with one core.

    It ends with this program; what it had made by then is kept.

    Parameters
    ----------
    make_job : callable
        Makes the job of the folder; a function of a module, for another process has to find it.
    folder : Path
        What the job is about.
    """
    if (os.cpu_count() or 1) < 2:
        return None
    spawn = multiprocessing.get_context("spawn")
    ahead = spawn.Process(target=_carry_out, args=(make_job, folder), daemon=True)
    ahead.start()
    return ahead


def _carry_out(make_job: MakeJob, folder: Path) -> None:
    # Whatever stops it is met again, and told, when the job's turn comes.
    with contextlib.suppress(Exception, KeyboardInterrupt), contextlib.redirect_stderr(io.StringIO()):
        run_here(make_job(folder))
