"""Counting: which rows count, what the denominators are, and that no row is lost on the way."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.counting import cube_of_counts, cube_of_labels
from core.errors import BadInput
from core.schema import load_schema

COLUMNS = ["generator", "role", "condition", "prompt", "image", "dimension", "label", "status"]


def table(*rows, columns=COLUMNS):
    """Rows of (condition, image, dimension, label[, status]) of one generator, role and prompt."""
    full = [
        ("g", "nurse", row[0], f"p {row[0]}", *row[1:4], row[4] if len(row) > 4 else "ok") for row in rows
    ]
    return pd.DataFrame(full, columns=columns)


def count_of(cube, label):
    place = cube.labels.index(label)
    return int(cube.entry_count[cube.entry_label == place].sum())


def images_of(cube, dimension):
    place = [one.id for one in cube.dimensions].index(dimension)
    return int(cube.images[:, :, place].sum())


def test_unknown_is_taken_out_image_by_image(schema):
    cube = cube_of_labels(
        table(
            ("CF", 1, "gender_presentation", "female"),
            ("CF", 2, "gender_presentation", "unknown"),
            ("CF", 3, "gender_presentation", "Unknown"),
            ("CF", 4, "gender_presentation", "", "unknown"),
        ),
        schema,
    )

    assert images_of(cube, "gender_presentation") == 1
    assert cube.stages[0].left_out == {"unknown": 3}
    assert cube.stages[1].left_out == {"unknown": 3}
    assert "unknown" not in cube.labels


def test_the_denominator_of_a_list_is_images_and_not_mentions(schema):
    cube = cube_of_labels(
        table(
            ("CF", 1, "accessories", "tie"),
            ("CF", 1, "accessories", "watch"),
            ("CF", 2, "accessories", "tie"),
            ("CF", 3, "accessories", ""),
        ),
        schema,
    )

    assert images_of(cube, "accessories") == 3
    assert (count_of(cube, "tie"), count_of(cube, "watch")) == (2, 1)


def test_the_same_label_twice_of_one_image_counts_once(schema):
    cube = cube_of_labels(table(("CF", 1, "hair_color", "grey"), ("CF", 1, "hair_color", "gray")), schema)

    assert count_of(cube, "gray") == 1
    assert cube.stages[0].left_out == {"said more than once of the same image": 1}


def test_a_label_outside_the_vocabulary_is_left_out_and_so_is_its_image(schema):
    cube = cube_of_labels(table(("CF", 1, "framing", "sideways"), ("CF", 2, "framing", "wide")), schema)

    assert images_of(cube, "framing") == 1
    assert cube.stages[0].left_out == {"label outside the vocabulary": 1}


def test_none_is_a_label_and_an_empty_cell_of_one_label_is_not(schema):
    cube = cube_of_labels(table(("CF", 1, "eyewear_type", "none"), ("CF", 2, "eyewear_type", "")), schema)

    assert count_of(cube, "none") == 1
    assert cube.stages[0].left_out == {"no label given": 1}


def test_a_failed_record_is_no_unknown(schema):
    cube = cube_of_labels(table(("CF", 1, "framing", "", "refused"), ("CF", 2, "framing", "wide")), schema)

    assert cube.stages[1].left_out == {"refused": 1}


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("condition", "", "no condition stated"),
        ("condition", None, "no condition stated"),
        ("condition", "elsewhere", "condition is not CF, CA-R or CA-U"),
        ("role", None, "no role stated"),
        ("image", "", "no image stated"),
        ("dimension", "role_hint", "dimension not in the schema"),
    ],
)
def test_a_row_that_cannot_be_placed_is_left_out_with_the_reason(schema, column, value, reason):
    frame = table(("CF", 1, "framing", "wide"), ("CF", 2, "framing", "wide")).astype(object)
    frame.loc[1, column] = value

    cube = cube_of_labels(frame, schema)

    assert cube.stages[0].left_out == {reason: 1}
    assert images_of(cube, "framing") == 1


def test_published_folder_names_mean_conditions(schema):
    frame = table(
        ("Context-free_CF", 1, "framing", "wide"), ("Context-aware_Related_CA-R", 2, "framing", "wide")
    )

    assert sorted(cube_of_labels(frame, schema).prompt_condition) == [0, 1]


def test_the_same_image_name_under_two_prompts_is_two_images(schema):
    frame = table(("CF", 1, "framing", "wide"), ("CA-R", 1, "framing", "wide"))

    assert images_of(cube_of_labels(frame, schema), "framing") == 2


def test_the_same_word_in_two_dimensions_is_two_labels(schema):
    cube = cube_of_labels(table(("CF", 1, "framing", "medium"), ("CF", 1, "skin_tone", "medium")), schema)

    assert cube.labels == ("medium", "medium")
    assert len(set(cube.label_dimension.tolist())) == 2


def test_two_labels_where_one_is_meant_are_noted(schema):
    cube = cube_of_labels(table(("CF", 1, "framing", "wide"), ("CF", 1, "framing", "tight")), schema)

    assert "1 image × dimension has several labels" in cube.notes[0]


def test_a_list_longer_than_the_dimension_takes_is_noted_and_one_as_long_is_not(schema):
    def of(number):
        return cube_of_labels(table(*(("CF", 1, "items", f"thing {one}") for one in range(number))), schema)

    longest = schema.dimension("items").max_labels
    assert of(longest).notes == ()
    assert of(longest + 1).notes == (
        "1 image × dimension has a longer list of labels than the dimension takes; each counts",
    )


def test_an_empty_table_and_one_without_a_usable_row_are_refused(schema):
    for frame in (table(), table(("", 1, "framing", "wide"))):
        with pytest.raises(BadInput, match="No row"):
            cube_of_labels(frame, schema)


def test_a_missing_column_is_named(schema):
    with pytest.raises(BadInput, match="no column image"):
        cube_of_labels(table(("CF", 1, "framing", "wide")).drop(columns="image"), schema)


def test_a_status_that_is_none_is_named(schema):
    with pytest.raises(BadInput, match="fine"):
        cube_of_labels(table(("CF", 1, "framing", "wide", "fine")), schema)


words = st.sampled_from(["female", "male", "unknown", "", "nobody", " Female "])
places = st.sampled_from(["CF", "CA-R", "CA-U", "", "other"])
dimensions = st.sampled_from(["gender_presentation", "items", "accessories", "role_hint"])
statuses = st.sampled_from(["ok", "ok", "ok", "unknown", "refused"])


@given(st.lists(st.tuples(places, st.integers(0, 3), dimensions, words, statuses), max_size=25), st.randoms())
def test_every_row_is_used_or_left_out_and_their_order_changes_nothing(rows, random):
    schema = load_schema()
    frame = table(*rows)
    order = list(range(len(rows)))
    random.shuffle(order)
    try:
        cube = cube_of_labels(frame, schema)
    except BadInput:
        return
    mixed = cube_of_labels(frame.iloc[order], schema)

    for stage in cube.stages:
        stage.check()
    assert cube.stages[0].rows_in == len(rows)
    assert cube.stages == mixed.stages
    for name in ("images", "entry_label", "entry_prompt", "entry_count"):
        assert np.array_equal(getattr(cube, name), getattr(mixed, name))
    assert (cube.entry_count <= cube.images.max()).all()


def counts(*rows, images=None):
    """Rows of (condition, dimension, label, count) of one generator, role and prompt."""
    frame = pd.DataFrame(
        [("g", "nurse", row[0], f"p {row[0]}", *row[1:]) for row in rows],
        columns=["generator", "role", "condition", "prompt", "dimension", "label", "count"],
    )
    return frame if images is None else frame.assign(images=images)


def test_images_of_counts_are_what_is_known_or_ten_less_the_unknown(schema):
    cube = cube_of_counts(
        counts(
            ("CF", "framing", "wide", 6),
            ("CF", "framing", "tight", 1),
            ("CF", "items", "laptop", 4),
            ("CF", "items", "unknown", 2),
        ),
        schema,
    )

    assert (images_of(cube, "framing"), images_of(cube, "items")) == (7, 8)


def test_stated_images_are_taken_as_stated(schema):
    cube = cube_of_counts(counts(("CF", "framing", "wide", 6), images=[9]), schema)

    assert images_of(cube, "framing") == 9


def test_images_that_differ_within_one_prompt_are_refused(schema):
    frame = counts(("CF", "framing", "wide", 6), ("CF", "framing", "tight", 1), images=[9, 8])

    with pytest.raises(BadInput, match="images differs"):
        cube_of_counts(frame, schema)


def test_a_count_above_the_images_is_taken_as_that_number_and_noted(schema):
    cube = cube_of_counts(counts(("CF", "items", "laptop", 12)), schema)

    assert count_of(cube, "laptop") == 10
    assert cube.notes == ("1 count is above the number of images and is taken as that number",)


def test_more_labels_than_images_where_one_is_meant_are_noted(schema):
    cube = cube_of_counts(counts(("CF", "framing", "wide", 8), ("CF", "framing", "tight", 7)), schema)

    assert cube.notes == (
        "1 prompt × dimension has more labels than images although the dimension takes one an image; "
        "each counts",
    )


def test_a_label_counted_no_times_is_no_label(schema):
    cube = cube_of_counts(counts(("CF", "items", "laptop", 3), ("CF", "items", "ghost", 0)), schema)

    assert cube.labels == ("laptop",)


@pytest.mark.parametrize("count", [-1, 2.5, "many", None])
def test_a_count_that_is_none_is_named_with_its_row(schema, count):
    frame = counts(("CF", "framing", "wide", 1), ("CF", "framing", "tight", count))

    with (
        pytest.raises(BadInput, match=r"Row 2|No row|no count")
        if count is not None
        else pytest.raises(BadInput)
    ):
        cube_of_counts(frame, schema)


def test_counts_of_a_label_table_make_the_same_cube(schema, labels):
    usable = labels[labels["status"] == "ok"]
    keys = ["generator", "role", "condition", "prompt", "dimension"]
    table_of_counts = (
        usable.groupby([*keys, "label"], as_index=False).size().rename(columns={"size": "count"})
    )
    images = usable.groupby(keys, as_index=False)["image"].nunique().rename(columns={"image": "images"})

    one = cube_of_labels(labels, schema)
    other = cube_of_counts(table_of_counts.merge(images, on=keys), schema)

    for name in ("images", "entry_generator", "entry_prompt", "entry_label", "entry_count"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
    assert one.labels == other.labels
