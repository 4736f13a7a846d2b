"""Which images of a gallery are shown: by role, condition, generator and status; no widgets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.records import Condition, ImageStatus, StoredImage
from gui.models.coverage import in_words
from gui.models.failures import failure_class

ALL = "all"
NO_CONDITION = "no condition"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be shown, in the words of the boxes; "all" leaves a part open."""

    role: str = ALL
    condition: str = ALL
    generator: str = ALL
    status: str = ALL

    def shows(self, image: StoredImage) -> bool:
        """Whether an image is one of them."""
        return (
            self.role in (ALL, in_words(image.role))
            and self.condition in (ALL, condition_word(image.condition))
            and self.generator in (ALL, image.generator)
            and self.status in (ALL, status_word(image.status))
        )

    def of(self, images: Iterable[StoredImage]) -> list[StoredImage]:
        """Those of some images that are to be shown, in their order."""
        return list(images) if self == Wanted() else [image for image in images if self.shows(image)]


def condition_word(condition: Condition | None) -> str:
    """A condition as the box says it."""
    return condition.value if condition is not None else NO_CONDITION


def status_word(status: ImageStatus) -> str:
    """A status as the box says it."""
    return "good" if status is ImageStatus.OK else failure_class("generate", status.value, 1).title.lower()


def roles_in(images: Sequence[StoredImage]) -> list[str]:
    """What the box of roles offers."""
    return [ALL, *sorted({in_words(image.role) for image in images})]


def generators_in(images: Sequence[StoredImage]) -> list[str]:
    """What the box of generators offers, in the order in which they came."""
    return [ALL, *dict.fromkeys(image.generator for image in images)]


def conditions_in(images: Sequence[StoredImage]) -> list[str]:
    """What the box of conditions offers."""
    there = {condition_word(image.condition) for image in images}
    return [ALL, *(word for word in (*Condition, NO_CONDITION) if str(word) in there)]


def statuses_in(images: Sequence[StoredImage]) -> list[str]:
    """What the box of statuses offers."""
    there = {image.status for image in images}
    return [ALL, *(status_word(status) for status in ImageStatus if status in there)]
