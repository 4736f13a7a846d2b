from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from annotation.order import image_order, options_reversed, set_order

KEYS = [f"{number:04x}" for number in range(120)]


def test_set_order_does_not_depend_on_the_order_of_the_input() -> None:
    assert set_order(1, "Ada", KEYS) == set_order(1, "Ada", reversed(KEYS))


def test_every_annotator_and_every_seed_has_an_own_order() -> None:
    orders = [set_order(seed, name, KEYS) for seed in (1, 2) for name in ("Ada", "Ben")]

    assert len({tuple(order) for order in orders}) == 4


def test_a_set_that_is_missing_moves_no_other() -> None:
    whole = set_order(1, "Ada", KEYS)

    fewer = set_order(1, "Ada", KEYS[5:])

    assert fewer == [key for key in whole if key in KEYS[5:]]


@given(st.integers(0, 2**31), st.text(max_size=20), st.text(max_size=20), st.integers(0, 10))
def test_image_order_is_a_permutation(seed: int, annotator: str, key: str, n: int) -> None:
    assert sorted(image_order(seed, annotator, key, n)) == list(range(n))


def test_image_order_is_known() -> None:
    assert image_order(7, "Ada", "a", 10) == image_order(7, "Ada", "a", 10)
    assert image_order(7, "Ada", "a", 10) != image_order(7, "Ben", "a", 10)
    assert image_order(7, "Ada", "a", 10) != image_order(7, "Ada", "b", 10)


def test_every_image_comes_first_about_equally_often() -> None:
    first = Counter(image_order(3, f"annotator {number}", "a", 10)[0] for number in range(2000))

    assert len(first) == 10
    assert all(140 <= count <= 260 for count in first.values())


def test_options_run_the_other_way_for_half_of_the_annotators() -> None:
    reverse = sum(options_reversed(5, f"annotator {number}") for number in range(2000))

    assert 900 <= reverse <= 1100
