"""A number with its noun, in the singular where it is one; for sentences that a person reads.

Figures and the window, which part thousands with a narrow space, have their own (`core.figures.wording`,
`gui.words`).
"""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "image"), counted(2400, "image"), counted(2, "study", "studies")
    ('1 image', '2,400 images', '2 studies')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def are_counted(number: int, noun: str, *, were: bool = False) -> str:
    """A number with its noun and the verb that goes with it.

    >>> are_counted(1, "image"), are_counted(0, "image", were=True)
    ('1 image is', '0 images were')
    """
    verb = ("was", "were") if were else ("is", "are")
    return f"{counted(number, noun)} {verb[number != 1]}"
