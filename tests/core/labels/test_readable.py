"""What is said of a study in which nothing can be counted; files that are not there."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from core.errors import BadInput, StoreError
from core.file_words import unreadable_table
from core.labels.readable import must_hold_readings
from core.plan import choose_roles, plan_study
from storage.making import make_study


def read(*rows: tuple[int, str, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["image", "condition", "status"])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ((), "robot has read no image of this study yet."),
        (
            ((1, "CF", "refused"), (2, "CF", "flagged")),
            "1 image refused, 1 image flagged",
        ),
        (((1, "CF", "unknown"), (2, "CF", "unknown")), "2 images in which nothing could be seen"),
        (((1, "", "ok"), (1, "", "unknown")), "1 image of which nobody stated the condition"),
        (((1, "", "unknown"), (1, "", "ok")), "there are 1 image of which nobody stated the condition."),
    ],
)
def test_a_study_without_a_reading_is_told_in_its_own_words(rows: tuple, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        must_hold_readings(read(*rows), "robot")

    assert said in str(caught.value)
    assert "table" not in str(caught.value)


def test_one_reading_is_enough() -> None:
    must_hold_readings(read((1, "CF", "refused"), (2, "CA-R", "ok")), "robot")


@pytest.mark.parametrize(
    "error",
    [FileNotFoundError(2, "No such"), IsADirectoryError(21, "Is"), PermissionError(13, "No"), OSError(5, "")],
)
def test_a_file_that_cannot_be_read_is_told_without_numbers_of_the_system(error: OSError) -> None:
    said = str(unreadable_table(Path("map.csv"), error))

    assert "map.csv" in said
    assert "Errno" not in said
    assert "Save it" not in said


def test_a_study_in_the_place_of_a_file_names_the_file_and_nothing_of_ours(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    plan = plan_study("one", choose_roles("2"))

    for folder in (tmp_path / "notes", tmp_path / "notes" / "study"):
        with pytest.raises(StoreError, match="notes is a file") as caught:
            make_study(folder, plan)
        assert ".new-" not in str(caught.value)
