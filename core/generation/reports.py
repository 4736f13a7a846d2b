"""What comes back while images are made: each image or why not, and word of every step in between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from core.errors import GeneratorError
from core.records import NewImage, Prompt

Task: TypeAlias = tuple[Prompt, int]
"""One image asked for: prompt and seed."""


@dataclass(frozen=True, slots=True)
class Step:
    """A denoising step is behind an image: `number` of `total`."""

    task: Task
    number: int
    total: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing new yet; `text` says what is going on, such as loading a model."""

    text: str


@dataclass(frozen=True, slots=True)
class NotMade:
    """An image that could not be made, and why."""

    task: Task
    error: GeneratorError


Report: TypeAlias = NewImage | NotMade | Step | Waiting


class Reports(Protocol):
    """Reports as they come, one image or `NotMade` for every task, in any order; closing stops the work."""

    def __iter__(self) -> Iterator[Report]: ...

    def __next__(self) -> Report: ...

    def close(self) -> None:
        """Stop within one step; nothing half-made comes out."""
