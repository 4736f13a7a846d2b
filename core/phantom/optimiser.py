"""Muon: momentum whose update is made orthogonal, for the weights of matrices and convolutions.

Source: K. Jordan et al. (2024), Muon: an optimizer for hidden layers in neural networks; the update is
scaled as in J. Liu et al. (2025), Muon is scalable for LLM training. On two processor cores it needs about
half the steps of AdamW here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor, nn
    from torch.optim import Optimizer

_STEPS = 4
_COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def orthogonal(matrices: Tensor, steps: int = _STEPS) -> Tensor:
    """The nearest orthogonal matrices, roughly, by Newton-Schulz iterations (singular values near 1).

    In bfloat16, as the iterations forgive it and processors with matrix units are faster in it.

    Parameters
    ----------
    matrices : Tensor, shape (..., m, n)
    steps : int
    """
    a, b, c = _COEFFICIENTS
    is_tall = matrices.shape[-2] > matrices.shape[-1]
    found = matrices.mT if is_tall else matrices
    found = found.bfloat16() / (found.norm(dim=(-2, -1), keepdim=True) + 1e-7).bfloat16()
    for _ in range(steps):
        gram = found @ found.mT
        found = a * found + (b * gram + c * gram @ gram) @ found
    result: Tensor = (found.mT if is_tall else found).to(matrices.dtype)
    return result


def optimiser(
    model: nn.Module, rate: float, is_outer: Callable[[str], bool], weight_decay: float = 0.01
) -> list[Optimizer]:
    """Muon for inner matrices and convolutions, AdamW for all else.

    Parameters
    ----------
    model : torch.nn.Module
    rate : float
        Learning rate of both, before a schedule.
    is_outer : callable
        Whether a parameter of a name belongs to the first or last layer, or to an embedding.
    weight_decay : float
    """
    import torch

    inner: list[nn.Parameter] = []
    outer: list[nn.Parameter] = []
    for name, weight in model.named_parameters():
        (outer if weight.ndim < 2 or is_outer(name) else inner).append(weight)
    adam = torch.optim.AdamW(outer, lr=rate, betas=(0.9, 0.99), weight_decay=weight_decay)
    found: list[Optimizer] = [adam]
    if inner:
        found.append(_muon()(inner, lr=rate, weight_decay=weight_decay))
    return found


def _muon() -> Any:
    """The class, made when it is asked for, because its base is torch's."""
    import torch

    class Muon(torch.optim.Optimizer):
        """Momentum 0.9 (Nesterov), orthogonal update scaled by 0.2 √(longer side)."""

        def __init__(self, weights: Iterable[Tensor], lr: float, weight_decay: float) -> None:
            super().__init__(weights, {"lr": lr, "weight_decay": weight_decay})

        @torch.no_grad()
        def step(self, closure: Any = None) -> None:  # type: ignore[override]
            """Change every weight that has a gradient; matrices of one shape together, which is faster."""
            for group in self.param_groups:
                for weights in _alike(group["params"]):
                    _move(weights, self.state, group["lr"], group["weight_decay"])

    return Muon


def _alike(weights: Iterable[Tensor]) -> list[list[Tensor]]:
    """Weights that have a gradient, in groups of one shape as a matrix."""
    found: dict[tuple[int, ...], list[Tensor]] = {}
    for weight in weights:
        if weight.grad is not None:
            found.setdefault(tuple(weight.flatten(1).shape), []).append(weight)
    return list(found.values())


def _move(weights: Sequence[Tensor], state: Any, rate: float, decay: float) -> None:
    """One step of Muon for weights of one shape."""
    import torch

    for weight in weights:
        if "momentum" not in state[weight]:
            state[weight]["momentum"] = torch.zeros_like(weight)
    gradients = torch.stack([weight.grad.flatten(1) for weight in weights if weight.grad is not None])
    momenta = torch.stack([state[weight]["momentum"].flatten(1) for weight in weights])
    momenta.lerp_(gradients, 0.1)
    updates = orthogonal(gradients.lerp(momenta, 0.9))
    size = 0.2 * max(updates.shape[-2:]) ** 0.5
    for weight, momentum, update in zip(weights, momenta, updates, strict=True):
        state[weight]["momentum"].copy_(momentum.view_as(weight))
        weight.mul_(1 - rate * decay)
        weight.add_(update.reshape(weight.shape), alpha=-rate * size)


def set_rate(optimisers: Iterable[Optimizer], rate: float) -> None:
    """Give every group the same learning rate."""
    for each in optimisers:
        for group in each.param_groups:
            group["lr"] = rate
