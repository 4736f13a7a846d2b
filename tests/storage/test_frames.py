from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pandas as pd
import pytest

from core.errors import BadInput, StoreError
from core.records import Condition, DimensionReading, ImageStatus, Status
from core.schema import load_schema
from storage.frames import Frames
from storage.store import Store
from tests.storage.builders import add_image_set, make_event, make_image, make_prompt, make_record

DIMENSIONS = load_schema().dimension_ids


def labels(store: Store, extractor: str = "reader") -> pd.DataFrame:
    return Frames(store.folder).labels(extractor)


def said(frame: pd.DataFrame, *columns: str) -> list[tuple[object, ...]]:
    return list(frame[list(columns)].astype(object).itertuples(index=False, name=None))


def test_there_is_one_row_for_each_image_dimension_and_label(store: Store) -> None:
    number = store.add_image(make_image(prompt=make_prompt("nurse", Condition.CA_R)))
    store.add_records([make_record(number)])

    frame = labels(store)

    assert list(frame.columns) == [
        *("generator", "role", "condition", "prompt", "image", "seed"),
        *("cohort", "dimension", "label", "status"),
    ]
    assert said(frame, "cohort", "dimension", "label", "status") == [
        ("Scene", "mood", "calm", "ok"),
        ("Scene", "dominant_colors", "red", "ok"),
        ("Scene", "dominant_colors", "blue", "ok"),
        ("Objects", "items", "", "ok"),
        ("People", "gender_presentation", "unknown", "unknown"),
    ]
    assert set(said(frame, "generator", "role", "condition", "prompt", "image")) == {
        ("drawn-a", "nurse", "CA-R", "a photo of a nurse, CA-R", number)
    }
    assert frame.attrs["left_out"] == {}


def test_labels_of_a_list_keep_the_order_in_which_they_were_said(store: Store) -> None:
    words = ("teal", "beige", "red", "black", "navy")
    number = store.add_image(make_image())
    store.add_records([make_record(number, readings={"dominant_colors": DimensionReading(words)})])

    assert tuple(labels(store)["label"]) == words


def test_labels_of_some_conditions_are_those_rows_of_all(store: Store) -> None:
    made = [(0, Condition.CF), (1, Condition.CA_R), (2, None)]
    prompts = [make_image(number, prompt=make_prompt("nurse", one)) for number, one in made]
    store.add_records([make_record(number) for number in store.add_images(prompts)])
    every, some = labels(store), (Condition.CF, Condition.CA_R)

    frame = Frames(store.folder).labels_of("reader", "drawn-a", "mood", conditions=some)

    wanted = every[(every["dimension"] == "mood") & every["condition"].isin(some)]
    assert said(frame, *every.columns) == said(wanted, *every.columns)
    assert len(frame) == 2


def test_a_failed_record_is_a_row_for_every_dimension_and_never_unknown(store: Store) -> None:
    numbers = store.add_images([make_image(number) for number in range(3)])
    store.add_records(
        [
            make_record(numbers[0], status=Status.REFUSED, readings={}),
            make_record(numbers[1]),
            make_record(numbers[2], status=Status.ERROR, readings={}),
        ]
    )

    frame = labels(store)

    for number, status in ((numbers[0], "refused"), (numbers[2], "error")):
        rows = frame[frame["image"] == number]
        assert tuple(rows["dimension"]) == DIMENSIONS
        assert set(said(rows, "label", "status")) == {("", status)}
    assert len(frame[frame["image"] == numbers[1]]) == 5


def test_what_is_left_out_is_counted_by_reason(store: Store) -> None:
    numbers = store.add_images(
        [
            make_image(1),
            make_image(2),
            make_image(3),
            make_image(4, status=ImageStatus.BLACK),
            make_image(5, status=ImageStatus.BLACK),
            make_image(6, status=ImageStatus.FLAGGED),
        ]
    )
    store.add_records([make_record(numbers[0]), make_record(numbers[3])])

    frame = labels(store)

    assert set(frame["image"]) == {numbers[0]}
    assert frame.attrs["left_out"] == {"image black": 2, "image flagged": 1, "no record": 2}


def test_an_image_counts_with_its_latest_record_of_that_extractor(store: Store) -> None:
    store.add_extractor("second", {})
    number = store.add_image(make_image())
    store.add_records([make_record(number, status=Status.ERROR, readings={})])
    store.add_records([make_record(number, readings={"mood": DimensionReading(("tense",))})])
    store.add_records([make_record(number, "second", readings={"mood": DimensionReading(("joyful",))})])

    assert said(labels(store), "dimension", "label", "status") == [("mood", "tense", "ok")]
    assert said(labels(store, "second"), "label") == [("joyful",)]


def test_rows_come_in_the_order_of_the_study_and_not_of_arrival(store: Store) -> None:
    store.add_generator("drawn-b", "drawn", {})
    images = [
        make_image(9, "drawn-b"),
        make_image(8, prompt=make_prompt("bus_driver", Condition.CF)),
        make_image(7, prompt=make_prompt("nurse", Condition.CA_U)),
        make_image(6, prompt=make_prompt("nurse", Condition.CA_R)),
        make_image(5, prompt=make_prompt("nurse", None)),
        make_image(4),
        make_image(3),
    ]
    for number in store.add_images(images):
        store.add_records([make_record(number, readings={"mood": DimensionReading(("calm",))})])

    seeds = [store.image(int(number)).seed for number in labels(store)["image"]]

    assert seeds == [3, 4, 6, 7, 5, 8, 9]
    assert list(labels(store)["condition"]) == ["CF", "CF", "CA-R", "CA-U", "", "CF", "CF"]


def test_a_dimension_that_the_schema_lacks_is_kept_without_a_cohort(store: Store) -> None:
    number = store.add_image(make_image())
    readings = {"gaze": DimensionReading(("left",)), "mood": DimensionReading(("calm",))}
    store.add_records([make_record(number, readings=readings)])

    assert said(labels(store), "cohort", "dimension", "label") == [
        ("Scene", "mood", "calm"),
        ("", "gaze", "left"),
    ]


def test_a_seed_that_nobody_stated_is_missing(store: Store) -> None:
    stated, unstated = make_image(3), make_image(4, provenance={"seed_is_stated": False})
    store.add_records([make_record(store.add_image(one)) for one in (stated, unstated)])

    seeds = labels(store).groupby("image", sort=True)["seed"].agg(["first", "count"])

    assert seeds["first"].iloc[0] == "3"
    assert seeds["count"].tolist() == [5, 0]


def test_words_are_categories(store: Store) -> None:
    store.add_records([make_record(store.add_image(make_image()))])

    frame = labels(store)

    words = [name for name in frame.columns if name != "image"]
    assert {str(frame[name].dtype) for name in words} == {"category"}


@pytest.mark.parametrize("with_image", [True, False])
def test_nothing_read_is_an_empty_frame_with_all_columns(store: Store, with_image: bool) -> None:
    if with_image:
        store.add_image(make_image())

    frame = labels(store)

    assert len(frame) == 0
    assert list(frame.columns)[-4:] == ["cohort", "dimension", "label", "status"]
    assert frame.attrs["left_out"] == ({"no record": 1} if with_image else {})


def test_only_failures_make_a_frame_too(store: Store) -> None:
    store.add_records([make_record(store.add_image(make_image()), status=Status.TRUNCATED, readings={})])

    assert set(said(labels(store), "label", "status")) == {("", "truncated")}
    assert len(labels(store)) == len(DIMENSIONS)


def test_an_unknown_extractor_is_bad_input(store: Store) -> None:
    with pytest.raises(BadInput, match="no extractor 'nobody'"):
        labels(store, "nobody")


def test_a_folder_without_a_study_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no study in"):
        Frames(tmp_path)


def test_frames_of_a_closed_study(store: Store) -> None:
    store.add_records([make_record(store.add_image(make_image()))])
    store.close()

    assert len(labels(store)) == 5


def test_readings_stand_by_image_set_and_position(store: Store) -> None:
    add_image_set(store, "a", 0, 3)
    images = store.images()
    (round_,) = store.rounds()
    store.add_image_sets(round_.round_id, [("b", "nurse", Condition.CF, "drawn-a", [2, 1])])
    store.add_records(
        [
            make_record(1),
            make_record(2, status=Status.REFUSED, readings={}),
        ]
    )

    frame = Frames(store.folder).readings(round_.round_id, "reader")

    assert list(frame.columns) == ["image_set", "position", "image", "question", "label", "status"]
    ok = frame[frame["status"].isin(["ok", "unknown"])]
    assert said(ok, "image_set", "position", "image", "question", "label") == [
        (key, position, 1, question, label)
        for key, position in (("a", 0), ("b", 1))
        for question, label in (
            *(("mood", "calm"), ("dominant_colors", "red"), ("dominant_colors", "blue")),
            *(("items", ""), ("gender_presentation", "unknown")),
        )
    ]
    refused = frame[frame["status"] == "refused"]
    assert said(refused.drop_duplicates(["image_set"]), "image_set", "position", "image") == [
        ("a", 1, 2),
        ("b", 0, 2),
    ]
    assert len(refused) == 2 * len(DIMENSIONS)
    assert frame.attrs["left_out"] == {"no record": 1}
    assert len(images) == 3


def test_what_an_extractor_never_reads_is_named_and_what_it_could_not_see_is_not(store: Store) -> None:
    add_image_set(store, "a", 0, 3)
    unknown = DimensionReading(status=Status.UNKNOWN)
    seen = {"mood": unknown, "gender_presentation": unknown, "dominant_colors": DimensionReading(("red",))}
    names = ("pixels", "some-server", "all-unknown")
    for name in names:
        store.add_extractor(name, {}, is_simulated=False)
        said = dict.fromkeys(seen, unknown) if name == "all-unknown" else seen
        store.add_records([make_record(1, extractor=name, readings=said)])

    (round_,) = store.rounds()
    found = [Frames(store.folder).readings(round_.round_id, name).attrs["not_measured"] for name in names]

    assert found[0]["mood"] == found[0]["gender_presentation"] == "pixels"
    assert "dominant_colors" not in found[0]
    assert set(found[1]) == set(DIMENSIONS) - set(seen)  # asked for three, and answered
    assert found[2] == {}


def test_answers_are_the_confirmed_ones_as_they_stand(store: Store) -> None:
    image_set = add_image_set(store)
    ada = store.add_annotator("Ada").annotator_id
    robot = store.add_annotator("simulated A", is_simulated=True).annotator_id
    confirmed = make_event(
        ada,
        image_set,
        label="calm",
        slider=0,
        slider_source="key",
        is_confirmed=True,
        is_flagged=True,
        comment="hard",
    )
    store.append_answers(
        [
            make_event(ada, image_set, label="tense", is_confirmed=True),
            confirmed,
            make_event(ada, image_set, "items", is_unknown=True, is_confirmed=True),
            make_event(ada, image_set, "weather", label="snow"),
            make_event(
                robot,
                image_set,
                label="calm",
                slider=2,
                slider_source="marks",
                marks=frozenset({3, 1}),
                is_confirmed=True,
            ),
        ]
    )

    frame = Frames(store.folder).answers(1)

    columns = ["annotator", "image_set", "question", "label", "slider", "status", "marks", "is_simulated"]
    assert list(frame.columns)[:8] == columns
    rows = [dict(zip(columns, row, strict=True)) for row in said(frame.fillna({"slider": -1}), *columns)]
    assert [list(row.values()) for row in rows] == [
        ["Ada", "set 1", "items", "", -1.0, "unknown", "", False],
        ["Ada", "set 1", "mood", "calm", 0.0, "ok", "", False],
        ["simulated A", "set 1", "mood", "calm", 2.0, "ok", "[1, 3]", True],
    ]
    assert json.loads(rows[2]["marks"]) == [1, 3]  # type: ignore[arg-type]
    assert said(frame, "is_flagged", "comment")[1] == (True, "hard")
    assert frame.attrs["left_out"] == {"not confirmed": 1}


def test_answers_are_those_of_one_round(store: Store) -> None:
    image_set = add_image_set(store)
    other = store.add_round("other", 1, ["mood"])
    ada = store.add_annotator("Ada").annotator_id
    store.append_answers([make_event(ada, image_set, label="calm", is_confirmed=True)])

    assert len(Frames(store.folder).answers(1)) == 1
    assert len(Frames(store.folder).answers(other)) == 0
    assert str(Frames(store.folder).answers(other)["slider"].dtype) == "float64"


def test_all_images_are_told_whatever_their_status(store: Store) -> None:
    numbers = store.add_images([make_image(1), make_image(2, status=ImageStatus.BLACK)])

    frame = Frames(store.folder).images()

    assert list(frame["image"]) == numbers
    assert list(frame["status"]) == ["ok", "black"]
    assert list(frame["run_key"]) == ["drawn-a 1", "drawn-a 2"]
    for number, row in zip(numbers, frame.to_dict("records"), strict=True):
        image = dataclasses.asdict(store.image(number))
        assert all(row[name] == image[name] for name in ("sha256", "path", "thumbnail", "width", "seed"))
