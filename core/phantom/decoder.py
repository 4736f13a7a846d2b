"""Training of the decoder: from 8 × 8 × 32 numbers to 128 pixels, sharper than what the numbers hold.

These are flat drawings with black lines, so a decoder can learn where a line must be. It sees latents with a
little noise on them, because the denoiser's are never perfect.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.jobs import Job, Progress
from core.phantom import data
from core.phantom.denoiser import prepare_latents
from core.phantom.latents import CHANNELS
from core.phantom.optimiser import optimiser
from core.phantom.pictures import SIDE
from core.phantom.run import TrainingRun
from core.phantom.training import Averaged, Budget, Clock, begin_with, device_name, load_checkpoint

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


def train_decoder(
    pictures_folder: Path, folder: Path, budget: Budget, seed: int, start: Path | None = None
) -> Job[Clock]:
    """Train the decoder; continues from the checkpoint in the folder.

    Parameters and result as those of `denoiser.train_denoiser`; the checkpoint is `decoder.pt`.
    """
    import torch

    yield Progress(0, budget.steps or 0, "fitting the latents")
    _, latents = prepare_latents(pictures_folder, folder)
    pictures = data.load_pictures(pictures_folder)
    torch.manual_seed(seed)
    run = _Run(pictures, latents, seed)
    if start is not None:
        run.begin_with(start)
    run.resume(load_checkpoint(folder / CHECKPOINT))
    yield from run.train(budget, folder / CHECKPOINT)
    return run.clock


class _Run(TrainingRun):
    """The training of the decoder."""

    rate = RATE

    def __init__(self, pictures: Any, latents: Any, seed: int) -> None:
        import torch

        self.pictures, self.latents = pictures, latents
        self.count = max(1, len(pictures) - HELD_OUT)
        decoder: Any = make_autoencoder().decoder
        model = decoder.to(device_name(), memory_format=torch.channels_last)
        outer = ("layers.0.", f"layers.{len(model.layers) - 1}.")
        super().__init__(model, optimiser(model, RATE, lambda name: name.startswith(outer)), _DECAY, seed)
        weight = torch.ones(SIDE, SIDE)
        weight[_HEAD] = _HEAD_WEIGHT
        self.weight = (weight / weight.mean()).to(self.device)

    def begin_with(self, start: Path) -> None:
        """Take the weights of an earlier phantom's decoder, but for the first layer."""
        import torch
        from diffusers import AutoencoderTiny

        known = AutoencoderTiny.from_pretrained(
            str(start / "vae"), dtype=torch.float32, local_files_only=True
        )
        begin_with(self.model, known.decoder, ("layers.0.",))
        self.averaged = Averaged(self.model, _DECAY)

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

    def step(self, _used: float) -> float:
        """One batch; returns its loss."""
        import torch

        x, y = self.batch()
        with torch.autocast(self.device, torch.bfloat16):
            found = self.model(x)
        return self.learn(decoder_loss(found.float(), y, self.weight), most=1.0)


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
