"""Where the pictures of a study come from, as far as the study knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

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


def of_unknown_origin(generators: Iterable[Named]) -> list[str]:
    """Names under which pictures were imported that are no generator's: nobody knows who is in them."""
    return [one.name for one in generators if one.kind == IMPORTED and family_of(one.name) == "own"]
