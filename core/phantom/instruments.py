"""What looks at a picture whose labels are known: the reader with its measured errors, or simulated people.

A calibration needs to know the right answer. It takes the labels of the pictures that were measured for what
they show, and lets an instrument look at them again: each label is read as something else as often as the
instrument's error rates say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from core.records import UNKNOWN

Row = Mapping[str, float]
LabelRow = Mapping[str, Any]
"""A picture: role, condition, prompt text, and labels by dimension."""


@dataclass(frozen=True)
class Eye:
    """The error rates of one who looks.

    Attributes
    ----------
    one : callable
        Dimension and true label -> what is answered, with which probability.
    listed : callable
        Dimension and label of a list -> probability of naming it when it is there, and when it is not.
    """

    one: Callable[[str, str], Row]
    listed: Callable[[str, str], tuple[float, float]]


def reader_eye(errors: Mapping[str, Mapping[str, Any]]) -> Eye:
    """The reader, by the counts of its held-out errors; a label that was not held out is read rightly.

    Parameters
    ----------
    errors : mapping
        Of one kind of picture in `reader.json`: dimension -> `matrix` (true -> read -> pictures), or for a
        list `labels` (label -> named where it is, where it is, named where it is not, where it is not).
    """

    def one(dimension: str, true: str) -> Row:
        row = errors[dimension]["matrix"].get(true)
        return {read: n / sum(row.values()) for read, n in row.items()} if row else {true: 1.0}

    def listed(dimension: str, label: str) -> tuple[float, float]:
        hits, there, false, absent = errors[dimension]["labels"].get(label, (0, 0, 0, 0))
        return hits / there if there else 1.0, false / absent if absent else 0.0

    return Eye(one, listed)


def looked_at(rows: Sequence[LabelRow], eyes: Sequence[Eye], seed: int) -> list[LabelRow]:
    """The pictures with the labels that most of these eyes see; a tie is unknown.

    Parameters
    ----------
    rows : sequence of mapping
    eyes : sequence of Eye
        One reader, or several people.
    seed : int
        Of their errors.
    """
    chance = Random(seed)
    spaces = _lists(rows)
    return [{**row, "labels": _seen(row["labels"], eyes, spaces, chance)} for row in rows]


def _lists(rows: Sequence[LabelRow]) -> dict[str, list[str]]:
    """Labels of each dimension that is a list."""
    found: dict[str, set[str]] = {}
    for row in rows:
        for dimension, said in row["labels"].items():
            if isinstance(said, list):
                found.setdefault(dimension, set()).update(said)
    return {dimension: sorted(labels) for dimension, labels in found.items()}


def _seen(
    labels: Mapping[str, Any], eyes: Sequence[Eye], spaces: Mapping[str, Sequence[str]], chance: Random
) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for dimension, said in labels.items():
        if isinstance(said, list):
            named = Counter(
                label
                for eye in eyes
                for label in spaces[dimension]
                if chance.random() < eye.listed(dimension, label)[label not in said]
            )
            seen[dimension] = [label for label in spaces[dimension] if 2 * named[label] > len(eyes)]
        else:
            answers = [_drawn(eye.one(dimension, said), chance) for eye in eyes]
            seen[dimension] = plurality(answers)
    return seen


def _drawn(row: Row, chance: Random) -> str:
    return chance.choices(list(row), list(row.values()))[0]


def plurality(answers: Sequence[str]) -> str:
    """The commonest of the answers that are known; unknown when none is, or two are equally common.

    >>> plurality(["male", "female", "male"]), plurality(["male", "female", "unknown"])
    ('male', 'unknown')
    """
    known = Counter(answer for answer in answers if answer != UNKNOWN).most_common(2)
    is_tied = len(known) == 2 and known[0][1] == known[1][1]
    return known[0][0] if known and not is_tied else UNKNOWN
