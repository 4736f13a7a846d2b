"""The application object: theme, studio, window, and the way errors take. Imports nothing heavy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.jobs import Job
from gui.platform_check import own_place_in_taskbar, require_window

MakeSample = Callable[[Path], Job[Any]]


def run_window(folder: Path | None, *, page: str = "study", make_sample: MakeSample | None = None) -> int:
    """Open the window on a study, or on the welcome page, and run it until it is closed.

    Parameters
    ----------
    folder : Path or None
        Study to open.
    page : str
        Page to show first.
    make_sample : callable, optional
        Makes the job that builds the sample study in a folder; without it the welcome page does not
        offer one.

    Raises
    ------
    MissingPart
        When there is no display, or Qt or one of its system libraries is not installed.
    """
    require_window()
    own_place_in_taskbar()
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QApplication

    from gui import icons, settings
    from gui.ending import Ending
    from gui.main_window import MainWindow
    from gui.studio import Studio
    from gui.tasks import TaskRunner
    from gui.theme import Theme
    from gui.tidying import Tidying

    application = QApplication(sys.argv[:1])
    ending = Ending(application)
    application.setApplicationName("ContextBias Studio")
    application.setApplicationDisplayName("ContextBias Studio")
    application.setDesktopFileName("contextbias-studio")
    application.setWindowIcon(QIcon(str(icons.OF_APPLICATION)))
    theme = Theme(application, settings.pinned_theme(), settings.text_scale())
    window = MainWindow(Studio(TaskRunner(), theme), page=page, make_sample=make_sample)
    ending.close = window.end
    window.notices.catch_uncaught()
    window.show()
    Tidying(window)
    if folder is not None:
        window.open_study(folder)
    try:
        return application.exec()
    finally:
        ending.stop()
