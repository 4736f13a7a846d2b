"""Images by prompt, the prompt whose image is newest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.records import Condition, ImageStatus, StoredImage

Key = tuple[str, Condition | None, str]
"""Role, condition, prompt."""


@dataclass(frozen=True, slots=True)
class Group:
    """The images of one prompt in the order they arrived, and how many there will be."""

    role: str
    condition: Condition | None
    prompt: str
    images: tuple[StoredImage, ...]
    asked: int

    @property
    def made(self) -> int:
        """Images that may be sent on."""
        return sum(image.status is ImageStatus.OK for image in self.images)

    @property
    def cells(self) -> int:
        """Places for images, those to come included."""
        return max(self.asked, len(self.images))


class Groups:
    """Takes images as they arrive; `newest_first` is the order of the screen."""

    def __init__(self, asked: int = 0) -> None:
        self.asked = asked
        self._images: dict[Key, list[StoredImage]] = {}
        self.last_id = 0

    def add(self, images: Iterable[StoredImage]) -> bool:
        """Add images that arrived, oldest first; returns whether there was any."""
        before = self.last_id
        for image in images:
            if image.image_id <= self.last_id:
                continue
            key = (image.role, image.condition, image.prompt)
            # Taken out and put back: the last one in is the one with the newest image.
            self._images[key] = [*self._images.pop(key, []), image]
            self.last_id = image.image_id
        return self.last_id > before

    def newest_first(self) -> tuple[Group, ...]:
        """All groups."""
        return tuple(Group(*key, tuple(images), self.asked) for key, images in reversed(self._images.items()))

    def __len__(self) -> int:
        """Number of images."""
        return sum(map(len, self._images.values()))
