"""Pictures that were looked at by eye: they are among those measured, and the reader is held against them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from core.phantom.hand_check import against_hand, load_hand_checked
from core.phantom.measuring import cell_pictures
from core.phantom.truth import load_measured


def test_every_picture_that_was_looked_at_is_one_that_was_measured() -> None:
    measured = load_measured()
    known = {(each.text, str(each.seed)) for each in cell_pictures(1, measured["seed"])}
    checked = load_hand_checked()
    assert {(each["prompt"], each["seed"]) for each in checked} == known
    assert measured["hand_pictures"] == len(known) == 60
    assert all(0.8 < each["accuracy"] <= 1 for each in measured["hand_checked"].values())


def test_what_cannot_be_told_by_eye_is_left_out_and_what_is_not_read_is_counted(tmp_path: Path) -> None:
    read = ("none", "eyeglasses", "unknown", "none")
    rows = [
        {"text": f"picture {n}", "seed": n, "labels": {"eyewear_type": label}} for n, label in enumerate(read)
    ]
    seen = ("none", "none", "eyeglasses", "unknown")
    checked = [
        {"prompt": f"picture {n}", "seed": str(n), "dimension": "eyewear_type", "seen": label}
        for n, label in enumerate(seen)
    ]
    (found,) = against_hand(rows, checked).values()
    assert (found["n"], found["accuracy"], found["confusions"]) == (3, 0.5, {"none as eyeglasses": 1})
    assert found["read"] == pytest.approx(2 / 3)
    (tmp_path / "other.csv").write_text("picture,seen\n1,none\n", encoding="utf-8")
    with pytest.raises(BadInput, match="must have the columns"):
        load_hand_checked(tmp_path / "other.csv")
