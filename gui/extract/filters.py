"""Which images are listed: by generator, condition, status of the record, and role; no widgets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


def chosen(images: Sequence[ReadImage], wanted: Filter) -> list[ReadImage]:
    """The images that are wanted, in their order."""
    return [one for one in images if wanted.wants(one)]
