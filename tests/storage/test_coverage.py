from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.records import Condition, ImageStatus, Status
from storage.store import Store
from storage.study import Coverage
from tests.storage.builders import (
    ROLES,
    add_image_set,
    make_event,
    make_image,
    make_prompt,
    make_record,
    make_study,
)


def cell(store: Store, role: str, condition: Condition | None, generator: str | None = "drawn-a") -> Coverage:
    (found,) = [
        row
        for row in store.coverage()
        if (row.role, row.condition, row.generator) == (role, condition, generator)
    ]
    return found


def test_a_new_study_has_its_prompts_and_nothing_else(store: Store) -> None:
    rows = store.coverage()

    assert [(row.role, row.condition) for row in rows] == [
        (role, condition) for role in ("nurse", "bus_driver") for condition in Condition
    ]
    assert {(row.prompts, row.images, row.records, row.image_sets, row.answers) for row in rows} == {
        (1, 0, 0, 0, 0)
    }


def test_a_study_without_a_generator_still_shows_its_prompts(folder: Path) -> None:
    with Store.create(folder, make_study()) as store:
        assert store.coverage() == []
        store.add_roles(ROLES)
        store.add_prompts([make_prompt("nurse", text="one"), make_prompt("nurse", text="two")])

        assert store.coverage() == [Coverage("nurse", Condition.CF, None, 2, 0, 0, 0, 0, 0)]


def test_everything_is_counted_in_its_own_cell(store: Store) -> None:
    store.add_generator("drawn-b", "drawn", {})
    store.add_extractor("second", {})
    related = make_prompt("nurse", Condition.CA_R)
    image_set = add_image_set(store)
    store.add_images(
        [
            make_image(20, prompt=related),
            make_image(21, prompt=related, status=ImageStatus.BLACK),
            make_image(22, "drawn-b", prompt=related),
        ]
    )
    store.add_records(
        [
            make_record(1),
            make_record(1, "second"),
            make_record(2, status=Status.REFUSED, readings={}),
            make_record(11),
        ]
    )
    ada, ben = (store.add_annotator(name).annotator_id for name in ("Ada", "Ben"))
    store.append_answers(
        [
            make_event(ada, image_set, label="calm", is_confirmed=True),
            make_event(ada, image_set, label="tense", is_confirmed=True),
            make_event(ada, image_set, "items", label="cup"),
            make_event(ben, image_set, label="calm", is_confirmed=True),
            make_event(ben, image_set, label="calm", is_confirmed=False),
        ]
    )

    assert cell(store, "nurse", Condition.CF) == Coverage("nurse", Condition.CF, "drawn-a", 1, 10, 0, 2, 1, 1)
    assert cell(store, "nurse", Condition.CA_R) == Coverage(
        "nurse", Condition.CA_R, "drawn-a", 1, 1, 1, 1, 0, 0
    )
    assert cell(store, "nurse", Condition.CA_R, "drawn-b") == Coverage(
        "nurse", Condition.CA_R, "drawn-b", 1, 1, 0, 0, 0, 0
    )
    assert len(store.coverage()) == 12


def test_images_of_no_stated_condition_have_a_row_of_their_own(store: Store) -> None:
    store.add_image(make_image(prompt=make_prompt("nurse", None)))

    assert cell(store, "nurse", None).images == 1


def test_cells_count_usable_images_and_the_same_pixels_once(store: Store) -> None:
    other = make_prompt("bus_driver", None)
    changes = [{}, {"seed": 5}, {}, {"status": ImageStatus.BLACK}]
    images = [make_image(number, **change) for number, change in enumerate(changes)]
    twin = replace(images[0], run_key="another run", seed=77)
    store.add_images([*images, twin, make_image(9, prompt=other, status=ImageStatus.BLACK)])

    nurse, driver = ("nurse", Condition.CF, "drawn-a"), ("bus_driver", None, "drawn-a")
    assert store.count_cells() == {nurse: 3, driver: 0}


def test_prompts_that_came_with_imported_pictures_are_asked_of_no_generator(store: Store) -> None:
    before = {(row.role, row.condition): row.prompts for row in store.coverage()}
    store.add_generator("pics", "imported", {})
    store.add_image(make_image(1, "pics", prompt=make_prompt(text="said elsewhere")))
    store.add_image(make_image(2, "pics", prompt=make_prompt("nurse", None, "said elsewhere")))

    rows = {(row.role, row.condition, row.generator): row for row in store.coverage()}

    assert rows["nurse", Condition.CF, "drawn-a"].prompts == before["nurse", Condition.CF]
    assert rows["nurse", None, "pics"].images == 1
    assert rows["nurse", None, "drawn-a"].prompts == 0
