"""What every training here shares: a budget with its schedule, checkpoints, and averaged weights."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from math import cos, pi
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput

if TYPE_CHECKING:
    from torch import nn


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to train: so many steps (repeatable) or so many minutes of training time, the first that ends.

    The schedule goes with the share of the budget that is used: 100 steps of warming up, then constant, then
    a cosine down to 3 %.
    """

    steps: int | None = None
    minutes: float | None = None

    def __post_init__(self) -> None:
        """Refuse a budget without an end."""
        if not (self.steps or self.minutes):
            raise BadInput("Training needs an end.", "Say --steps or --minutes.")

    def used(self, step: int, seconds: float) -> float:
        """Share of the budget that is used, 0 to 1."""
        shares = [step / self.steps if self.steps else 0, seconds / 60 / self.minutes if self.minutes else 0]
        return min(1.0, max(shares))

    def rate(self, step: int, seconds: float, flat: float = 0.4) -> float:
        """Factor on the learning rate; `flat` is the share of the budget before it falls.

        >>> [round(Budget(steps=1000).rate(step, 0), 2) for step in (0, 50, 400, 700, 1000)]
        [0.01, 0.51, 1.0, 0.52, 0.03]
        """
        used = self.used(step, seconds)
        warm = min(1.0, (step + 1) / min(100, max(1, (self.steps or 1000) // 10)))
        fall = 0.0 if used <= flat else (used - flat) / (1 - flat)
        return warm * (0.03 + 0.97 * (1 + cos(pi * fall)) / 2)


@dataclass
class Clock:
    """Steps and seconds of training, over all the times it was resumed."""

    step: int = 0
    seconds: float = 0.0
    losses: list[tuple[int, float]] = field(default_factory=list)
    _since: float = 0.0

    def start(self) -> None:
        """Begin to count time."""
        self._since = time.monotonic()

    def tick(self) -> None:
        """Count one step and the time it took."""
        now = time.monotonic()
        self.seconds += now - self._since
        self._since = now
        self.step += 1


def save_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Write a checkpoint so that a kill leaves either the old one or the new one."""
    import torch

    part = path.with_suffix(".part")
    torch.save(state, part)
    os.replace(part, path)


def load_checkpoint(path: Path) -> dict[str, Any] | None:
    """The checkpoint, or None when there is none."""
    if not path.is_file():
        return None
    import torch

    found: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    return found


class Averaged:
    """Exponential moving average of a model's weights, started short so that early samples are fair."""

    def __init__(self, model: nn.Module, decay: float) -> None:
        self._decay = decay
        self.weights = {name: value.detach().clone() for name, value in model.state_dict().items()}

    def update(self, model: nn.Module, step: int) -> None:
        """Move towards the model's weights."""
        import torch

        decay = min(self._decay, (1 + step) / (10 + step))
        with torch.no_grad():
            for name, value in model.state_dict().items():
                if value.dtype.is_floating_point:
                    self.weights[name].lerp_(value, 1 - decay)


def begin_with(model: nn.Module, known: nn.Module, but: tuple[str, ...]) -> None:
    """Give a model the weights of another, except those whose names begin with one of `but`."""
    taken = {name: value for name, value in known.state_dict().items() if not name.startswith(but)}
    model.load_state_dict(model.state_dict() | taken)


def device_name() -> str:
    """Where to train: cuda where there is a GPU, else cpu."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"
