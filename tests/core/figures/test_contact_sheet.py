"""Contact sheets: the pictures asked for, the same ones every time, with what they are in words."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.figures.contact_sheet import NOT_PEOPLE, Choice, contact_sheet
from core.figures.look import LIGHT
from core.figures.writing import write_with_data
from core.records import Condition, ImageStatus, StoredImage
from core.table_files import read_table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("study")
    for number in range(24):
        Image.new("RGB", (40, 30), (10 * number, 0, 0)).save(place / f"{number}.png")
    return place


def pictures(status: ImageStatus = ImageStatus.OK) -> list[StoredImage]:
    found = []
    for number in range(24):
        condition = list(Condition)[number % 3]
        prompt = f"a photo of a baker {condition}" + (" again" if number % 2 else "")
        found.append(
            StoredImage(
                number,
                f"gen-{number % 4 // 2}",
                "baker",
                condition,
                prompt,
                number,
                f"{number:064x}",
                f"{number}.png",
                f"{number}.png",
                40,
                30,
                status,
            )
        )
    return found


def test_every_cell_has_as_many_as_asked_for_and_only_its_own(folder: Path):
    data = contact_sheet(pictures(), Choice("baker", each=2), folder).data
    by_id = {one.image_id: one for one in pictures()}

    assert len(data) == 3 * 2 * 2
    for row in data.itertuples():
        assert (row.condition, row.generator) == (by_id[row.image].condition, by_id[row.image].generator)
    assert data["image"].is_unique


def test_the_seed_and_not_the_order_decides_which(folder: Path):
    mixed = random.Random(1).sample(pictures(), 24)
    first = contact_sheet(pictures(), Choice("baker", each=2), folder).data

    assert contact_sheet(mixed, Choice("baker", each=2), folder).data.equals(first)
    assert not contact_sheet(mixed, Choice("baker", each=2, seed=5), folder).data.equals(first)


def test_prompts_can_be_the_rows(folder: Path):
    drawing = contact_sheet(pictures(), Choice("baker", "prompt", each=1), folder)

    assert drawing.data["prompt"].nunique() == 6
    assert "a photo of a baker CA-U again" in drawing.alt


def test_chosen_by_hand_nothing_is_drawn(folder: Path):
    drawing = contact_sheet(pictures(), Choice("baker", by_hand=[7, 0, 12]), folder)

    assert sorted(drawing.data["image"]) == [0, 7, 12]
    assert "chosen by hand" in drawing.caption


def test_the_pixels_are_the_pictures(folder: Path):
    figure = contact_sheet(pictures(), Choice("baker", by_hand=[0]), folder).draw(LIGHT)
    (axes,) = figure.axes
    pixels = np.asarray(axes.images[0].get_array())

    assert pixels.shape[1] / pixels.shape[0] == pytest.approx(40 / 30, rel=0.02)
    assert (pixels == 0).all()


def test_a_picture_that_is_gone_is_said_to_be(tmp_path: Path):
    figure = contact_sheet(pictures(), Choice("baker", by_hand=[3]), tmp_path).draw(LIGHT)

    assert [text.get_text() for text in figure.axes[0].texts] == ["file missing"]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (Choice("nobody"), "no picture of the role 'nobody'"),
        (Choice("baker", by_hand=[99]), "Image 99 is no usable picture"),
        (Choice("baker", by="seed"), "by condition or by prompt"),
        (Choice("baker", generators=["other"]), "no picture of the role"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(folder: Path, choice: Choice, said: str):
    with pytest.raises(BadInput, match=said):
        contact_sheet(pictures(), choice, folder)


def test_black_and_flagged_pictures_are_not_shown(folder: Path):
    with pytest.raises(BadInput, match="that can be used"):
        contact_sheet(pictures(ImageStatus.BLACK), Choice("baker"), folder)


def test_a_sheet_comes_with_its_list_and_says_that_nobody_in_it_exists(folder: Path, tmp_path: Path):
    drawing = contact_sheet(pictures(), Choice("baker", each=1), folder)
    picture, table = write_with_data(drawing, tmp_path / "sheet.pdf")

    assert picture.read_bytes().startswith(b"%PDF")
    assert len(read_table(table)) == 6
    assert drawing.caption.endswith(NOT_PEOPLE)


def test_a_sheet_of_imported_pictures_does_not_say_that_nobody_in_it_exists(folder: Path):
    names = sorted({one.generator for one in pictures()})

    caption = contact_sheet(pictures(), Choice("baker", each=1), folder, names[:1]).caption

    assert NOT_PEOPLE not in caption
    assert caption.endswith(f"The pictures of {names[0]} were imported; how they were made is not known.")
