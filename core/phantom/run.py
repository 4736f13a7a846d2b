"""One training of any of the phantom's networks: steps until a budget is used, and checkpoints on the way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.jobs import Progress
from core.phantom.optimiser import set_rate
from core.phantom.training import Averaged, Budget, Clock, device_name, save_checkpoint

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

SAVE_EVERY = 100
"""Steps between two checkpoints; the mean loss of so many is kept."""


class TrainingRun(ABC):
    """Model, averaged weights, optimisers, clock and chance; what makes a training of it is `step`.

    Parameters
    ----------
    model : Module
        On its device already.
    optimisers : sequence of Optimizer
        Over the model's weights.
    decay : float
        Of the averaged weights.
    seed : int
        Of every draw of a step.
    """

    rate: float
    """Largest learning rate."""

    flat = 0.4
    """Share of the budget before the rate falls."""

    def __init__(self, model: Any, optimisers: Sequence[Optimizer], decay: float, seed: int) -> None:
        import torch

        self.device = device_name()
        self.model = model
        self.averaged = Averaged(model, decay)
        self.optimisers = list(optimisers)
        self.clock = Clock()
        self.chance = torch.Generator().manual_seed(seed)

    @abstractmethod
    def step(self, used: float) -> float:
        """One batch, when a share of the budget is used; returns its loss."""

    def more_state(self) -> dict[str, Any]:
        """What else stands in the checkpoint."""
        return {}

    def resume(self, state: dict[str, Any] | None) -> None:
        """Take up a checkpoint."""
        if state is None:
            return
        self.model.load_state_dict(state["model"])
        self.averaged.weights = {name: value.to(self.device) for name, value in state["averaged"].items()}
        for each, kept in zip(self.optimisers, state["optimisers"], strict=True):
            each.load_state_dict(kept)
        self.clock = Clock(state["step"], state["seconds"], [tuple(each) for each in state["losses"]])
        self.chance.set_state(state["chance"])

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        state = {
            "model": self.model.state_dict(),
            "averaged": self.averaged.weights,
            "optimisers": [each.state_dict() for each in self.optimisers],
            "step": self.clock.step,
            "seconds": self.clock.seconds,
            "losses": self.clock.losses,
            "chance": self.chance.get_state(),
        }
        save_checkpoint(path, state | self.more_state())

    def train(self, budget: Budget, path: Path) -> Iterator[Progress]:
        """Steps until the budget is used."""
        clock, sums = self.clock, []
        self.model.train()
        clock.start()
        while (used := budget.used(clock.step, clock.seconds)) < 1:
            set_rate(self.optimisers, self.rate * budget.rate(clock.step, clock.seconds, self.flat))
            sums.append(self.step(used))
            clock.tick()
            if clock.step % SAVE_EVERY == 0:
                clock.losses.append((clock.step, round(sum(sums) / len(sums), 5)))
                sums.clear()
                self.save(path)
            loss = f"loss {clock.losses[-1][1]:.4f}" if clock.losses else ""
            text = f"{loss} {clock.seconds / clock.step:.2f} s a step".strip()
            yield Progress(clock.step, budget.steps or 0, text)
        self.save(path)

    def learn(self, loss: Tensor, most: float | None = None) -> float:
        """Go down the gradient of a loss, clipped to a norm of `most`; returns the loss."""
        import torch

        loss.backward()
        if most is not None:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), most)
        for each in self.optimisers:
            each.step()
            each.zero_grad()
        self.averaged.update(self.model, self.clock.step)
        return float(loss.detach())
