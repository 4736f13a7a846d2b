"""The window after a program that ended in the middle of a job: it says so and leads to where it goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.studio import Studio
from gui.widgets.button import Button
from storage.store import Store

LEFT_RUNNING = """UPDATE job SET process_json = '{"host": "elsewhere", "seen_at": "2026-01-01T00:00:00Z"}'"""


def test_a_job_that_was_cut_short_is_said_and_gone_on_with(
    qtbot: QtBot, studio: Studio, study_folder: Path, settle: Callable[[Studio], None]
) -> None:
    with Store.open(study_folder) as store:
        store.begin_job("extract", 40, {"extractor": "drawn-reader"})
        store._writer.do(lambda connection: connection.execute(LEFT_RUNNING))
    window = MainWindow(studio)
    qtbot.addWidget(window)
    window.show()

    window.open_study(study_folder)
    settle(studio)

    (row,) = window.shell.notice_bar.rows
    assert row.sentence.startswith("Reading labels (drawn-reader) stopped before its end")
    (go_on,) = [button for button in row.findChildren(Button) if button.text() == "Go on"]
    go_on.click()
    settle(studio)
    assert window.page_name == "extract"
    assert window.shell.notice_bar.rows == ()
