"""Ten readings become one answer, and what cannot be decided says so."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from annotation.comparison import COLUMNS, pipeline_answers
from core.errors import BadInput
from core.questions import Question, load_questions

QUESTIONS = {question.id: question for question in load_questions()}
GENDER, EYEWEAR = QUESTIONS["gender_presentation"], QUESTIONS["eyewear_type"]
CLOTHING, ITEMS = QUESTIONS["clothing_garment"], QUESTIONS["items"]


def readings(*rows: tuple[Any, ...], image_set: str = "set 1") -> pd.DataFrame:
    """Rows of (image, dimension, label[, status])."""
    full = [(image_set, *row, *(() if len(row) == 4 else ("ok",))) for row in rows]
    return pd.DataFrame(full, columns=["image_set", "image", "question", "label", "status"])


def labels(dimension: str, *words: str) -> pd.DataFrame:
    """One image a word; "unknown" has that status, and a status word stands for a failed record."""
    failed = {"refused", "truncated", "invalid"}
    rows = []
    for image, word in enumerate(words):
        status = word if word in failed or word == "unknown" else "ok"
        rows.append((image, dimension, "" if word in failed else word, status))
    return readings(*rows)


def answer(frame: pd.DataFrame, question: Question) -> dict[str, Any]:
    table = pipeline_answers(frame, [question])
    assert tuple(table.columns) == COLUMNS
    return dict(table.iloc[0])


def test_the_label_most_images_have_and_how_many() -> None:
    found = answer(labels(GENDER.id, *["female"] * 7, *["male"] * 3), GENDER)

    assert (found["label"], found["slider"], found["how"]) == ("female", 7.0, "mode")
    assert (found["usable"], found["unknown"], found["images"]) == (10, 0, 10)


def test_five_to_five_is_a_tie_that_names_both_and_not_the_alphabetically_first() -> None:
    found = answer(labels(GENDER.id, *["male"] * 5, *["female"] * 5), GENDER)

    assert (found["label"], found["how"], found["tied"]) == ("", "tie", "female | male")
    assert pd.isna(found["slider"])


def test_unknown_images_take_no_part_while_one_image_has_a_label() -> None:
    found = answer(labels(GENDER.id, *["unknown"] * 8, *["female"] * 2), GENDER)

    assert (found["label"], found["slider"]) == ("female", 2.0)
    assert (found["usable"], found["unknown"]) == (2, 8)


def test_all_unknown_is_the_answer_unknown_without_a_count() -> None:
    found = answer(labels(GENDER.id, *["unknown"] * 10), GENDER)

    assert (found["label"], found["how"], found["usable"]) == ("unknown", "mode", 0)
    assert pd.isna(found["slider"])


def test_a_question_the_extractor_does_not_read_has_no_answer() -> None:
    frame = labels(GENDER.id, *["unknown"] * 10)
    frame.attrs["not_measured"] = {GENDER.id: "pixels"}
    found = answer(frame, GENDER)

    assert (found["label"], found["how"]) == ("", "not measured by pixels")
    assert answer(frame, QUESTIONS["mood"])["label"] == "unknown"  # one that it reads, and did not see


def test_failed_records_are_neither_labels_nor_unknown() -> None:
    found = answer(labels(GENDER.id, "refused", "truncated", "invalid"), GENDER)

    assert (found["label"], found["how"]) == ("", "no usable image")
    assert (found["usable"], found["unknown"], found["images"]) == (0, 0, 3)


def test_a_refused_image_leaves_the_mode_of_the_others() -> None:
    found = answer(labels(GENDER.id, "refused", "female", "female", "male"), GENDER)

    assert (found["label"], found["slider"], found["usable"], found["images"]) == ("female", 2.0, 3, 4)


def test_an_image_of_a_list_question_has_each_of_its_labels_once() -> None:
    frame = readings(
        (1, CLOTHING.id, "coat"),
        (1, CLOTHING.id, "coat"),
        (1, CLOTHING.id, "shirt"),
        (2, CLOTHING.id, "shirt"),
    )

    found = answer(frame, CLOTHING)

    assert (found["label"], found["slider"], found["usable"]) == ("shirt", 2.0, 2)


def test_descriptors_of_open_questions_meet_in_lower_case() -> None:
    frame = readings((1, ITEMS.id, "Coffee  Mug"), (2, ITEMS.id, "coffee mug"), (3, ITEMS.id, "tray"))

    found = answer(frame, ITEMS)

    assert (found["label"], found["slider"]) == ("coffee mug", 2.0)


def test_an_empty_list_is_no_usable_image() -> None:
    found = answer(readings((1, ITEMS.id, "")), ITEMS)

    assert (found["how"], found["usable"], found["images"]) == ("no usable image", 0, 1)


def test_absence_read_in_another_dimension_answers_none() -> None:
    presence = EYEWEAR.folds[0]
    frame = readings(
        *((image, EYEWEAR.id, "unknown", "unknown") for image in range(3)),
        *((image, presence, "no") for image in range(3)),
    )

    found = answer(frame, EYEWEAR)

    assert (found["label"], found["slider"]) == ("none", 3.0)


def test_a_dimension_that_was_not_read_is_unknown() -> None:
    found = answer(labels("mood", "calm"), GENDER)

    assert (found["label"], found["unknown"]) == ("unknown", 1)


def test_order_of_rows_changes_nothing_and_sets_stay_apart() -> None:
    frame = pd.concat(
        [
            labels(GENDER.id, "female", "female", "male"),
            labels(GENDER.id, "male").assign(image_set="set 0"),
        ]
    )

    table = pipeline_answers(frame, [GENDER, ITEMS])
    shuffled = pipeline_answers(frame.sample(frac=1, random_state=3), [GENDER, ITEMS])

    pd.testing.assert_frame_equal(table, shuffled)
    assert table["image_set"].tolist() == ["set 0", "set 0", "set 1", "set 1"]
    assert table["label"].tolist()[::2] == ["male", "female"]


def test_categorical_columns_and_missing_cells_are_taken_as_text() -> None:
    frame = labels(GENDER.id, "female", "female").astype({"image_set": "category"})
    frame.loc[len(frame)] = ["set 1", 7, GENDER.id, None, "refused"]

    found = answer(frame, GENDER)

    assert (found["label"], found["slider"], found["images"]) == ("female", 2.0, 3)


def test_a_missing_column_is_named() -> None:
    with pytest.raises(BadInput, match="'status'"):
        pipeline_answers(labels(GENDER.id, "female").drop(columns="status"), [GENDER])


def test_a_status_nobody_knows_is_refused() -> None:
    with pytest.raises(BadInput, match="'perhaps'"):
        pipeline_answers(readings((1, GENDER.id, "", "perhaps")), [GENDER])


def test_no_readings_give_an_empty_table() -> None:
    assert pipeline_answers(readings(), [GENDER]).empty
