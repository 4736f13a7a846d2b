"""Images that are not numbers or black, and memory that runs out: what is tried, and what is said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from core.generation.diffusers import sampler as sampler_module
from core.generation.diffusers.arrival import arrive
from core.generation.diffusers.decoder import Decoder
from core.generation.diffusers.devices import Device, choose, needs, next_offload
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.diffusers.sampler import OutOfMemory, Sampler
from core.records import ImageStatus
from tests.contracts.generator_contract import make_prompt

GeneratorOf = Callable[..., DiffusersGenerator]


def nothing(number: int, total: int) -> None:
    """A step that nobody watches."""


def spoil(worker: Any, *, also_in_float32: bool) -> None:
    """Let the decoder overflow, as some do in 16 bits."""
    decode = worker._pipe.vae.decode._decode

    def broken(latents: Any, *args: Any, **options: Any) -> Any:
        found = decode(latents, *args, **options)
        if latents.dtype == torch.float32 and not also_in_float32:
            return found
        return (found[0] * float("nan"), *found[1:])

    worker._pipe.vae.decode._decode = broken


@pytest.mark.parametrize("kind", ["sdxl", "sd3", "flux", "qwen"])
def test_a_decoder_that_overflows_is_run_again_in_float32(generator_of: GeneratorOf, kind: str) -> None:
    worker: Any = generator_of(kind, dtype="bfloat16").open("cpu")
    right = worker.sample(make_prompt(), 7, nothing)()
    spoil(worker, also_in_float32=False)

    image = worker.sample(make_prompt(), 7, nothing)()

    assert image.status is ImageStatus.OK
    assert image.provenance["decoded_again_in_float32"]
    assert not right.provenance["decoded_again_in_float32"]
    assert worker._pipe.vae.dtype == torch.bfloat16, "the next image begins as it should"


def test_what_is_no_number_in_float32_either_is_kept_as_black(generator_of: GeneratorOf) -> None:
    worker: Any = generator_of("sdxl", dtype="bfloat16").open("cpu")
    spoil(worker, also_in_float32=True)

    image = worker.sample(make_prompt(), 7, nothing)()

    assert image.status is ImageStatus.BLACK
    assert "not numbers" in image.provenance["status_reason"]
    assert image.provenance["decoded_again_in_float32"]


def test_a_float32_decoder_is_not_run_twice() -> None:
    calls = []

    class Vae:
        dtype = torch.float32

        def decode(self, latents: Any, **_: Any) -> Any:
            calls.append(latents)
            return (latents * float("nan"),)

    decoder = Decoder(Vae(), "cpu")
    decoder(torch.zeros(1, 3, 4, 4), return_dict=False)

    assert len(calls) == 1
    assert not decoder.was_retried


@pytest.mark.parametrize(
    ("pixels", "flagged", "status"),
    [
        (np.full((8, 8, 3), 0.5), False, ImageStatus.OK),
        (np.zeros((8, 8, 3)), False, ImageStatus.BLACK),
        (np.full((8, 8, 3), 0.03), False, ImageStatus.BLACK),
        (np.full((8, 8, 3), 0.04), False, ImageStatus.OK),
        (np.where(np.eye(8)[..., None] == 1, np.nan, np.ones((8, 8, 3))), False, ImageStatus.BLACK),
        (np.zeros((8, 8, 3)), True, ImageStatus.FLAGGED),
        (np.full((8, 16, 3), 0.5), False, ImageStatus.WRONG_SIZE),
    ],
    ids=["grey", "black", "almost black", "dark", "one not a number", "flagged", "wide"],
)
def test_every_image_gets_its_status(pixels: Any, flagged: bool, status: ImageStatus) -> None:
    assert arrive(pixels.astype("float32"), flagged, 8, 8).status is status


# Memory ----------------------------------------------------------------------------------------------


class Forgetful:
    """Stands in for placing a pipeline on a small device: memory runs out with some off-loads."""

    def __init__(self, *full: str) -> None:
        self.full = full
        self.placed: list[str] = []

    def __call__(self, pipe: Any, device: str, offload: str) -> None:
        self.placed.append(offload)
        decode = pipe.vae.decode

        def short(*args: Any, **options: Any) -> Any:
            if offload in self.full:
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
            return decode(*args, **options)

        pipe.vae.decode = short


def sampler(generator: DiffusersGenerator, place: Forgetful, name: str = "cuda:0") -> Sampler:
    device = Device(name, "a small card", 8 * 10**9, 4 * 10**9)
    return Sampler(generator.entry, generator.settings, generator.model, device, "none", place)


def test_memory_that_runs_out_is_met_once_with_the_next_off_load(generator_of: GeneratorOf) -> None:
    generator, place = generator_of("sd3"), Forgetful("none")

    image = sampler(generator, place).sample(make_prompt(), 7, nothing)()

    assert place.placed == ["none", "model"]
    assert image.provenance["offload"] == "model"
    assert image.data == generator.make(make_prompt(), 7).data, "off-load changes no pixel"


def test_memory_that_runs_out_twice_ends_in_a_sentence(generator_of: GeneratorOf) -> None:
    place = Forgetful("none", "model", "sequential")

    with pytest.raises(
        OutOfMemory, match=r"tiny-sd3 stopped: cuda:0 .*ran out of memory, also with off-load"
    ):
        sampler(generator_of("sd3"), place).sample(make_prompt(), 7, nothing)

    assert place.placed == ["none", "model"]


def test_a_processor_has_nothing_to_off_load_to(generator_of: GeneratorOf) -> None:
    place = Forgetful("none")

    with pytest.raises(OutOfMemory):
        sampler(generator_of("sd3"), place, "cpu").sample(make_prompt(), 7, nothing)

    assert place.placed == ["none"]


def test_memory_that_runs_out_while_loading_is_met_as_well(
    generator_of: GeneratorOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    load, tried = sampler_module.load, []

    def full(entry: Any, model: Any, device: str, offload: Any, place: Any) -> Any:
        tried.append(offload)
        if offload == "none":
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return load(entry, model, device, offload, place)

    monkeypatch.setattr(sampler_module, "load", full)

    assert sampler(generator_of("sd3"), Forgetful()).offload == "model"
    assert tried == ["none", "model"]


def test_the_first_off_load_that_fits_is_chosen(entry_of: Callable[..., Any]) -> None:
    entry = entry_of("flux", width=1024, height=1024, dtype="bfloat16")
    weights = {"transformer": 24 * 10**9, "text_encoder_2": 9 * 10**9}
    needed = needs(entry, weights)

    chosen = [choose(Device("cuda:0", "", 0, free * 10**9), needed) for free in (48, 32, 8, 2)]

    assert chosen == ["none", "model", "sequential", None]
    assert choose(Device("cpu", "", 0, 32 * 10**9), needed) is None
    assert [next_offload("cuda:1", one) for one in ("none", "model", "sequential")] == [
        "model",
        "sequential",
        None,
    ]
