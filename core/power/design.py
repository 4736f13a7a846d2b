"""A design in numbers: how many roles, prompts and images, how alike they are, how many people answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.errors import BadInput

PROMPTS: Mapping[str, tuple[int, int, int]] = {"balanced": (6, 6, 6), "paper": (3, 7, 8)}
"""Prompts of a role in CF, CA-R and CA-U, by the name of the design."""

MOST_UNITS = 1_000_000
"""Images of a condition, or answers to a question, beyond which nothing is simulated."""


class _Bounds(NamedTuple):
    words: str
    low: float
    high: float


_BOUNDS = {
    "roles": _Bounds("number of roles", 1, 10_000),
    "images_per_prompt": _Bounds("number of images of a prompt", 1, 1000),
    "generators": _Bounds("number of generators", 1, 100),
    "annotators": _Bounds("number of annotators", 1, 20),
    "image_sets": _Bounds("number of image sets", 1, 2000),
    "labels": _Bounds("number of labels of a question", 2, 30),
    "prevalence": _Bounds("prevalence", 0.0, 1.0),
    "correlation": _Bounds("correlation of images of a prompt", 0.0, 1.0),
    "accuracy": _Bounds("accuracy of an annotator", 0.0, 1.0),
    "most_common": _Bounds("share of the most common label", 0.0, 1.0),
    "replicates": _Bounds("number of simulated studies", 100, 20_000),
}


@dataclass(frozen=True, slots=True)
class PowerDesign:
    """A design and what is supposed about the world.

    Parameters
    ----------
    roles, generators : int
        How many.
    prompts : tuple of int
        Prompts of one role in CF, CA-R and CA-U.
    images_per_prompt : int
        Images a generator makes of each prompt.
    prevalence : float
        Share of the images that show the label in question where the context changes nothing, 0..1.
    correlation : float
        Intraclass correlation of images of one prompt, 0..1; 0 makes them independent.
    annotators, image_sets, labels : int
        People who answer every image set, image sets, and labels a question offers (*unknown* included).
    accuracy : float
        How often a person names the true label of an image set; an error is any other, equally likely.
    most_common : float
        Share of the image sets whose true label is the most common one; the rest is spread evenly.
    replicates, seed : int
        Simulated studies, and the seed of the draws.

    Raises
    ------
    BadInput
        A number that no design can have.
    """

    roles: int = 92
    prompts: tuple[int, int, int] = PROMPTS["balanced"]
    images_per_prompt: int = 10
    generators: int = 1
    prevalence: float = 0.9
    correlation: float = 0.1
    annotators: int = 3
    image_sets: int = 120
    labels: int = 4
    accuracy: float = 0.9
    most_common: float = 0.6
    replicates: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        for name, bounds in _BOUNDS.items():
            number = getattr(self, name)
            if not bounds.low <= number <= bounds.high:
                raise BadInput(
                    f"The {bounds.words} is {number:g}.",
                    f"Give a number from {bounds.low:g} to {bounds.high:g}.",
                )
        if len(self.prompts) != 3 or not all(1 <= one <= 1000 for one in self.prompts):
            raise BadInput(
                f"The prompts of a role are {self.prompts}.", "Give three numbers from 1 on: CF, CA-R, CA-U."
            )
        if self.roles * max(self.prompts) * self.images_per_prompt > MOST_UNITS:
            raise BadInput(
                f"The design has more than {MOST_UNITS} images in a condition.", "Give smaller numbers."
            )

    @property
    def images(self) -> int:
        """Images that all generators together make."""
        return self.roles * sum(self.prompts) * self.images_per_prompt * self.generators

    @property
    def design_effect(self) -> float:
        """How many clustered images are worth one independent one: 1 + (m - 1) correlation."""
        return 1.0 + (self.images_per_prompt - 1) * self.correlation

    def clusters(self, roles: int) -> tuple[int, int, int]:
        """Prompts per condition of so many roles together."""
        cf, related, unrelated = self.prompts
        return roles * cf, roles * related, roles * unrelated
