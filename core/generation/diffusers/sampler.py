"""One pipeline on one device as a `Worker`: loads, samples, makes do with less memory once."""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping
from typing import Any

from core.errors import GeneratorError, UserError
from core.generation.diffusers.arrival import arrive
from core.generation.diffusers.devices import Device, Offload, next_offload
from core.generation.diffusers.gate import GATE
from core.generation.diffusers.loading import Place, is_out_of_memory, load, quiet
from core.generation.diffusers.provenance import made_on
from core.generation.diffusers.sampling import Sampled, sample
from core.generation.diffusers.weights import Model
from core.generation.entry import Entry
from core.generation.generator import run_key
from core.generation.worker import Finish, OnStep, Stopped
from core.records import NewImage, Prompt


class OutOfMemory(UserError):
    """Neither the off-load chosen nor the next one fits into memory."""


class Sampler:
    """A loaded pipeline.

    Parameters
    ----------
    entry, settings, model
        The generator, what it notes as settings, and its model on this machine.
    device : Device
        Where it runs.
    offload : Offload
        How it is fitted into memory; the next one is tried once when memory runs out.
    place : callable, optional
        Brings a pipeline onto its device; other than the usual in tests.
    """

    def __init__(
        self,
        entry: Entry,
        settings: Mapping[str, Any],
        model: Model,
        device: Device,
        offload: Offload = "none",
        place: Place | None = None,
    ) -> None:
        self._entry = entry
        self._settings = settings
        self._model = model
        self._device = device
        self._place = place
        self._has_retried = False
        self.offload: Offload = offload
        self._pipe = self._loaded()
        self._made_on = made_on(device, self.offload, self._pipe)

    def sample(self, prompt: Prompt, seed: int, on_step: OnStep) -> Finish:
        """Sample one image; GeneratorError when the pipeline cannot, OutOfMemory when nothing fits."""
        begun = time.perf_counter()
        sampled = self._attempt(prompt, seed, on_step)
        seconds = time.perf_counter() - begun
        made = dict(self._made_on)
        return lambda: self._image(prompt, seed, sampled, seconds, made)

    def close(self) -> None:
        """Let go of the pipeline and of the device's memory."""
        self._pipe = None
        self._free()

    def _attempt(self, prompt: Prompt, seed: int, on_step: OnStep) -> Sampled:
        try:
            return self._once(prompt, seed, on_step)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise self._cannot(prompt, seed, error) from error
            self._need_less(error)
        try:  # not within the handler above: its traceback would hold on to what fills the memory
            return self._once(prompt, seed, on_step)
        except (RuntimeError, MemoryError) as error:
            if is_out_of_memory(error):
                raise self._too_small() from error
            raise self._cannot(prompt, seed, error) from error

    def _once(self, prompt: Prompt, seed: int, on_step: OnStep) -> Sampled:
        try:
            with GATE.sampling(), quiet():
                return sample(self._entry, self._pipe, prompt.text, seed, on_step)
        except (Stopped, UserError):
            raise
        except (ValueError, TypeError, IndexError) as error:
            raise self._cannot(prompt, seed, error) from error

    def _cannot(self, prompt: Prompt, seed: int, error: BaseException) -> GeneratorError:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
        return GeneratorError(f"{self._entry.name} could not make {prompt.text!r}, seed {seed}: {first}")

    def _need_less(self, error: BaseException) -> None:
        """Load again with the next off-load, once."""
        following = None if self._has_retried else next_offload(self._device.name, self.offload)
        if following is None:
            raise self._too_small() from error
        self._has_retried = True
        self._pipe = None
        self._free()
        self.offload = following
        self._pipe = self._loaded()
        self._made_on = made_on(self._device, self.offload, self._pipe)

    def _too_small(self) -> OutOfMemory:
        return OutOfMemory(
            f"{self._entry.name} stopped: {self._device.name} ({self._device.title}) ran out of memory, "
            f"also with off-load {self.offload!r}. What was made is kept.",
            "Close what else uses the device, choose a smaller size under another name, or another device.",
        )

    def _loaded(self) -> Any:
        try:
            with GATE.loading():
                return load(self._entry, self._model, self._device.name, self.offload, self._place)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            following = None if self._has_retried else next_offload(self._device.name, self.offload)
            if following is None:
                raise self._too_small() from error
        self._has_retried, self.offload = True, following
        self._free()
        return self._loaded()

    def _free(self) -> None:
        import torch

        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _image(
        self, prompt: Prompt, seed: int, sampled: Sampled, seconds: float, made: Mapping[str, Any]
    ) -> NewImage:
        entry = self._entry
        arrived = arrive(sampled.pixels, sampled.is_flagged, entry.width, entry.height)
        return NewImage(
            generator=entry.name,
            prompt=prompt,
            seed=seed,
            run_key=run_key(entry.name, self._settings, prompt.text, seed),
            data=arrived.data,
            width=arrived.width,
            height=arrived.height,
            format="png",
            status=arrived.status,
            seconds=seconds,
            source="diffusers",
            provenance={
                "generator": entry.name,
                "settings": dict(self._settings),
                "prompt": prompt.text,
                "negative_prompt": entry.negative_prompt,
                "role": prompt.role,
                "condition": prompt.condition.value if prompt.condition else None,
                "wording": prompt.wording,
                "place": prompt.place,
                "activity": prompt.activity,
                "seed": seed,
                "decoded_again_in_float32": sampled.was_retried,
                "status_reason": arrived.reason,
                **made,
            },
        )
