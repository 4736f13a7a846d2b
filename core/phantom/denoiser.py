"""Training of the denoiser: flow matching on latents, with the text encoder, captions dropped in one of ten.

    x_s = (1 - s) x + s e,   s = sigmoid(normal),   the network learns e - x at time 1000 s

In the last third of the training most times are noisy ones, where it is decided what a picture will show,
and half of each batch has captions that state an attribute: places and clothes are learned first, and what
a person looks like would otherwise come late.

Source: Y. Lipman et al. (2023), Flow matching for generative modeling; times as in P. Esser et al. (2024),
Scaling rectified flow transformers; dropped captions as in J. Ho and T. Salimans (2021), Classifier-free
diffusion guidance.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.jobs import Job, Progress
from core.phantom import data
from core.phantom.captions import all_words
from core.phantom.latents import CHANNELS, GRID, Basis, fit_basis, load_basis
from core.phantom.optimiser import optimiser
from core.phantom.run import TrainingRun
from core.phantom.training import Budget, Clock, device_name, load_checkpoint
from core.phantom.words import WIDTH, make_text_encoder, make_tokenizer, token_ids

if TYPE_CHECKING:
    from torch import Tensor

BASIS, LATENTS, CHECKPOINT = "basis.safetensors", "latents.npy", "denoiser.pt"
BATCH = 32
RATE = 2e-3
_DROPPED = 0.1
_DECAY = 0.995
_FITTED_ON = 6000
_LATE = 0.65
"""Share of the budget after which noisy times and stating captions are favoured."""

_SHIFT = 1.2
_SHIFTED = 0.75


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


def train_denoiser(pictures_folder: Path, folder: Path, budget: Budget, seed: int) -> Job[Clock]:
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

    Returns
    -------
    Clock
        Steps, seconds, and the mean loss of each hundred steps.
    """
    import torch

    yield Progress(0, budget.steps or 0, "fitting the latents")
    _, latents = prepare_latents(pictures_folder, folder)
    cases = [case for case, _ in data.load_cases(pictures_folder)]
    torch.manual_seed(seed)
    x = torch.from_numpy(latents[:].astype("float32"))
    run = _Run(x, [case.caption for case in cases], [bool(case.stated) for case in cases], seed)
    run.resume(load_checkpoint(folder / CHECKPOINT))
    yield from run.train(budget, folder / CHECKPOINT)
    return run.clock


class _Run(TrainingRun):
    """The training of UNet and text encoder on latents `x`."""

    rate = RATE

    def __init__(self, x: Tensor, captions: list[str], states: list[bool], seed: int) -> None:
        import torch

        device = device_name()
        tokenizer = make_tokenizer(all_words())
        parts: Any = torch.nn.ModuleDict({"unet": make_unet(), "text_encoder": make_text_encoder(tokenizer)})
        model = parts.to(device, memory_format=torch.channels_last)
        super().__init__(model, optimiser(model, RATE, _is_outer), _DECAY, seed)
        unique = {caption: number for number, caption in enumerate(sorted(set(captions)))}
        self.x = x
        self.ids = token_ids(tokenizer, list(unique)).to(device)
        self.which = torch.tensor([unique[caption] for caption in captions])
        self.stating = torch.tensor([row for row, is_stating in enumerate(states) if is_stating])
        self.empty = token_ids(tokenizer, [""]).to(device)

    def step(self, used: float) -> float:
        """One batch; returns its loss."""
        import torch

        rows = torch.randint(len(self.x), (BATCH,), generator=self.chance)
        normal = torch.randn(BATCH, generator=self.chance)
        if used >= _LATE:
            some = torch.randint(len(self.stating), (BATCH // 2,), generator=self.chance)
            rows[: BATCH // 2] = self.stating[some]
            normal += _SHIFT * (torch.rand(BATCH, generator=self.chance) < _SHIFTED)
        clean = self.x[rows].to(self.device, memory_format=torch.channels_last)
        noise = torch.randn(clean.shape, generator=self.chance).to(clean)
        share = torch.sigmoid(normal).to(clean)
        dropped = (torch.rand(BATCH, generator=self.chance) < _DROPPED).to(self.device)
        ids = torch.where(dropped[:, None], self.empty, self.ids[self.which[rows].to(self.device)])
        s = share.view(-1, 1, 1, 1)
        words = self.model["text_encoder"](ids).last_hidden_state
        found = self.model["unet"]((1 - s) * clean + s * noise, share * 1000, words).sample
        return self.learn(torch.nn.functional.mse_loss(found, noise - clean), most=1.0)


def _is_outer(name: str) -> bool:
    """Whether a weight belongs to the first or last layer or to an embedding: AdamW's part."""
    return name.startswith(("unet.conv_in", "unet.conv_out")) or "embeddings" in name
