"""A count as the slider shows it: the number, where it came from, and both in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """What the slider shows: value and source of the answer, how many are marked, whether it is needed."""

    value: int | None = None
    source: str | None = None
    marks: int = 0
    most: int = 10
    is_needed: bool = True

    @property
    def is_unset(self) -> bool:
        """Whether no act has set it."""
        return self.value is None

    @property
    def is_from_marks(self) -> bool:
        """Whether it is the number of marked images."""
        return self.value is not None and self.source == "marks"

    @property
    def words(self) -> str:
        """Where the value came from."""
        if not self.is_needed:
            return "not needed"
        if self.value is None:
            return "not set"
        if self.is_from_marks:
            return "from your marks"
        if self.marks != 0 and self.marks != self.value:
            return f"set by hand, {self.marks} marked"
        return "set by hand"

    @property
    def number(self) -> str:
        """The value, or a dash while there is none."""
        return "–" if self.value is None or not self.is_needed else str(self.value)
