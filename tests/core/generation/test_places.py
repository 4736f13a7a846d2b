"""Words of prompts to scenes and things."""

from __future__ import annotations

import json

import pytest

from core.bank import load_contexts, load_roles
from core.generation.drawn import places
from core.generation.drawn.parts import FOLDER

PLACES = [
    ("a clinic", "clinic"),
    ("a public library", "library"),
    ("a park", "park"),
    ("a parking garage", "garage"),
    ("a hotel kitchen", "kitchen"),
    ("a hotel room", "bedroom"),
    ("a Street Market", "market"),
    ("a start-up office", "office"),
]


@pytest.mark.parametrize(("place", "scene"), PLACES)
def test_longest_word_of_a_place_decides_its_scene(place: str, scene: str) -> None:
    assert places.scene_at(place).name == scene


def test_part_of_a_word_is_no_word() -> None:
    assert places.scene_at("a carpark").name == "home"


def test_every_place_of_the_bank_has_a_scene_of_its_own() -> None:
    words = {word for entry in _scenes().values() for word in entry["words"]}
    missing = [
        context.location
        for contexts in load_contexts().values()
        for context in (*contexts.related, *contexts.unrelated)
        if places._best(context.location, {"found": words}) is None
    ]

    assert missing == []


def test_no_word_stands_for_two_scenes() -> None:
    words = [word.lower() for entry in _scenes().values() for word in entry["words"]]

    assert len(words) == len(set(words))


def test_every_role_of_the_bank_has_its_work() -> None:
    listed = json.loads((FOLDER / "roles.json").read_text(encoding="utf-8"))["roles"]

    assert set(listed) == {role.name for role in load_roles()}


def test_work_names_only_what_can_be_drawn() -> None:
    for role in load_roles():
        work = places.work_of(role.name)
        assert sum(share for _, share in work.outfits) == pytest.approx(1)
        assert all(places.outfit(name)["labels"] for name, _ in work.outfits)
        assert set(work.tools) <= set(places.item_names())
        assert work.scene in places.scene_names()


def test_ten_demo_roles_are_roles_of_the_bank() -> None:
    roles = json.loads((FOLDER / "demo_roles.json").read_text(encoding="utf-8"))["roles"]

    assert len(set(roles)) == 10
    assert set(roles) <= {role.name for role in load_roles()}


def _scenes() -> dict[str, dict[str, list[str]]]:
    text = (FOLDER / "places.json").read_text(encoding="utf-8")
    scenes: dict[str, dict[str, list[str]]] = json.loads(text)["scenes"]
    return scenes
