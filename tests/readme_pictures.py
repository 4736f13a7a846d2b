"""Make the README's pictures anew from the real window: `python tests/readme_pictures.py`, half a minute.

A study of drawn pictures is made in a temporary folder, its page *Annotate* is opened offscreen at 1280 × 720
and answered as an annotator would, and the window is grabbed into `resources/readme`.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["CONTEXTBIAS_LOGS"] = ""
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from core.jobs import run_here
from core.plan import choose_roles, plan_study
from core.running import generate_in
from gui.main_window import MainWindow
from gui.studio import Studio
from gui.tasks import TaskRunner
from gui.theme import Theme
from storage.making import make_study

IMAGES = 180
PICTURES = Path(__file__).resolve().parents[1] / "resources" / "readme"


def main() -> None:
    """Make the study, walk to the page, grab."""
    with tempfile.TemporaryDirectory() as place:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, place)
        more = {"unrelated": "everyday", "images_per_prompt": 10, "generators": ["drawn-a"]}
        with make_study(Path(place) / "study", plan_study("Pilot", choose_roles("2"), **more)) as store:
            run_here(generate_in(store, "drawn-a", IMAGES))
        application = QApplication(sys.argv[:1])
        window = MainWindow(Studio(TaskRunner(), Theme(application, "light", 1.0)))
        window.resize(1280, 720)
        window.show()
        window.open_study(Path(place) / "study")
        until(application, lambda: window.studio.store is not None)
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
        until(application, lambda: False, 3)
        window.grab().save(str(PICTURES / "annotate.png"))
        window.close()


def until(application: QApplication, is_so: Callable[[], bool], seconds: float = 30) -> None:
    """Let the window work until something is so."""
    ends = time.monotonic() + seconds
    while not is_so() and time.monotonic() < ends:
        application.processEvents()
        time.sleep(0.01)


if __name__ == "__main__":
    main()
