"""The design of a round: what is asked about which image sets, and what is shown beside them.

Beside the image sets of the study a round has

* training: sets of images that no set of the study holds, with the study lead's answers;
* gold: sets of the study whose right answer the lead knows; nobody sees which they are;
* repeats: sets shown a second time, far from the first (`annotation.packet` picks them for each packet).

A design is a plain record and is kept with its round. Once a packet has left, nothing of it changes: a
changed design is a new round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import combinations
from typing import Any

from annotation.right_answers import key_answers
from annotation.rounds import Cell, LeftOut, PlannedSet, deal, planned_set, usable_cells
from annotation.simulated import Truth
from annotation.sitting import COUNT_MODES
from core.amounts import are_counted, counted
from core.errors import BadInput
from core.keys import key_of
from core.packets import KeyAnswer
from core.questions import Question
from core.records import IMAGES_PER_SET, Condition, ImageSet, StoredImage

FEWEST_TO_REPEAT = 20
"""A repeated set comes at least so many sets after its first showing."""

Keys = dict[str, dict[str, KeyAnswer]]
"""Set key -> question -> the study lead's answer."""


@dataclass(frozen=True)
class RoundDesign:
    """What the study lead chooses. None means everything there is; shares are of the sets of the study.

    `overlap` of `annotators` see each set; both are equal in a fully crossed design.
    """

    seed: int
    roles: tuple[str, ...] | None = None
    conditions: tuple[Condition, ...] | None = None
    generators: tuple[str, ...] | None = None
    sets_per_cell: int = 1
    images_per_set: int = IMAGES_PER_SET
    count_mode: str = "marks+slider"
    show_role: bool = False
    annotators: int = 3
    overlap: int = 3
    gold_share: float = 0.05
    repeat_share: float = 0.05
    repeat_gap: int = FEWEST_TO_REPEAT
    training: int = 6
    pass_share: float = 0.8
    attempts: int = 3

    def __post_init__(self) -> None:
        """Refuse what cannot be carried out."""
        for is_wrong, sentence in (
            (not 1 <= self.images_per_set <= IMAGES_PER_SET, "A set has 1 to 10 images."),
            (self.sets_per_cell < 1, "A cell needs at least one set."),
            (not 1 <= self.overlap <= self.annotators, "The overlap is 1 to the number of annotators."),
            (not 0 <= self.gold_share <= 1, "The share of gold sets lies between 0 and 1."),
            (not 0 <= self.repeat_share <= 0.5, "The share of repeats lies between 0 and 0.5."),
            (self.repeat_gap < 1, "A repeat comes at least one set after its first showing."),
            (self.training < 0, "The number of training sets cannot be negative."),
            (not 0 <= self.pass_share <= 1, "The share to pass lies between 0 and 1."),
            (self.attempts < 1, "Training needs at least one attempt."),
            (self.count_mode not in COUNT_MODES, f"Count by one of: {', '.join(COUNT_MODES)}."),
        ):
            if is_wrong:
                raise BadInput(sentence)

    def as_settings(self) -> dict[str, Any]:
        """The design as JSON-able values."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }


def design_of(settings: Mapping[str, Any], seed: int) -> RoundDesign | None:
    """The design that a round was made with; None for a round without one (made before, or by the window)."""
    data = settings.get("design")
    if data is None:
        return None
    known = {one.name for one in fields(RoundDesign)}
    kept = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    if kept.get("conditions") is not None:
        kept["conditions"] = tuple(Condition(one) for one in kept["conditions"])
    chosen: dict[str, Any] = {name: value for name, value in kept.items() if name in known}
    return RoundDesign(**{**chosen, "seed": seed})


@dataclass(frozen=True)
class DesignPlan:
    """The sets of a round to be: of the study, for training, and what is known to be right about them.

    `notes` say in sentences what was asked for and cannot be had.
    """

    design: RoundDesign
    sets: tuple[PlannedSet, ...]
    training: tuple[PlannedSet, ...]
    keys: Keys
    left_out: tuple[LeftOut, ...] = ()
    unusable: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def gold(self) -> tuple[str, ...]:
        """Keys of the gold sets."""
        return tuple(one.key for one in self.sets if one.key in self.keys)

    def settings(self) -> dict[str, Any]:
        """What is kept with the round."""
        left_out = [[one.role, one.condition, one.generator, one.reason] for one in self.left_out]
        return {
            "design": self.design.as_settings(),
            "left_out": left_out,
            "unusable": dict(self.unusable),
            "notes": list(self.notes),
        }


def plan_design(
    images: Sequence[StoredImage], truth: Truth, questions: Sequence[Question], design: RoundDesign
) -> DesignPlan:
    """Sample the sets of a round.

    Parameters
    ----------
    images : sequence of StoredImage
        All images of the study.
    truth : mapping
        What is on those images of which it is known, by image id and dimension: their key answers.
    questions : sequence of Question
        What the round asks.
    design : RoundDesign
        What was chosen.

    Returns
    -------
    DesignPlan
        The same for the same images and design on every machine. The images of a set are spread over
        the prompts of its cell as evenly as can be. Image sets of the study come in the order of keys.

    Raises
    ------
    BadInput
        No cell has enough images.
    """
    cells, unusable = usable_cells(images)
    sets: list[PlannedSet] = []
    rest: dict[Cell, list[StoredImage]] = {}
    left_out: list[LeftOut] = []
    size, wanted = design.images_per_set, design.sets_per_cell
    for cell in _asked(design, cells):
        dealt = deal(cells.get(cell, ()), design.seed, len(cells.get(cell, ())))
        whole = min(wanted, len(dealt) // size)
        if whole < wanted:
            left_out.append(LeftOut(*cell, len(dealt), _lacking(cell, len(dealt), whole, design)))
        if cell[1] is None:
            continue
        sets += [
            planned_set(design.seed, cell, dealt[turn * size : (turn + 1) * size]) for turn in range(whole)
        ]
        rest[cell] = dealt[whole * size :]
    if not sets:
        raise BadInput(
            f"No cell has {size} usable images with a stated condition, so no image set can be made.",
            "Generate or import images first, or ask for fewer images a set.",
        )
    training, notes = _training(rest, truth, design)
    gold, more = _gold(sets, truth, questions, design)
    keys = {one.key: key_answers(_as_set(one), truth, questions) for one in training} | gold
    return DesignPlan(
        *(design, tuple(sorted(sets, key=lambda one: one.key)), tuple(training)),
        keys={key: found for key, found in keys.items() if found},
        left_out=tuple(left_out),
        unusable=dict(unusable),
        notes=(*notes, *more),
    )


def assigned(keys: Iterable[str], slot: int, design: RoundDesign) -> list[str]:
    """The sets that the annotator in a slot sees: each set by `overlap` of the annotators, evenly.

    Every group of annotators gets as many sets as any other, or one less; so do all pairs of them.

    >>> design = RoundDesign(seed=1, annotators=3, overlap=2)
    >>> seen = [set(assigned("abcdef", slot, design)) for slot in range(3)]
    >>> [len(one) for one in seen], len(seen[0] & seen[1])
    ([4, 4, 4], 2)
    """
    if slot >= design.annotators:
        raise BadInput(
            f"The round was designed for {counted(design.annotators, 'annotator')}; every packet has left.",
            "Design a new round for more.",
        )
    groups = list(combinations(range(design.annotators), design.overlap))
    shuffled = sorted(keys, key=lambda key: key_of(["assigned", design.seed, key]))
    return [key for number, key in enumerate(shuffled) if slot in groups[number % len(groups)]]


def _asked(design: RoundDesign, cells: Mapping[Cell, Sequence[StoredImage]]) -> list[Cell]:
    roles = design.roles or tuple(dict.fromkeys(cell[0] for cell in cells))
    conditions: tuple[Condition | None, ...] = design.conditions or tuple(
        dict.fromkeys(cell[1] for cell in cells)
    )
    generators = design.generators or tuple(dict.fromkeys(cell[2] for cell in cells))
    every = [(role, one, generator) for role in roles for one in conditions for generator in generators]
    # "No condition" is asked for only where there are such images.
    return [cell for cell in every if cell[1] is not None or cell in cells]


def _lacking(cell: Cell, images: int, whole: int, design: RoundDesign) -> str:
    if cell[1] is None:
        return "no condition is stated for these images"
    if images == 0:
        return "no usable image"
    if whole:
        return f"{whole} of {design.sets_per_cell} sets: {counted(images, 'usable image')}"
    return f"{counted(images, 'usable image')}, a set needs {design.images_per_set}"


def _training(
    rest: Mapping[Cell, Sequence[StoredImage]], truth: Truth, design: RoundDesign
) -> tuple[list[PlannedSet], list[str]]:
    """Training sets from what the study leaves over, one a cell, and what is lacking."""
    size = design.images_per_set
    known = {cell: [image for image in found if image.image_id in truth] for cell, found in rest.items()}
    usable = {cell: found for cell, found in known.items() if len(found) >= size}
    if not usable:
        usable = {cell: list(found) for cell, found in rest.items() if len(found) >= size}
    order = sorted(usable, key=lambda cell: key_of(["training", design.seed, list(cell)]))
    chosen = [planned_set(design.seed, cell, usable[cell][:size]) for cell in order[: design.training]]
    if len(chosen) < design.training:
        some = f"Images for {len(chosen)} set{'s' if len(chosen) > 1 else ''} are"
        left = some if chosen else "No image is"
        asked = f"{left} left over for training; {are_counted(design.training, 'set', were=True)} asked for."
        return chosen, [f"{asked} Make more images, take fewer images a set, or ask for fewer such sets."]
    return chosen, []


def _gold(
    sets: Sequence[PlannedSet], truth: Truth, questions: Sequence[Question], design: RoundDesign
) -> tuple[Keys, list[str]]:
    """The right answers to as many sets as are wanted as gold, and what is lacking."""
    wanted = round(design.gold_share * len(sets))
    found: Keys = {}
    for one in sorted(sets, key=lambda one: key_of(["gold", design.seed, one.key])):
        if len(found) == wanted:
            return found, []
        right = key_answers(_as_set(one), truth, questions)
        found |= {one.key: right} if right else {}
    if len(found) == wanted:
        return found, []
    return found, [
        f"The right answers of {counted(len(found), 'set')} are known, and "
        f"{are_counted(wanted, 'gold set', were=True)} asked for; give the others in a file."
    ]


def _as_set(planned: PlannedSet) -> ImageSet:
    return ImageSet(0, planned.key, planned.role, planned.condition, planned.generator, planned.images)
