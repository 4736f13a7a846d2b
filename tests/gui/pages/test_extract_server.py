"""What a person does to read with a server: check it, read, look at the raw answer, retry a class."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.extraction import registry
from core.extraction.batch import BatchOptions
from core.extraction.vlm import memory
from core.records import Status
from gui.extract import batches
from gui.extract.outcomes_dialog import OutcomesDialog
from gui.extract.raw_text import NOTHING
from gui.extract.server_dialog import ServerDialog
from gui.pages.extract import ExtractPage
from tests.fake_batches import FakeBatches
from tests.fake_server import Call, FakeServer, Mischief, error, fake_server

Shown = Callable[..., ExtractPage]


@pytest.fixture
def page(shown: Shown, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ExtractPage:
    monkeypatch.setattr(registry, "names", lambda: ("drawn-reader", "pixels"))
    monkeypatch.setattr(memory, "user_cache", lambda: tmp_path / "cache")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    return shown(ExtractPage, made)


def opened(page: ExtractPage, server: FakeServer) -> ServerDialog:
    """The dialog, filled in for a server on this machine."""
    page.serve.click()
    dialog = page.serving.dialog
    assert dialog is not None
    dialog.server.choose("another server")
    dialog.address.setText(server.base_url)
    dialog.model.setText("fake-vision-1")
    dialog.price_in.setText("1")
    dialog.price_out.setText("2")
    return dialog


def done(page: ExtractPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=60_000)


def test_checking_says_what_the_server_takes_and_what_it_will_cost(page: ExtractPage, qtbot: QtBot) -> None:
    with fake_server() as server:
        dialog = opened(page, server)
        dialog.look.click()
        qtbot.waitUntil(lambda: dialog.check is not None, timeout=60_000)
        assert dialog.check is not None
        said = {check.name: check.said for check in dialog.check.checks}

        assert dialog.check.is_fine
        assert "fake-vision-1-2026-01-01" in said["Server"]
        assert "strict JSON schema" in said["Form of answers"]
        assert "0.0058 a picture as measured, about 0.21 for 36 pictures" in said["Cost"]
        assert len(server.calls) == 1
        dialog.model.setText("another")
        assert dialog.check is None
        dialog.reject()


def test_what_is_wrong_with_a_server_is_a_row_and_a_missing_model_a_sentence(
    page: ExtractPage, qtbot: QtBot
) -> None:
    with fake_server(lambda call: error(401, "Incorrect API key provided")) as server:
        dialog = opened(page, server)
        dialog.look.click()
        qtbot.waitUntil(lambda: dialog.check is not None, timeout=60_000)
        assert dialog.check is not None
        assert not dialog.check.is_fine
        assert "key" in dialog.check.checks[0].said
        dialog.model.setText("")
        dialog.go.click()
        assert dialog.trouble.startswith("No model is named")
        assert dialog.isVisible()
        dialog.reject()


def refuse_two(call: Call) -> Mischief | None:
    """Refuses two pictures; the first call is the question about what the server takes."""
    is_refused = call.number in (2, 3)
    return Mischief(message={"refusal": "I cannot describe people."}, content="") if is_refused else None


def test_reading_showing_raw_answers_and_retrying_what_was_refused(
    page: ExtractPage, qtbot: QtBot, tmp_path: Path
) -> None:
    with fake_server(refuse_two) as server:
        dialog = opened(page, server)
        dialog.at_once.setValue(1)
        dialog.go.click()
        done(page, qtbot)
        (name,) = [one for one in page.cards.cards if one.startswith("vlm-")]
        page.cards.choose(name)
        done(page, qtbot)
        (failure,) = page.failed_card.failures
        assert (failure.kind, failure.count) == ("refused", 2)
        page.failed_card.chosen.emit(failure)
        qtbot.waitUntil(lambda: len(page.list.rows) == 2, timeout=10_000)
        done(page, qtbot)
        raw = json.loads(page.viewer.raw.toPlainText())
        assert raw["class"] == "refused"
        assert page.retry.text() == "Retry 2"

        outcomes = OutcomesDialog(page.studio, name, page)
        done(page, qtbot)
        assert sum(row["refused"] for row in outcomes.classes.rows) == 2
        assert outcomes.bounds.rows
        outcomes.export_to(tmp_path / "outcomes.csv")
        done(page, qtbot)
        with (tmp_path / "outcomes.csv").open(encoding="utf-8") as file:
            assert sum(int(row["images"]) for row in csv.DictReader(file)) == 36
        outcomes.reject()

        calls = len(server.calls)
        page.retry.click()
        assert page.serving.dialog is not None
        assert page.serving.dialog.go.text() == "Read 2 images"
        page.serving.dialog.go.click()
        done(page, qtbot)
        page.refresh(now=True)
        done(page, qtbot)

        assert len(server.calls) - calls <= 3  # the question about what it takes, and the two pictures
        assert not page.failed_card.failures
        assert page.retry.isHidden()
        qtbot.waitUntil(lambda: {one.status for one in page.list.rows} <= {Status.OK}, timeout=10_000)


def test_an_extractor_that_keeps_nothing_says_so(page: ExtractPage, qtbot: QtBot) -> None:
    page.go.click()
    done(page, qtbot)
    qtbot.waitUntil(lambda: page.viewer.shown is not None and page.viewer.shown.record is not None)

    assert page.viewer.raw.toPlainText() == NOTHING


def test_another_machine_without_encryption_is_asked_about_and_a_server_without_batches_offers_none(
    page: ExtractPage, qtbot: QtBot
) -> None:
    with fake_server() as server:
        dialog = opened(page, server)
        assert dialog.plainly.isHidden()
        dialog.address.setText("http://192.0.2.7:8000/v1")
        dialog.key.setText("sk-secret")
        assert not dialog.plainly.isHidden()
        dialog.look.click()
        dialog.go.click()
        assert dialog.trouble.startswith("http://192.0.2.7:8000 is another machine and http is not encrypted")
        assert "--" not in dialog.trouble
        assert dialog.isVisible()
        dialog.plainly.click()
        assert dialog.read_options().allow_plain_http
        dialog.address.setText("http://192.0.2.8:8000/v1")
        assert not dialog.read_options().allow_plain_http
        dialog.address.setText("https://192.0.2.8:8000/v1")
        assert dialog.plainly.isHidden()
        assert server.calls == []

        dialog.how.choose(1)
        assert dialog.is_batch
        dialog.server.choose("Ollama")  # it has no batches
        assert not dialog.is_batch
        assert dialog.go.text() == "Read 36 images"
        dialog.reject()


def test_a_batch_is_ordered_at_half_price_and_fetched_after_a_restart(
    page: ExtractPage, made: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "limits", lambda: BatchOptions(poll_seconds=0.02, most_requests=20))
    with fake_server() as server:
        cabinet = FakeBatches(server)
        cabinet.fate = lambda number: "stuck"
        dialog = opened(page, server)
        dialog.how.choose(1)
        assert dialog.go.text() == "Order 36 images"
        dialog.look.click()
        qtbot.waitUntil(lambda: dialog.check is not None, timeout=60_000)
        assert dialog.check is not None
        said = {check.name: check.said for check in dialog.check.checks}
        assert "0.0029 a picture at half price, as measured, about 0.10 for 36 pictures" in said["Cost"]
        dialog.go.click()
        qtbot.waitUntil(lambda: len(cabinet.batches) == 2, timeout=60_000)
        for task in page.studio.runner.tasks:
            task.cancel()
        done(page, qtbot)
        assert page.studio.store is not None
        folder = page.studio.store.folder
        page.studio.close_study()

        cabinet.fate = lambda number: "completed"
        page.studio.open_study(folder)
        done(page, qtbot)
        page.refresh(now=True)
        done(page, qtbot)
        (name,) = [one for one in page.cards.cards if one.startswith("vlm-")]
        page.cards.choose(name)
        done(page, qtbot)
        assert page.cards.cards[name].state.status == "ordered"
        assert page.cards.cards[name].state.notes[0].startswith("batch: 36 requests in 2 files")
        assert page.go.text() == "Fetch 36 answers"
        page.go.click()
        done(page, qtbot)
        page.refresh(now=True)
        done(page, qtbot)

        assert set(cabinet.paid.values()) == {1}
        assert len(cabinet.batches) == 2
        reader = page._reading.reader(name) if page._reading else None
        assert reader is not None
        assert (reader.read, reader.waiting.requests) == (36, 0)
        assert page.go.isHidden()
