"""How the last row of the question bar gives way when it gets narrow, in a fixed order.

The long key name, the one line of "Still open" and of the caption, the words of Flag, Comment and Back, the
steps of the count, the place of "Still open", and at last the buttons take a row of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gui import fonts


@dataclass(frozen=True, slots=True)
class Room:
    """How much the last row has had to give up."""

    is_short: bool = False
    is_open_stacked: bool = False
    is_two_lines: bool = False
    has_words: bool = True
    is_close: bool = False
    is_open_below: bool = False
    is_split: bool = False


_NARROW = Room(is_short=True, is_open_stacked=True, is_two_lines=True)

ROOMS = (
    Room(),
    Room(is_short=True),
    Room(is_short=True, is_open_stacked=True),
    _NARROW,
    replace(_NARROW, has_words=False),
    replace(_NARROW, has_words=False, is_close=True),
    replace(_NARROW, has_words=False, is_close=True, is_open_below=True),
    Room(is_two_lines=True, is_split=True),
    Room(is_short=True, is_two_lines=True, is_close=True, is_split=True),
    replace(_NARROW, has_words=False, is_close=True, is_split=True),
)


def flat(length: float) -> int:
    """A length that shrinks with the scale and does not grow with it."""
    return min(fonts.px(length), round(length))
