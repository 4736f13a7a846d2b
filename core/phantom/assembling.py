"""The folder that a standard pipeline class loads, put together from the checkpoints of the trainings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.phantom.decoder import make_autoencoder, trained_decoder
from core.phantom.denoiser import BASIS, CHECKPOINT, make_unet
from core.phantom.latents import Basis, load_basis
from core.phantom.training import load_checkpoint
from core.phantom.words import kept_tokenizer, make_text_encoder

if TYPE_CHECKING:
    from torch import Tensor

SCHEDULER = {
    "algorithm_type": "dpmsolver++",
    "solver_order": 2,
    "prediction_type": "flow_prediction",
    "use_flow_sigmas": True,
    "flow_shift": 1.0,
    "final_sigmas_type": "zero",
    "steps_offset": 1,
}
"""For `DPMSolverMultistepScheduler`."""


def assemble(folder: Path, out: Path, is_half: bool = True) -> dict[str, Any]:
    """Write the pipeline of the checkpoints in a training folder; weights as float16 safetensors.

    Parameters
    ----------
    folder : Path
        Of the trainings of denoiser and decoder.
    out : Path
        Gets `model_index.json` and a folder for each component.
    is_half : bool
        Keep float16 weights; a pipeline may compute with them as float32.

    Returns
    -------
    dict
        Steps of the denoiser and its last loss, for the model card.

    Raises
    ------
    BadInput
        When one of the checkpoints is not there.
    """
    import torch

    state = load_checkpoint(folder / CHECKPOINT)
    if state is None:
        raise BadInput(f"{folder} holds no trained denoiser.", "Run `main.py phantom train` first.")
    pipe = _pipeline(folder, state["averaged"])
    if is_half:
        pipe.to(dtype=torch.float16)
    pipe.save_pretrained(str(out), safe_serialization=True)
    _tidy(out)
    minutes = round(state["seconds"] / 60, 1)
    return {"steps": state["step"], "minutes": minutes, "losses": state["losses"][-5:]}


def _pipeline(folder: Path, weights: dict[str, Tensor]) -> Any:
    from diffusers import DPMSolverMultistepScheduler, StableDiffusionPipeline

    from core.generation.diffusers.loading import quiet

    tokenizer = kept_tokenizer(folder)
    text_encoder, unet, vae = make_text_encoder(tokenizer), make_unet(), make_autoencoder()
    text_encoder.load_state_dict(_of(weights, "text_encoder."))
    unet.load_state_dict(_of(weights, "unet."))
    vae.decoder.load_state_dict(trained_decoder(folder).state_dict())
    set_encoder(vae, load_basis(folder / BASIS))
    with quiet():
        return StableDiffusionPipeline(
            vae=vae.eval(),
            text_encoder=text_encoder.eval(),
            tokenizer=tokenizer,
            unet=unet.eval(),
            scheduler=DPMSolverMultistepScheduler(**SCHEDULER),
            safety_checker=None,
            feature_extractor=None,
            requires_safety_checker=False,
        )


def _of(weights: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in weights.items() if name.startswith(prefix)}


def set_encoder(vae: Any, basis: Basis) -> None:
    """Make an autoencoder's encoder the basis: halve, fold 8 × 8 pixels into channels, take components.

    The encoder has no blocks, so it is linear: each of its convolutions of stride 2 can move four
    neighbouring pixels into four times the channels.
    """
    import torch

    convolutions = list(vae.encoder.layers)
    places = [(0, 0, channel) for channel in range(3)]
    with torch.no_grad():
        for each in convolutions:
            each.weight.zero_()
        for channel in range(3):
            convolutions[0].weight[channel, channel, 1, 1] = 2
            convolutions[1].weight[channel, channel, 1:, 1:] = 0.25
        convolutions[0].bias.zero_()
        convolutions[0].bias[:3] = -1
        for step, each in enumerate(convolutions[2:5]):
            places = _fold(each.weight, places, 2**step)
        rows = torch.tensor([(8 * y + x) * 3 + channel for y, x, channel in places])
        scaled = torch.from_numpy(basis.components / basis.scales[:, None])
        convolutions[5].weight[:, :, 1, 1] = scaled[:, rows]
        convolutions[5].bias.copy_(-scaled @ torch.from_numpy(basis.mean))


def _fold(weight: Tensor, places: list[tuple[int, int, int]], reach: int) -> list[tuple[int, int, int]]:
    """Let a convolution put each of four neighbours into channels of its own; returns what is where."""
    found: list[tuple[int, int, int]] = []
    for down in (0, 1):
        for right in (0, 1):
            for channel, (y, x, colour) in enumerate(places):
                weight[len(found), channel, 1 + down, 1 + right] = 1
                found.append((y + down * reach, x + right * reach, colour))
    return found


def _tidy(out: Path) -> None:
    """Take out of the written settings what tells of this machine and of how a tokenizer was loaded."""
    for path in (*out.glob("*/config.json"), out / "tokenizer" / "tokenizer_config.json"):
        settings = json.loads(path.read_text(encoding="utf-8"))
        for name in ("_name_or_path", "is_local", "local_files_only"):
            settings.pop(name, None)
        text = json.dumps(settings, indent=2, sort_keys=True) + "\n"
        path.write_text(text, encoding="utf-8", newline="\n")
