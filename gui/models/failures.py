"""What failed, by class: how many, what it is called on the screen, and where it is dealt with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FailureClass:
    """One class of failures: `page` is where it happened, `remedy` what can be done there.

    `reader` is the extractor that failed, where several are told of together.
    """

    count: int
    title: str
    page: str
    remedy: str
    kind: str
    reader: str = ""

    @property
    def where(self) -> str:
        """Second line: page, extractor and remedy."""
        return f"{', '.join(filter(None, (self.page, self.reader)))}: {self.remedy}"


IMPORT = "import"
"""Before the class of a file that an import did not take."""

_WORDS = {
    ("extract", "truncated"): ("Answer cut off", "retry with more tokens"),
    ("extract", "refused"): ("Refused by the extractor", "not asked again, counts as not read"),
    ("extract", "invalid"): ("Not a valid record", "retry"),
    ("extract", "flagged"): ("Flagged, not read", "not asked again, counts as not read"),
    ("extract", "missing_image"): ("Image file missing", "look for the file"),
    ("extract", "error"): ("No answer from the extractor", "retry"),
    ("generate", "black"): ("Black image", "counts as failed, kept"),
    ("generate", "flagged"): ("Flagged by the safety filter", "counts as failed, kept"),
    ("generate", "wrong_size"): ("Wrong size", "counts as failed, kept"),
    ("generate", "GeneratorError"): ("Could not be made", "retry"),
    ("generate", "out_of_memory"): ("Out of GPU memory", "retry with one image a step"),
    ("generate", "import damaged"): ("File to import is damaged", "mend the file, import again"),
    ("generate", "import duplicate"): ("Imported twice", "the same picture is there"),
    ("generate", "import missing"): ("File to import is missing", "mend the map, import again"),
    ("generate", "import not taken"): ("Kind of file that is not taken", "convert it to PNG, import again"),
    ("generate", "import not in the map"): ("File that the map leaves out", "mend the map, import again"),
    ("generate", "import not a picture"): ("File that is no picture", "nothing to do"),
    ("generate", "import in use"): ("Picture that is in a round", "stays as it is"),
}


def failure_class(page: str, kind: str, count: int) -> FailureClass:
    """One class in words; a kind without words of its own is written as it is."""
    is_import = kind.startswith(f"{IMPORT} ")
    words = f"Not imported: {kind.removeprefix(IMPORT).strip()}" if is_import else kind.replace("_", " ")
    fallback = (words[:1].upper() + words[1:] or "Failed", "look at the file" if is_import else "retry")
    title, remedy = _WORDS.get((page, kind), fallback)
    return FailureClass(count, title, page, remedy, kind)


def failure_classes(found: Iterable[tuple[str, str, int]]) -> tuple[FailureClass, ...]:
    """All classes from (page, kind, count), the largest first."""
    counts: Counter[tuple[str, str]] = Counter()
    for page, kind, count in found:
        counts[page, kind] += count
    classes = [failure_class(page, kind, count) for (page, kind), count in counts.items() if count]
    return largest_first(classes)


def largest_first(classes: Iterable[FailureClass]) -> tuple[FailureClass, ...]:
    """In the order in which they are told."""
    return tuple(sorted(classes, key=lambda one: (-one.count, one.page, one.title, one.reader)))
