"""What an import will do, before it does anything: pictures to take, and files not taken with reasons."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from core.errors import BadInput
from core.jobs import Failure
from core.records import Condition

UNSORTED = "unsorted"
"""Role of pictures about which nothing is stated."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What is said about a picture, by a map, a manifest or its folders; None where nobody said."""

    role: str | None = None
    condition: Condition | None = None
    generator: str | None = None
    prompt: str | None = None
    seed: int | None = None

    def filled_from(self, other: Stated) -> Stated:
        """This, with what is missing taken from `other`."""
        return Stated(
            self.role if self.role is not None else other.role,
            self.condition if self.condition is not None else other.condition,
            self.generator if self.generator is not None else other.generator,
            self.prompt if self.prompt is not None else other.prompt,
            self.seed if self.seed is not None else other.seed,
        )


@dataclass(frozen=True, slots=True)
class Pending:
    """One picture to take: the file, its format from bytes, and what is stated about it."""

    path: Path
    format: str
    stated: Stated


@dataclass(slots=True)
class ImportPlan:
    """Everything that a folder holds: `asked` = pictures + refused."""

    root: Path
    pictures: list[Pending] = field(default_factory=list)
    refused: list[Failure] = field(default_factory=list)

    @property
    def asked(self) -> int:
        """Number of files looked at."""
        return len(self.pictures) + len(self.refused)

    def refuse(self, item: str, kind: str, reason: str) -> None:
        """Note a file that is not taken, with the class and the reason."""
        self.refused.append(Failure(item, kind, reason))


def folder_of_pictures(folder: Path) -> Path:
    """The folder, resolved; a missing one or a file raises BadInput."""
    if not folder.exists():
        raise BadInput(f"There is no folder {folder}.", "Check the path and try again.")
    if not folder.is_dir():
        raise BadInput(f"{folder} is a file, not a folder.", "Name the folder that holds the pictures.")
    return folder.resolve()
