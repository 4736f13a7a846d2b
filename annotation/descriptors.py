"""Descriptors of open questions: how they are stored, and what may be suggested.

Stored as typed: NFC, one line, outer blanks off, case kept. Meaning is the label map's business, not ours.
Suggestions come from the annotator's own earlier answers only, and only after three letters: nobody else's
words reach an annotator.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

SHORTEST, LONGEST = 2, 40
"""Characters of a descriptor that can be confirmed."""

LETTERS_BEFORE_SUGGESTIONS = 3
MOST_SUGGESTIONS = 5


def normal_descriptor(text: str) -> str:
    """A descriptor as it is stored: NFC, one line, no blanks at the ends.

    >>> normal_descriptor("  Lab coat ")
    'Lab coat'
    """
    return " ".join(unicodedata.normalize("NFC", text).splitlines()).strip()


def is_usable(descriptor: str | None) -> bool:
    """Whether a stored descriptor can be confirmed: long enough, short enough, and not of signs alone.

    >>> is_usable("T-shirt"), is_usable("|||")
    (True, False)
    """
    if descriptor is None or not SHORTEST <= len(descriptor) <= LONGEST:
        return False
    return any(map(str.isalnum, descriptor))


def suggest(prefix: str, own: Iterable[str]) -> tuple[str, ...]:
    """Earlier descriptors that begin with `prefix` in any case: the most used first, then the newest.

    Parameters
    ----------
    prefix : str
        What has been typed; fewer than three letters give nothing.
    own : iterable of str
        The annotator's own descriptors for this question, oldest first.
    """
    start = normal_descriptor(prefix)
    if len(start) < LETTERS_BEFORE_SUGGESTIONS:
        return ()
    fitting = [word for word in own if is_usable(word) and word.casefold().startswith(start.casefold())]
    newest = {word: place for place, word in enumerate(fitting)}
    used = Counter(fitting)
    ranked = sorted((word for word in used if word != start), key=lambda word: (-used[word], -newest[word]))
    return tuple(ranked[:MOST_SUGGESTIONS])
