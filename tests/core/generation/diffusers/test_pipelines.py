"""The real loading and sampling code, on a tiny model of every pipeline class."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput, GeneratorError
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.generator import Generator, run_key
from core.generation.worker import Stopped
from core.records import ImageStatus, NewImage
from tests.contracts.generator_contract import GeneratorContract, make_prompt

GeneratorOf = Callable[..., DiffusersGenerator]
FOUR = ("sdxl", "sd3", "flux", "qwen")


def pixels(image: NewImage) -> Any:
    return np.asarray(Image.open(io.BytesIO(image.data)).convert("RGB"), dtype=int)


class TestTinySdxlKeepsTheContract(GeneratorContract):
    """What holds for every generator holds for one of diffusers."""

    @pytest.fixture(autouse=True)
    def _given(self, generator_of: GeneratorOf) -> None:
        self._make = generator_of

    def make_generator(self) -> Generator:
        return self._make("sdxl")


@pytest.mark.parametrize("kind", FOUR)
def test_every_class_makes_the_same_image_again_and_another_of_another_seed(
    generator_of: GeneratorOf, kind: str
) -> None:
    generator = generator_of(kind)
    first, other = generator.make(make_prompt(), 7), generator.make(make_prompt(), 8)
    again = generator_of(kind).make(make_prompt(), 7)

    assert first.data == again.data
    assert np.abs(pixels(first) - pixels(other)).max() > 8
    assert (first.status, first.width, first.height, first.format) == (ImageStatus.OK, 64, 64, "png")


@pytest.mark.parametrize("kind", ["sdxl", "sd3"])
def test_another_prompt_is_another_picture(generator_of: GeneratorOf, kind: str) -> None:
    generator = generator_of(kind)

    one, other = generator.make(make_prompt("baker"), 7), generator.make(make_prompt("pilot"), 7)

    assert np.abs(pixels(one) - pixels(other)).max() > 8


@pytest.mark.parametrize("kind", FOUR)
def test_what_is_raised_in_a_step_comes_out_and_the_next_image_is_the_right_one(
    generator_of: GeneratorOf, kind: str
) -> None:
    worker = generator_of(kind).open("cpu")
    steps: list[tuple[int, int]] = []

    def stop(number: int, total: int) -> None:
        steps.append((number, total))
        raise Stopped

    with pytest.raises(Stopped):
        worker.sample(make_prompt(), 7, stop)

    assert steps == [(1, 2)]
    image = worker.sample(make_prompt(), 7, lambda number, total: steps.append((number, total)))()
    assert steps[1:] == [(1, 2), (2, 2)]
    assert image.data == generator_of(kind).make(make_prompt(), 7).data


def test_an_image_does_not_depend_on_those_made_before_it(generator_of: GeneratorOf) -> None:
    worker = generator_of("sd3").open("cpu")

    made = [worker.sample(make_prompt(), seed, lambda *_: None)().data for seed in (1, 2, 1)]

    assert made[0] == made[2] != made[1]


def test_settings_name_all_that_shapes_pixels_and_change_the_run_key(generator_of: GeneratorOf) -> None:
    plain = generator_of("sdxl")
    keys = {run_key("x", plain.settings, "a photo", 1)}

    for change in (
        {"steps": 3},
        {"guidance_scale": 6.0},
        {"negative_prompt": "blurred"},
        {"scheduler": "DDIMScheduler"},
        {"scheduler_options": {"timestep_spacing": "trailing"}},
        {"dtype": "bfloat16"},
        {"vae_dtype": "bfloat16"},
        {"threads": 2},
        {"width": 72},
    ):
        keys.add(run_key("x", generator_of("sdxl", **change).settings, "a photo", 1))

    assert len(keys) == 10


def test_a_scheduler_of_the_entry_takes_the_place_of_the_models(generator_of: GeneratorOf) -> None:
    own = generator_of("sdxl").make(make_prompt(), 7)
    other = generator_of(
        "sdxl", scheduler="DDIMScheduler", scheduler_options={"timestep_spacing": "trailing"}
    ).make(make_prompt(), 7)

    assert own.provenance["scheduler"]["_class_name"] == "EulerDiscreteScheduler"
    assert other.provenance["scheduler"]["_class_name"] == "DDIMScheduler"
    assert other.provenance["scheduler"]["timestep_spacing"] == "trailing"
    assert own.data != other.data


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_a_model_runs_in_sixteen_bits_with_its_decoder_in_float32(
    generator_of: GeneratorOf, dtype: str
) -> None:
    full = generator_of("sdxl").make(make_prompt(), 7)
    half = generator_of("sdxl", dtype=dtype, vae_dtype="float32").make(make_prompt(), 7)

    assert half.data != full.data
    assert np.abs(pixels(half) - pixels(full)).mean() < 10
    assert half.status is ImageStatus.OK


def test_an_argument_that_the_class_lacks_is_named(generator_of: GeneratorOf) -> None:
    with pytest.raises(BadInput, match="StableDiffusionXLPipeline has no true_cfg_scale"):
        generator_of("sdxl", true_cfg_scale=4.0).make(make_prompt(), 7)


def test_an_entry_that_names_another_class_than_the_model_is_refused(generator_of: GeneratorOf) -> None:
    with pytest.raises(BadInput, match=r"is to be a FluxPipeline, but .* is a StableDiffusionXLPipeline"):
        generator_of("sdxl", pipeline="FluxPipeline").make(make_prompt(), 7)


def test_a_class_or_scheduler_that_diffusers_lacks_is_named(
    generator_of: GeneratorOf, entry_of: Callable[..., Any]
) -> None:
    from core.generation.diffusers.loading import pipeline_class

    generator = generator_of("sdxl", pipeline="NoSuchPipeline")
    with pytest.raises(BadInput, match="has no pipeline 'NoSuchPipeline'"):
        pipeline_class(generator.entry, replace(generator.model, pipeline="NoSuchPipeline"))
    with pytest.raises(BadInput, match="has no scheduler 'json'"):
        generator_of("sdxl", scheduler="json").make(make_prompt(), 7)


def test_an_image_that_the_pipeline_refuses_is_one_failure(generator_of: GeneratorOf) -> None:
    generator = generator_of("sdxl", width=60)  # not a multiple of eight

    with pytest.raises(GeneratorError, match=r"tiny-sdxl could not make 'a photo of a baker', seed 7: .*60"):
        generator.make(make_prompt(), 7)


def test_an_image_of_another_size_than_asked_is_kept_apart(generator_of: GeneratorOf) -> None:
    image = generator_of("qwen", width=72).make(make_prompt(), 7)  # this class takes multiples of sixteen

    assert (image.status, image.width) == (ImageStatus.WRONG_SIZE, 64)
    assert image.provenance["status_reason"] == "It is 64 × 64 pixels, not 72 × 64."


def test_what_the_safety_checker_objects_to_is_flagged(generator_of: GeneratorOf) -> None:
    worker: Any = generator_of("sd").open("cpu")
    assert worker.sample(make_prompt(), 7, lambda *_: None)().status is ImageStatus.OK

    worker._pipe.safety_checker.concept_embeds_weights.data.fill_(-2.0)  # now it objects to everything
    image = worker.sample(make_prompt(), 7, lambda *_: None)()

    assert image.status is ImageStatus.FLAGGED
    assert pixels(image).max() == 0


def test_an_entry_can_do_without_the_safety_checker(generator_of: GeneratorOf) -> None:
    worker: Any = generator_of("sd", uses_safety_checker=False).open("cpu")

    assert worker._pipe.safety_checker is None
    assert worker.sample(make_prompt(), 7, lambda *_: None)().status is ImageStatus.OK
