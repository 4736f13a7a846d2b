"""What the fields of the dialog come to, as an entry of one's own `generators.json`; no widgets."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.generation.entry import Entry

KINDS = {
    "Stable Diffusion XL": "StableDiffusionXLPipeline",
    "Stable Diffusion 3": "StableDiffusion3Pipeline",
    "FLUX": "FluxPipeline",
    "Qwen-Image": "QwenImagePipeline",
    "Stable Diffusion": "StableDiffusionPipeline",
}
LONGEST_NAME = 255
"""Bytes of the name of one file or folder, on every file system in use."""

_KEPT = ("scheduler", "vae_dtype", "max_sequence_length", "negative_prompt", "negative_prompt_note")


def guidance_key(pipeline: str) -> str:
    """What a class calls its guidance."""
    return "true_cfg_scale" if pipeline == "QwenImagePipeline" else "guidance_scale"


def kind_of_folder(folder: Path) -> str | None:
    """The kind of a model folder in words; None when it is none, or of a kind with no words here."""
    try:
        said = json.loads((folder / "model_index.json").read_text(encoding="utf-8")).get("_class_name")
    except (OSError, ValueError, AttributeError):
        return None
    return next((word for word, kind in KINDS.items() if kind == said), None)


def size_of(folder: Path) -> int | None:
    """The side of the pictures that a model folder was made for, in pixels; None where it does not say."""
    for part in ("unet", "transformer"):
        try:
            side = json.loads((folder / part / "config.json").read_text(encoding="utf-8")).get("sample_size")
            vae = json.loads((folder / "vae" / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError, AttributeError):
            continue
        blocks = vae.get("block_out_channels") if isinstance(vae, dict) else None
        if isinstance(side, int) and isinstance(blocks, list) and blocks:
            return int(side * 2 ** (len(blocks) - 1))
    return None


def row_of(
    start: Entry | None,
    *,
    name: str,
    model: str,
    revision: str,
    pipeline: str,
    size: tuple[int, int],
    steps: int,
    guidance: str,
    dtype: str,
    lora: str,
    strength: str,
    allows_pickled: bool = False,
) -> dict[str, Any]:
    """The entry that the fields state; what is checked by its rules is passed on as it was typed."""
    row: dict[str, Any] = {"name": name, **_source(model, revision, start), "pipeline": pipeline}
    row |= {"width": size[0], "height": size[1], "steps": steps, "dtype": dtype}
    if allows_pickled:
        row["allow_pickled"] = True
    if guidance:
        row[guidance_key(pipeline)] = _number(guidance, "The guidance")
    if lora:
        row["lora"] = [{"file": lora, "scale": _number(strength or "1.0", "The strength")}]
    if start is not None and start.pipeline == pipeline:
        kept = {key: getattr(start, key) for key in _KEPT if getattr(start, key) is not None}
        row = kept | row
        row |= {"licence": start.licence, "gated": start.gated, "bytes": dict(start.bytes)}
    elif pipeline == "QwenImagePipeline":
        row["negative_prompt"] = " "  # without one this class is not guided at all
    return row


def _source(model: str, revision: str, start: Entry | None) -> dict[str, Any]:
    if any(len(os.fsencode(part)) > LONGEST_NAME for part in Path(model).parts):
        raise BadInput(
            f"A name in the path of the model is longer than {LONGEST_NAME} characters, which no folder has.",
            "Choose the model folder again.",
        )
    is_folder = not model or os.path.isdir(os.path.expanduser(model)) or model.startswith(("/", "~", "."))
    if is_folder or "\\" in model:
        return {"folder": model}
    variant = start.source.variant if start is not None and start.where == model else None
    return {"repository": model, "revision": revision, **({"variant": variant} if variant else {})}


def _number(text: str, what: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise BadInput(f"{what} {text!r} is not a number.", "Write it with a point, such as 3.5.") from None
