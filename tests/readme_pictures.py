"""Make the README's pictures anew from the real window: `python tests/readme_pictures.py`, a minute or two.

Studies of drawn pictures are made in a temporary folder, their pages *Annotate* (answered as an annotator
would) and *Results* are opened offscreen, and the window is grabbed into `resources/readme`.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["CONTEXTBIAS_LOGS"] = ""
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.jobs import run_here
from core.plan import choose_roles, plan_study
from core.running import extract_in, generate_in
from core.schema import schema_from
from gui.main_window import MainWindow
from gui.studio import Studio
from gui.tasks import TaskRunner
from gui.theme import Theme
from storage.making import make_study

IMAGES = 180
PICTURES = Path(__file__).resolve().parents[1] / "resources" / "readme"
GENERATORS = ["drawn-a", "drawn-b"]


def main() -> None:
    """Make the studies, walk to the pages, grab."""
    with tempfile.TemporaryDirectory() as place:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, place)
        application = QApplication(sys.argv[:1])
        theme = Theme(application, "light", 1.0)
        annotate(application, theme, Path(place) / "pilot")
        results(application, theme, Path(place) / "audit-2026")


def annotate(application: QApplication, theme: Theme, folder: Path) -> None:
    """The page *Annotate* at the third question, half marked."""
    more = {"unrelated": "everyday", "images_per_prompt": 10, "generators": ["drawn-a"]}
    with make_study(folder, plan_study("Pilot", choose_roles("2"), **more)) as store:
        run_here(generate_in(store, "drawn-a", IMAGES))
    window = opened(application, theme, folder, 1280, 720)
    window.show_page("annotate")
    page = window.pages["annotate"]
    page._on_begin("Ada", "marks+slider")
    until(application, lambda: page.screen_widget is not None)
    acting = page.screen_widget.acting
    for question in ("calm", "day", "workplace"):
        until(application, lambda: False, 1)
        options = page.screen_widget.session.question.option_ids
        acting.choose(question if question in options else options[0])
        for mark in (0, 2, 4, 7, 9):
            acting.mark(mark)
        if question != "workplace":
            acting.confirm()
    grab(application, window, "annotate")


def results(application: QApplication, theme: Theme, folder: Path) -> None:
    """The page *Results* with the images behind one of its rows."""
    roles = choose_roles("baker,doctor,nurse,teacher,farmer,mechanic,lawyer,scientist")
    plan = plan_study("audit-2026", roles, images_per_prompt=5, generators=GENERATORS)
    with make_study(folder, plan) as store:
        for name in GENERATORS:
            run_here(generate_in(store, name))
        run_here(extract_in(store, "drawn-reader", schema_from(json.loads(store.study.schema_json))))
    window = opened(application, theme, folder, 1600, 900)
    window.show_page("results")
    page = window.pages["results"]
    until(application, lambda: page.view is not None, 120)
    until(application, lambda: False, 1)
    table = page.table_card.table
    table.selectRow(2)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Return)
    grab(application, window, "results")


def opened(application: QApplication, theme: Theme, folder: Path, width: int, height: int) -> MainWindow:
    """The real window on a study."""
    window = MainWindow(Studio(TaskRunner(), theme))
    window.resize(width, height)
    window.show()
    window.open_study(folder)
    until(application, lambda: window.studio.store is not None)
    return window


def grab(application: QApplication, window: MainWindow, name: str) -> None:
    """Save what the window shows once it is at rest, and close it."""
    until(application, lambda: False, 4)
    window.grab().save(str(PICTURES / f"{name}.png"))
    window.close()
    until(application, lambda: window.studio.store is None)


def until(application: QApplication, is_so: Callable[[], bool], seconds: float = 30) -> None:
    """Let the window work until something is so."""
    ends = time.monotonic() + seconds
    while not is_so() and time.monotonic() < ends:
        application.processEvents()
        time.sleep(0.01)


if __name__ == "__main__":
    main()
