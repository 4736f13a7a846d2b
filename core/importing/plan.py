"""What an import will do, before it does anything: pictures to take, and files not taken with reasons."""

from __future__ import annotations

import unicodedata
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
    """Everything that a folder holds: `asked` = pictures + refused, and what belongs to a released folder.

    `passed_over` are the columns of the map from which nothing is taken, `studies_left_out` is the number of
    folders of studies that were not looked into.
    """

    root: Path
    pictures: list[Pending] = field(default_factory=list)
    refused: list[Failure] = field(default_factory=list)
    companions: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    studies_left_out: int = 0

    @property
    def asked(self) -> int:
        """Number of files looked at."""
        return len(self.pictures) + len(self.refused)

    def refuse(self, item: str, kind: str, reason: str) -> None:
        """Note a file that is not taken, with the class and the reason."""
        self.refused.append(Failure(shown_path(item), kind, reason))


LONGEST_WORDS = 500
"""Of a role, a generator or a prompt; a longer one is not what it says it is."""

MOST_SEED = 2**63 - 1


def plain_words(text: str, where: str) -> str | None:
    """Words from outside as they can be kept and shown, or None when nothing is left of them.

    Control characters, line breaks, bidirectional overrides and halves of surrogate pairs become spaces,
    runs of spaces one; more than 500 characters raise BadInput.

    >>> plain_words(f"a{chr(0x202E)}  b ", "map.csv, line 2")
    'a b'
    """
    kept = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in text)
    words = " ".join(unicodedata.normalize("NFC", kept).split())
    if len(words) > LONGEST_WORDS:
        raise BadInput(
            f"{where}: {shortened(words)} has {len(words)} characters.", f"Use at most {LONGEST_WORDS}."
        )
    return words or None


def shown_path(relative: str) -> str:
    """A path as it can be kept and shown: bytes that are no text as escapes, control characters too."""
    text = relative.encode("utf-8", "backslashreplace").decode("utf-8")
    is_plain = [unicodedata.category(each)[0] != "C" for each in text]
    return "".join(
        each if plain else each.encode("unicode_escape").decode()
        for each, plain in zip(text, is_plain, strict=True)
    )


def shortened(text: str) -> str:
    """The beginning of a text, quoted, for a sentence about it."""
    return repr(text if len(text) <= 40 else f"{text[:39]}…")


def seed_stated(text: str, where: str) -> int | None:
    """A seed as written: a whole number from 0 that 63 bits can hold; anything else raises BadInput."""
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 19 or int(text) > MOST_SEED:
        raise BadInput(
            f"{where}: seed {shortened(text)} is not a whole number from 0 to {MOST_SEED}.", "Correct it."
        )
    return int(text)


def folder_of_pictures(folder: Path) -> Path:
    """The folder, resolved; a missing one or a file raises BadInput."""
    if not folder.exists():
        raise BadInput(f"There is no folder {folder}.", "Check the path and try again.")
    if not folder.is_dir():
        raise BadInput(f"{folder} is a file, not a folder.", "Name the folder that holds the pictures.")
    return folder.resolve()
