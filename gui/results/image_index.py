"""Which images stand behind a number: labels of all images by generator, role and dimension, as codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.records import UNKNOWN, Condition, Status
from core.schema import Schema

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

COLUMNS = ("generator", "role", "condition", "prompt", "dimension", "label", "status")


@dataclass(frozen=True, slots=True)
class Read:
    """What was read off one image in one dimension; `why_out` says why it does not count, "" if it does."""

    image_id: int
    condition: str
    prompt: str
    role: str
    labels: tuple[str, ...]
    why_out: str = ""


class ImageIndex:
    """Rows of a label table in the order of (generator, dimension, role), found by halving.

    Parameters
    ----------
    labels : DataFrame
        As `storage.frames` makes it.
    schema : Schema
        Names labels as the result tables do.
    """

    def __init__(self, labels: Any, schema: Schema) -> None:
        import numpy as np

        self._schema = schema
        columns = {name: labels[name].astype("category") for name in COLUMNS}
        self._words = {name: [str(one) for one in column.cat.categories] for name, column in columns.items()}
        codes = {name: column.cat.codes.to_numpy().astype(np.int64) for name, column in columns.items()}
        key = self._keys(codes["generator"], codes["dimension"], codes["role"])
        order = np.argsort(key, kind="stable")
        self._key: Ints = key[order]
        self._image: Ints = labels["image"].to_numpy(dtype=np.int64)[order]
        kept = ("role", "condition", "prompt", "label", "status")
        self._codes: dict[str, Ints] = {name: codes[name][order].astype(np.int32) for name in kept}

    def read(self, generator: str, dimension: str, role: str | None = None) -> tuple[Read, ...]:
        """What was read of a dimension, of one role or of all, an entry an image, in the study's order."""
        place = [
            self._words[name].index(word) if word in self._words[name] else -1
            for name, word in (("generator", generator), ("dimension", dimension))
        ]
        if min(place) < 0:
            return ()
        roles = len(self._words["role"])
        first = self._keys(place[0], place[1], 0)
        last = first + roles
        if role is not None:
            if role not in self._words["role"]:
                return ()
            first += self._words["role"].index(role)
            last = first + 1
        start, stop = self._key.searchsorted([first, last]).tolist()
        return self._entries(range(start, stop), dimension)

    def _keys(self, generator: Any, dimension: Any, role: Any) -> Any:
        roles, dimensions = len(self._words["role"]), len(self._words["dimension"])
        return (generator * dimensions + dimension) * roles + role

    def _entries(self, rows: Sequence[int], dimension: str) -> tuple[Read, ...]:
        found: dict[int, list[int]] = {}
        for row in rows:
            found.setdefault(int(self._image[row]), []).append(row)
        return tuple(self._entry(image, its, dimension) for image, its in found.items())

    def _entry(self, image: int, rows: list[int], dimension: str) -> Read:
        labels: list[str] = []
        why = ""
        is_usable = False
        for row in rows:
            status, label = self._word("status", row), self._word("label", row)
            if status != Status.OK:
                why = why or status
                continue
            if not label:
                is_usable = True  # a list that was read and holds nothing: its image counts
                continue
            name = self._schema.canonical(dimension, label)
            if name is None or name == UNKNOWN:
                why = why or (UNKNOWN if name == UNKNOWN else "label outside the vocabulary")
                continue
            is_usable = True
            if name not in labels:
                labels.append(name)
        first = rows[0]
        condition, prompt, role = (self._word(name, first) for name in ("condition", "prompt", "role"))
        why_out = "" if is_usable else why or "no record"
        return Read(image, condition, prompt, role, tuple(labels), why_out)

    def _word(self, name: str, row: int) -> str:
        return self._words[name][int(self._codes[name][row])]


@dataclass(frozen=True, slots=True)
class Group:
    """The images of one condition: with the label, with another label, and left out by reason."""

    condition: Condition
    having: tuple[int, ...]
    other: tuple[int, ...]
    left_out: dict[str, int]

    @property
    def images(self) -> int:
        """Images that count."""
        return len(self.having) + len(self.other)

    @property
    def share(self) -> float | None:
        """Share of images with the label."""
        return len(self.having) / self.images if self.images else None


def grouped(reads: Sequence[Read], label: str) -> tuple[Group, ...]:
    """Images by condition, those with the label first."""
    groups = []
    for condition in Condition:
        here = [one for one in reads if one.condition == condition.value]
        counted = [one for one in here if not one.why_out]
        left_out: dict[str, int] = {}
        for one in here:
            if one.why_out:
                left_out[one.why_out] = left_out.get(one.why_out, 0) + 1
        groups.append(
            Group(
                condition,
                tuple(one.image_id for one in counted if label in one.labels),
                tuple(one.image_id for one in counted if label not in one.labels),
                left_out,
            )
        )
    return tuple(group for group in groups if group.images or group.left_out)


def label_shares(reads: Sequence[Read], condition: Condition) -> list[tuple[str, int, int]]:
    """(label, images with it, images) of one condition, the most frequent first."""
    counted = [one for one in reads if one.condition == condition.value and not one.why_out]
    numbers: dict[str, int] = {}
    for one in counted:
        for label in one.labels:
            numbers[label] = numbers.get(label, 0) + 1
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    return [(label, number, len(counted)) for label, number in ordered]
