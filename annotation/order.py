"""Seeded orders: which set comes when, where an image stands on the screen, which way the options run.

An order is sorting by content keys, not the state of a random generator: it is the same on every machine
and Python, does not depend on the order of the input, and a set that is added or missing moves no other.
The annotator goes in by name, because row ids differ between a study and a packet.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.keys import key_of


def set_order(seed: int, annotator: str, set_keys: Iterable[str]) -> list[str]:
    """Set keys in the order in which this annotator sees them.

    >>> set_order(7, "Ada", ["a", "b", "c"]) == set_order(7, "Ada", ["c", "b", "a"])
    True
    """
    return sorted(set_keys, key=lambda key: key_of(["set order", seed, annotator, key]))


def image_order(seed: int, annotator: str, set_key: str, n: int) -> tuple[int, ...]:
    """For each place on the screen, the position in the image set of the image that stands there.

    >>> sorted(image_order(7, "Ada", "a", 10)) == list(range(10))
    True
    """
    places = range(n)
    return tuple(sorted(places, key=lambda place: key_of(["image order", seed, annotator, set_key, place])))


def options_reversed(seed: int, annotator: str) -> bool:
    """Whether this annotator sees every list of options the other way round; true for half of all names.

    The direction is constant for one annotator: an order that changed from set to set would cost the keys
    their meaning.
    """
    return int(key_of(["option order", seed, annotator])[:8], 16) % 2 == 1
