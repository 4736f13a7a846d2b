"""What a packet shows, and in which order: sets in the annotator's own order, with repeats far apart.

A plan is made from content keys of the round's seed and the annotator's name, so it is the same on every
machine; only the neutral keys are drawn at random, because nothing about a set may be computed from them.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation import order
from annotation.design import RoundDesign, assigned
from core.keys import key_of, seed_of
from core.packets import STUDY, TRAINING, PacketPlan, ShownSet
from core.records import ImageSet

KEY_BYTES = 8

Token = Callable[[int], str]
"""Random hexadecimal digits of so many bytes, as `secrets.token_hex`."""


@dataclass(frozen=True)
class Showings:
    """What is shown: the sets of the study in the annotator's order, and which are shown again, where.

    `repeats[key]` is the number of sets of the study that come before the second showing.
    """

    keys: tuple[str, ...]
    repeats: Mapping[str, int]

    def sequence(self) -> list[tuple[str, bool]]:
        """Everything in order: set key, and whether it is the second showing."""
        after: dict[int, list[str]] = {}
        for key, place in self.repeats.items():
            after.setdefault(place, []).append(key)
        found: list[tuple[str, bool]] = []
        for place, key in enumerate(self.keys):
            found += [(one, True) for one in after.get(place, ())]
            found.append((key, False))
        return found + [(one, True) for one in after.get(len(self.keys), ())]


def showings(design: RoundDesign, annotator: str, slot: int, keys: Iterable[str]) -> Showings:
    """The order of the sets that an annotator sees, and the silent repeats among them.

    A repeat comes at least `design.repeat_gap` sets after its first showing, so only early sets can be
    repeated; a round with fewer sets than the gap has no repeats.
    """
    own = tuple(order.set_order(design.seed, annotator, assigned(keys, slot, design)))
    early = own[: max(len(own) - design.repeat_gap + 1, 0)]
    wanted = min(round(design.repeat_share * len(own)), len(early))
    chosen = sorted(early, key=lambda key: key_of(["repeat", design.seed, annotator, key]))[:wanted]
    places = {}
    for key in chosen:
        rng = random.Random(seed_of("repeat place", design.seed, annotator, key, bits=64))
        places[key] = rng.randint(own.index(key) + design.repeat_gap, len(own))
    return Showings(own, places)


def repeat_key(seed: int, key: str) -> str:
    """The study's own key of the second showing of a set."""
    return key_of(["second showing", seed, key])[: len(key)]


def plan_packet(
    design: RoundDesign,
    annotator: str,
    slot: int,
    shown: Showings,
    sets: Sequence[ImageSet],
    repeats: Mapping[str, ImageSet],
    training: Sequence[ImageSet],
    questions: Sequence[str],
    token: Token = secrets.token_hex,
) -> PacketPlan:
    """The plan of a packet.

    Parameters
    ----------
    design, annotator, slot
        The round, and whose packet it is.
    shown : Showings
        From `showings`.
    sets, repeats, training
        Image sets of the study, second showings by the key of the first, sets to practise on.
    questions : sequence of str
        Ids of the questions in their order.
    token : callable
        Source of neutral keys.
    """
    by_key = {one.key: one for one in sets}
    practice = order.set_order(design.seed, annotator, [one.key for one in training])
    of_training = {one.key: one for one in training}
    listed = [(of_training[key], TRAINING) for key in practice]
    listed += [(repeats[key] if again else by_key[key], STUDY) for key, again in shown.sequence()]
    return PacketPlan(
        token(16),
        tuple(
            ShownSet(
                *(token(KEY_BYTES), one.image_set_id),
                order.image_order(design.seed, annotator, one.key, len(one.images)),
                part,
            )
            for one, part in listed
        ),
        tuple(questions),
        order.options_reversed(design.seed, annotator),
        slot,
    )
