"""The log of the application: one line an act, in this user's folder, kept small, and nothing personal in it.

A line says when, how grave, which part of the program, and what: a command that began and how it ended, an
act of the store by the words for what it changed, a job, trouble. No answer, no label, no prompt, no name of
a file or a study, no key: what could tell an annotator anything, or a stranger who it was, is not logged, and
what an error of another program brings along is cleaned (`without_places`).
"""

from __future__ import annotations

import copy
import logging
import os
import re
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

from core.paths import PROJECT, user_logs
from core.secrets import without_keys

NAME = "contextbias-studio.log"
MOST_BYTES = 1_000_000
OLDER = 4
"""So many files of that size are kept besides the newest."""

OURS = ("core", "annotation", "storage", "gui", "main")

_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|“[^”\n]*”")
_PLACE = re.compile(r"(?<![\w.])(?:~|[A-Za-z]:)?[\\/](?:[^\s:'\"\\/]+[\\/])*[^\s:'\",;)]*")


def start_log(folder: Path | None = None) -> Path | None:
    """Write from now on to the log in a folder, this user's unless named; where, or None when it cannot be.

    Asked again, nothing is changed. An application without a log goes on: it is no reason to stop anybody.
    """
    root = logging.getLogger()
    for handler in root.handlers:
        if isinstance(handler, RotatingFileHandler):
            return Path(handler.baseFilename)
    place = folder or user_logs()
    if place is None:
        return None
    try:
        place.mkdir(parents=True, exist_ok=True)
        handler = SharedFile(
            place / NAME, maxBytes=MOST_BYTES, backupCount=OLDER, encoding="utf-8", errors="replace"
        )
    except OSError:
        return None
    handler.setFormatter(OneLine())
    handler.addFilter(_is_wanted)
    root.addHandler(handler)
    for name in OURS:
        logging.getLogger(name).setLevel(logging.INFO)
    return place / NAME


def stop_log() -> None:
    """Close the log; again does nothing."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, RotatingFileHandler):
            root.removeHandler(handler)
            handler.close()


class SharedFile(RotatingFileHandler):
    """A log that the window and a command may write at once.

    On Windows a file cannot be renamed while another program has it open; the log grows on then, and moving
    it is tried again as many bytes later.
    """

    def doRollover(self) -> None:
        """Begin a new file, if this one can be moved."""
        if self.stream:
            self.stream.close()
        place, elsewhere = self.baseFilename, f"{self.baseFilename}.moving"
        try:
            os.replace(place, elsewhere)
            os.replace(elsewhere, place)
        except OSError:
            self.maxBytes += MOST_BYTES
            self.stream = self._open()
        else:
            self.maxBytes = min(self.maxBytes, MOST_BYTES)
            super().doRollover()


class OneLine(logging.Formatter):
    """`2026-11-30T15:04:05Z INFO storage.writer: kept: answer, 2 ms`, with a traceback in the same line."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """UTC, to the second."""
        return datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        record = copy.copy(record)
        record.exc_text = None  # as another handler may have written it, with all that it quotes
        text = without_keys(super().format(record)).replace(str(PROJECT), "").replace(str(Path.home()), "~")
        if record.levelno >= logging.WARNING and not record.exc_info:
            text = without_places(text)
        # Rows of ^ and ~, which point at a place in the line above, say nothing here.
        return " | ".join(line.strip() for line in text.splitlines() if line.strip(" ^~"))

    def formatException(self, info: object) -> str:
        """A traceback without what its message quotes."""
        return told_traceback(info[1])  # type: ignore[index]


def without_places(text: str) -> str:
    """A text without what it quotes and without paths: they may name a person, a study, a role, a generator.

    Examples
    --------
    >>> without_places("There is no role 'nurse' in /home/ada/study: 3 found.")
    'There is no role “…” in …: 3 found.'
    """
    return _PLACE.sub("…", _QUOTED.sub("“…”", text))


def told_traceback(error: BaseException) -> str:
    """A traceback for a bug report: places in the code, kinds of errors, messages without what they quote.

    Chained errors come first, as Python tells them.
    """
    import traceback

    parts: list[str] = []
    one: BaseException | None = error
    while one is not None and len(parts) < 8:
        frames = "".join(traceback.format_tb(one.__traceback__))
        frames = frames.replace(str(PROJECT), "").replace(str(Path.home()), "~")
        parts.append(f"{frames}{type(one).__name__}: {without_keys(without_places(str(one)))}\n")
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return "\nwhich led to\n\n".join(reversed(parts))


def _is_wanted(record: logging.LogRecord) -> bool:
    # Of other libraries only what is grave: their chatter may quote addresses and files.
    return record.name.split(".")[0] in OURS or record.levelno >= logging.ERROR
