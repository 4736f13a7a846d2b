"""Bringing planned pictures in."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.errors import BadInput
from core.importing import Stated, import_images, scan
from core.importing.rehearsal import rehearsed_lines
from core.jobs import run_here
from core.records import Condition, NewImage, Prompt, Role
from tests.storage.builders import new_store

NURSE = Stated("nurse")


class ListSink:
    """A store that is a list."""

    def __init__(self) -> None:
        self.images: list[NewImage] = []
        self.roles: list[Role] = []
        self.generators: list[str] = []

    def run_keys(self, generator: str) -> set[str]:
        return {image.run_key for image in self.images if image.generator == generator}

    def add_roles(self, roles: Sequence[Role]) -> None:
        self.roles += roles

    def add_prompts(self, prompts: Sequence[Prompt]) -> None:
        pass

    def add_generator(self, name: str, kind: str, settings: Mapping[str, Any]) -> None:
        self.generators.append(name)

    def add_image(self, image: NewImage) -> int:
        self.images.append(image)
        return len(self.images)

    def complete_image(self, run_key: str, image: NewImage) -> None:
        self.images = [image if each.run_key == run_key else each for each in self.images]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_width_and_height_are_as_the_exif_orientation_shows_them(tmp_path: Path, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.new("RGB", (30, 20)).save(tmp_path / "a.jpg", exif=exif)
    sink = ListSink()

    run_here(import_images(scan(tmp_path), sink))

    turned = orientation >= 5
    assert (sink.images[0].width, sink.images[0].height) == ((20, 30) if turned else (30, 20))


def test_a_second_import_skips_everything(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    sink = ListSink()
    run_here(import_images(scan(tmp_path), sink))

    again = run_here(import_images(scan(tmp_path), sink))

    assert (again.done, again.skipped, len(sink.images)) == (0, 1, 1)


def test_a_torn_picture_is_a_failure_with_its_class_and_the_rest_goes_on(tmp_path: Path) -> None:
    Image.effect_noise((64, 64), 40).save(tmp_path / "whole.png")
    (tmp_path / "torn.png").write_bytes((tmp_path / "whole.png").read_bytes()[:900])
    sink = ListSink()

    outcome = run_here(import_images(scan(tmp_path), sink))

    assert (outcome.asked, outcome.done, outcome.failed) == (2, 1, 1)
    assert outcome.failures[0].kind == "damaged"


def test_a_role_that_is_not_in_the_bank_gets_its_article(tmp_path: Path) -> None:
    (tmp_path / "astronaut").mkdir()
    Image.new("RGB", (4, 4)).save(tmp_path / "astronaut" / "a.png")
    sink = ListSink()

    run_here(import_images(scan(tmp_path), sink))

    assert [(role.article, role.display_name) for role in sink.roles] == [("an", "astronaut")]


def test_a_picture_that_the_study_cannot_keep_is_a_failure_and_the_rest_goes_on(tmp_path: Path) -> None:
    for name in ("a", "b"):
        Image.new("RGB", (4, 4), "red" if name == "a" else "blue").save(tmp_path / f"{name}.png")

    class Picky(ListSink):
        def add_image(self, image: NewImage) -> int:
            if not self.images and not self.generators.count("seen"):
                self.generators.append("seen")
                raise BadInput("It cannot be averaged.")
            return super().add_image(image)

    outcome = run_here(import_images(scan(tmp_path), Picky()))

    assert (outcome.asked, outcome.done, outcome.failed) == (2, 1, 1)
    assert outcome.failures[0].reason == "It cannot be averaged."


def test_what_is_no_picture_is_told_without_an_address_of_ours(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"junk" * 40)

    outcome = run_here(import_images(scan(tmp_path), ListSink()))

    (failure,) = outcome.failures
    assert failure.kind == "damaged"
    assert "BytesIO" not in failure.reason


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")
def test_a_pipe_among_the_pictures_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.png")

    outcome = run_here(import_images(scan(tmp_path), ListSink()))

    assert (outcome.asked, outcome.failed) == (1, 1)


def test_a_picture_that_is_there_without_a_condition_gets_it_and_is_not_taken_twice(tmp_path: Path) -> None:
    pictures = tmp_path / "nurse"
    pictures.mkdir()
    for colour in ("red", "blue"):
        Image.new("RGB", (4, 4), colour).save(pictures / f"{colour}.png")
    study = new_store(tmp_path / "study")
    run_here(import_images(scan(pictures), study))
    with_condition = scan(pictures, said=Stated("nurse", Condition.CF))

    outcome = run_here(import_images(with_condition, study))
    again = [run_here(import_images(plan, study)) for plan in (with_condition, scan(pictures, said=NURSE))]

    assert (outcome.done, outcome.completed, outcome.failed) == (2, 2, 0)
    assert "2 of them were there" in outcome.sentence("files")
    assert [(each.role, each.condition) for each in study.images()] == [("nurse", Condition.CF)] * 2
    (before,) = study.provenance_of(1)["before"]
    assert (before["role"], before["condition"]) == ("unsorted", None)
    assert [each.skipped for each in again] == [2, 2]
    study.close()


def test_a_picture_that_people_are_asked_about_is_not_changed(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    sink = ListSink()
    run_here(import_images(scan(tmp_path), sink))

    def refuse(run_key: str, image: NewImage) -> None:
        raise BadInput("Image 1 is in a round.")

    sink.complete_image = refuse  # type: ignore[method-assign]
    outcome = run_here(import_images(scan(tmp_path, said=Stated(condition=Condition.CF)), sink))

    assert [(each.kind, each.reason) for each in outcome.failures] == [("in use", "Image 1 is in a round.")]
    assert len(sink.images) == 1


def test_a_rehearsal_looks_as_the_import_does_and_writes_nothing(tmp_path: Path) -> None:
    Image.effect_noise((64, 64), 40).save(tmp_path / "a.png")
    whole = (tmp_path / "a.png").read_bytes()
    (tmp_path / "b.png").write_bytes(whole)
    (tmp_path / "torn.png").write_bytes(whole[:900])
    sink = ListSink()

    lines = run_here(rehearsed_lines(scan(tmp_path), sink))

    starts = ("a.png: ", "not taken: b.png: It is a.png again", "not taken: torn.png: ", "1 to take, 2 not.")
    assert all(line.startswith(start) for line, start in zip(lines, starts, strict=True))
    assert not any((sink.images, sink.roles, sink.generators))
