"""Text from outside made fit for the screen: names may be long, hold control characters, or look like HTML.

What is shown is plain, in one direction and of bounded length; what is stored stays as it is.
"""

from __future__ import annotations

import re
from html import escape

MOST_SHOWN = 2000
LONGEST_WORD = 24
MOST_IN_TIP = 400
BREAK_HERE = "\u200b"
"""A space of no width: a line may be broken there."""

_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]")
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


def shown(text: str, most: int = MOST_SHOWN) -> str:
    """Text without control characters and marks of direction, cut to a length.

    >>> shown("a\\x07b\\u202ec")
    'a�b�c'
    >>> shown("W" * 5, most=4)
    'WWW…'
    """
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return _ODD.sub("\ufffd", cut) if _ODD.search(cut) else cut


def one_line(text: str, most: int = MOST_SHOWN) -> str:
    """The same in one line.

    >>> one_line("a\\nb")
    'a b'
    """
    return shown(" ".join(text.split("\n")), most)


def short_name(name: str, most: int = LONGEST_WORD) -> str:
    """A name for a button or a sentence: one line, and no longer than a name needs to be.

    >>> short_name("Ada Lovelace"), len(short_name("W" * 10000))
    ('Ada Lovelace', 24)
    """
    return one_line(name, most)


def breakable(text: str) -> str:
    """Long words may be broken, so that none of them decides how wide a card is.

    >>> breakable("W" * 30).split(BREAK_HERE)
    ['WWWWWWWWWWWWWWWWWWWWWWWW', 'WWWWWW']
    """
    return _LONG_WORD.sub(_broken, text)


def _broken(word: re.Match[str]) -> str:
    text = word.group()
    return BREAK_HERE.join(text[at : at + LONGEST_WORD] for at in range(0, len(text), LONGEST_WORD))


def tip(text: str) -> str:
    """Text for a tooltip, which would otherwise show what looks like HTML as such; cut to a length.

    >>> tip("<b>bold</b>")
    '<span>&lt;b&gt;bold&lt;/b&gt;</span>'
    >>> tip("plain")
    'plain'
    """
    found = breakable(shown(text, MOST_IN_TIP))
    if "<" not in found and "&" not in found:
        return found
    return f"<span>{escape(found, quote=False)}</span>".replace("\n", "<br>")
