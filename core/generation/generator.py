"""What every generator of images promises, and the key that makes its work resumable.

A generator is a text-to-image model or a stand-in for one. It says with `settings` everything that shapes
the pixels besides the prompt and the seed; equal name, settings, text and seed give an equal run key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from core.errors import GeneratorError
from core.generation.reports import Task
from core.keys import key_of
from core.records import NewImage, Prompt

__all__ = ["Generator", "MakesMany", "Results", "Task", "run_key", "run_key_of"]


class Generator(Protocol):
    """Makes images; `make` raises `GeneratorError` for an image that it cannot make."""

    @property
    def name(self) -> str:
        """The generator's id in the study."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """All that shapes pixels besides prompt and seed, as JSON-able values."""
        ...

    def make(self, prompt: Prompt, seed: int) -> NewImage:
        """The image of one prompt and seed."""
        ...


class Results(Protocol):
    """Images as they are made, a `GeneratorError` in place of one that cannot be; closing stops the work."""

    def __iter__(self) -> Iterator[NewImage | GeneratorError]: ...

    def __next__(self) -> NewImage | GeneratorError: ...

    def close(self) -> None:
        """Stop the work that is going on for results not taken yet."""
        ...


@runtime_checkable
class MakesMany(Protocol):
    """A generator that is faster with many tasks at once than with one after the other."""

    def make_many(self, tasks: Sequence[Task]) -> Results:
        """One result for every task, in the order of the tasks."""
        ...


def run_key(generator_name: str, settings: Mapping[str, Any], text: str, seed: int) -> str:
    """The content key of everything that went into one image.

    >>> run_key("drawn-a", {"size": 256}, "a photo of a baker", 1)[:12]
    '441845d36239'
    """
    return key_of({"generator": generator_name, "settings": dict(settings), "text": text, "seed": seed})


def run_key_of(generator: Generator, prompt: Prompt, seed: int) -> str:
    """The run key of the image that a generator would make of a prompt and a seed."""
    return run_key(generator.name, generator.settings, prompt.text, seed)
