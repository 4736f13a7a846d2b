"""The drawings: everything that a table names is there and can be rasterised."""

from __future__ import annotations

import json

import pytest

from core.generation.drawn import figure, peeps, places
from core.generation.drawn.parts import FOLDER, part, part_names
from core.generation.drawn.peeps import USED, face, peep
from core.generation.drawn.raster import View, stamps
from core.generation.drawn.scenery import BACKDROPS, backdrop, front

MEDIUM = View(-208, -104, 1126, 64)
SHEETS = ("body", "face", "garments", "headwear", "held")


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_part_of_a_sheet_has_something_to_paint(sheet: str) -> None:
    for name in part_names(sheet):
        assert part(sheet, name), name


@pytest.mark.parametrize("component", USED)
def test_library_still_has_every_part_that_is_used(component: str) -> None:
    for variant in USED[component]:
        assert peep(component, variant), variant


def test_heads_that_figures_choose_from_are_among_those_taken() -> None:
    cuts = {cut for cuts in figure.CUTS.values() for cut in cuts}
    beards = {beard for beards in figure.BEARDS.values() for beard in beards}
    glasses = {name for names in figure.GLASSES.values() for name in names}

    assert cuts <= set(USED["head"])
    assert beards <= set(USED["facialHair"])
    assert glasses <= set(USED["accessories"])


def test_inside_of_hair_is_kept_for_heads_and_beards_that_are_used() -> None:
    insides = json.loads((FOLDER / "hair.json").read_text(encoding="utf-8"))["insides"]

    assert set(insides["head"]) <= set(USED["head"])
    assert set(insides["facialHair"]) == set(USED["facialHair"])


def test_hair_takes_its_colour_from_a_slot() -> None:
    for cuts in figure.CUTS.values():
        for cut in cuts:
            slots = {run.slot for run in peep("head", cut)}
            assert ("hair" in slots) is (cut != "noHair1")


def test_face_without_mouth_has_less_ink_than_with_it() -> None:
    with_mouth = "".join(run.markup for run in face("smile", "smile"))
    without = "".join(run.markup for run in face("smile"))

    assert len(without) < len(with_mouth) - 100


def test_path_that_starts_with_bare_numbers_keeps_its_lines() -> None:
    markup = '<path d="M1 1l5 5zm2 2 3 4z" fill="#fff"/>'

    assert peeps._without_mouth(markup) == '<path d="M3.00 3.00l 3 4z" fill="#fff"/>'


def test_every_thing_that_can_be_held_is_drawn_and_in_view() -> None:
    for name in places.item_names():
        assert stamps(("held", places.item(name).art, ""), MEDIUM), name


def test_every_outfit_names_garments_that_are_drawn() -> None:
    outfits = json.loads((FOLDER / "outfits.json").read_text(encoding="utf-8"))["outfits"]

    for name in outfits:
        entry = places.outfit(name)
        assert set(entry["parts"]) <= part_names("garments"), name
        assert entry["sleeve"] in ("long", "short", "bare")


@pytest.mark.parametrize("name", places.scene_names())
def test_every_scene_fills_the_picture(name: str) -> None:
    weather = "snow" if places.scene(name).outdoors else ""
    picture = backdrop(name, "wide", weather, 0, False, 64)

    assert picture.size == (64, 64)
    assert len(picture.getcolors(64 * 64) or ()) > 8


def test_scenes_with_a_seat_or_a_counter_have_something_in_front() -> None:
    for name in places.scene_names():
        scene = places.scene(name)
        assert (front(name, 64) is not None) is (scene.seat or scene.counter), name


def test_backdrop_colours_are_different_pictures() -> None:
    pictures = {backdrop("backdrop", "medium", "", hue, False, 32).tobytes() for hue in range(len(BACKDROPS))}

    assert len(pictures) == len(BACKDROPS)
