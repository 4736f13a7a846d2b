"""The annotation screen alone in a window of its own, for a packet."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from annotation.session import Session
from gui import settings
from gui.annotate import key_settings
from gui.annotate.decoding import ReadBytes
from gui.annotate.saved_caption import SavedRelay
from gui.annotate.screen import AnnotateScreen
from gui.platform_check import require_window
from gui.tasks import TaskRunner
from gui.theme import Theme


@dataclass(frozen=True, slots=True)
class Opened:
    """What a packet gives: a session, how to read an image's bytes, and how to let go of the packet."""

    session: Session
    read: ReadBytes
    close: Callable[[], None]
    shows_role: bool = False


Open = Callable[[Callable[[], None]], Opened]
"""Opens a packet; takes the session's `on_saved`."""


class AloneWindow(QWidget):
    """Holds the screen; closing it waits for the disk."""

    def __init__(self, runner: TaskRunner, relay: SavedRelay, opened: Opened) -> None:
        super().__init__()
        self._runner = runner
        self._opened = opened
        self._is_warned = False
        self.setWindowTitle("Annotate – ContextBias Studio")
        self.setMinimumSize(960, 600)
        self.resize(1440, 900)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.screen_widget = AnnotateScreen(
            *(opened.session, runner, opened.read, relay),
            keys=key_settings.chosen_keys(),
            shows_role=opened.shows_role,
            parent=self,
        )
        self.screen_widget.preset_chosen.connect(key_settings.remember_preset)
        column.addWidget(self.screen_widget)

    def closeEvent(self, event: QCloseEvent) -> None:
        """What is being typed counts; acts that cannot be saved hold the window open once."""
        if not self.screen_widget.hand_over() and not self._is_warned:
            self._is_warned = True
            event.ignore()
            return
        self.screen_widget.stop()
        self._runner.close()
        self._opened.close()
        super().closeEvent(event)


def run_alone(open_packet: Open) -> int:
    """Open the screen on a packet and run it until it is closed; MissingPart without a display."""
    require_window()
    application = QApplication(sys.argv[:1])
    application.setApplicationName("ContextBias Studio")
    Theme(application, settings.pinned_theme(), settings.text_scale())
    relay = SavedRelay()
    window = AloneWindow(TaskRunner(), relay, open_packet(relay.tell))
    window.show()
    return application.exec()
