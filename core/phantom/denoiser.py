"""Training of the denoiser: flow matching on latents, with the text encoder, captions dropped in one of ten.

    x_s = (1 - s) x + s e,   s = sigmoid(normal),   the network learns e - x at time 1000 s

What a person looks like is decided early in sampling: two pictures that differ in glasses, a beard or the
skin are 8 to 21 apart as latents, so noise hides the difference until s is about 0.8 to 0.9. Most times are
drawn from there. Captions that state glasses or a beard, and unrelated places, are drawn more often than
they are in the folder, and the patches with the head count more in the loss: neither changes what is learned,
P(picture | caption), only how soon.

Source: Y. Lipman et al. (2023), Flow matching for generative modeling; times as in P. Esser et al. (2024),
Scaling rectified flow transformers; dropped captions as in J. Ho and T. Salimans (2021), Classifier-free
diffusion guidance.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.jobs import Job, Progress
from core.phantom import data
from core.phantom.captions import Case
from core.phantom.latents import CHANNELS, GRID, HEAD, Basis, fit_basis, load_basis
from core.phantom.optimiser import optimiser
from core.phantom.run import TrainingRun
from core.phantom.training import Averaged, Budget, Clock, begin_with, device_name, load_checkpoint
from core.phantom.words import WIDTH, kept_tokenizer, make_text_encoder, token_ids
from core.records import Condition

if TYPE_CHECKING:
    from torch import Tensor

BASIS, LATENTS, CHECKPOINT = "basis.safetensors", "latents.npy", "denoiser.pt"
BATCH = 64
RATE = 2e-3
_DROPPED = 0.1
_DECAY = 0.997
_FITTED_ON = 6000
_NOISY, _SHIFT, _SPREAD = 0.65, 1.5, 0.9
"""Share of a batch at noisy times, and mean and deviation of the normal they are drawn from; the others are
of a standard normal."""

_FAVOURED = {"stated": 3.0, "unrelated": 1.5}
"""How many times as often as other pictures those are drawn whose captions state glasses or a beard, and
those in unrelated places."""

_HEAD_WEIGHT = 2.5


def make_unet(widths: tuple[int, int] = (80, 128)) -> Any:
    """The untrained denoiser: a `UNet2DConditionModel` with cross attention at both levels, 4.8 M weights."""
    from diffusers import UNet2DConditionModel

    return UNet2DConditionModel(
        sample_size=GRID,
        in_channels=CHANNELS,
        out_channels=CHANNELS,
        block_out_channels=widths,
        layers_per_block=1,
        norm_num_groups=16,
        down_block_types=("CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D"),
        attention_head_dim=(5, 4),
        cross_attention_dim=WIDTH,
        use_linear_projection=True,
    )


def prepare_latents(pictures_folder: Path, folder: Path) -> tuple[Basis, Any]:
    """The basis and the latents of all training pictures, fitted once and kept in the folder."""
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    pictures = data.load_pictures(pictures_folder)
    if not (folder / BASIS).is_file():
        every = max(1, len(pictures) // _FITTED_ON)
        fit_basis(np.ascontiguousarray(pictures[::every])).save(folder / BASIS)
    basis = load_basis(folder / BASIS)
    if not (folder / LATENTS).is_file():
        parts = [basis.encode(pictures[at : at + 500]) for at in range(0, len(pictures), 500)]
        part = folder / f"{LATENTS}.part.npy"
        np.save(part, np.concatenate(parts).astype(np.float16))
        part.replace(folder / LATENTS)
    return basis, np.load(folder / LATENTS, mmap_mode="r")


def train_denoiser(
    pictures_folder: Path, folder: Path, budget: Budget, seed: int, start: Path | None = None
) -> Job[Clock]:
    """Train the denoiser and its text encoder; continues from the checkpoint in the folder.

    Parameters
    ----------
    pictures_folder : Path
        Of `data.draw_training_pictures`.
    folder : Path
        Gets basis, latents and `denoiser.pt`.
    budget : Budget
        When to stop. A longer budget than before goes on from the checkpoint.
    seed : int
        Of the first weights and of everything drawn on the way.
    start : Path, optional
        Folder of an earlier phantom whose weights are the first ones, but for those of the first and last
        layer, which belong to its latents.

    Returns
    -------
    Clock
        Steps, seconds, and the mean loss of each hundred steps.
    """
    import numpy as np
    import torch

    yield Progress(0, budget.steps or 0, "fitting the latents")
    _, latents = prepare_latents(pictures_folder, folder)
    torch.manual_seed(seed)
    cases = [case for case, _ in data.load_cases(pictures_folder)]
    run = _Run(torch.from_numpy(np.array(latents)), cases, kept_tokenizer(folder, start), seed)
    if start is not None:
        run.begin_with(start)
    run.resume(load_checkpoint(folder / CHECKPOINT))
    yield from run.train(budget, folder / CHECKPOINT)
    return run.clock


class _Run(TrainingRun):
    """The training of UNet and text encoder on latents `x`."""

    rate, flat = RATE, 0.7

    def __init__(self, x: Tensor, cases: Sequence[Case], tokenizer: Any, seed: int) -> None:
        import torch
        from diffusers.models.attention_processor import AttnProcessor

        device = device_name()
        unet = make_unet()
        unet.set_attn_processor(AttnProcessor())  # the fused one is slow backwards in bfloat16
        parts: Any = torch.nn.ModuleDict({"unet": unet, "text_encoder": make_text_encoder(tokenizer)})
        model = parts.to(device, memory_format=torch.channels_last)
        super().__init__(model, optimiser(model, RATE, _is_outer), _DECAY, seed)
        unique = {caption: number for number, caption in enumerate(sorted({case.caption for case in cases}))}
        self.x = x
        self.ids = token_ids(tokenizer, list(unique)).to(device)
        self.which = torch.tensor([unique[case.caption] for case in cases])
        self.often = torch.tensor([favour(case) for case in cases])
        self.empty = token_ids(tokenizer, [""]).to(device)
        weight = torch.ones(GRID, GRID)
        weight[HEAD] = _HEAD_WEIGHT
        self.weight = (weight / weight.mean()).to(device)

    def begin_with(self, start: Path) -> None:
        """Take the weights of an earlier phantom's denoiser and text encoder."""
        import torch
        from diffusers import UNet2DConditionModel
        from transformers import CLIPTextModel

        for name, kind in (("unet", UNet2DConditionModel), ("text_encoder", CLIPTextModel)):
            known = kind.from_pretrained(str(start / name), dtype=torch.float32, local_files_only=True)
            begin_with(self.model[name], known, ("conv_in.", "conv_out."))
        self.averaged = Averaged(self.model, _DECAY)

    def step(self, _used: float) -> float:
        """One batch; returns its loss."""
        import torch

        rows = torch.multinomial(self.often, BATCH, replacement=True, generator=self.chance)
        clean = self.x[rows].float().to(self.device, memory_format=torch.channels_last)
        noise = torch.randn(clean.shape, generator=self.chance).to(clean)
        share = self.times().to(clean)
        dropped = (torch.rand(BATCH, generator=self.chance) < _DROPPED).to(self.device)
        ids = torch.where(dropped[:, None], self.empty, self.ids[self.which[rows].to(self.device)])
        s = share.view(-1, 1, 1, 1)
        with torch.autocast(self.device, torch.bfloat16):
            words = self.model["text_encoder"](ids).last_hidden_state
            found = self.model["unet"]((1 - s) * clean + s * noise, share * 1000, words).sample
        gaps = (found.float() - (noise - clean)) ** 2
        return self.learn((gaps * self.weight).mean(), most=1.0)

    def times(self) -> Tensor:
        """A time s for each picture of a batch, spread evenly over the distribution, (BATCH,)."""
        import torch

        even = (torch.arange(BATCH) + torch.rand(BATCH, generator=self.chance)) / BATCH
        normal = torch.special.ndtri(even.clamp(1e-4, 1 - 1e-4))[torch.randperm(BATCH, generator=self.chance)]
        is_noisy = torch.rand(BATCH, generator=self.chance) < _NOISY
        return torch.sigmoid(torch.where(is_noisy, _SHIFT + _SPREAD * normal, normal))


def favour(case: Case) -> float:
    """How often the picture of a case is drawn, as a multiple of a plain one."""
    if {"eyewear_type", "facial_hair_style"} & set(case.stated):
        return _FAVOURED["stated"]
    return _FAVOURED["unrelated"] if case.condition is Condition.CA_U else 1.0


def _is_outer(name: str) -> bool:
    """Whether a weight belongs to the first or last layer or to an embedding: AdamW's part."""
    return name.startswith(("unet.conv_in", "unet.conv_out")) or "embeddings" in name
