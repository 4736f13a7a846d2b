"""Which images stand behind a number: what was read of one dimension, image by image, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.records import UNKNOWN, Condition, Status
from core.schema import Schema

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from core.labels.label_map import LabelMap

    Ints = npt.NDArray[np.int64]

OUTSIDE, NO_RECORD = "label outside the vocabulary", "no record"


class ImageIndex:
    """Reads what is behind a number of a result from the study, as it was when the result was computed.

    Parameters
    ----------
    folder : Path
        Of the study.
    extractor : str
        Whose records the result is of.
    label_map : LabelMap
        As it was then.
    until : int
        The last record that there was then.
    schema : Schema
        Names labels as the result tables do.
    """

    def __init__(self, folder: Path, extractor: str, label_map: LabelMap, until: int, schema: Schema) -> None:
        self._folder = folder
        self._extractor = extractor
        self._map = label_map
        self._until = until
        self._schema = schema

    def read(
        self,
        generator: str,
        dimension: str,
        role: str | None = None,
        conditions: Sequence[Condition] | None = None,
    ) -> Reads:
        """What was read of a dimension, of one role and some conditions or of all; not for the GUI thread."""
        from storage.frames import Frames

        frames = Frames(self._folder)
        rows = frames.labels_of(self._extractor, generator, dimension, role, self._until, conditions)
        return reads_of(self._map.apply(rows), dimension, self._schema)


@dataclass(frozen=True)
class Reads:
    """What was read of one dimension: images in the study's order, and a pair for every label of one.

    Attributes
    ----------
    images, conditions : array of int
        Ids, and places in `Condition` (−1: none stated).
    why_out : array of int
        Place in `reasons`, 0 for an image that counts.
    label_image, label : array of int
        For each label of an image that counts, once: place of its image, place of its name in `labels`.
    """

    images: Ints
    conditions: Ints
    why_out: Ints
    reasons: tuple[str, ...]
    label_image: Ints
    label: Ints
    labels: tuple[str, ...]


def reads_of(rows: Any, dimension: str, schema: Schema) -> Reads:
    """The rows of a label table, all of one dimension, by image.

    A label outside the vocabulary, *unknown* and a failed record count only where an image has nothing
    else; a list that was read and holds nothing counts.
    """
    import numpy as np

    columns = {name: rows[name].astype("category") for name in ("condition", "label", "status")}
    words = {name: [str(one) for one in column.cat.categories] for name, column in columns.items()}
    codes = {name: column.cat.codes.to_numpy().astype(np.int64) for name, column in columns.items()}
    image, first, place = np.unique(rows["image"].to_numpy(np.int64), return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.argsort(order, kind="stable")[place]
    names, reasons, name_code, why_code = _meanings(words["label"], words["status"], dimension, schema)
    is_ok = np.array([word == Status.OK for word in words["status"]], dtype=bool)[codes["status"]]
    name = np.where(is_ok, name_code[codes["label"]], -1)
    why = np.where(is_ok, why_code[0][codes["label"]], why_code[1][codes["status"]])
    is_usable = np.bincount(place[why == 0], minlength=len(image)) > 0
    why_out = np.zeros(len(image), dtype=np.int64)
    late_first = np.flatnonzero(why)[::-1]
    why_out[place[late_first]] = why[late_first]  # the first reason is written last
    why_out[is_usable] = 0
    has = (name >= 0) & is_usable[place]
    pair = place[has] * max(len(names), 1) + name[has]
    _, kept = np.unique(pair, return_index=True)
    condition = np.array([_condition_code(word) for word in words["condition"]], dtype=np.int64)
    return Reads(
        image[order],
        condition[codes["condition"][first[order]]] if len(image) else image,
        why_out,
        reasons,
        place[has][kept],
        name[has][kept],
        names,
    )


def _meanings(
    labels: Sequence[str], statuses: Sequence[str], dimension: str, schema: Schema
) -> tuple[tuple[str, ...], tuple[str, ...], Ints, tuple[Ints, Ints]]:
    """Names and reasons, and by label and by status which of them it means (−1: no name, 0: no reason)."""
    import numpy as np

    names: dict[str, int] = {}
    reasons = {"": 0, UNKNOWN: 1, OUTSIDE: 2, NO_RECORD: 3}
    name_code, by_label = np.full(len(labels), -1), np.zeros(len(labels), dtype=np.int64)
    for place, label in enumerate(labels):
        said = schema.canonical(dimension, label) if label else ""
        if said is None or said == UNKNOWN:
            by_label[place] = reasons[UNKNOWN if said == UNKNOWN else OUTSIDE]
        elif said:
            name_code[place] = names.setdefault(said, len(names))
    by_status = np.array([reasons.setdefault(word, len(reasons)) for word in statuses], dtype=np.int64)
    return tuple(names), tuple(reasons), name_code, (by_label, by_status)


def _condition_code(word: str) -> int:
    return next((place for place, one in enumerate(Condition) if one.value == word), -1)


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


def grouped(reads: Reads, label: str) -> tuple[Group, ...]:
    """Images by condition, those with the label first."""
    import numpy as np

    has = np.zeros(len(reads.images), dtype=bool)
    if label in reads.labels:
        has[reads.label_image[reads.label == reads.labels.index(label)]] = True
    groups = []
    for place, condition in enumerate(Condition):
        here = reads.conditions == place
        counts = here & (reads.why_out == 0)
        why, number = np.unique(reads.why_out[here & (reads.why_out > 0)], return_counts=True)
        groups.append(
            Group(
                condition,
                tuple(reads.images[counts & has].tolist()),
                tuple(reads.images[counts & ~has].tolist()),
                {reads.reasons[code]: many for code, many in zip(why.tolist(), number.tolist(), strict=True)},
            )
        )
    return tuple(group for group in groups if group.images or group.left_out)


def label_shares(reads: Reads, condition: Condition) -> list[tuple[str, int, int]]:
    """(label, images with it, images) of one condition, the most frequent first."""
    import numpy as np

    here = (reads.conditions == list(Condition).index(condition)) & (reads.why_out == 0)
    numbers = np.bincount(reads.label[here[reads.label_image]], minlength=len(reads.labels)).tolist()
    ordered = sorted(zip(reads.labels, numbers, strict=True), key=lambda item: (-item[1], item[0]))
    return [(label, number, int(here.sum())) for label, number in ordered if number]
