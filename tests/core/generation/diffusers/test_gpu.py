"""What holds on a processor holds on a graphics card; skipped where there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from core.engines.local import LocalEngine
from core.generation.device_check import MOST_MEAN, difference
from core.generation.diffusers.devices import OFFLOADS, devices
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.worker import Stopped
from core.records import ImageStatus, NewImage
from tests.contracts.generator_contract import make_prompt

GeneratorOf = Callable[..., DiffusersGenerator]
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device"),
]


def made_on(generator: DiffusersGenerator, device: str, seed: int = 7) -> NewImage:
    worker = generator.open(device)
    try:
        return worker.sample(make_prompt(), seed, lambda *_: None)()
    finally:
        worker.close()


@pytest.mark.parametrize("kind", ["sdxl", "sd3", "flux", "qwen"])
def test_a_card_makes_the_same_image_again_and_the_processors_but_for_rounding(
    generator_of: GeneratorOf, kind: str
) -> None:
    generator = generator_of(kind)
    first, again, here = (made_on(generator, name) for name in ("cuda:0", "cuda:0", "cpu"))

    assert first.data == again.data
    assert difference(first.data, here.data)[1] < MOST_MEAN
    assert first.provenance["device"]["title"] == torch.cuda.get_device_name(0)


@pytest.mark.parametrize("kind", ["sdxl", "sd3", "flux", "qwen"])
@pytest.mark.parametrize("offload", OFFLOADS)
def test_off_load_changes_no_byte(generator_of: GeneratorOf, kind: str, offload: Any) -> None:
    entry = generator_of(kind).entry

    assert (
        made_on(DiffusersGenerator(entry, offload), "cuda:0").data
        == made_on(DiffusersGenerator(entry, "none"), "cuda:0").data
    )


@pytest.mark.parametrize("offload", OFFLOADS)
def test_a_decoder_that_overflows_is_run_again_with_every_off_load(
    generator_of: GeneratorOf, offload: Any
) -> None:
    worker: Any = DiffusersGenerator(generator_of("sdxl", dtype="float16").entry, offload).open("cuda:0")
    decode = worker._pipe.vae.decode._decode

    def broken(latents: Any, *args: Any, **options: Any) -> Any:
        found = decode(latents, *args, **options)
        return found if latents.dtype == torch.float32 else (found[0] * float("nan"), *found[1:])

    worker._pipe.vae.decode._decode = broken
    image = worker.sample(make_prompt(), 7, lambda *_: None)()

    assert image.status is ImageStatus.OK
    assert image.provenance["decoded_again_in_float32"]


def test_a_step_stops_on_a_card(generator_of: GeneratorOf) -> None:
    worker = generator_of("sdxl").open("cuda:0")

    def stop(number: int, total: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        worker.sample(make_prompt(), 7, stop)


def test_every_card_is_used(generator_of: GeneratorOf) -> None:
    names = [one.name for one in devices() if one.name.startswith("cuda")]
    tasks = [(make_prompt(), seed) for seed in range(6 * len(names))]

    reports = LocalEngine().run(generator_of("sd3"), tasks)

    used = {one.provenance["device"]["name"] for one in reports if isinstance(one, NewImage)}
    assert used == set(names)
