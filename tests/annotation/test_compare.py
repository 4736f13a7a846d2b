"""People and pipeline side by side: every pair once, disagreements first, with what each image says."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import pandas as pd
import pytest

from annotation.agreement import agreement
from annotation.compare import Comparison, Direction, Wanted, compare, directions_in, pairs_in
from annotation.compare_images import answers_by_place, images_of, readings_by_place
from annotation.compare_rows import COLUMNS, compare_rows
from annotation.comparison import pipeline_answers
from core.jobs import run_here
from core.questions import load_questions
from core.records import Condition, ImageSet, ImageStatus, StoredImage

GENDER = next(one for one in load_questions() if one.id == "gender_presentation")
PEOPLE = ("Ada", "Ben", "Cem")
SETS = {  # people's labels and counts, what is read off ten images, direction
    "same": (("female", 7),) * 3 + (["female"] * 7 + ["male"] * 3, Direction.SAME),
    "label": (("female", 8), ("female", 9), ("male", 4), ["male"] * 10, Direction.LABEL),
    "more": (("male", 5),) * 3 + (["male"] * 9 + [""], Direction.MORE),
    "fewer": (("male", 9),) * 3 + (["male"] * 6 + ["female"] * 4, Direction.FEWER),
    "unseen": (("male", 9),) * 3 + ([""] * 10, Direction.PIPELINE_UNKNOWN),
    "tied": (("male", 9),) * 3 + (["male"] * 5 + ["female"] * 5, Direction.UNDECIDED),
    "dark": (("unknown", None),) * 3 + (["male"] * 10, Direction.PEOPLE_UNKNOWN),
}


def image_set(key: str) -> ImageSet:
    condition = Condition.CF if key in ("same", "label") else Condition.CA_U
    role = "baker" if key < "m" else "nurse"
    images = tuple(
        StoredImage(n, "sdxl", role, condition, "a photo", n, "0", "p", "t", 8, 8, ImageStatus.OK)
        for n in range(10)
    )
    return ImageSet(list(SETS).index(key), key, role, condition, "sdxl", images)


def answers() -> pd.DataFrame:
    rows = []
    for key, (*given, _, _) in SETS.items():
        for who, (label, count) in zip(PEOPLE, given, strict=True):
            marks = json.dumps(list(range(count))) if count else ""
            status = "unknown" if label == "unknown" else "ok"
            rows.append((who, key, GENDER.id, "" if status == "unknown" else label, count, status, marks))
    names = ["annotator", "image_set", "question", "label", "slider", "status", "marks"]
    return pd.DataFrame(rows, columns=names).astype({"slider": "float64"})


def readings() -> pd.DataFrame:
    rows = [
        (key, at, f"{key} {at}", GENDER.dimension, label or "unknown", "ok" if label else "unknown")
        for key, (*_, read, _) in SETS.items()
        for at, label in enumerate(read)
    ]
    return pd.DataFrame(rows, columns=["image_set", "position", "image", "question", "label", "status"])


@pytest.fixture(scope="module")
def compared() -> tuple[Comparison, ...]:
    pipeline = pipeline_answers(readings(), [GENDER])
    result = run_here(agreement(answers(), pipeline, [GENDER], bootstrap=0))
    return compare(result.tables["consensus"], pipeline, [image_set(key) for key in SETS], [GENDER])


def test_every_image_set_is_there_once_with_the_way_it_differs(compared: tuple[Comparison, ...]) -> None:
    found = {one.image_set.key: one.direction for one in compared}

    assert found == {key: direction for key, (*_, direction) in SETS.items()}
    assert len(compared) == len(SETS)
    assert sum(directions_in(compared).values()) == len(SETS)


def test_disagreements_come_first(compared: tuple[Comparison, ...]) -> None:
    order = list(Direction)

    ranks = [order.index(one.direction) for one in compared]

    assert ranks == sorted(ranks)
    assert [one.is_apart for one in compared] == [True] * 5 + [False] * 2


def test_both_counts_stand_beside_their_labels(compared: tuple[Comparison, ...]) -> None:
    by_key = {one.image_set.key: one for one in compared}

    assert (by_key["more"].people.count, by_key["more"].pipeline.count, by_key["more"].gap) == (5, 9, 4)
    assert by_key["label"].people.count == 8.5
    assert by_key["label"].gap is None
    assert by_key["label"].people.detail == "female 2, male 1"
    assert by_key["tied"].pipeline.detail == "female | male"


def test_counts_within_half_an_image_are_the_same() -> None:
    sets = [image_set("same")]
    pipeline = pd.DataFrame(
        [("same", GENDER.id, "male", 7.0, "mode", "")],
        columns=["image_set", "question", "label", "slider", "how", "tied"],
    )

    def direction(mean: float) -> Direction:
        consensus = pd.DataFrame(
            [("same", GENDER.id, "male", mean, "unanimous", "male 3")],
            columns=["image_set", "question", "label", "slider_mean_winner", "how", "votes"],
        )
        (one,) = compare(consensus, pipeline, sets, [GENDER])
        return one.direction

    assert [direction(mean) for mean in (6.0, 6.5, 7.5, 8.0)] == [
        Direction.MORE,
        Direction.SAME,
        Direction.SAME,
        Direction.FEWER,
    ]


def test_what_has_no_record_is_undecided(compared: tuple[Comparison, ...]) -> None:
    consensus = pd.DataFrame(
        [
            ("same", GENDER.id, "male", 7.0, "unanimous", "male 3"),
            ("elsewhere", GENDER.id, "male", 7.0, "", ""),
        ],
        columns=["image_set", "question", "label", "slider_mean_winner", "how", "votes"],
    )

    (one,) = compare(
        consensus, pipeline_answers(readings().iloc[:0], [GENDER]), [image_set("same")], [GENDER]
    )

    assert (one.direction, one.pipeline.how) == (Direction.UNDECIDED, "no record")


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        (Wanted(), set(SETS)),
        (Wanted(condition="CF"), {"same", "label"}),
        (Wanted(role="baker"), {key for key in SETS if key < "m"}),
        (Wanted(generator="flux"), set()),
        (Wanted(apart=Direction.MORE), {"more"}),
        (Wanted(apart=("female", "male")), {"label"}),
        (Wanted(question="mood"), set()),
        (Wanted(condition="CA-U", apart=Direction.FEWER), {"fewer"}),
    ],
)
def test_filters_take_each_part_and_all_together(
    compared: tuple[Comparison, ...], wanted: Wanted, keys: set[str]
) -> None:
    assert {one.image_set.key for one in compared if wanted.shows(one)} == keys


def test_pairs_of_different_labels_are_counted_the_most_frequent_first(
    compared: tuple[Comparison, ...],
) -> None:
    assert pairs_in(compared) == {
        ("female", "male"): 1,
        ("male", "unknown"): 1,
        ("unknown", "male"): 1,
    }
    counts = list(pairs_in([*compared, *(one for one in compared if one.image_set.key == "dark")]).values())
    assert all(one >= other for one, other in pairwise(counts))


def test_each_image_says_who_marked_it_and_what_was_read(compared: tuple[Comparison, ...]) -> None:
    said, read = answers_by_place(answers(), [GENDER]), readings_by_place(readings())
    by_key = {one.image_set.key: one for one in compared}

    images = images_of(by_key["label"], said, read)
    marked = Counter(who for image in images for who in image.marked_by)

    assert marked == {"Ada": 8, "Ben": 9}  # Cem marked those of another label
    assert images[8].marked_by == ("Ben",)
    assert [image.has_label for image in images] == [False] * 10
    fewer = images_of(by_key["fewer"], said, read)
    assert [image.has_label for image in fewer] == [True] * 6 + [False] * 4
    unseen = images_of(by_key["unseen"], said, read)
    assert {(image.labels, image.state, image.has_label) for image in unseen} == {((), "unknown", None)}
    assert {image.state for image in images_of(by_key["same"], said, {})} == {"not read"}


def test_rows_hold_both_sides_the_images_and_the_note(compared: tuple[Comparison, ...]) -> None:
    said, read = answers_by_place(answers(), [GENDER]), readings_by_place(readings())

    rows = compare_rows(compared, said, read, {("label", GENDER.id): ("pipeline wrong", "a beard")})

    assert [tuple(row) for row in rows] == [COLUMNS] * len(SETS)
    row = next(row for row in rows if row["image_set"] == "label")
    assert (row["people_label"], row["people_count"], row["pipeline_label"], row["pipeline_count"]) == (
        *("female", 8.5),
        *("male", 10),
    )
    assert str(row["answers"]).startswith("Ada: female 8 (images 1 2 3 4 5 6 7 8); Ben: female 9")
    assert str(row["pipeline_images"]).startswith("1 male; 2 male")
    assert (row["tag"], row["note"]) == ("pipeline wrong", "a beard")
    assert next(row for row in rows if row["image_set"] == "same")["note"] == ""
