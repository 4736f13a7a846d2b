"""When a picture of a folder is one that the study has already, also where less was said of it before."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from core.importing.plan import UNSORTED
from core.keys import key_of
from core.records import Condition, Prompt


@dataclass(frozen=True, slots=True)
class Identity:
    """All that tells an imported picture from others: its bytes, and what is said of it."""

    content: str
    generator: str
    prompt: Prompt
    seed: int | None

    @property
    def key(self) -> str:
        """The run key of the picture as it is described here."""
        return self._key(self.prompt.role, self.prompt.condition)

    def described_less(self, present: Collection[str]) -> str | None:
        """Run key of the same picture in the study that lacks the condition or the role said here."""
        conditions = dict.fromkeys((self.prompt.condition, None))
        roles = dict.fromkeys((self.prompt.role, UNSORTED))
        keys = [self._key(role, condition) for role in roles for condition in conditions]
        return next((key for key in keys[1:] if key in present), None)

    def described_more(self, present: Collection[str]) -> bool:
        """Whether the study has the same picture with a condition, and none is said here."""
        if self.prompt.condition is not None:
            return False
        return any(self._key(self.prompt.role, condition) in present for condition in Condition)

    def _key(self, role: str, condition: Condition | None) -> str:
        key: dict[str, Any] = {"imported": self.content, "role": role, "condition": condition}
        return key_of(key | {"prompt": self.prompt.text, "generator": self.generator, "seed": self.seed})
