"""When two names of annotators would be taken for one, and which names cannot be read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from core.errors import BadInput

LONGEST_NAME = 60
_UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Co", "Cn")
"""Unicode categories of characters that a person cannot see or that turn the text around."""


def key_of_name(name: str) -> str:
    """What is left of a name when case, spaces and forms of letters are put aside.

    >>> key_of_name(" Anna  Berg ") == key_of_name("ANNA berg")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def check_new_name(name: str, known: Iterable[str]) -> None:
    """Refuse a name for a new annotator that is empty, unreadable, or too near to a known one.

    Raises
    ------
    BadInput
        With a sentence that says which name it is and why.

    >>> try:
    ...     check_new_name("anna ", ["Anna"])
    ... except BadInput as error:
    ...     print(error.sentence)
    “anna” is nearly “Anna”, which is there already.
    """
    plain = " ".join(name.split())
    if not key_of_name(name):
        raise BadInput("An annotator needs a name.", "Type a name first.")
    if len(plain) > LONGEST_NAME:
        raise BadInput(f"A name has at most {LONGEST_NAME} characters, not {len(plain)}.", "Shorten it.")
    if any(unicodedata.category(one) in _UNSEEN for one in plain):
        raise BadInput("The name holds a character that cannot be seen.", "Type it anew.")
    near = next((one for one in known if key_of_name(one) == key_of_name(name)), None)
    if near is not None:
        raise BadInput(
            f"“{plain}” is nearly “{near}”, which is there already.",
            "Choose that one, or a name that nobody takes for it.",
        )
