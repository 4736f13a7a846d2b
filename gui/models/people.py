"""Annotators on the screen: short names for heads and chips, and simulated ones named as such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class Person:
    """An annotator of a round."""

    name: str
    is_simulated: bool = False

    @property
    def full_name(self) -> str:
        """The name, with the word *simulated* where it does not say so itself."""
        if self.is_simulated and SIMULATED not in self.name.lower():
            return f"{self.name} ({SIMULATED})"
        return self.name


def short_names(people: Sequence[Person]) -> dict[str, str]:
    """Names without the words that all of them begin with.

    >>> short_names([Person("simulated A", True), Person("simulated B", True)])
    {'simulated A': 'A', 'simulated B': 'B'}
    >>> short_names([Person("Ana"), Person("Ben")])
    {'Ana': 'Ana', 'Ben': 'Ben'}
    """
    split = [person.name.split() for person in people]
    common = 0
    if len(split) > 1:
        shortest = min(len(name) for name in split)
        while common < shortest - 1 and len({name[common] for name in split}) == 1:
            common += 1
    return {person.name: " ".join(name[common:]) for person, name in zip(people, split, strict=True)}


def who_sentence(people: Sequence[Person]) -> str:
    """Who answered, with what their short names stand for.

    >>> who_sentence([Person("simulated A", True), Person("simulated B", True)])
    'A and B: simulated annotators'
    >>> who_sentence([Person("Ana"), Person("Bot", True)])
    'Ana and Bot (simulated)'
    """
    short = short_names(people)
    if people and all(person.is_simulated for person in people):
        names = [short[person.name] for person in people]
        noun = "annotators" if len(people) > 1 else "annotator"
        return f"{_listed(names)}: {SIMULATED} {noun}"
    return _listed([person.full_name for person in people])


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
