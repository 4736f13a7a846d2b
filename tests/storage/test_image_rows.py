from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput, StoreError
from core.records import Condition, ImageStatus, StoredImage
from storage.store import Store
from tests.storage.builders import make_image, make_picture, make_prompt


def test_an_image_comes_back_with_where_it_is_from(store: Store) -> None:
    number = store.add_image(
        make_image(5, prompt=make_prompt("bus_driver", Condition.CA_U), status=ImageStatus.BLACK)
    )

    image = store.image(number)

    assert (image.generator, image.role, image.condition) == ("drawn-a", "bus_driver", Condition.CA_U)
    assert (image.prompt, image.seed) == ("a photo of a bus_driver, CA-U", 5)
    assert (image.width, image.height, image.status) == (16, 16, ImageStatus.BLACK)
    assert store.images() == [image]
    assert store.image_bytes(image) == make_picture((5, 0, 99))
    assert store.thumbnail_bytes(image).startswith(b"\xff\xd8")


def test_an_image_of_no_stated_condition_comes_back_so(store: Store) -> None:
    number = store.add_image(make_image(prompt=make_prompt("nurse", None)))

    assert store.image(number).condition is None


def test_a_run_key_is_stored_once(store: Store) -> None:
    first = store.add_image(make_image(1))

    again = store.add_image(make_image(1, data=make_picture("green"), seed=99))

    assert again == first
    assert [image.seed for image in store.images()] == [1]
    assert len(list((store.folder / "images").rglob("*.png"))) == 1


def test_a_batch_gives_ids_in_its_own_order_whatever_is_there(store: Store) -> None:
    second = store.add_image(make_image(2))

    numbers = store.add_images([make_image(3), make_image(2), make_image(1), make_image(3)])

    assert numbers[1] == second
    assert numbers[0] == numbers[3]
    assert [store.image(number).seed for number in numbers] == [3, 2, 1, 3]
    assert store.add_images([]) == []


def test_images_of_the_same_content_share_the_file(store: Store) -> None:
    numbers = store.add_images([make_image(seed, data=make_picture(), seed=seed) for seed in range(3)])

    assert len({store.image(number).path for number in numbers}) == 1
    assert len(set(numbers)) == 3


def test_a_batch_with_one_bad_image_stores_no_row(store: Store) -> None:
    with pytest.raises(BadInput):
        store.add_images([make_image(1), make_image(2, data=b"no picture")])

    assert store.images() == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"generator": "nobody"}, "no generator 'nobody'"),
        ({"prompt": make_prompt("astronaut")}, "no role 'astronaut'"),
    ],
)
def test_an_image_of_unknown_origin_is_refused(
    store: Store, change: dict[str, object], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        store.add_image(make_image(1, **change))

    assert store.images() == []


def test_a_new_prompt_arrives_with_its_image(store: Store) -> None:
    prompt = make_prompt("nurse", Condition.CF, "a nurse, imported")

    store.add_images([make_image(1, prompt=prompt), make_image(2, prompt=prompt)])

    assert store.prompts().count(prompt) == 1


def test_images_are_chosen_by_generator_and_status(store: Store) -> None:
    store.add_generator("drawn-b", "drawn", {})
    store.add_images([make_image(1), make_image(2, status=ImageStatus.FLAGGED), make_image(3, "drawn-b")])

    def seeds(images: list[StoredImage]) -> list[int]:
        return [image.seed for image in images]

    assert seeds(store.images()) == [1, 2, 3]
    assert seeds(store.images("drawn-a")) == [1, 2]
    assert seeds(store.images(status=ImageStatus.OK)) == [1, 3]
    assert seeds(store.images("drawn-a", ImageStatus.FLAGGED)) == [2]
    assert seeds(store.images("nobody")) == []


def test_run_keys_are_those_of_one_generator(store: Store) -> None:
    store.add_generator("drawn-b", "drawn", {})
    store.add_images([make_image(1), make_image(2), make_image(3, "drawn-b")])

    assert store.run_keys("drawn-a") == {"drawn-a 1", "drawn-a 2"}
    assert store.run_keys("nobody") == set()


def test_truth_keeps_order_and_emptiness_and_is_known_for_drawn_images_only(store: Store) -> None:
    truth = {"mood": ("calm",), "dominant_colors": ("red", "blue"), "items": ()}
    numbers = store.add_images([make_image(1, truth=truth), make_image(2)])

    assert store.truth_of(numbers) == {numbers[0]: truth}


def test_truth_of_more_images_than_a_query_takes(store: Store) -> None:
    number = store.add_image(make_image(1, truth={"mood": ("calm",)}))

    assert store.truth_of(range(100_000)) == {number: {"mood": ("calm",)}}


def test_provenance_is_kept_as_it_is(store: Store) -> None:
    provenance = {"scheduler": "euler", "prompt_used": "a photo of a nurse, 写真", "steps": 30, "lora": None}

    number = store.add_image(make_image(1, provenance=provenance))

    assert store.provenance_of(number) == provenance


def test_an_unknown_image_is_a_key_error(store: Store) -> None:
    with pytest.raises(KeyError):
        store.image(99)
    with pytest.raises(KeyError):
        store.provenance_of(99)


def test_a_file_that_went_missing_is_said(store: Store) -> None:
    image = store.image(store.add_image(make_image()))
    (store.folder / image.path).unlink()

    with pytest.raises(StoreError, match="is missing"):
        store.image_bytes(image)


def test_a_row_whose_act_fails_leaves_a_file_and_no_row(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.image_rows._put_image", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        store.add_image(make_image())

    assert store.images() == []
    assert len(list(Path(store.folder / "images").rglob("*.png"))) == 1


def test_an_image_whose_file_was_deleted_is_asked_for_again_and_put_back(store: Store) -> None:
    (number,) = store.add_images([make_image(1)])
    image = store.image(number)
    before = store.image_bytes(image)
    (store.folder / image.path).unlink()
    assert store.run_keys("drawn-a") == set()

    assert store.add_images([make_image(1)]) == [number]

    assert store.image_bytes(image) == before
    assert store.run_keys("drawn-a") == {"drawn-a 1"}


def test_another_picture_does_not_take_the_place_of_a_deleted_one(store: Store) -> None:
    (number,) = store.add_images([make_image(1)])
    image = store.image(number)
    (store.folder / image.path).unlink()

    with pytest.raises(BadInput, match="another one"):
        store.add_images([make_image(1, data=make_picture("blue"))])

    assert store.image(number) == image
    assert not (store.folder / image.path).exists()


def test_an_infinity_in_what_is_told_of_an_image_is_kept_as_a_word(store: Store) -> None:
    number = store.add_image(make_image(1, provenance={"scheduler": {"lowest": float("-inf")}}))

    assert store.provenance_of(number) == {"scheduler": {"lowest": "-Infinity"}}
