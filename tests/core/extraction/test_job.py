"""The job that reads images: every image is accounted for, and it continues where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import pytest

from core.errors import BadInput, ExtractorError, StoreError
from core.extraction.drawn_truth import DrawnTruth
from core.extraction.extractor import Truth
from core.extraction.job import extract_records
from core.extraction.registry import by_name, names
from core.jobs import Outcome, run_here
from core.records import ImageStatus, NewRecord, Status, StoredImage
from core.schema import load_schema
from tests.contracts.extractor_contract import make_image
from tests.core.extraction.pictures import TRUTH

SCHEMA = load_schema()


class Shelf:
    """Source and sink in memory; records of errors leave their key free."""

    def __init__(self, missing: Iterable[int] = (), without_truth: Iterable[int] = ()) -> None:
        self.records: list[NewRecord] = []
        self.saved: list[int] = []
        self.missing = set(missing)
        self.without_truth = set(without_truth)

    def record_keys(self, extractor: str) -> set[str]:
        return {each.record_key for each in self.records if each.status is not Status.ERROR}

    def add_records(self, records: Sequence[NewRecord]) -> None:
        self.records += records
        self.saved.append(len(records))

    def truth_of(self, image_ids: Iterable[int]) -> Mapping[int, Truth]:
        return {number: TRUTH for number in image_ids if number not in self.without_truth}

    def image_bytes(self, image: StoredImage) -> bytes:
        if image.image_id in self.missing:
            raise StoreError(f"The file {image.path} is missing.")
        return b"picture"


class Looking(DrawnTruth):
    """Reads like the truth, but opens the file first and fails where it is told to."""

    name = "looking"

    def __init__(self, failing: Iterable[int] = (), status: Status = Status.OK) -> None:
        super().__init__(SCHEMA)
        self.failing = set(failing)
        self.status = status
        self.read_images: list[int] = []

    def read(self, image: StoredImage, truth: Truth | None, image_bytes: Callable[[], bytes]) -> NewRecord:
        self.read_images.append(image.image_id)
        image_bytes()
        if image.image_id in self.failing:
            raise ExtractorError("The server does not answer.", "Start it.")
        record = super().read(image, truth, image_bytes)
        return (
            record
            if self.status is Status.OK
            else replace(record, status=self.status, readings={}, reason="No.")
        )


def images(number: int) -> list[StoredImage]:
    return [make_image(position) for position in range(1, number + 1)]


def read(some: Sequence[StoredImage], shelf: Shelf, extractor: DrawnTruth | None = None) -> Outcome:
    return run_here(extract_records(some, extractor or DrawnTruth(SCHEMA), shelf, shelf, batch=10))


def test_every_image_gets_its_record_in_batches() -> None:
    shelf = Shelf()

    outcome = read(images(25), shelf)

    assert (outcome.asked, outcome.done, outcome.failed, outcome.skipped) == (25, 25, 0, 0)
    assert [record.image_id for record in shelf.records] == list(range(1, 26))
    assert shelf.saved == [10, 10, 5]


def test_a_second_run_skips_what_is_there_and_reads_what_is_new() -> None:
    shelf = Shelf()
    read(images(5), shelf)

    outcome = read(images(8), shelf)

    assert (outcome.asked, outcome.done, outcome.skipped) == (8, 3, 5)
    assert len(shelf.records) == 8


def test_the_same_pixels_under_two_prompts_are_two_records() -> None:
    shelf = Shelf()
    twins = [make_image(1, sha256="a" * 64, prompt="one"), make_image(2, sha256="a" * 64, prompt="two")]

    outcome = read(twins, shelf)

    assert outcome.done == 2
    assert {record.image_id for record in shelf.records} == {1, 2}


def test_an_image_given_twice_is_read_once() -> None:
    shelf = Shelf()
    outcome = read([make_image(1), make_image(1)], shelf)
    assert (outcome.done, outcome.skipped) == (1, 1)


@pytest.mark.parametrize("status", [ImageStatus.BLACK, ImageStatus.FLAGGED, ImageStatus.WRONG_SIZE])
def test_a_picture_that_is_not_ok_is_recorded_and_never_sent(status: ImageStatus) -> None:
    shelf = Shelf()
    looking = Looking()

    outcome = read([replace(make_image(1), status=status), make_image(2)], shelf, looking)

    assert looking.read_images == [2]
    assert [record.status for record in shelf.records] == [Status.FLAGGED, Status.OK]
    assert (outcome.done, outcome.failed) == (1, 1)
    assert outcome.failures[0].kind == "not sent"
    assert shelf.records[0].reason
    assert shelf.records[0].readings == {}


def test_a_picture_without_truth_is_a_refused_picture_and_is_not_asked_again() -> None:
    shelf = Shelf(without_truth=[2])

    outcome = read(images(3), shelf)

    assert (outcome.done, outcome.failed) == (2, 1)
    assert (outcome.failures[0].item, outcome.failures[0].kind) == ("image 2", "refused picture")
    assert shelf.records[1].status is Status.REFUSED
    assert read(images(3), shelf).skipped == 3


def test_a_missing_file_is_a_row_with_its_reason() -> None:
    shelf = Shelf(missing=[1])

    outcome = read(images(2), shelf, Looking())

    assert outcome.failures[0].kind == "missing image"
    assert "is missing" in outcome.failures[0].reason
    assert shelf.records[0].status is Status.MISSING_IMAGE


def test_an_error_of_the_world_is_recorded_and_tried_again() -> None:
    shelf = Shelf()
    first = read(images(3), shelf, Looking(failing=[2]))
    assert [failure.kind for failure in first.failures] == ["error"]

    second = read(images(3), shelf, Looking())

    assert (second.done, second.skipped) == (1, 2)
    assert [record.status for record in shelf.records if record.image_id == 2] == [Status.ERROR, Status.OK]


@pytest.mark.parametrize("status", [Status.REFUSED, Status.INVALID, Status.TRUNCATED])
def test_a_record_that_is_not_ok_counts_as_failed_with_its_status(status: Status) -> None:
    shelf = Shelf()
    outcome = read(images(1), shelf, Looking(status=status))
    assert (outcome.done, outcome.failed) == (0, 1)
    assert shelf.records[0].status is status


def test_a_cancelled_job_has_saved_what_it_read() -> None:
    shelf = Shelf()
    job = extract_records(images(30), DrawnTruth(SCHEMA), shelf, shelf, batch=20, every_seconds=0)
    for _ in range(3):
        next(job)

    job.close()

    assert [record.image_id for record in shelf.records] == [1, 2, 3]
    assert read(images(30), shelf).skipped == 3


def test_progress_counts_up_to_what_was_asked() -> None:
    shelf = Shelf(without_truth=[3])
    steps = list(extract_records(images(25), DrawnTruth(SCHEMA), shelf, shelf, batch=10, every_seconds=1e9))
    assert [(step.done, step.total, step.failed) for step in steps] == [(10, 25, 1), (20, 25, 1), (25, 25, 1)]


def test_no_images_is_an_empty_outcome() -> None:
    assert read([], Shelf()) == Outcome()


def test_a_fault_of_ours_is_not_swallowed_and_earlier_records_are_saved() -> None:
    class Broken(DrawnTruth):
        def read(
            self, image: StoredImage, truth: Truth | None, image_bytes: Callable[[], bytes]
        ) -> NewRecord:
            if image.image_id == 3:
                raise ZeroDivisionError
            return super().read(image, truth, image_bytes)

    shelf = Shelf()
    with pytest.raises(ZeroDivisionError):
        read(images(5), shelf, Broken(SCHEMA))
    assert len(shelf.records) == 2


def test_extractors_are_found_by_name() -> None:
    assert {"drawn-reader", "drawn-truth", "pixels", "pixels-faces"} <= set(names())
    here = [name for name in names() if name != "pixels-faces"]  # that one needs a package of its own
    assert [by_name(name, SCHEMA).name for name in here] == here
    with pytest.raises(BadInput, match="no extractor 'guess'"):
        by_name("guess", SCHEMA)
