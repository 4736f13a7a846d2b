"""The known right answers: exact P(label | role, condition) of what drawn pictures show.

Summed over the network with all its constraints, not estimated. Shares are among the images whose value is
known, as every statistic of the audit takes them; `unknown_share` is the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from core.errors import BadInput
from core.generation.drawn.traits import Situation, network_of
from core.generation.drawn.truth import READERS, Labels, Reader
from core.records import Condition, Prompt, PromptKind

_OF_THE_PROMPT = frozenset({"setting", "held", "tool", "pose"})
"""Nodes whose tables depend on the place or activity that a prompt names."""


class Planted:
    """What one drawn generator has planted."""

    def __init__(self, generator: str) -> None:
        self.generator = generator

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Dimensions with a planted distribution."""
        return tuple(READERS)

    def depends_on_prompt(self, dimension: str) -> bool:
        """Whether the distribution depends on the place or activity of the prompt, in CA-R and CA-U."""
        anywhere = Situation.of(self.generator, Prompt("", Condition.CF, PromptKind.BASE, ""))
        closure = network_of(anywhere).closure(_reader(dimension).needs)
        return any(node.name in _OF_THE_PROMPT for node in closure)

    def distribution(
        self, role: str, condition: Condition, dimension: str, prompts: Sequence[Prompt] | None = None
    ) -> dict[str, float]:
        """P(label | role, condition) among images with a known value.

        Parameters
        ----------
        role, condition
            The cell asked for.
        dimension : str
            One of `dimensions`. For a list dimension the result is each label's share of the images, and
            does not sum to 1.
        prompts : sequence of Prompt, optional
            The prompts of the cell, each equally often. Needed where what is seen depends on the place or
            the activity that a prompt names (weather, items, activities, pose, depth of field) in CA-R and
            CA-U.

        Raises
        ------
        BadInput
            For a dimension that is not planted, and where prompts are needed and not given.
        """
        outcomes = self._outcomes(role, condition, dimension, prompts)
        known = sum(share for labels, share in outcomes.items() if labels is not None)
        found: dict[str, float] = {}
        for labels, share in outcomes.items():
            for label in labels or ():
                found[label] = found.get(label, 0.0) + share / known
        return found

    def unknown_share(
        self, role: str, condition: Condition, dimension: str, prompts: Sequence[Prompt] | None = None
    ) -> float:
        """Share of images that do not show the dimension; parameters as in `distribution`."""
        return self._outcomes(role, condition, dimension, prompts).get(None, 0.0)

    def _outcomes(
        self, role: str, condition: Condition, dimension: str, prompts: Sequence[Prompt] | None
    ) -> dict[Labels, float]:
        if prompts is None:
            if condition is not Condition.CF and self.depends_on_prompt(dimension):
                raise BadInput(
                    f"What pictures show of {dimension} depends on the prompts in {condition.value}.",
                    "Give the prompts of the cell.",
                )
            prompts = [Prompt(role, condition, PromptKind.BASE, "")]
        found: dict[Labels, float] = {}
        for prompt in prompts:
            for labels, share in _exact(Situation.of(self.generator, prompt), dimension).items():
                found[labels] = found.get(labels, 0.0) + share / len(prompts)
        return found


@lru_cache(maxsize=20_000)
def _exact(situation: Situation, dimension: str) -> dict[Labels, float]:
    reader = _reader(dimension)
    return network_of(situation).distribution(reader.needs, lambda values: reader.read(values, situation))


def _reader(dimension: str) -> Reader:
    if dimension not in READERS:
        raise BadInput(f"Nothing is planted for {dimension}.", f"Planted dimensions: {', '.join(READERS)}.")
    return READERS[dimension]


def planted(generator_name: str) -> Planted:
    """The planted distributions of an embedded drawn generator.

    >>> shares = planted("drawn-a").distribution("nurse", Condition.CF, "gender_presentation")
    >>> {label: round(share, 3) for label, share in shares.items()}
    {'female': 0.918, 'male': 0.082}
    """
    return Planted(generator_name)
