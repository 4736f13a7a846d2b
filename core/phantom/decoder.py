"""Training of the decoder: from 8 × 8 × 32 numbers to 128 pixels, sharper than what the numbers hold.

These are flat drawings with black lines, so a decoder can learn where a line must be. It sees latents with a
little noise on them, because the denoiser's are never perfect.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.jobs import Job, Progress
from core.phantom import data
from core.phantom.denoiser import prepare_latents
from core.phantom.latents import CHANNELS
from core.phantom.optimiser import optimiser, set_rate
from core.phantom.pictures import SIDE
from core.phantom.training import Averaged, Budget, Clock, device_name, load_checkpoint, save_checkpoint

if TYPE_CHECKING:
    from torch import Tensor

CHECKPOINT = "decoder.pt"
HELD_OUT = 500
"""The last pictures are not trained on; the fidelity is measured on them."""

WIDTH = 40
ENCODER_WIDTH = 192
"""Numbers of a patch of 8 × 8 × 3."""

BLOCKS = (3, 3, 2, 1, 0)
BATCH = 16
RATE = 2e-3
_NOISE = 0.15
_DECAY = 0.998
_HEAD = (slice(16, 96), slice(48, 112))
_HEAD_WEIGHT = 2.5
_SAVE_EVERY = 100


def make_autoencoder() -> Any:
    """An `AutoencoderTiny`: its decoder is what is trained; its encoder is linear."""
    from diffusers import AutoencoderTiny

    levels = len(BLOCKS)
    return AutoencoderTiny(
        encoder_block_out_channels=(ENCODER_WIDTH,) * levels,
        decoder_block_out_channels=(WIDTH,) * levels,
        num_encoder_blocks=(0,) * levels,
        num_decoder_blocks=BLOCKS,
        latent_channels=CHANNELS,
    )


def train_decoder(pictures_folder: Path, folder: Path, budget: Budget, seed: int) -> Job[Clock]:
    """Train the decoder; continues from the checkpoint in the folder.

    Parameters and result as those of `denoiser.train_denoiser`; the checkpoint is `decoder.pt`.
    """
    import torch

    yield Progress(0, budget.steps or 0, "fitting the latents")
    _, latents = prepare_latents(pictures_folder, folder)
    pictures = data.load_pictures(pictures_folder)
    torch.manual_seed(seed)
    run = _Run(pictures, latents, seed)
    run.resume(load_checkpoint(folder / CHECKPOINT))
    yield from run.train(budget, folder / CHECKPOINT)
    return run.clock


class _Run:
    """Decoder, optimisers and clock of one training."""

    def __init__(self, pictures: Any, latents: Any, seed: int) -> None:
        import torch

        self.device = device_name()
        self.pictures, self.latents = pictures, latents
        self.count = max(1, len(pictures) - HELD_OUT)
        model: Any = make_autoencoder().decoder
        self.model = model.to(self.device, memory_format=torch.channels_last)
        self.averaged = Averaged(self.model, _DECAY)
        last = len(model.layers) - 1
        self.optimisers = optimiser(
            model, RATE, lambda name: name.startswith(("layers.0.", f"layers.{last}."))
        )
        self.clock = Clock()
        self.chance = torch.Generator().manual_seed(seed)
        weight = torch.ones(SIDE, SIDE)
        weight[_HEAD] = _HEAD_WEIGHT
        self.weight = (weight / weight.mean()).to(self.device)

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
        save_checkpoint(
            path,
            {
                "model": self.model.state_dict(),
                "averaged": self.averaged.weights,
                "optimisers": [each.state_dict() for each in self.optimisers],
                "step": self.clock.step,
                "seconds": self.clock.seconds,
                "losses": self.clock.losses,
                "chance": self.chance.get_state(),
            },
        )

    def train(self, budget: Budget, path: Path) -> Iterator[Progress]:
        """Steps until the budget is used."""
        clock, sums = self.clock, []
        clock.start()
        while budget.used(clock.step, clock.seconds) < 1:
            set_rate(self.optimisers, RATE * budget.rate(clock.step, clock.seconds))
            sums.append(self.step())
            clock.tick()
            if clock.step % _SAVE_EVERY == 0:
                clock.losses.append((clock.step, round(sum(sums) / len(sums), 5)))
                sums.clear()
                self.save(path)
            loss = f"loss {clock.losses[-1][1]:.4f}" if clock.losses else ""
            text = f"{loss} {clock.seconds / clock.step:.2f} s a step".strip()
            yield Progress(clock.step, budget.steps or 0, text)
        self.save(path)

    def batch(self) -> tuple[Tensor, Tensor]:
        """Noisy latents and the pictures they stand for, values in [-1, 1]."""
        import numpy as np
        import torch

        rows = torch.randint(self.count, (BATCH,), generator=self.chance).numpy()
        x = torch.from_numpy(np.asarray(self.latents[rows], np.float32))
        noise = torch.rand(BATCH, 1, 1, 1, generator=self.chance) * _NOISE
        x = x + noise * torch.randn(x.shape, generator=self.chance)
        y = torch.from_numpy(self.pictures[rows]).permute(0, 3, 1, 2).float() / 127.5 - 1
        channels_last = torch.channels_last
        return (
            x.to(self.device, memory_format=channels_last),
            y.to(self.device, memory_format=channels_last),
        )

    def step(self) -> float:
        """One batch; returns its loss."""
        import torch

        x, y = self.batch()
        with torch.autocast(self.device, torch.bfloat16):
            found = self.model(x)
        loss = decoder_loss(found.float(), y, self.weight)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for each in self.optimisers:
            each.step()
            each.zero_grad()
        self.averaged.update(self.model, self.clock.step)
        return float(loss.detach())


def decoder_loss(found: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """Absolute and squared difference, and half of that of neighbouring pixels' steps (lines stay lines)."""
    gap = found - wanted
    across, down = gap.diff(dim=-1).abs(), gap.diff(dim=-2).abs()
    edges = (across * weight[:, 1:]).mean() + (down * weight[1:]).mean()
    return ((gap.abs() + gap**2) * weight).mean() + 0.5 * edges


def trained_decoder(folder: Path) -> Any:
    """The decoder with the averaged weights of the checkpoint in a folder; BadInput when there is none."""
    state = load_checkpoint(folder / CHECKPOINT)
    if state is None:
        raise BadInput(f"{folder} holds no trained decoder.", "Run `main.py phantom train` first.")
    model = make_autoencoder().decoder
    model.load_state_dict(state["averaged"])
    return model.eval()


def fidelity(pictures_folder: Path, folder: Path) -> float:
    """Peak signal-to-noise ratio in decibels of the decoder on the pictures held out."""
    import numpy as np
    import torch

    _, latents = prepare_latents(pictures_folder, folder)
    pictures = data.load_pictures(pictures_folder)
    model = trained_decoder(folder)
    errors = []
    with torch.inference_mode():
        for at in range(max(0, len(pictures) - HELD_OUT), len(pictures), 50):
            found = model(torch.from_numpy(np.asarray(latents[at : at + 50], np.float32))).clamp(-1, 1)
            some = torch.from_numpy(np.array(pictures[at : at + 50]))
            wanted = some.permute(0, 3, 1, 2).float() / 127.5 - 1
            errors.append(((found - wanted) ** 2).mean((1, 2, 3)))
    return float(10 * torch.log10(4 / torch.cat(errors)).mean())
