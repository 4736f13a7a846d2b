"""Images that share their seed with another prompt of the same generator: what resampling them needs to know.

One seed draws much the same person for every prompt, so two images of one seed are alike although their
prompts differ. Whether seeds are shared is read off the images, not off a setting. Without a seed that two
prompts share there is nothing to allow for, and every number is what it is without seeds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.statistics.arrays import Bools, Codes, Ints, joint_key, looked_up, ranked

LEAST_SHARE = 0.05
"""A generator of which fewer of the images share a seed does not share seeds: numbers that met by chance."""

FEW_SEEDS = 5
"""Below so many seeds an interval knows only roughly how far other seeds would lie."""


def few_seeds_words(seeds: int) -> str:
    """What stands beside a number that rests on so few shared seeds.

    >>> few_seeds_words(2)
    'few seeds (2), shared by the prompts: the interval is a rough one'
    """
    if seeds == 1:
        return "one seed for all prompts: the interval cannot know how far another seed would lie"
    return f"few seeds ({seeds}), shared by the prompts: the interval is a rough one"


MISSING_WORDS = frozenset({"na", "n/a", "<na>", "nan", "none", "null", "-", "–", "—", "?", "unknown"})
"""In place of a seed, whatever their capitals: nobody knows it. (A label may well be `none`.)"""

_WHOLE = re.compile(r"(\d+)\.0*")


def seed_codes(codes: Codes, words: Sequence[str]) -> Codes:
    """Codes of seeds from those of their words: -1 for words that say that it is missing; 7.0 is 7.

    >>> seed_codes(np.array([0, 1, 2, 3, -1]), ("7", "7.0", "NA", "a")).tolist()
    [0, 0, -1, 1, -1]
    """
    if all(map(str.isdecimal, words)):
        return codes
    kinds: dict[str, int] = {}
    places = [
        -1 if word.casefold() in MISSING_WORDS else kinds.setdefault(_whole(word), len(kinds))
        for word in words
    ]
    return looked_up(np.array([*places, -1], dtype=codes.dtype), codes)


def _whole(word: str) -> str:
    found = _WHOLE.fullmatch(word)
    return word if found is None else found[1]


def images_of_several(generator: Codes, prompt: Codes, seed: Codes) -> tuple[int, int]:
    """How many images have a seed that another prompt of their generator has, and how many cannot be used.

    Those are images whose prompt too has their seed more than once, as when one was set for a whole batch.

    >>> images_of_several(np.array([0, 0, 0, 0]), np.array([0, 0, 1, 2]), np.array([7, 7, 7, 8]))
    (3, 2)
    """
    known = np.flatnonzero(seed >= 0)
    generator, prompt, seed = generator[known], prompt[known], seed[known]
    place = ranked(joint_key(generator, prompt, seed))[1]
    first = np.zeros(int(place.max(initial=-1)) + 1, dtype=np.int64)
    first[place] = np.arange(place.size)
    is_shared = _repeated(joint_key(generator[first], seed[first]))[place]
    is_again = np.bincount(place)[place] > 1 if place.size else is_shared
    return int(np.count_nonzero(is_shared)), int(np.count_nonzero(is_shared & is_again))


def images_that_share(generator: Codes, prompt: Codes, seed: Codes) -> Ints:
    """Which images share their seed with another prompt of their generator, as positions.

    `seed` is -1 where nobody knows it. Two images of one generator, prompt and seed are one image made
    twice; they say nothing about seeds and are not among these.

    >>> images_that_share(np.array([0, 0, 0]), np.array([0, 1, 1]), np.array([7, 7, 8])).tolist()
    [0, 1]
    """
    known = np.flatnonzero(seed >= 0)
    single = known[~_repeated(joint_key(generator[known], prompt[known], seed[known]))]
    together = single[_repeated(joint_key(generator[single], seed[single]))]
    images = np.bincount(generator)
    mine = np.bincount(generator[together], minlength=images.size)
    return together[(mine >= LEAST_SHARE * images)[generator[together]]]


@dataclass(frozen=True)
class SharedSeeds:
    """Images that share their seed, I of them in order of their prompt.

    `seed` are codes from 0, `usable` (I, D) says where an image has a record that counts; `entry_image` and
    `entry_label` are its labels, in order of the image.
    """

    generator: Codes
    prompt: Codes
    role: Codes
    seed: Codes
    usable: Bools
    entry_image: Codes
    entry_label: Codes
    generators: int
    roles: int

    @cached_property
    def of_roles(self) -> Ints:
        """How many seeds two prompts of a role share, (G, roles)."""
        key = joint_key(self.generator, self.role, self.seed)
        place = ranked(key)[1]
        first = np.zeros(int(place.max(initial=-1)) + 1, dtype=np.int64)
        first[place] = np.arange(place.size)
        many = first[np.bincount(place) > 1]
        number = np.zeros((self.generators, self.roles), dtype=np.int64)
        np.add.at(number, (self.generator[many], self.role[many]), 1)
        return number

    @cached_property
    def between(self) -> Bools:
        """Generators of which two roles share a seed, (G,)."""
        place = ranked(joint_key(self.generator, self.seed, self.role))[1]
        first = np.zeros(int(place.max(initial=-1)) + 1, dtype=np.int64)
        first[place] = np.arange(place.size)
        generator, seed = self.generator[first], self.seed[first]
        return np.bincount(generator[_repeated(joint_key(generator, seed))], minlength=self.generators) > 0

    def of_role(self, role: int) -> tuple[slice, slice]:
        """Where the images of a role stand, and where their labels."""
        first, last = np.searchsorted(self.role, [role, role + 1]).tolist()
        start, stop = np.searchsorted(self.entry_image, [first, last]).tolist()
        return slice(first, last), slice(start, stop)


@dataclass(frozen=True)
class Sharing:
    """What is known of the seeds of a table: of how many of its images, and which images share theirs.

    `several` and `again` are as `images_of_several` has them.
    """

    shared: SharedSeeds | None = None
    known: int = 0
    images: int = 0
    several: int = 0
    again: int = 0


NOTHING_KNOWN = Sharing()


def _repeated(key: Ints) -> Bools:
    """Rows whose key another row has, before or after."""
    place = ranked(key)[1]
    return np.asarray(np.bincount(place)[place] > 1, dtype=np.bool_) if key.size else key.astype(np.bool_)
