"""Where the pictures of a study come from, as far as the study knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from core.amounts import counted
from core.figures.look import family_of

IMPORTED = "imported"
"""Kind of a generator whose pictures were made elsewhere."""


class Named(Protocol):
    """A generator of a study."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def kind(self) -> str:
        """How its pictures came into the study."""


def imported(generators: Iterable[Named]) -> frozenset[str]:
    """Names under which pictures came from elsewhere: whoever gave the name, nothing here made them."""
    return frozenset(one.name for one in generators if one.kind == IMPORTED)


def made_words(generators: Iterable[Named]) -> str:
    """Who made some pictures, as far as the study knows.

    >>> from types import SimpleNamespace as Of
    >>> own, strange = Of(name="drawn-a", kind="drawn"), Of(name="holiday", kind=IMPORTED)
    >>> made_words([own]), made_words([own, strange])
    ('made by 1 generator', 'made by 1 generator, or imported and of unknown origin')
    >>> made_words([strange])
    'imported and of unknown origin'
    """
    all_of_them = list(generators)
    unknown = len(of_unknown_origin(all_of_them))
    known = len(all_of_them) - unknown
    parts = [f"made by {counted(known, 'generator')}"] if known or not unknown else []
    parts += ["imported and of unknown origin"] if unknown else []
    return ", or ".join(parts)


def of_unknown_origin(generators: Iterable[Named]) -> list[str]:
    """Names under which pictures were imported that are no generator's: nobody knows who is in them."""
    return [one.name for one in generators if one.kind == IMPORTED and family_of(one.name) == "own"]
