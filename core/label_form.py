"""The one rule by which two spellings of a label are the same label; every way in goes through it.

1. A cell that is empty (also None, NaN) is no label. The words `None`, `NA`, `nan`, `null` are labels like
   any others. A whole number is its digits: 1, 1.0 and "1" are one label.
2. Unicode: canonical composition (NFC), so that é is one letter however it was typed; characters that cannot
   be seen (zero-width, soft hyphen, byte-order mark) are nothing.
3. Any run of white space is one space, none at the ends. Case is folded.
4. In open wording `_` is a space, and full stop, comma, semicolon and colon at the ends are nothing.
5. To look a word up in a vocabulary, `-` and `/` are spaces too and apostrophes nothing; then display names
   and the schema's other spellings count as the label.

Label tables, records of extractors and answers of people are read by these rules and no others; paper mode
alone keeps the published one (`core.paper.counting.plain_word`). What was joined is told:
`core.joined_labels`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from numbers import Integral, Real

ENDS = " .,;:"


def word_of(value: object) -> str:
    """A cell as a word, as it stands; empty for a missing value.

    >>> word_of("nan"), word_of(None), word_of(float("nan")), word_of(1), word_of(1.0), word_of(0.5)
    ('nan', '', '', '1', '1', '0.5')
    """
    if isinstance(value, str):
        return str(value)
    if value is None or str(value) == "<NA>" or value != value:  # pandas' NA cannot even be compared
        return ""
    if isinstance(value, Real) and not isinstance(value, Integral) and float(value).is_integer():
        return str(int(float(value)))
    return str(value)


def plain_form(text: str) -> str:
    """Rules 2 and 3: composed, visible, single spaces, case folded.

    >>> plain_form("  Lab\\u00a0 COAT\\u200b")
    'lab coat'
    """
    return " ".join(_composed(_composed(text).casefold()).split())


def open_form(text: str) -> str:
    """Rules 2 to 4: open wording in one form.

    >>> open_form("  Lab_Coat. ")
    'lab coat'
    """
    return plain_form(text.replace("_", " ")).strip(ENDS)


def look_up_form(text: str) -> str:
    """Rules 2 to 5: a word for look-up in a vocabulary.

    >>> look_up_form("Middle-Aged "), look_up_form("children’s")
    ('middle aged', 'childrens')
    """
    plain = _composed(text).replace("'", "").replace("’", "")
    return plain_form(re.sub(r"[-_/]", " ", plain)).strip(ENDS)


def meaning_of(text: str, meanings: Mapping[str, str], *, is_closed: bool) -> str | None:
    """The label that a word means: by look-up, else the word itself where the vocabulary is open.

    Parameters
    ----------
    text : str
        As it was said.
    meanings : mapping
        Label by word, in look-up form or as the label is written.
    is_closed : bool
        Whether a word outside the vocabulary means nothing.

    Examples
    --------
    >>> meaning_of("Light Skin", {"light skin": "light"}, is_closed=True)
    'light'
    >>> meaning_of("Beret.", {}, is_closed=False), meaning_of("Beret", {}, is_closed=True)
    ('beret', None)
    """
    found = meanings.get(text) or meanings.get(look_up_form(text))
    if found is not None:
        return found
    return None if is_closed else open_form(text) or None


def how_joined(said: str, label: str) -> str:
    """In what a spelling differs from its label: Unicode form, spaces, case, punctuation, or another word.

    >>> how_joined(" Lab  coat", "lab coat"), how_joined("grey", "gray"), how_joined("Lab-coat", "lab_coat")
    ('spaces, case', 'another spelling of the schema', 'case, punctuation')
    """
    if look_up_form(said) != look_up_form(label):
        return "another spelling of the schema"
    found = []
    composed = _composed(said)
    if composed != said:
        found.append("Unicode form")
    spaced = " ".join(composed.split())
    if spaced != composed:
        found.append("spaces")
    folded = plain_form(spaced)
    if folded != _composed(spaced):
        found.append("case")
    if folded != plain_form(label):
        found.append("punctuation")
    return ", ".join(found)


def _composed(text: str) -> str:
    if text.isascii():
        return text
    visible = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFC", visible)
