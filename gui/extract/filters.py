"""Which images are listed: by generator, condition, status of the record, and role; no widgets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.records import Condition, Status
from gui.extract.facts import ReadImage
from gui.models.coverage import in_words
from gui.models.failures import failure_class

EVERY, READ, NOT_READ, FAILED = "Any status", "read", "not read", "failed"
ALL_GENERATORS = "All generators"


@dataclass(frozen=True, slots=True)
class Filter:
    """What is wanted; the defaults want everything."""

    generator: str = ALL_GENERATORS
    condition: Condition | None = None
    status: str = EVERY
    text: str = ""

    def wants(self, one: ReadImage) -> bool:
        """Whether an image is listed."""
        image = one.image
        return (
            self.generator in (ALL_GENERATORS, image.generator)
            and (self.condition is None or image.condition is self.condition)
            and self._wants_status(one.status)
            and self.text.strip().lower() in in_words(image.role).lower()
        )

    def _wants_status(self, status: Status | None) -> bool:
        if self.status == FAILED:
            return status not in (None, Status.OK)
        return self.status in (EVERY, words_of(status))


def words_of(status: Status | None) -> str:
    """The status of an image's record as it is listed."""
    if status is None:
        return NOT_READ
    return READ if status is Status.OK else failure_class("extract", status.value, 1).title.lower()


def statuses_in(images: Iterable[ReadImage]) -> tuple[str, ...]:
    """What can be chosen: all, read, not read, failed, and each class that occurs."""
    found = {one.status for one in images}
    classes = sorted(words_of(status) for status in found if status not in (None, Status.OK))
    return (EVERY, READ, NOT_READ, *((FAILED, *classes) if classes else ()))


@dataclass(frozen=True, slots=True)
class Listed:
    """All images, or the first of them while the others are read, and what can be chosen among them."""

    images: tuple[ReadImage, ...] = ()
    generators: tuple[str, ...] = ()
    statuses: tuple[str, ...] = (EVERY,)
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Picked:
    """The images that are wanted: their rows, and the row of each by image id."""

    rows: tuple[ReadImage, ...] = ()
    row_of: Mapping[int, int] = field(default_factory=dict)
    all: int = 0
    is_part: bool = False


def listed(images: Sequence[ReadImage], *, is_part: bool = False) -> Listed:
    """Images with what can be chosen among them; slow with many, so it is called off the GUI thread."""
    generators = dict.fromkeys(one.image.generator for one in images)
    return Listed(tuple(images), tuple(generators), statuses_in(images), is_part)


def pick(found: Listed, wanted: Filter) -> Picked:
    """The images that are wanted, in their order; slow with many as well."""
    rows = tuple(one for one in found.images if wanted.wants(one))
    row_of = {one.image.image_id: at for at, one in enumerate(rows)}
    return Picked(rows, row_of, len(found.images), found.is_part)
