"""What every generator must keep to. A test class inherits `GeneratorContract` and gives its generator."""

from __future__ import annotations

import io
import json
from abc import ABC, abstractmethod
from dataclasses import replace

from PIL import Image

from core.generation.generator import Generator, run_key
from core.records import Condition, Prompt, PromptKind
from core.schema import load_schema


def make_prompt(
    role: str = "baker",
    condition: Condition | None = Condition.CF,
    *,
    place: str | None = None,
    activity: str | None = None,
    wording: str = "a photo of",
) -> Prompt:
    """A prompt as the bank would write it."""
    words = [wording, "a", role.replace("_", " ")]
    words += [activity] if activity else []
    words += ["in", place] if place else []
    return Prompt(role, condition, PromptKind.BASE, " ".join(words), wording, place, activity)


class GeneratorContract(ABC):
    """Inherit it, give a generator, and its tests run."""

    @abstractmethod
    def make_generator(self) -> Generator:
        """A fresh generator."""

    def prompt(self) -> Prompt:
        """A prompt that the generator can make an image of."""
        return make_prompt()

    def test_settings_survive_json(self) -> None:
        settings = dict(self.make_generator().settings)

        assert json.loads(json.dumps(settings)) == settings

    def test_two_generators_of_one_kind_have_the_same_settings(self) -> None:
        assert self.make_generator().settings == self.make_generator().settings

    def test_image_says_what_it_was_made_of(self) -> None:
        generator = self.make_generator()

        image = generator.make(self.prompt(), 7)

        assert image.generator == generator.name
        assert image.prompt == self.prompt()
        assert image.seed == 7
        assert image.run_key == run_key(generator.name, generator.settings, self.prompt().text, 7)

    def test_provenance_holds_everything_that_shaped_the_pixels(self) -> None:
        generator = self.make_generator()

        provenance = dict(generator.make(self.prompt(), 7).provenance)

        assert provenance["settings"] == dict(generator.settings)
        assert provenance["prompt"] == self.prompt().text
        assert provenance["seed"] == 7
        assert provenance["libraries"]
        json.dumps(provenance)

    def test_data_is_a_picture_of_the_stated_size_and_format(self) -> None:
        made = self.make_generator().make(self.prompt(), 7)

        with Image.open(io.BytesIO(made.data)) as picture:
            picture.load()
            assert picture.size == (made.width, made.height)
            assert (picture.format or "").lower() == made.format

    def test_same_text_seed_and_settings_give_the_same_bytes(self) -> None:
        first = self.make_generator().make(self.prompt(), 7)
        second = self.make_generator().make(self.prompt(), 7)

        assert first.data == second.data
        assert first.truth == second.truth

    def test_another_seed_gives_another_picture(self) -> None:
        generator = self.make_generator()

        assert generator.make(self.prompt(), 7).data != generator.make(self.prompt(), 8).data

    def test_another_text_has_another_run_key(self) -> None:
        generator = self.make_generator()
        other = replace(self.prompt(), text=self.prompt().text + " again")

        assert generator.make(self.prompt(), 7).run_key != generator.make(other, 7).run_key

    def test_truth_if_any_is_in_the_words_of_the_schema(self) -> None:
        schema = load_schema()

        for dimension, labels in (self.make_generator().make(self.prompt(), 7).truth or {}).items():
            known = schema.dimension(dimension)
            assert labels
            assert known.is_list or len(labels) == 1
            assert not known.is_closed or set(labels) <= set(known.label_ids)
