"""Extraction with a server inside a study: kept in its book, under a name that says with what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BadInput, UserError
from core.extraction.batch import BatchOptions
from core.jobs import run_here
from core.running import extract_in, extract_in_batches
from core.schema import load_schema
from storage.frames import Frames
from storage.store import Store
from tests.core.extraction.vlm.shelf import options, png
from tests.fake_batches import FakeBatches
from tests.fake_server import error, fake_server
from tests.storage.builders import ROLES, make_image, make_prompt, make_study

SCHEMA = load_schema()


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with Store.create(tmp_path / "study", make_study()) as store:
        store.add_roles(ROLES)
        store.add_prompts([make_prompt()])
        store.add_generator("drawn-a", "drawn", {})
        store.add_images([make_image(number, data=png(number)) for number in range(12)])
        yield store


def test_the_extractor_is_kept_with_its_parameters_and_its_labels_are_found(store: Store) -> None:
    with fake_server() as server:
        outcome = run_here(extract_in(store, "vlm", SCHEMA, options=options(server)))

    (extractor,) = store.extractors()
    assert outcome.done == 12
    assert extractor.name.startswith("vlm-fake-vision-1-2026-01-01-")
    assert not extractor.is_simulated
    labels = Frames(store.folder).labels(extractor.name)
    assert labels["image"].nunique() == 12
    assert set(labels["status"]) <= {"ok", "unknown"}


def test_records_come_back_from_the_store_with_all_that_was_kept(store: Store) -> None:
    with fake_server() as server:
        run_here(extract_in(store, "vlm", SCHEMA, 1, options(server)))
    (record,) = store.records_of(store.images()[0].image_id)
    assert '"request":' in record.raw
    assert record.n_persons is not None
    assert tuple(record.readings) == SCHEMA.dimension_ids


def test_batches_go_into_the_same_study(store: Store) -> None:
    with fake_server() as server:
        FakeBatches(server)
        run_here(extract_in(store, "vlm", SCHEMA, 5, options(server)))
        folder = store.folder / "batches"
        limits = BatchOptions(poll_seconds=0.0)
        outcome = run_here(extract_in_batches(store, SCHEMA, folder, options(server), batches=limits))
    assert (outcome.done, outcome.skipped) == (7, 5)
    assert len(store.extractors()) == 1


def test_what_is_ordered_in_a_batch_is_not_asked_for_one_by_one(store: Store) -> None:
    folder, limits = store.folder / "batches", BatchOptions(poll_seconds=0.0)
    with fake_server() as server:
        cabinet = FakeBatches(server)
        cabinet.fate = lambda number: "stuck"
        job = extract_in_batches(store, SCHEMA, folder, options(server), batches=limits)
        next(progress for progress in job if "validating" in progress.text)
        job.close()
        asked = len(server.calls)
        with pytest.raises(BadInput, match="12 images are ordered in a batch"):
            run_here(extract_in(store, "vlm", SCHEMA, None, options(server), folder))
        assert len(server.calls) - asked <= 1  # the question about what the server takes

        cabinet.fate = lambda number: "completed"
        run_here(extract_in_batches(store, SCHEMA, folder, options(server), batches=limits))
        outcome = run_here(extract_in(store, "vlm", SCHEMA, None, options(server), folder))
    assert outcome.skipped == 12


def test_a_run_that_stops_is_in_the_book_with_its_failures(store: Store) -> None:
    with (
        fake_server(lambda call: error(401, "Incorrect key") if call.number > 5 else None) as server,
        pytest.raises(UserError, match="does not accept the key"),
    ):
        run_here(extract_in(store, "vlm", SCHEMA, options=options(server, concurrency=1)))
    job = store.jobs()[-1]
    assert (job.kind, job.state) == ("extract", "failed")
    assert any(failure.kind == "auth" for failure in store.failures_of(job.job_id))


def test_without_images_or_a_model_nothing_is_sent(tmp_path: Path) -> None:
    with fake_server() as server:
        with Store.create(tmp_path / "empty", make_study()) as empty:
            with pytest.raises(BadInput, match="no images"):
                extract_in(empty, "vlm", SCHEMA, options=options(server))
            with pytest.raises(BadInput, match="needs a model"):
                extract_in(empty, "vlm", SCHEMA)
        assert server.calls == []
