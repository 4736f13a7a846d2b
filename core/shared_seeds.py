"""Images that share their seed with another prompt of the same generator: what resampling them needs to know.

One seed draws much the same person for every prompt, so two images of one seed are alike although their
prompts differ. Whether seeds are shared is read off the images, not off a setting. Without a seed that two
prompts share there is nothing to allow for, and every number is what it is without seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.statistics.arrays import Bools, Codes, Ints, joint_key, ranked

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
    """What is known of the seeds of a table: of how many of its images, and which images share theirs."""

    shared: SharedSeeds | None = None
    known: int = 0
    images: int = 0


NOTHING_KNOWN = Sharing()


def _repeated(key: Ints) -> Bools:
    """Rows whose key another row has, before or after."""
    place = ranked(key)[1]
    return np.asarray(np.bincount(place)[place] > 1, dtype=np.bool_) if key.size else key.astype(np.bool_)
