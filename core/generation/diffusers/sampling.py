"""Sample one image: the arguments that each pipeline class understands, seeded on the processor.

The noise comes from a generator of numbers on the processor, whatever the device, and one image is
sampled at a time: in a batch its last digits would depend on its neighbours.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput
from core.generation.entry import Entry
from core.generation.worker import OnStep

CHOSEN = ("guidance_scale", "true_cfg_scale", "max_sequence_length", "negative_prompt")
"""Settings that only some classes take; given where the entry states them."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """What a pipeline gave: numbers from 0 to 1, shape (height, width, 3), float32.

    `is_flagged` says that the model's safety checker objected, `was_retried` that the decoder was run a
    second time, in float32.
    """

    pixels: Any
    is_flagged: bool
    was_retried: bool


def sample(entry: Entry, pipe: Any, text: str, seed: int, on_step: OnStep) -> Sampled:
    """Sample one image of a text and a seed; what `on_step` raises comes out of here."""
    import torch

    def after(_pipe: Any, step: int, _time: Any, kept: dict[str, Any]) -> dict[str, Any]:
        on_step(step + 1, int(getattr(pipe, "num_timesteps", entry.steps) or entry.steps))
        return kept

    with torch.inference_mode():
        found = pipe(
            prompt=text,
            generator=torch.Generator("cpu").manual_seed(seed),
            callback_on_step_end=after,
            **arguments(entry, type(pipe)),
        )
    flags = getattr(found, "nsfw_content_detected", None) or [False]
    return Sampled(found.images[0], bool(flags[0]), bool(pipe.vae.decode.was_retried))


def arguments(entry: Entry, kind: type) -> Mapping[str, Any]:
    """The entry's settings as arguments of a pipeline class; BadInput for one that the class lacks."""
    takes = inspect.signature(kind.__call__).parameters
    chosen = {name: getattr(entry, name) for name in CHOSEN if getattr(entry, name) is not None}
    for name in (*chosen, "callback_on_step_end"):
        if name not in takes:
            raise BadInput(
                f"{entry.pipeline} has no {name}, which the generator {entry.name!r} needs.",
                "Correct the entry.",
            )
    size = {"width": entry.width, "height": entry.height, "num_inference_steps": entry.steps}
    return {**size, **chosen, "output_type": "np"}
