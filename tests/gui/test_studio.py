"""The open study: what it tells the pages."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.errors import StoreError
from gui.elsewhere import Elsewhere
from gui.pages.page import Page
from gui.shell import pages_there
from gui.studio import EVERYTHING, Studio
from storage.store import Store
from storage.study import NewStudy

Settle = Callable[[Studio], None]


class CountingPage(Page):
    """A page that counts how often it read."""

    name = "counting"
    title = "Counting"
    words = frozenset({"annotator"})

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.reads = 0

    def refresh(self) -> None:
        """Count."""
        self.reads += 1


def test_many_writes_are_told_as_one_change(open_studio: Studio, qtbot: QtBot):
    told: list[frozenset[str]] = []
    open_studio.changed.connect(told.append)
    assert open_studio.store is not None

    for number in range(20):
        open_studio.store.add_annotator(f"person {number}")
    qtbot.waitUntil(lambda: bool(told))
    qtbot.wait(350)

    assert told == [frozenset({"annotator"})]
    qtbot.waitUntil(lambda: open_studio.runner.is_idle)


def test_a_page_reads_when_shown_and_only_when_something_changed(open_studio: Studio, qtbot: QtBot):
    page = CountingPage(open_studio)
    qtbot.addWidget(page)
    assert page.reads == 0

    page.show()
    page.hide()
    page.show()
    assert page.reads == 1

    page.hide()
    assert open_studio.store is not None
    with qtbot.waitSignal(open_studio.changed):
        open_studio.store.add_annotator("Bea")
    assert page.reads == 1
    page.show()
    assert page.reads == 2
    qtbot.waitUntil(lambda: open_studio.runner.is_idle)


def test_a_page_does_not_mind_changes_of_other_things(open_studio: Studio, qtbot: QtBot):
    page = CountingPage(open_studio)
    qtbot.addWidget(page)
    page.show()

    assert open_studio.store is not None
    with qtbot.waitSignal(open_studio.changed):
        open_studio.store.begin_job("generate", 1)

    assert page.reads == 1
    qtbot.waitUntil(lambda: open_studio.runner.is_idle)


def test_simulated_answers_are_known_as_soon_as_the_study_is_open(open_studio: Studio):
    assert open_studio.has_simulated
    assert open_studio.simulated == {"answers"}


def test_a_study_that_cannot_be_opened_is_said_and_the_open_one_stays(
    open_studio: Studio, tmp_path: Path, qtbot: QtBot, settle: Settle
):
    before = open_studio.store
    with qtbot.waitSignal(open_studio.runner.trouble) as trouble:
        open_studio.open_study(tmp_path / "nothing")
    settle(open_studio)

    assert isinstance(trouble.args[1], StoreError)
    assert open_studio.store is before


def test_another_study_takes_the_place_of_the_open_one(open_studio: Studio, tmp_path: Path, settle: Settle):
    Store.create(tmp_path / "other", NewStudy("other", 0)).close()

    open_studio.open_study(tmp_path / "other")
    settle(open_studio)

    assert open_studio.store is not None
    assert open_studio.store.study.name == "other"
    assert not open_studio.has_simulated


def test_the_extractor_chosen_on_one_page_is_that_of_the_others_until_the_study_is_left(
    open_studio: Studio, qtbot: QtBot
):
    names = ("drawn-truth", "drawn-reader", "pixels")
    assert open_studio.extractor_of(names) == "drawn-reader"

    with qtbot.waitSignal(open_studio.extractor_chosen):
        open_studio.choose_extractor("pixels")

    assert open_studio.extractor_of(names) == "pixels"
    assert open_studio.extractor_of(names[:2]) == "drawn-reader"
    open_studio.close_study()
    assert open_studio.extractor_of(names) == "drawn-reader"


def test_a_result_for_a_page_that_is_gone_disturbs_nobody(open_studio: Studio, qtbot: QtBot):
    class Asking(QWidget):
        def on_read(self, _result: object) -> None:
            raise AssertionError("too late")

    widget, gate = Asking(), threading.Event()
    open_studio.query(lambda: gate.wait(5), widget.on_read)
    with qtbot.waitSignal(widget.destroyed):
        widget.deleteLater()
    gate.set()

    qtbot.waitUntil(lambda: open_studio.runner.is_idle)


def test_what_another_process_wrote_is_told_once_and_own_writes_are_not(open_studio: Studio, qtbot: QtBot):
    """A second store stands for the other process: it has a connection of its own."""
    store, looked = open_studio.store, Elsewhere(open_studio)
    assert store is not None
    store.add_annotator("Ana")
    assert not store.has_another_written()
    told: list[frozenset[str]] = []
    qtbot.waitUntil(lambda: open_studio.runner.is_idle)
    qtbot.wait(300)
    open_studio.changed.connect(told.append)

    with Store.open(store.folder) as other:
        other.add_annotator("Ben")
    looked.look()

    qtbot.waitUntil(lambda: told == [EVERYTHING])
    assert not store.has_another_written()
    qtbot.waitUntil(lambda: open_studio.runner.is_idle)


def test_every_page_hears_of_what_another_process_wrote():
    for entry in pages_there():
        page = getattr(import_module(entry.module), entry.class_name)
        assert page.words <= EVERYTHING, entry.name
