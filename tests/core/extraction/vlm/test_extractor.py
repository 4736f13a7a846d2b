"""The extractor keeps to what every extractor keeps to, and reads one picture as it reads many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.errors import BadInput
from core.extraction.extractor import Extractor, Truth
from core.extraction.job import ReadsMany, extract_records
from core.extraction.registry import by_name
from core.extraction.vlm import VlmOptions
from core.jobs import run_here
from core.records import Status
from core.schema import load_schema
from tests.contracts.extractor_contract import ExtractorContract
from tests.core.extraction.vlm.shelf import SCHEMA, Shelf, images, make_extractor, options, png
from tests.fake_server import FakeServer, fake_server


class TestVlmExtractor(ExtractorContract):
    @pytest.fixture(autouse=True)
    def _server(self) -> Iterator[None]:
        with fake_server() as self.server:
            yield

    server: FakeServer

    def make(self) -> Extractor:
        return make_extractor(self.server)

    def truth(self) -> Truth | None:
        return None

    def image_bytes(self) -> bytes:
        return png(1)

    def test_reading_the_same_picture_again_gives_the_same_record(self) -> None:
        first, second = self.read(3), self.read(3)
        # How long it took and what was said word for word may differ.
        assert replace(first, raw="", seconds=None) == replace(second, raw="", seconds=None)

    def test_a_reading_has_labels_of_its_vocabulary_exactly_when_it_is_ok(self) -> None:
        # For any answer this is held by the properties in test_reading.py.
        for number in range(1, 4):
            for reading in self.read(number).readings.values():
                assert bool(reading.labels) == (reading.status is Status.OK)


def test_the_job_of_all_extractors_hands_over_to_it() -> None:
    with fake_server() as server:
        shelf = Shelf()
        outcome = run_here(extract_records(images(5), make_extractor(server), shelf, shelf))
        assert outcome.done == len(shelf.records) == 5


def test_it_is_made_by_name_with_options_and_not_without() -> None:
    assert isinstance(by_name("vlm", SCHEMA, VlmOptions("m", server="ollama")), ReadsMany)
    with pytest.raises(BadInput, match="needs a model"):
        by_name("vlm", SCHEMA)
    with pytest.raises(BadInput, match="vlm"):
        by_name("clippy", SCHEMA)


def test_the_embedded_extractors_read_one_by_one() -> None:
    assert not isinstance(by_name("drawn-truth", load_schema()), ReadsMany)


def test_options_hold_no_key() -> None:
    with fake_server() as server:
        assert not [name for name in options(server).__slots__ if name in ("key", "api_key", "secret")]
