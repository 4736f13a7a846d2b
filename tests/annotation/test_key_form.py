from __future__ import annotations

from annotation.design import RoundDesign
from annotation.key_form import key_form
from tests.annotation.sittings import AGE, ITEM, make_set

SETS = [make_set(number) for number in range(1, 11)]
TRAINING = [make_set(20)]


def test_training_comes_first_then_as_many_sets_as_gold_is_wanted_beside_those_that_are_known() -> None:
    design = RoundDesign(seed=4, gold_share=0.3)
    rows = key_form(design, SETS, TRAINING, [AGE, ITEM], {(1, "age"), (20, "item")})

    assert [(row["purpose"], row["question"]) for row in rows[:1]] == [("training", "age")]
    gold = [row for row in rows if row["purpose"] == "gold"]
    assert len({row["image_set"] for row in gold}) == 2, "3 of 10, and one is known"
    assert "set-1" not in {row["image_set"] for row in gold}
    assert [row["options"] for row in gold[:2]] == [
        "child | adult | old",
        "own words, several parted by a bar",
    ]
    assert all(row["label"] == row["slider"] == row["marks"] == "" for row in rows)
    assert key_form(design, SETS, TRAINING, [AGE, ITEM], {(1, "age"), (20, "item")}) == rows
