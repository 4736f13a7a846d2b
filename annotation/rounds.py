"""From images to a study round: which ten images make each image set, and which cells cannot make one.

A cell is one role × condition × generator. Its ten are dealt evenly over the prompts of the cell, by content
keys of the round's seed: the same images and seed give the same sets on every machine. The key of a set
looks random and tells nothing: it is a hash over the round's seed and the images' own hashes, which nobody
can compute from what an annotator is given (packets hold re-encoded pixels).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias, TypeVar

from core.keys import key_of
from core.records import IMAGES_PER_SET, Condition, ImageStatus, StoredImage

T = TypeVar("T")

Cell: TypeAlias = tuple[str, Condition | None, str]
"""Role, condition, generator."""

KEY_DIGITS = 16


@dataclass(frozen=True, slots=True)
class PlannedSet:
    """One image set to be: its opaque key, its cell, and its images in the set's own order."""

    key: str
    role: str
    condition: Condition | None
    generator: str
    images: tuple[StoredImage, ...]

    @property
    def row(self) -> tuple[str, str, Condition | None, str, list[int]]:
        """The set as the store takes it."""
        return self.key, self.role, self.condition, self.generator, [one.image_id for one in self.images]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A cell that makes no set, and why."""

    role: str
    condition: Condition | None
    generator: str
    images: int
    reason: str


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """The image sets of a round, and what is in none.

    `left_out` are cells that were asked for and make no set; `unusable` counts images that no set may
    hold, by reason; `not_asked` counts images outside the roles, conditions and generators asked for.
    """

    seed: int
    sets: tuple[PlannedSet, ...]
    left_out: tuple[LeftOut, ...] = ()
    unusable: Counter[str] = field(default_factory=Counter)
    not_asked: int = 0

    @property
    def rows(self) -> list[tuple[str, str, Condition | None, str, list[int]]]:
        """All sets as the store takes them."""
        return [one.row for one in self.sets]


def design_round(
    images: Sequence[StoredImage],
    *,
    seed: int,
    roles: Sequence[str] | None = None,
    conditions: Sequence[Condition] | None = None,
    generators: Sequence[str] | None = None,
) -> RoundPlan:
    """Sample one image set of ten for every role × condition × generator.

    Parameters
    ----------
    images : sequence of StoredImage
        What there is. Images whose status is not ok are counted as unusable; of several with the same
        pixels in a cell one is used.
    seed : int
        Seed of the round.
    roles, conditions, generators : sequence, optional
        What the round is about; by default everything that occurs among the images.

    Returns
    -------
    RoundPlan
        Sets in the order of their keys. A cell with fewer than ten usable images is left out, with the
        reason; so are images without a stated condition. Cells that were not asked for are not named.
    """
    cells, unusable = usable_cells(images)
    asked: list[Cell] = list(
        product(
            _asked(roles, (image.role for image in images)),
            _asked(conditions, (image.condition for image in images)),
            _asked(generators, (image.generator for image in images)),
        )
    )
    if conditions is None:  # "no condition" is asked for only where there are such images
        present = {(image.role, image.condition, image.generator) for image in images}
        asked = [cell for cell in asked if cell[1] is not None or cell in present]
    sets, left_out = [], []
    for cell in asked:
        found = cells.get(cell, [])
        reason = _why_not(cell, len(found))
        if reason:
            left_out.append(LeftOut(*cell, len(found), reason))
        else:
            sets.append(planned_set(seed, cell, deal(found, seed, IMAGES_PER_SET)))
    is_asked = set(asked)
    not_asked = sum(len(found) for cell, found in cells.items() if cell not in is_asked)
    return RoundPlan(seed, _by_key(sets), tuple(left_out), unusable, not_asked)


def sets_from_images(images: Sequence[StoredImage], *, seed: int, size: int = IMAGES_PER_SET) -> RoundPlan:
    """Image sets of all images there are, for pictures made elsewhere; no condition is needed.

    Every usable image is in exactly one set. Sets of a cell have `size` images and the last one what is
    left, so a set may have fewer than ten: its count then runs to the number of its images.
    """
    cells, unusable = usable_cells(images)
    sets: list[PlannedSet] = []
    for cell, found in cells.items():
        dealt = deal(found, seed, len(found))
        parts = [dealt[start : start + size] for start in range(0, len(dealt), size)]
        sets.extend(planned_set(seed, cell, part) for part in parts)
    return RoundPlan(seed, _by_key(sets), (), unusable)


def count_sets(cells: Mapping[Cell, int]) -> tuple[int, tuple[LeftOut, ...]]:
    """How many sets images make and which cells make none, as `plan_round` plans them but only counted.

    Parameters
    ----------
    cells : mapping
        Role, condition and generator -> usable images without repeated pixels; 0 where there are only others.
    """
    stated = {cell: number for cell, number in cells.items() if cell[1] is not None}
    asked: list[Cell] = list(
        product(
            dict.fromkeys(role for role, _, _ in stated),
            dict.fromkeys(condition for _, condition, _ in stated),
            dict.fromkeys(generator for _, _, generator in stated),
        )
    )
    numbers = ((cell, stated.get(cell, 0)) for cell in asked)
    left_out = tuple(LeftOut(*cell, n, why) for cell, n in numbers if (why := _why_not(cell, n)))
    rest = sum(-(-number // IMAGES_PER_SET) for cell, number in cells.items() if cell[1] is None)
    return len(asked) - len(left_out) + rest, left_out


def deal(images: Iterable[StoredImage], seed: int, n: int) -> list[StoredImage]:
    """`n` of the images, as evenly over their prompts as these allow."""
    by_prompt: dict[str, list[StoredImage]] = defaultdict(list)
    for image in sorted(images, key=lambda one: key_of(["image", seed, one.sha256, one.image_id])):
        by_prompt[image.prompt].append(image)
    prompts = sorted(by_prompt, key=lambda prompt: key_of(["prompt", seed, prompt]))
    rounds = range(max(map(len, by_prompt.values()), default=0))
    dealt = [
        by_prompt[prompt][turn] for turn in rounds for prompt in prompts if turn < len(by_prompt[prompt])
    ]
    return dealt[:n]


def usable_cells(images: Iterable[StoredImage]) -> tuple[dict[Cell, list[StoredImage]], Counter[str]]:
    """Usable images by cell, without repeated pixels, and the number of the others by reason."""
    cells: dict[Cell, list[StoredImage]] = defaultdict(list)
    unusable: Counter[str] = Counter()
    seen: set[tuple[Cell, str]] = set()
    for image in sorted(images, key=lambda one: one.image_id):
        cell = (image.role, image.condition, image.generator)
        if image.status is not ImageStatus.OK:
            unusable[image.status.value] += 1
        elif (cell, image.sha256) in seen:
            unusable["same pixels as another"] += 1
        else:
            seen.add((cell, image.sha256))
            cells[cell].append(image)
    return cells, unusable


def _asked(given: Sequence[T] | None, found: Iterable[T]) -> list[T]:
    """What was asked for, or what there is; each once."""
    return list(dict.fromkeys(found if given is None else given))


def _why_not(cell: Cell, n: int) -> str:
    if cell[1] is None:
        return "no condition is stated for these images"
    if n == 0:
        return "no usable image"
    if n < IMAGES_PER_SET:
        return f"{n} usable images, a set needs {IMAGES_PER_SET}"
    return ""


def _by_key(sets: Iterable[PlannedSet]) -> tuple[PlannedSet, ...]:
    return tuple(sorted(sets, key=lambda one: one.key))


def planned_set(seed: int, cell: Cell, images: Sequence[StoredImage]) -> PlannedSet:
    """A set with its images shuffled, so that their position tells nothing about the prompt."""
    hashes = sorted(one.sha256 for one in images)
    key = key_of(["image set", seed, cell, hashes])[:KEY_DIGITS]
    shuffled = sorted(images, key=lambda one: key_of(["position", seed, key, one.sha256]))
    return PlannedSet(key, *cell, tuple(shuffled))
