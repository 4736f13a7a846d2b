"""P(label | role, condition): what a drawn generator has planted, read from one JSON file.

    P = (1 - s) B + s T

B is what everyone looks like, T what is typical of the role, and s how strongly the generator leans on the
type in this condition. A study of the generator should find just that. A role may have a strength of its own;
a negative one turns the association round.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.generation.drawn.parts import FOLDER
from core.keys import key_of
from core.records import Condition

FILES = {"drawn-a": "bias_a.json", "drawn-b": "bias_b.json"}


class Bias:
    """The planted probabilities of one drawn generator."""

    def __init__(self, text: Mapping[str, Any]) -> None:
        self._text = text
        self._known: dict[tuple[str, str, Condition], dict[str, float]] = {}

    @property
    def hash(self) -> str:
        """Content hash of the file's content: another planted bias is another generator setting."""
        return key_of(self._text)

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the attributes that are planted."""
        return tuple(self._text["everyone"])

    def table(self, attribute: str, role: str, condition: Condition) -> dict[str, float]:
        """P(label | role, condition) of one attribute, labels in the order of the file."""
        key = (attribute, role, condition)
        if key not in self._known:
            self._known[key] = self._table(*key)
        return self._known[key]

    def grey_share(self, age: str) -> float:
        """Share of people of an age whose hair is grey or white."""
        return float(self._text["grey"][age])

    @property
    def white_of_grey(self) -> float:
        """Share of white hair among grey or white hair."""
        return float(self._text["white_of_grey"])

    def _table(self, attribute: str, role: str, condition: Condition) -> dict[str, float]:
        everyone = self._everyone(attribute, condition)
        typical = self._typical(attribute, role, everyone)
        strength = self._strength(attribute, role, condition)
        return {
            label: (1 - strength) * share + strength * typical[label] for label, share in everyone.items()
        }

    def _strength(self, attribute: str, role: str, condition: Condition) -> float:
        strengths = self._text["strength"]
        usual = strengths.get(attribute, strengths["any"])
        own = self._text.get("role_strength", {}).get(role, {}).get(attribute, {})
        return float(own.get(condition.value, usual[condition.value]))

    def _everyone(self, attribute: str, condition: Condition) -> dict[str, float]:
        shifted = self._text["shifts"].get(condition.value, {})
        shares: dict[str, float] = shifted.get(attribute, self._text["everyone"][attribute])
        return shares

    def _typical(self, attribute: str, role: str, everyone: Mapping[str, float]) -> dict[str, float]:
        if attribute == "gender_presentation":
            women = self._text["women"].get(role, everyone["female"])
            return {"female": women, "male": 1 - women}
        kind = self._text["kind_of_work"].get(role, "")
        stated = (
            self._text["roles"].get(role, {}).get(attribute, self._text["kinds"].get(kind, {}).get(attribute))
        )
        return _completed(stated, everyone) if stated is not None else dict(everyone)


def _completed(stated: Mapping[str, float], everyone: Mapping[str, float]) -> dict[str, float]:
    """Spread what is left of 1 over the labels that are not stated, in proportion to everyone's shares."""
    left = 1 - sum(stated.values())
    rest = sum(share for label, share in everyone.items() if label not in stated)
    return {
        label: stated[label] if label in stated else (left * share / rest if rest else 0.0)
        for label, share in everyone.items()
    }


@cache
def load_bias(name: str) -> Bias:
    """The bias of an embedded drawn generator, or of a file of the same form.

    Raises
    ------
    BadInput
        When there is no such generator and no such file.
    """
    path = FOLDER / FILES[name] if name in FILES else Path(name)
    if not path.is_file():
        raise BadInput(f"There is no planted bias {name!r}.", f"Use {' or '.join(FILES)}, or a JSON file.")
    return Bias(json.loads(path.read_text(encoding="utf-8")))
