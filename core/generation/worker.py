"""A generator that works on a device, step by step, so that it can be watched, held and stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

from core.jobs import Job
from core.records import NewImage, Prompt

OnStep: TypeAlias = Callable[[int, int], None]
"""Called after each step with its number and how many there are; may wait, and raises `Stopped` to stop."""

Finish: TypeAlias = Callable[[], NewImage]
"""What is left to do for a sampled image and needs no device: checks and encoding."""


class Stopped(Exception):
    """Raised out of a step because the work is not wanted any more; no image comes of it."""


class Worker(Protocol):
    """One pipeline on one device. Never used by two threads at once."""

    def sample(self, prompt: Prompt, seed: int, on_step: OnStep) -> Finish:
        """Sample one image; what is returned finishes it, and may be called in another thread.

        Raises GeneratorError for an image that cannot be made, and another UserError when none can.
        """

    def close(self) -> None:
        """Let go of the device."""


@runtime_checkable
class OnDevices(Protocol):
    """A generator that is opened on a device before it makes images."""

    def prepare(self) -> Job[None]:
        """Get what is missing, such as the model from the hub; its progress counts bytes."""

    def devices(self) -> tuple[str, ...]:
        """The devices to work on when nobody names one: every CUDA device, else the best there is."""

    def title_of(self, device: str) -> str:
        """What a device is, such as the name of a graphics card; BadInput when there is none so called."""

    def open(self, device: str) -> Worker:
        """Load it onto a device; UserError says why it cannot be."""
