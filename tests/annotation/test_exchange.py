from __future__ import annotations

import json

from annotation.exchange import (
    as_text,
    coco_of,
    codebook_rows,
    codebook_schema,
    label_studio_tasks,
    reliability_rows,
    without_excluded,
)
from core.records import Answer
from tests.annotation.sittings import AGE, ITEM, make_set

SETS = [make_set(2), make_set(1)]


def said(name: str, key: str, question: str, answer: Answer, repeats: str = ""):
    return name, key, repeats, question, answer, 2.5


GIVEN = [
    said("Ada", "set-1", "age", Answer("adult", False, 2, "marks", frozenset({0, 9}), True)),
    said("Ada", "set-1", "item", Answer("desk lamp", False, 3, "key", is_confirmed=True)),
    said("Ben", "set-1", "age", Answer(None, True, is_confirmed=True)),
    said("Ben", "set-2", "age", Answer("old", False, 0, "slider", is_confirmed=True)),
    said("Ada", "again", "age", Answer("child", False, 1, "key", is_confirmed=True), repeats="set-1"),
]


def test_the_matrix_has_a_row_a_unit_a_column_a_rater_and_empty_where_nobody_answered() -> None:
    rows, columns = reliability_rows(GIVEN, SETS, [AGE, ITEM])

    assert columns == ["image_set", "question", "Ada", "Ben"]
    assert rows == [
        {"image_set": "set-2", "question": "age", "Ben": "old"},
        {"image_set": "set-2", "question": "item"},
        {"image_set": "set-1", "question": "age", "Ada": "adult", "Ben": "unknown"},
        {"image_set": "set-1", "question": "item", "Ada": "desk lamp"},
    ]


def test_who_is_excluded_is_in_no_export_and_is_again_once_that_is_taken_back() -> None:
    one = {"annotator": "Ada", "question": "age", "withdrawn_at": ""}
    assert [(row[0], row[3]) for row in without_excluded(GIVEN, [one])] == [
        *(("Ada", "item"), ("Ben", "age"), ("Ben", "age")),
    ]
    assert {row[0] for row in without_excluded(GIVEN, [{**one, "question": ""}])} == {"Ben"}
    assert without_excluded(GIVEN, [{**one, "withdrawn_at": "2026-11-30"}]) == GIVEN


def test_a_task_a_set_with_an_annotation_a_rater_and_counts_as_numbers() -> None:
    tasks = label_studio_tasks(GIVEN, SETS, [AGE, ITEM])

    assert [task["data"]["image_set"] for task in tasks] == ["set-1", "set-2"]
    assert len(tasks[0]["data"]["images"]) == 10
    ada, ben = tasks[0]["annotations"]
    assert (ada["completed_by"], ada["lead_time"]) == ("Ada", 5.0)
    assert ada["result"] == [
        {"from_name": "age", "to_name": "images", "type": "choices", "value": {"choices": ["adult"]}},
        {"from_name": "age_count", "to_name": "images", "type": "number", "value": {"number": 2}},
        {"from_name": "item", "to_name": "images", "type": "textarea", "value": {"text": ["desk lamp"]}},
        {"from_name": "item_count", "to_name": "images", "type": "number", "value": {"number": 3}},
    ]
    assert ben["result"][0]["value"] == {"choices": ["unknown"]}
    assert tasks[1]["annotations"][0]["result"][1]["value"] == {"number": 0}, "0 is a count"


def test_marks_become_image_annotations_and_refer_to_images_and_categories_that_are_there() -> None:
    found = coco_of(GIVEN, SETS, [AGE, ITEM])

    assert [(one["image_id"], one["attributes"]) for one in found["annotations"]] == [
        (100, {"annotator": "Ada", "image_set": "set-1"}),
        (109, {"annotator": "Ada", "image_set": "set-1"}),
    ]
    names = {one["id"]: one["name"] for one in found["categories"]}
    assert {names[one["category_id"]] for one in found["annotations"]} == {"age: adult"}
    assert len(found["images"]) == 20
    assert {one["image_id"] for one in found["annotations"]} <= {one["id"] for one in found["images"]}
    assert json.loads(as_text(found)) == found


def test_the_codebook_has_every_option_and_unknown() -> None:
    rows = codebook_rows([AGE, ITEM])
    assert [(row["question"], row["label"]) for row in rows] == [
        *(("age", "child"), ("age", "adult"), ("age", "old"), ("age", "unknown")),
        *(("item", ""), ("item", "unknown")),
    ]
    schema = codebook_schema([AGE, ITEM], "marks only")
    assert schema["properties"]["question"] == {"enum": ["age", "item"]}
    (rule,) = schema["allOf"]
    assert rule["then"]["properties"]["label"]["enum"] == ["child", "adult", "old", "unknown"]
