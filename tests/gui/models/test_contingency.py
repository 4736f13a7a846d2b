"""The counts table knows its image sets, also when rare labels are folded together."""

from __future__ import annotations

import random

import pytest

from gui.models.contingency import OTHERS, Category, contingency

LETTERS = "abcdefgh"
CATEGORIES = [Category(letter, str(at + 1), letter.upper()) for at, letter in enumerate(LETTERS)]


def pairs(count: int = 200) -> list[tuple[str, str, str]]:
    chance = random.Random(1)
    weights = [2 ** (8 - at) for at in range(8)]
    made = []
    for number in range(count):
        one = chance.choices(LETTERS, weights)[0]
        two = one if chance.random() < 0.7 else chance.choices(LETTERS, weights)[0]
        made.append((f"set {number}", one, two))
    return made


def test_every_set_is_in_the_cell_of_its_two_labels():
    made = pairs()

    table = contingency("A", "B", made, CATEGORIES)

    for key, one, two in made:
        assert key in table.sets[LETTERS.index(one), LETTERS.index(two)]
    assert table.total == 200
    assert table.agreed == sum(one == two for _, one, two in made)


def test_what_one_side_did_not_answer_is_left_out_and_counted():
    table = contingency("A", "B", [("1", "a", ""), ("2", "", "b"), ("3", "a", "a")], CATEGORIES)

    assert (table.total, table.left_out) == (1, 2)


@pytest.mark.parametrize("most", [3, 4, 6])
def test_folding_loses_no_set(most: int):
    whole = contingency("A", "B", pairs(), CATEGORIES)

    folded = whole.folded(most)

    assert len(folded.categories) == most
    assert folded.categories[-1].name == OTHERS
    assert sorted(key for keys in folded.sets.values() for key in keys) == sorted(
        key for keys in whole.sets.values() for key in keys
    )


def test_two_other_labels_are_not_called_an_agreement():
    folded = contingency("A", "B", [("1", "a", "a"), ("2", "g", "h")], CATEGORIES[:1]).folded(2)

    last = len(folded.categories) - 1

    assert folded.categories[last].name == OTHERS
    assert not folded.is_agreement(last, last)
    assert folded.agreed == 1


def test_labels_nobody_chose_go_before_rare_ones():
    folded = contingency("A", "B", [("1", "a", "a"), ("2", "b", "b")], CATEGORIES).folded(3)

    assert [category.label for category in folded.categories] == ["a", "b"]


def test_the_fullest_cell_off_the_diagonal_comes_first():
    made = [("1", "a", "b"), ("2", "b", "a"), ("3", "b", "a"), ("4", "a", "a")]

    table = contingency("A", "B", made, CATEGORIES)

    assert table.first_apart() == (1, 0)
    assert contingency("A", "B", [("1", "a", "a")], CATEGORIES).first_apart() is None


def test_the_heat_never_reaches_the_diagonal():
    table = contingency("A", "B", pairs(), CATEGORIES)

    assert all(table.step(at, at) == 0 for at in range(len(CATEGORIES)))
    assert max(table.step(*cell) for cell in table.sets) == 5
