"""What a person does with the window: open, move between pages, change theme and size, close."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.jobs import Job, Outcome, Progress
from core.paths import PROJECT
from gui import settings
from gui.about_pages import ABOUT
from gui.main_window import MainWindow
from gui.palette import DARK, palette
from gui.shell import PAGES, pages_there
from gui.studio import Studio
from gui.widgets.cheat_sheet import CheatSheet
from gui.widgets.consequence import ConsequenceDialog
from gui.widgets.simulated_note import SimulatedNote
from storage.store import Store
from storage.study import NewStudy

Settle = Callable[[Studio], None]


@pytest.fixture
def window(qtbot: QtBot, studio: Studio, tmp_path: Path) -> MainWindow:
    def make_sample(folder: Path) -> Job[None]:
        yield Progress(0, 1)
        Store.create(folder, NewStudy("sample", 0, is_sample=True)).close()

    made = MainWindow(studio, make_sample=make_sample, sample_folder=tmp_path / "sample")
    qtbot.addWidget(made)
    made.resize(1280, 720)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def opened(window: MainWindow, study_folder: Path, settle: Settle) -> MainWindow:
    window.open_study(study_folder)
    settle(window.studio)
    return window


def endless() -> Job[None]:
    done = 0
    while True:
        time.sleep(0.005)
        done += 1
        yield Progress(done, 1000)


def test_the_first_thing_seen_is_what_this_is_and_how_to_begin(window: MainWindow):
    assert window.shell.welcome.isVisible()
    assert not window.shell.rail.isVisible()
    assert not window.shell.header.isVisible()


def test_opening_a_study_shows_its_page_and_name(opened: MainWindow, study_folder: Path):
    assert opened.windowTitle() == "audit – ContextBias Studio"
    assert opened.page_name == "study"
    assert opened.shell.rail.isVisible()
    assert settings.recent_studies() == (study_folder.resolve(),)


def test_the_title_tells_an_annotator_nothing(opened: MainWindow, qtbot: QtBot):
    for entry in opened.entries:
        if entry.name != "annotate":
            opened.show_page(entry.name)

            assert opened.windowTitle() == "audit – ContextBias Studio"


def test_a_folder_without_a_study_is_answered_with_a_sentence(
    window: MainWindow, tmp_path: Path, settle: Settle
):
    window.open_study(tmp_path / "nothing")
    settle(window.studio)

    (row,) = window.shell.notice_bar.rows
    assert "no study" in row.sentence.lower()
    assert window.shell.welcome.isVisible()


def test_making_the_sample_study_opens_it(window: MainWindow, settle: Settle, qtbot: QtBot):
    qtbot.mouseClick(window.shell.welcome.sample, Qt.MouseButton.LeftButton)
    assert not window.shell.welcome.open.isEnabled()

    qtbot.waitUntil(lambda: window.studio.store is not None)
    settle(window.studio)
    assert window.windowTitle() == "sample – ContextBias Studio"


def test_the_sample_that_is_there_is_opened_not_made_again(
    window: MainWindow, settle: Settle, tmp_path: Path
):
    with Store.create(tmp_path / "sample", NewStudy("made before", 0, is_sample=True)) as store:
        store.end_job(store.begin_job("simulate", 1), Outcome(asked=1, done=1))
    window.shell.welcome.set_busy("")
    assert window.shell.welcome.sample.text() == "Open the sample study"

    window.make_sample()
    settle(window.studio)

    assert window.windowTitle().startswith("made before")


def test_pages_are_made_only_when_they_are_shown(opened: MainWindow):
    assert set(opened.pages) == {"study"}

    opened.show_page("prompts")

    assert set(opened.pages) == {"study", "prompts"}


def test_control_and_a_number_go_to_a_page(opened: MainWindow, qtbot: QtBot):
    opened.activateWindow()
    qtbot.waitActive(opened)

    qtbot.keyClick(opened, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert opened.page_name == "prompts"

    qtbot.keyClick(opened, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert opened.page_name == "study"


def test_a_press_in_the_rail_goes_to_a_page(opened: MainWindow, qtbot: QtBot):
    qtbot.mouseClick(opened.shell.rail.button("prompts"), Qt.MouseButton.LeftButton)

    assert opened.page_name == "prompts"
    assert opened.shell.rail.button("prompts").isChecked()


def test_there_is_no_entry_for_a_page_that_is_not_there():
    assert {"study", "prompts"} <= {entry.name for entry in pages_there()}
    assert all((PROJECT / "gui" / "pages" / f"{entry.name}.py").exists() for entry in pages_there())
    assert [entry.name for entry in PAGES] == [
        *("study", "prompts", "generate", "extract", "annotate", "team", "agreement", "results"),
    ]


def test_the_header_shows_the_acts_of_its_page_only(opened: MainWindow):
    study = list(opened.shell.header.acts)
    opened.show_page("prompts")

    assert not any(act.isVisible() for act in study)
    assert all(act.isVisible() for act in opened.shell.header.acts)


def test_every_page_with_a_header_says_what_a_person_is_looking_at(opened: MainWindow, settle: Settle):
    about = opened.shell.about
    assert about.isHidden()
    opened.shell.header.help.click()
    for entry in opened.entries:
        opened.show_page(entry.name)
        settle(opened.studio)
        has_header = opened.pages[entry.name].has_header
        assert (about.words.text() == ABOUT.get(entry.name, "")) or not has_header
        assert about.isHidden() != has_header
        assert not has_header or 60 < len(about.words.text()) < 420
    opened.show_page("study")
    about.close_button.click()
    assert about.isHidden()


@pytest.mark.parametrize(("width", "is_wide"), [(1280, False), (1439, False), (1440, True), (1920, True)])
def test_the_rail_has_words_beside_its_icons_in_a_wide_window(opened: MainWindow, width: int, is_wide: bool):
    opened.resize(width, 720)

    assert (opened.shell.rail.width() >= 168) is is_wide
    assert opened.shell.rail.width() == 84 or is_wide


def test_a_running_job_is_a_ring_in_the_rail_and_a_strip_below(opened: MainWindow, qtbot: QtBot):
    task = opened.studio.runner.run("Read prompts", endless(), page="prompts")
    qtbot.waitUntil(lambda: opened.shell.rail.button("prompts").state.running is not None)
    assert opened.shell.strip.isVisible()

    task.cancel()
    qtbot.waitUntil(lambda: opened.shell.rail.button("prompts").state.running is None)


def test_a_study_with_simulated_answers_says_so_on_every_page(opened: MainWindow):
    for name in ("study", "prompts"):
        opened.show_page(name)
        note = opened.shell.note_row.findChild(SimulatedNote)

        assert note.isVisible()
        assert note.sentence == "Contains simulated answers"


def test_removing_what_is_simulated_takes_the_line_away(opened: MainWindow, qtbot: QtBot):
    store = opened.studio.store
    assert store is not None
    store.remove_simulated()

    qtbot.waitUntil(lambda: not opened.studio.has_simulated)
    assert not opened.shell.note_row.findChild(SimulatedNote).isVisible()
    qtbot.waitUntil(lambda: opened.studio.runner.is_idle)


def test_f1_lists_the_keys_and_f1_closes_the_list(opened: MainWindow, qtbot: QtBot):
    opened.activateWindow()
    qtbot.waitActive(opened)
    qtbot.keyClick(opened, Qt.Key.Key_F1)
    sheet = opened.findChild(CheatSheet)
    assert sheet is not None
    assert sheet.isVisible()

    qtbot.keyClick(sheet, Qt.Key.Key_F1)
    assert not sheet.isVisible()


def test_escape_closes_the_drawer(opened: MainWindow, qtbot: QtBot, settle: Settle):
    page = opened.pages["study"]
    page.grid.focus_cell(0, 0)
    page.grid.opened.emit(page.grid.current)
    settle(opened.studio)
    assert page.drawer.isVisible()

    qtbot.keyClick(opened, Qt.Key.Key_Escape)

    assert not page.drawer.isVisible()


def test_larger_text_is_kept_and_everything_is_still_there(opened: MainWindow, settle: Settle):
    opened.show_page("prompts")

    opened.larger()
    settle(opened.studio)

    assert opened.studio.theme.scale == 1.1
    assert settings.text_scale() == 1.1
    assert opened.page_name == "prompts"
    assert set(opened.pages) == {"prompts"}
    opened.normal_size()
    assert opened.studio.theme.scale == 1.0


def test_what_is_typed_into_a_filter_stays_at_another_text_size(opened: MainWindow, settle: Settle):
    opened.show_page("prompts")
    settle(opened.studio)
    opened.pages["prompts"].filter.setText("bus dri")
    opened.show_page("study")
    opened.pages["study"].filter.setText("bak")

    opened.larger()
    settle(opened.studio)
    assert opened.pages["study"].filter.text() == "bak"
    opened.show_page("prompts")
    settle(opened.studio)

    assert opened.pages["prompts"].filter.text() == "bus dri"


def test_making_the_window_anew_shows_no_other_window(opened: MainWindow, qtbot: QtBot, qapp: QApplication):
    class Watcher(QObject):
        seen: ClassVar[list[str]] = []

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            is_window = isinstance(watched, QWidget) and watched.isWindow()
            if event.type() is QEvent.Type.Show and is_window and not isinstance(watched, QDialog):
                self.seen.append(type(watched).__name__)
            return False

    watcher = Watcher()
    qapp.installEventFilter(watcher)
    opened.larger()
    for entry in opened.entries:
        opened.show_page(entry.name)
        QApplication.processEvents()
    qapp.removeEventFilter(watcher)

    assert Watcher.seen == []
    opened.studio.runner.cancel_all()
    qtbot.waitUntil(lambda: opened.studio.runner.is_idle, timeout=60_000)


HOSTILE = "<b>\u202eevil\u0007\n</b> & " + "W" * 10_000


@pytest.mark.parametrize("size", [(1280, 720, 1.5), (853, 480, 1.0)])
def test_every_page_fits_a_small_window_whatever_the_names(
    opened: MainWindow, study_folder: Path, qtbot: QtBot, settle: Settle, size: tuple[int, int, float]
):
    width, height, scale = size
    opened.studio.close_study()
    with closing(sqlite3.connect(study_folder / "study.sqlite")) as connection:
        connection.execute("UPDATE study SET name = ?", (HOSTILE,))
        for table, column in (
            ("role", "display_name"),
            ("generator", "name"),
            ("annotator", "name"),
            ("extractor", "name"),
            ("round", "name"),
        ):
            connection.execute(
                f"UPDATE {table} SET {column} = ? WHERE id = (SELECT min(id) FROM {table})", (HOSTILE,)
            )
        connection.commit()
    opened.studio.theme.set_scale(scale)
    opened.resize(width, height)

    opened.open_study(study_folder)
    settle(opened.studio)
    for entry in opened.entries:
        opened.show_page(entry.name)
        qtbot.waitUntil(lambda: opened.studio.runner.is_idle, timeout=60_000)
        QApplication.processEvents()

        assert opened.minimumSizeHint().width() <= width, entry.name
        assert (opened.width(), opened.height()) == (width, height), entry.name
        for label in opened.findChildren(QLabel):
            assert label.textFormat() is Qt.TextFormat.PlainText, label.text()[:40]
            assert "<b>" not in label.toolTip()


def test_a_theme_can_be_pinned_from_the_menu(opened: MainWindow):
    opened.shell.menu.asked_for.emit("theme", "dark")

    assert palette() is DARK
    assert settings.pinned_theme() == "dark"
    assert not opened.grab().isNull()


def test_a_study_may_hold_one_theme_for_all_annotators(window: MainWindow, tmp_path: Path, settle: Settle):
    Store.create(tmp_path / "dark", NewStudy("dark", 0, settings={"theme": "dark"})).close()

    window.open_study(tmp_path / "dark")
    settle(window.studio)

    assert palette() is DARK
    assert settings.pinned_theme() is None


def test_the_focus_changes_no_size(opened: MainWindow, qtbot: QtBot):
    button = opened.shell.header.acts[0]
    opened.activateWindow()
    qtbot.waitActive(opened)
    before = button.sizeHint()

    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    button.updateGeometry()

    assert button.sizeHint() == before


@pytest.mark.parametrize("scale", [0.8, 1.5, 2.0])
def test_nothing_breaks_at_any_size(opened: MainWindow, scale: float, settle: Settle):
    opened.studio.theme.set_scale(scale)
    settle(opened.studio)
    for entry in ("study", "prompts"):
        opened.show_page(entry)
        settle(opened.studio)

        assert not opened.grab().isNull()


def test_closing_the_study_goes_back_to_the_welcome_page(opened: MainWindow):
    opened.shell.menu.asked_for.emit("close", None)

    assert opened.studio.store is None
    assert opened.shell.welcome.isVisible()
    assert opened.studio.runner.is_idle


def test_another_study_can_be_opened_over_the_first(opened: MainWindow, tmp_path: Path, settle: Settle):
    Store.create(tmp_path / "other", NewStudy("other", 0)).close()

    opened.open_study(tmp_path / "other")
    settle(opened.studio)

    assert opened.windowTitle().startswith("other")
    assert opened.pages["study"].facts.startswith("0 roles")


def test_closing_the_window_asks_about_what_runs_and_lets_go_of_the_study(
    opened: MainWindow, study_folder: Path
):
    opened.studio.runner.run("Generate", endless(), noun="images")
    QApplication.processEvents()

    assert not opened.close()
    assert opened.ways_in.dialog is not None
    opened.ways_in.dialog.stay.click()
    assert len(opened.studio.runner.tasks) == 1
    assert opened.isVisible()

    assert not opened.close()
    assert opened.ways_in.dialog is not None
    opened.ways_in.dialog.act.click()
    assert opened.studio.runner.is_idle
    assert not opened.isVisible()
    Store.open(study_folder).close()


@pytest.mark.parametrize("way", ["open another", "close"])
def test_leaving_a_study_in_which_a_job_runs_asks_first(
    opened: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle, way: str
):
    Store.create(tmp_path / "other", NewStudy("other", 0)).close()
    task = opened.studio.runner.run("Generate, drawn-a", endless(), noun="images")

    def leave() -> ConsequenceDialog:
        if way == "close":
            opened.shell.menu.asked_for.emit("close", None)
        else:
            opened.open_study(tmp_path / "other")
        qtbot.waitUntil(lambda: opened.ways_in.dialog is not None)
        assert opened.ways_in.dialog is not None
        return opened.ways_in.dialog

    leave().stay.click()
    assert opened.windowTitle().startswith("audit")
    assert opened.studio.runner.tasks == (task,)

    leave().act.click()
    qtbot.waitUntil(lambda: not opened.windowTitle().startswith("audit"))
    settle(opened.studio)
    assert (opened.studio.store is None) is (way == "close")


def slow_sample(gate: threading.Event) -> Callable[[Path], Job[None]]:
    """Makes half of a sample, waits, and makes the rest; what is there is kept."""

    def make(folder: Path) -> Job[None]:
        exists = (folder / "study.sqlite").exists()
        plan = NewStudy("sample", 0, is_sample=True)
        with Store.open(folder) if exists else Store.create(folder, plan) as store:
            number = store.begin_job("simulate", 1)
            while not gate.wait(0.005):
                yield Progress(0, 1)
            store.end_job(number, Outcome(asked=1, done=1))

    return make


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Lets the sample be finished."""
    made = threading.Event()
    yield made
    made.set()


@pytest.fixture
def slow(qtbot: QtBot, studio: Studio, tmp_path: Path, gate: threading.Event) -> MainWindow:
    """A window whose sample takes its time."""
    made = MainWindow(studio, make_sample=slow_sample(gate), sample_folder=tmp_path / "sample")
    qtbot.addWidget(made)
    made.show()
    return made


def test_a_finished_sample_does_not_open_over_a_study_that_was_opened_meanwhile(
    slow: MainWindow, study_folder: Path, gate: threading.Event, qtbot: QtBot, settle: Settle
):
    slow.make_sample()
    qtbot.waitUntil(lambda: bool(slow.studio.runner.tasks))
    slow.open_study(study_folder)
    qtbot.waitUntil(lambda: slow.windowTitle().startswith("audit"))
    gate.set()
    settle(slow.studio)

    assert slow.windowTitle().startswith("audit")
    (row,) = slow.shell.notice_bar.rows
    assert row.sentence == "The sample study is made."
    qtbot.mouseClick(row.act_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: slow.windowTitle().startswith("sample"))
    settle(slow.studio)


def test_a_sample_whose_making_was_cancelled_is_made_whole_before_it_is_opened(
    slow: MainWindow, gate: threading.Event, tmp_path: Path, qtbot: QtBot, settle: Settle
):
    slow.make_sample()
    qtbot.waitUntil(lambda: (tmp_path / "sample" / "study.sqlite").exists())
    slow.studio.runner.cancel_all()
    settle(slow.studio)
    assert slow.studio.store is None
    assert slow.shell.welcome.sample.isEnabled()

    qtbot.mouseClick(slow.shell.welcome.sample, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(slow.studio.runner.tasks))
    assert slow.studio.store is None
    gate.set()
    qtbot.waitUntil(lambda: slow.windowTitle().startswith("sample"))
    settle(slow.studio)
    assert slow.studio.store is not None
    assert [job.state for job in slow.studio.store.jobs()][-1] == "done"


def test_the_window_brings_nothing_heavy_along():
    heavy = "{'pandas', 'scipy', 'torch', 'matplotlib', 'numpy', 'sqlite_utils'}"
    code = f"import sys, gui.app, gui.main_window, gui.pages.study; print(sorted({heavy} & set(sys.modules)))"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"
