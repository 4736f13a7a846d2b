"""The two extractors that read drawn pictures from their truth."""

from __future__ import annotations

from collections import Counter

import pytest

from core.extraction.drawn_truth import DrawnReader, DrawnTruth
from core.extraction.extractor import Extractor, Truth, key_for, record_key
from core.questions import choose, image_label, load_questions
from core.records import DimensionReading, Status
from core.schema import load_schema
from tests.contracts.extractor_contract import ExtractorContract, NeedsTruth, make_image
from tests.core.extraction.pictures import TRUTH

SCHEMA = load_schema()


class TestDrawnTruth(NeedsTruth, ExtractorContract):
    def make(self) -> Extractor:
        return DrawnTruth(SCHEMA)

    def truth(self) -> Truth:
        return TRUTH


class TestDrawnReader(NeedsTruth, ExtractorContract):
    def make(self) -> Extractor:
        return DrawnReader(SCHEMA)

    def truth(self) -> Truth:
        return TRUTH


def read(truth: Truth, extractor: Extractor | None = None, number: int = 1) -> dict[str, DimensionReading]:
    some = extractor or DrawnTruth(SCHEMA)
    return dict(some.read(make_image(number), truth, bytes).readings)


def test_the_truth_is_read_as_it_is_and_the_rest_is_unknown() -> None:
    readings = read(TRUTH)
    for name, labels in TRUTH.items():
        if name != "n_persons":
            assert readings[name] == DimensionReading(labels)
    absent = set(SCHEMA.dimension_ids) - set(TRUTH)
    assert all(readings[name] == DimensionReading(status=Status.UNKNOWN) for name in absent)


def test_other_spellings_in_the_truth_are_canonical_and_unknown_is_a_status() -> None:
    readings = read(
        {"hair_color": ("grey",), "mood": ("unknown",), "items": ("Bread_Basket",), "weather": ()}
    )
    assert readings["hair_color"].labels == ("gray",)
    assert readings["items"].labels == ("bread basket",)
    assert readings["mood"].status is readings["weather"].status is Status.UNKNOWN


def test_a_true_label_outside_the_schema_is_invalid_and_not_lost() -> None:
    assert read({"mood": ("jolly",)})["mood"].status is Status.INVALID


def test_the_number_of_persons_is_taken_from_the_truth() -> None:
    assert DrawnTruth(SCHEMA).read(make_image(), TRUTH, bytes).n_persons == 2
    assert DrawnTruth(SCHEMA).read(make_image(), {}, bytes).n_persons is None


def test_both_say_that_they_are_simulated() -> None:
    assert DrawnTruth(SCHEMA).is_simulated
    assert DrawnReader(SCHEMA).is_simulated


def test_without_errors_the_reader_reads_the_truth() -> None:
    perfect = DrawnReader(SCHEMA, scale=0)
    assert all(read(TRUTH, perfect, number) == read(TRUTH) for number in range(20))


def test_a_reading_depends_on_the_picture_and_not_on_where_it_stands() -> None:
    reader = DrawnReader(SCHEMA)
    one = reader.read(make_image(1, sha256="a" * 64, prompt="one"), TRUTH, bytes)
    other = reader.read(make_image(2, sha256="a" * 64, prompt="two"), TRUTH, bytes)
    assert one.readings == other.readings
    assert one.record_key != other.record_key


def test_a_dimension_is_read_the_same_whatever_else_is_known() -> None:
    reader = DrawnReader(SCHEMA)
    for number in range(50):
        alone = read({"expression": ("smiling",)}, reader, number)
        assert alone["expression"] == read(TRUTH, reader, number)["expression"]


@pytest.mark.parametrize(
    ("dimension", "true"),
    [("depth_of_field", "medium"), ("expression", "smiling"), ("age_range", "older_adult"), ("mood", "calm")],
)
def test_readings_are_spread_as_the_confusion_matrix_says(dimension: str, true: str) -> None:
    reader = DrawnReader(SCHEMA)
    n = 4000
    seen: Counter[str] = Counter()
    for number in range(n):
        reading = read({dimension: (true,)}, reader, number)[dimension]
        seen[reading.labels[0] if reading.labels else "unknown"] += 1

    row = reader.confusion(dimension)[true]

    assert set(seen) <= set(row)
    for label, p in row.items():
        spread = (p * (1 - p) / n) ** 0.5
        assert abs(seen[label] / n - p) <= 4.5 * spread


def test_a_missed_accessory_leaves_none_only_when_nothing_else_is_read() -> None:
    reader = DrawnReader(SCHEMA, scale=5)
    for number in range(300):
        labels = read({"accessories": ("watch", "badge")}, reader, number)["accessories"].labels
        assert labels == ("none",) or "none" not in labels


@pytest.mark.parametrize(
    ("kind", "true"), [("eyewear_type", "eyeglasses"), ("eyewear_type", "none"), ("hair_style", "none")]
)
def test_answers_to_a_folded_question_are_spread_as_stated(kind: str, true: str) -> None:
    reader = DrawnReader(SCHEMA, scale=4)
    question = choose(load_questions(), [kind])[0]
    presence = {"eyewear_type": "eyewear_present", "hair_style": "hair_present"}[kind]
    truth = {presence: ("no" if true == "none" else "yes",)} | (
        {kind: (true,)} if kind != "hair_style" else {}
    )
    n = 3000
    seen: Counter[str] = Counter()
    for number in range(n):
        reading = image_label(question, read(truth, reader, number))
        seen[reading.labels[0] if reading.labels else "unknown"] += 1

    row = reader.errors.answers(question)[true]

    assert set(seen) <= set(row)
    for label, p in row.items():
        assert abs(seen[label] / n - p) <= 4.5 * (p * (1 - p) / n) ** 0.5 + 1e-9


def test_a_key_moves_with_the_picture_the_schema_and_the_errors() -> None:
    image = make_image()
    keys = {
        key_for(image, DrawnTruth(SCHEMA)),
        key_for(image, DrawnReader(SCHEMA)),
        key_for(image, DrawnReader(SCHEMA, scale=2)),
        key_for(make_image(2), DrawnTruth(SCHEMA)),
        record_key(image.sha256, "2.0", "drawn-truth", {}),
        record_key(image.sha256, "2.1", "drawn-truth", {}),
    }
    assert len(keys) == 6
