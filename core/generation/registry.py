"""Which generators there are by name; a generator's module is imported when it is asked for."""

from __future__ import annotations

from core.errors import BadInput
from core.generation.generator import Generator

DRAWN = ("drawn-a", "drawn-b")


def names() -> tuple[str, ...]:
    """Names of the embedded generators."""
    return DRAWN


def by_name(name: str) -> Generator:
    """The embedded generator of a name.

    Raises
    ------
    BadInput
        When there is none of that name.

    >>> by_name("drawn-a").name
    'drawn-a'
    """
    if name in DRAWN:
        from core.generation.drawn.generator import DrawnGenerator

        return DrawnGenerator(name)
    raise BadInput(f"There is no generator {name!r}.", f"Use {' or '.join(names())}.")
