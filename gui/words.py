"""Numbers and times as the screen says them: narrow spaces, real minus signs, progress rounded down."""

from __future__ import annotations

import re
import sys
from datetime import datetime

NARROW_SPACE = "\u202f"
MINUS = "−"

_UNITS = ("kB", "MB", "GB", "TB")
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def thousands(number: int) -> str:
    """A whole number with a narrow space between thousands.

    >>> thousands(-40894).replace("\u202f", " ")
    '−40 894'
    """
    grouped = f"{abs(number):,}".replace(",", NARROW_SPACE)
    return f"{MINUS}{grouped}" if number < 0 else grouped


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "image"), counted(2, "answer"), counted(2, "study", "studies")
    ('1 image', '2 answers', '2 studies')
    """
    return f"{thousands(number)} {noun if number == 1 else plural or noun + 's'}"


def percent_down(done: int, total: int) -> str:
    """A share of progress, rounded down: 99 % until all is there.

    >>> percent_down(16559, 16560), percent_down(3, 3), percent_down(0, 0)
    ('99 %', '100 %', '–')
    """
    return f"{done * 100 // total} %" if total > 0 else "–"


def duration(seconds: float) -> str:
    """A time span in its two largest units, rounded up to the smaller.

    >>> duration(20), duration(61), duration(18600), duration(115000)
    ('20 s', '2 min', '5 h 10 min', '1 day 8 h')
    """
    if seconds < _MINUTE:
        return f"{max(round(seconds), 1)} s"
    if seconds < _HOUR:
        return f"{-int(-seconds // _MINUTE)} min"
    if seconds < _DAY:
        minutes = -int(-seconds // _MINUTE)
        return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"
    hours = -int(-seconds // _HOUR)
    days = f"{hours // 24} day{'s' if hours >= 48 else ''}"
    return f"{days} {hours % 24} h" if hours % 24 else days


def rate(per_second: float, noun: str) -> str:
    """A pace in the unit that gives a readable number.

    >>> rate(0.1017, "images"), rate(12.4, "images"), rate(0.002, "images")
    ('6.1 images a minute', '12 images a second', '7.2 images an hour')
    """
    for factor, unit in ((1, "a second"), (_MINUTE, "a minute")):
        if per_second * factor >= (2 if factor == 1 else 1):
            return f"{_short(per_second * factor)} {noun} {unit}"
    return f"{_short(per_second * _HOUR)} {noun} an hour"


def data_size(size: float) -> str:
    """A number of bytes in the unit that gives a readable number.

    >>> data_size(31_400_000_000), data_size(900), data_size(250_000)
    ('31.4 GB', '0.9 kB', '250 kB')
    """
    amount = size / 1000
    for unit in _UNITS:
        if amount < 1000 or unit == _UNITS[-1]:
            return f"{amount:.0f} {unit}" if amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    raise AssertionError("unreachable")


def day(at: str) -> str:
    """The day of a stored UTC time, in the reader's own time zone.

    >>> day("2026-11-26T12:00:00+00:00")
    '26 Nov'
    """
    moment = datetime.fromisoformat(at).astimezone()
    return f"{moment.day} {_MONTHS[moment.month - 1]}"


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _short(number: float) -> str:
    return thousands(round(number)) if number >= 10 else f"{number:.1f}"


_ON_A_MAC = {"Ctrl": "Cmd", "Alt": "Option", "Meta": "Control", "Backspace": "Delete"}


def key_words(text: str, platform: str = sys.platform) -> str:
    """Keys as the caps of this system's keyboards call them; Qt gives our Ctrl to the Cmd key on a Mac.

    >>> key_words("Undo (Ctrl+Z)", "darwin"), key_words("Undo (Ctrl+Z)", "win32")
    ('Undo (Cmd+Z)', 'Undo (Ctrl+Z)')
    """
    if platform != "darwin":
        return text
    return re.sub(r"\b(Ctrl|Alt|Meta|Backspace)\b", lambda found: _ON_A_MAC[found[1]], text)
