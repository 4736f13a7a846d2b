"""The drawn generators keep the contract, and what their pictures look like is what was decided."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PIL import Image, ImageStat

from core.bank import load_contexts, load_roles
from core.errors import BadInput, GeneratorError
from core.generation.drawn import painting
from core.generation.drawn.generator import DrawnGenerator
from core.generation.drawn.grade import NAMES, dominant_colors
from core.generation.drawn.painting import Sketch, paint, sketch
from core.generation.generator import MakesMany
from core.prompts import build_prompts
from core.records import Condition, NewImage, Prompt
from tests.contracts.generator_contract import GeneratorContract, make_prompt

CLINIC = make_prompt("doctor", Condition.CA_R, place="a clinic", activity="reading a medical chart")


class TestDrawnA(GeneratorContract):
    def make_generator(self) -> DrawnGenerator:
        return DrawnGenerator("drawn-a", size=96)


class TestDrawnB(GeneratorContract):
    def make_generator(self) -> DrawnGenerator:
        return DrawnGenerator("drawn-b", size=96)

    def prompt(self) -> Prompt:
        return make_prompt("farmer", Condition.CA_U, place="a street market", activity="buying honey")


def test_all_roles_and_conditions_can_be_drawn() -> None:
    prompts = build_prompts(load_roles(), load_contexts())
    generator = DrawnGenerator("drawn-a", size=64)

    made = [generator.make(prompt, position) for position, prompt in enumerate(prompts[::6])]

    assert {image.prompt.role for image in made} == {role.name for role in load_roles()}
    assert {image.prompt.condition for image in made} == set(Condition)


def test_two_generators_draw_different_people_of_the_same_seed() -> None:
    one, other = (DrawnGenerator(name, size=64).make(CLINIC, 3) for name in ("drawn-a", "drawn-b"))

    assert one.data != other.data


def test_size_is_part_of_the_run_key() -> None:
    keys = {DrawnGenerator("drawn-a", size=size).make(CLINIC, 3).run_key for size in (64, 96)}

    assert len(keys) == 2


def test_impossible_size_is_refused() -> None:
    with pytest.raises(BadInput, match="64 to 1024"):
        DrawnGenerator("drawn-a", size=8)


def test_prompt_without_a_condition_is_drawn_as_context_free() -> None:
    free = sketch("drawn-a", "drawn-a", make_prompt("nurse", Condition.CF), 4)
    unstated = sketch("drawn-a", "drawn-a", make_prompt("nurse", None), 4)

    assert free.values == unstated.values


def test_many_come_in_order_and_are_the_same_as_one_by_one() -> None:
    generator = DrawnGenerator("drawn-a", size=64)
    tasks = [(CLINIC, seed) for seed in range(12)]

    many = list(generator.draw_many(tasks, workers=2))

    assert isinstance(generator, MakesMany)
    assert [image.data for image in many if isinstance(image, NewImage)] == [
        generator.make(*task).data for task in tasks
    ]


def test_closing_the_results_leaves_no_thread_behind() -> None:
    results = DrawnGenerator("drawn-a", size=64).draw_many([(CLINIC, seed) for seed in range(500)], workers=2)
    next(results)

    results.close()

    assert not [thread for thread in threading.enumerate() if thread.name.startswith("drawn")]


def test_failure_takes_the_place_of_its_image(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = DrawnGenerator("drawn-a", size=64)
    make = generator.make

    def fail_at_two(prompt: Prompt, seed: int) -> NewImage:
        if seed == 2:
            raise GeneratorError("No picture.")
        return make(prompt, seed)

    monkeypatch.setattr(generator, "make", fail_at_two)

    results = list(generator.draw_many([(CLINIC, seed) for seed in range(4)]))

    assert [isinstance(result, GeneratorError) for result in results] == [False, False, True, False]


def drawn(**values: str) -> Image.Image:
    plan = sketch("drawn-a", "drawn-a", CLINIC, 11)
    lens = {"framing": "medium", "depth_of_field": "deep"}
    light = {"contrast_level": "medium", "color_temperature": "neutral"}
    decided = Sketch(plan.situation, {**plan.values, **lens, **light, **values}, plan.uniform)
    return Image.open(io.BytesIO(paint(decided, 128).data)).convert("RGB")


def redness(image: Image.Image) -> float:
    red, _, blue = ImageStat.Stat(image).mean
    return red - blue


def test_warm_is_redder_than_neutral_and_cool_bluer() -> None:
    warm, neutral, cool = (redness(drawn(color_temperature=name)) for name in ("warm", "neutral", "cool"))

    assert warm > neutral + 20
    assert cool < neutral - 20


def test_contrast_orders_the_spread_of_lightness() -> None:
    pictures = (drawn(contrast_level=name).convert("L") for name in ("low", "medium", "high"))
    spreads = [ImageStat.Stat(picture).stddev[0] for picture in pictures]

    assert spreads[0] * 1.3 < spreads[1] < spreads[2]


def test_shallow_background_has_no_sharp_edges() -> None:
    sharp, soft = (painting._ground(_with(depth_of_field=name), 128) for name in ("deep", "shallow"))

    assert _roughness(soft) < _roughness(sharp) / 2


def _with(**values: str) -> Sketch:
    plan = sketch("drawn-a", "drawn-a", CLINIC, 11)
    return replace(plan, values={**plan.values, **values})


def _roughness(image: Image.Image) -> float:
    grey = image.convert("L")
    pixels: Iterator[tuple[int, int]] = zip(grey.tobytes(), grey.tobytes()[1:], strict=False)
    return sum((one - other) ** 2 for one, other in pixels)


def test_dominant_colours_are_named_largest_first() -> None:
    picture = Image.new("RGB", (64, 64), NAMES["teal"])
    picture.paste(NAMES["orange"], (0, 0, 64, 20))

    assert dominant_colors(picture) == ("teal", "orange")


@pytest.mark.parametrize("name", NAMES)
def test_every_colour_that_stands_for_a_name_gets_it(name: str) -> None:
    assert dominant_colors(Image.new("RGB", (32, 32), NAMES[name])) == (name,)
