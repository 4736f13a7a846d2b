"""Run under a real X server: opens the window on a study, shows every page, saves a picture of each.

python tests/gui/real_window.py STUDY OUT_DIR
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

BEGUN = time.monotonic()
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from PySide6.QtCore import QObject, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from gui.main_window import MainWindow  # noqa: E402
from gui.studio import Studio  # noqa: E402
from gui.tasks import TaskRunner  # noqa: E402
from gui.theme import Theme  # noqa: E402

MOST_SECONDS = 120


class Walk(QObject):
    """Goes from page to page once each has nothing more to do, and notes what it saw."""

    def __init__(self, window: MainWindow, out: Path) -> None:
        super().__init__()
        self._window, self._out = window, out
        self._names = [entry.name for entry in window.entries]
        self.seen: dict[str, float] = {}
        self._ticks = 0
        self._timer = QTimer(self)
        self._timer.setInterval(200)
        self._timer.timeout.connect(self._look)

    def begin(self) -> None:
        """The window has been painted: go on from here."""
        self.seen["painted_seconds"] = time.monotonic() - BEGUN
        self._timer.start()

    def _look(self) -> None:
        window = self._window
        if time.monotonic() - BEGUN > MOST_SECONDS:
            QApplication.exit(3)
        if window.studio.store is None or not window.studio.runner.is_idle:
            self._ticks = 0
            return
        self._ticks += 1
        if self._ticks < 4:
            return
        self._ticks = 0
        name = window.page_name
        window.grab().save(str(self._out / f"{name}.png"))
        self.seen[name] = time.monotonic() - BEGUN
        later = self._names[self._names.index(name) + 1 :]
        if later:
            window.show_page(later[0])
        else:
            window.close()
            QApplication.exit(0)


def main(study: Path, out: Path) -> int:
    """Walk through the pages of a study; 0 when every page was shown."""
    application = QApplication(sys.argv[:1])
    window = MainWindow(Studio(TaskRunner(), Theme(application, None, 1.0)))
    walk = Walk(window, out)
    window.show()
    window.open_study(study)
    QTimer.singleShot(0, walk.begin)
    code = application.exec()
    (out / "seen.json").write_text(json.dumps(walk.seen))
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
