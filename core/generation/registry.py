"""Which generators there are by name; a generator's module is imported when it is asked for."""

from __future__ import annotations

from core.errors import BadInput, UserError
from core.generation.entries import own_entries, released
from core.generation.entry import Entry
from core.generation.generator import Generator

DRAWN = ("drawn-a", "drawn-b")


def names() -> tuple[str, ...]:
    """Names of all generators: drawn, released, then this person's own."""
    return (*DRAWN, *entries())


def entries() -> dict[str, Entry]:
    """The generators that diffusers runs, by name; a broken file of one's own hides only one's own."""
    found = released()
    try:
        return found | own_entries(frozenset((*DRAWN, *found)))
    except UserError:
        return found


def own_trouble() -> str:
    """What is wrong with this person's own entries; "" when nothing is."""
    try:
        own_entries(frozenset((*DRAWN, *released())))
    except UserError as error:
        return str(error)
    return ""


def by_name(name: str) -> Generator:
    """The generator of a name. Nothing is loaded, and a model need not be on this machine.

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
    entry = entries().get(name)
    if entry is None:
        raise BadInput(f"There is no generator {name!r}.", own_trouble() or _there_are())
    from core.generation.diffusers.generator import DiffusersGenerator

    return DiffusersGenerator(entry)


def _there_are() -> str:
    *others, last = names()
    return f"Use {', '.join(others)} or {last}."
