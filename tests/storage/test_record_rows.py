from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadInput
from core.records import DimensionReading, Status
from storage.store import Store
from tests.storage.builders import make_image, make_record, new_store


@pytest.fixture
def image_id(store: Store) -> int:
    return store.add_image(make_image())


def test_a_record_comes_back_as_it_was(store: Store, image_id: int) -> None:
    record = make_record(image_id, reason="r", raw='{"mood": "calm"}', seconds=1.5)

    store.add_records([record])

    assert store.records_of(image_id) == [record]
    assert list(store.records_of(image_id)[0].readings) == list(record.readings)


def test_a_failed_record_has_no_readings(store: Store, image_id: int) -> None:
    record = make_record(image_id, status=Status.REFUSED, readings={}, reason="policy")

    store.add_records([record])

    assert store.records_of(image_id) == [record]


def test_a_record_key_is_stored_once(store: Store, image_id: int) -> None:
    record = make_record(image_id)
    store.add_records([record, record])

    store.add_records([make_record(image_id, readings={}, raw="another answer")])

    assert store.records_of(image_id) == [record]


def test_an_error_is_kept_and_may_be_tried_again(store: Store, image_id: int) -> None:
    failed = make_record(image_id, status=Status.ERROR, readings={}, reason="no connection")
    store.add_records([failed])
    store.add_records([failed])
    assert store.record_keys("reader") == set()

    store.add_records([make_record(image_id)])

    assert [record.status for record in store.records_of(image_id)] == ["error", "error", "ok"]
    assert store.record_keys("reader") == {make_record(image_id).record_key}


@pytest.mark.parametrize(
    "status", [status for status in Status if status not in (Status.ERROR, Status.UNKNOWN)]
)
def test_everything_but_an_error_is_not_asked_again(store: Store, image_id: int, status: Status) -> None:
    store.add_records([make_record(image_id, status=status)])

    assert store.record_keys("reader") == {make_record(image_id).record_key}
    assert store.record_keys("nobody") == set()


def test_a_label_said_twice_counts_once(store: Store, image_id: int) -> None:
    readings = {"items": DimensionReading(("cup", "pen", "cup"))}

    store.add_records([make_record(image_id, readings=readings)])

    assert store.records_of(image_id)[0].readings == {"items": DimensionReading(("cup", "pen"))}


def test_one_label_of_two_dimensions_stays_two_things(store: Store, image_id: int) -> None:
    readings = {"framing": DimensionReading(("medium",)), "skin_tone": DimensionReading(("medium",))}

    store.add_records([make_record(image_id, readings=readings)])

    assert store.records_of(image_id)[0].readings == readings


def test_a_record_of_an_unknown_extractor_is_refused_with_all_others(store: Store, image_id: int) -> None:
    with pytest.raises(BadInput, match="no extractor 'nobody'"):
        store.add_records([make_record(image_id), make_record(image_id, "nobody")])

    assert store.records_of(image_id) == []


def test_simulated_records_go_and_real_ones_stay(store: Store, image_id: int) -> None:
    store.add_extractor("drawn-reader", {}, is_simulated=True)
    store.add_annotator("simulated A", is_simulated=True)
    refused = replace(make_record(image_id, "drawn-reader"), record_key="other", status=Status.REFUSED)
    refused = replace(refused, readings={})
    store.add_records([refused])
    assert not store.has_simulated()  # nothing was read and nothing answered
    store.add_records([make_record(image_id), make_record(image_id, "drawn-reader")])
    assert store.simulated_parts() == {"records"}

    gone = store.remove_simulated()

    assert gone == {"annotators": 1, "answers": 0, "extractors": 1, "records": 2}
    assert store.records_of(image_id) == [make_record(image_id)]
    assert [extractor.name for extractor in store.extractors()] == ["reader"]
    assert not store.has_simulated()


@pytest.fixture(scope="module")
def shared() -> Iterator[Store]:
    with TemporaryDirectory() as parent, new_store(Path(parent) / "study") as store:
        store.add_image(make_image())
        yield store


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
READINGS = st.dictionaries(
    TEXT,
    st.one_of(
        st.lists(TEXT.filter(bool), unique=True, max_size=4).map(
            lambda labels: DimensionReading(tuple(labels))
        ),
        st.sampled_from([Status.UNKNOWN, Status.INVALID]).map(lambda status: DimensionReading((), status)),
    ),
    max_size=6,
)


KEYS = itertools.count()


@settings(deadline=None)
@given(readings=READINGS, raw=TEXT)
def test_any_reading_comes_back_as_it_was_read(
    shared: Store, readings: dict[str, DimensionReading], raw: str
) -> None:
    record = make_record(1, record_key=str(next(KEYS)), readings=readings, raw=raw)

    shared.add_records([record])

    assert shared.records_of(1)[-1] == record
