"""What is behind the sums of the Study page: exactly the images, or image sets, that a sum counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from core.records import ImageSet, StoredImage
from gui.models.people import Person, short_names
from gui.words import counted

if TYPE_CHECKING:
    from storage.store import Store


class Sum(Enum):
    """A sum that is opened, with the title of what it opens."""

    IMAGES = "Images"
    FAILED_IMAGES = "Images that failed"
    READ = "Images with a record"
    UNREAD = "Images that could not be read"
    ANSWERED = "Image sets with answers"


@dataclass(frozen=True, slots=True)
class Asked:
    """Which sum is opened; with `annotator`, the part of one person."""

    sum: Sum
    annotator: str = ""

    @property
    def title(self) -> str:
        """The title of the drawer."""
        return f"{self.annotator}: {self.sum.value.lower()}" if self.annotator else self.sum.value


@dataclass(frozen=True, slots=True)
class AnsweredSet:
    """An image set, its number in its round, and how many answers each person gave, by name."""

    title: str
    image_set: ImageSet
    said: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Behind:
    """What a sum counts: images, or image sets."""

    asked: Asked
    images: tuple[StoredImage, ...] = ()
    sets: tuple[AnsweredSet, ...] = ()

    @property
    def facts(self) -> str:
        """How much it is."""
        if self.asked.sum is Sum.ANSWERED:
            return counted(len(self.sets), "image set")
        return counted(len(self.images), "image")


def read_behind(store: Store, asked: Asked) -> Behind:
    """Read what is behind a sum; slow enough with many images to be kept off the GUI thread."""
    from storage.progress import images_with_record, left_out_images, unread_images

    match asked.sum:
        case Sum.IMAGES:
            return Behind(asked, tuple(store.images(status="ok")))
        case Sum.FAILED_IMAGES:
            return Behind(asked, tuple(left_out_images(store)))
        case Sum.READ:
            return Behind(asked, tuple(images_with_record(store)))
        case Sum.UNREAD:
            return Behind(asked, tuple(unread_images(store)))
    return Behind(asked, sets=_answered(store, asked.annotator))


def _answered(store: Store, annotator: str) -> tuple[AnsweredSet, ...]:
    from storage.progress import answers_by_set

    answers = answers_by_set(store)
    short = short_names([Person(one.name, one.is_simulated) for one in store.annotators()])
    rounds = store.rounds()
    found = []
    for one in rounds:
        where = f"{one.name}, set" if len(rounds) > 1 else "Set"
        for number, image_set in enumerate(store.image_sets(one.round_id), 1):
            by_name = answers.get(image_set.image_set_id, {})
            if by_name and (not annotator or annotator in by_name):
                said = _said(by_name, short, annotator)
                found.append(AnsweredSet(f"{where} {number}", image_set, said))
    return tuple(found)


def _said(
    by_name: Mapping[str, int], short: Mapping[str, str], annotator: str
) -> tuple[tuple[str, str], ...]:
    return tuple(
        (short[name], counted(number, "answer"))
        for name, number in by_name.items()
        if not annotator or name == annotator
    )
