"""A generator that diffusers runs, as the rest of the application sees it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from core.errors import BadInput
from core.generation.diffusers.devices import (
    Offload,
    choose,
    device_called,
    devices,
    needs,
    weights_in_memory,
)
from core.generation.diffusers.fingerprint import file_hash, fingerprint
from core.generation.diffusers.hub import downloaded, fetch
from core.generation.diffusers.weights import Model, look_over, look_over_folder
from core.generation.entry import Entry, Folder
from core.generation.worker import Worker
from core.jobs import Job
from core.records import NewImage, Prompt

REVISION = 1
"""Counts changes of our own that change pixels: then images are made anew, not taken for the old ones."""


class DiffusersGenerator:
    """The generator of one entry. Making it loads nothing; torch is imported when it is opened.

    Parameters
    ----------
    entry : Entry
        Of `generators.json`.
    offload : Offload, optional
        How to fit it into memory; what fits by estimate when left out.
    """

    def __init__(self, entry: Entry, offload: Offload | None = None) -> None:
        self.entry = entry
        self.name = entry.name
        self._offload = offload
        self._worker: Worker | None = None

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """All that shapes pixels: the model by commit or content, the entry's settings, LoRAs by content.

        BadInput when the model is a folder that is not there or not whole.
        """
        entry = self.entry
        optional = {
            "guidance_scale": entry.guidance_scale,
            "true_cfg_scale": entry.true_cfg_scale,
            "negative_prompt": entry.negative_prompt,
            "max_sequence_length": entry.max_sequence_length,
            "scheduler": entry.scheduler,
            "scheduler_options": dict(entry.scheduler_options) or None,
            "vae_dtype": entry.vae_dtype,
            "variant": entry.source.variant,
            "pickled_weights": list(self._pickled()) or None,
            "loras": [{"weights": _lora_hash(one.file), "scale": one.scale} for one in entry.loras] or None,
        }
        return {
            "kind": "diffusers",
            **self._model_is(),
            "pipeline": entry.pipeline,
            "width": entry.width,
            "height": entry.height,
            "steps": entry.steps,
            "dtype": entry.dtype,
            "threads": entry.threads,
            "uses_safety_checker": entry.uses_safety_checker,
            "batch": 1,
            "format": "png",
            "revision_of_code": REVISION,
            **{name: value for name, value in optional.items() if value is not None},
        }

    def _model_is(self) -> dict[str, str]:
        source = self.entry.source
        if isinstance(source, Folder):
            return {"model": source.path.name, "weights": fingerprint(self.model)}
        return {"model": source.repository, "revision": source.revision}

    def _pickled(self) -> tuple[str, ...]:
        """Parts whose weights are pickled, which an entry has to allow."""
        source = self.entry.source
        return self.model.pickled if isinstance(source, Folder) and source.allows_pickled else ()

    @property
    def model(self) -> Model:
        """The model on this machine; BadInput when it is not here, not whole, or not safe to load."""
        source = self.entry.source
        if isinstance(source, Folder):
            return look_over_folder(source)
        found = downloaded(source)
        if found is None:
            raise BadInput(
                f"The model of {self.name!r} ({source.repository}) is not on this machine.",
                f"`main.py generate STUDY --generator {self.name}` downloads it first.",
            )
        return look_over(found, source.variant)

    def prepare(self) -> Job[None]:
        """Download the model from the hub unless all of it is here."""
        yield from fetch(self.entry)

    def devices(self) -> tuple[str, ...]:
        """Every CUDA device there is; else the one best device."""
        found = devices()
        graphics = tuple(one.name for one in found if one.name.startswith("cuda"))
        return graphics or (found[0].name,)

    def title_of(self, device: str) -> str:
        """What a device is, such as the name of a graphics card."""
        return device_called(device).title

    def open(self, device: str) -> Worker:
        """Load the model onto a device, off-loading as its memory asks for."""
        from core.generation.diffusers.sampler import Sampler

        place, model = device_called(device), self.model
        needed = needs(self.entry, weights_in_memory(self.entry, model.numbers))
        least: Offload = "none" if place.is_processor else "sequential"
        offload = self._offload or choose(place, needed) or least
        return Sampler(self.entry, self.settings, model, place, offload)

    def make(self, prompt: Prompt, seed: int) -> NewImage:
        """One image, on the best device; the pipeline stays loaded until `close`."""
        if self._worker is None:
            self._worker = self.open(self.devices()[0])
        return self._worker.sample(prompt, seed, lambda step, total: None)()

    def close(self) -> None:
        """Let go of the pipeline that `make` loaded."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def _lora_hash(file: Any) -> str:
    if not file.is_file():
        raise BadInput(f"The LoRA {file} is not there.", "Correct the entry in your generators.json.")
    return file_hash(file)
