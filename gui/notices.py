"""How trouble reaches a person: the world's errors as a line that stays in place, ours as a dialog.

A `UserError` becomes a row in the notice bar: what happened and what to do. Anything else is a fault of
ours: a dialog that says what was being done, that what was saved is saved, and offers *Copy details*.
"""

from __future__ import annotations

import logging
import platform
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from core import __version__
from core.errors import UserError
from core.log_file import told_traceback
from gui.fonts import fixed_font, px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.icon_box import IconBox

log = logging.getLogger(__name__)

MOST_NOTICES = 4


class Act(NamedTuple):
    """The one thing that can be done about a notice."""

    words: str
    do: Callable[[], None]


class NoticeRow(QFrame):
    """One thing that happened, kept until it is closed."""

    closed = Signal()

    def __init__(self, sentence: str, remedy: str, kind: str, act: Act | None = None) -> None:
        super().__init__()
        self.sentence, self.remedy, self.kind, self.act = sentence, remedy, kind, act
        self.setProperty("kind", f"notice_{kind}")
        self.setAccessibleName(f"{sentence} {remedy}".strip())
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), px(6), px(6), px(6))
        row.setSpacing(px(10))
        icon, role = ("info", "muted") if kind == "info" else ("warn", kind)
        at = Qt.AlignmentFlag.AlignTop if remedy else Qt.AlignmentFlag.AlignVCenter
        row.addWidget(IconBox(icon, role), 0, at)
        words = QVBoxLayout()
        words.setSpacing(px(1))
        words.addWidget(Caption(sentence, wraps=True))
        if remedy:
            words.addWidget(Caption(remedy, "muted", wraps=True))
        row.addLayout(words, 1)
        if act is not None:
            self.act_button = Button(act.words)
            self.act_button.clicked.connect(self._on_act)
            row.addWidget(self.act_button, 0, Qt.AlignmentFlag.AlignTop)
        close = Button("", "quiet", "x", name="Close this line")
        close.clicked.connect(self.closed)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)

    def _on_act(self) -> None:
        act, self.act = self.act, None
        if act is not None:  # a second click comes to nothing
            self.closed.emit()
            act.do()


class NoticeBar(QWidget):
    """The rows under the header; takes no room while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Notices")
        self._rows: list[NoticeRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(px(20), 0, px(16), px(8))
        self._column.setSpacing(px(6))
        self.hide()

    @property
    def rows(self) -> tuple[NoticeRow, ...]:
        """The rows that are shown, oldest first."""
        return tuple(self._rows)

    def say(self, sentence: str, remedy: str = "", kind: str = "danger", act: Act | None = None) -> None:
        """Add a row; the same sentence again is not added twice, and the oldest make room."""
        if any((row.sentence, row.remedy) == (sentence, remedy) for row in self._rows):
            return
        while len(self._rows) >= MOST_NOTICES:
            self._remove(self._rows[0])
        row = NoticeRow(sentence, remedy, kind, act)
        row.closed.connect(self._on_closed)
        self._rows.append(row)
        self._column.addWidget(row)
        self.show()

    def withdraw(self, sentence: str) -> None:
        """Remove the row with this sentence, if it still stands there."""
        for row in [row for row in self._rows if row.sentence == sentence]:
            self._remove(row)

    def _on_closed(self) -> None:
        row = self.sender()
        if isinstance(row, NoticeRow):
            self._remove(row)

    def _remove(self, row: NoticeRow) -> None:
        if row not in self._rows:  # a second click came before the row was gone
            return
        self._rows.remove(row)
        row.hide()
        row.deleteLater()
        self.setVisible(bool(self._rows))


class FaultDialog(QDialog):
    """A fault of ours: what was being done, what is safe, and the details to send on."""

    def __init__(self, doing: str, details: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("A fault in ContextBias Studio")
        self.details = details
        self.setMinimumWidth(px(560))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(10))
        column.addWidget(Caption("Something went wrong that should not", "drawer_title"))
        what = f"While: {doing}. " if doing else ""
        said = "Answers, images and records that were saved are safe; this act was not finished."
        column.addWidget(Caption(what + said, wraps=True))
        text = QPlainTextEdit(details)
        text.setReadOnly(True)
        text.setFont(fixed_font())
        text.setAccessibleName("Details")
        text.setMinimumHeight(px(180))
        column.addWidget(text)
        row = QHBoxLayout()
        row.addStretch(1)
        copy, close = Button("Copy details"), Button("Close", "primary")
        row.addWidget(copy)
        row.addWidget(close)
        column.addLayout(row)
        copy.clicked.connect(self._on_copy)
        close.clicked.connect(self.accept)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.details)


class Notices(QObject):
    """Sends each error where it belongs: the bar of the window, or the dialog, one at a time."""

    _raised = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bar: NoticeBar | None = None
        self.dialog: FaultDialog | None = None
        self._raised.connect(self.on_trouble)

    def show_in(self, bar: NoticeBar) -> None:
        """Use this bar from now on; what the one before still shows goes on being shown."""
        before, self.bar = self.bar, bar
        for row in before.rows if before else ():
            bar.say(row.sentence, row.remedy, row.kind, row.act)

    def say(self, sentence: str, remedy: str = "") -> None:
        """Say a thing that a person has to know now."""
        if self.bar is not None:
            self.bar.say(sentence, remedy)

    def tell(self, sentence: str, more: str = "") -> None:
        """Say what has come about, where nothing is to be done."""
        if self.bar is not None:
            self.bar.say(sentence, more, "info")

    def offer(self, sentence: str, words: str, do: Callable[[], None], remedy: str = "") -> None:
        """Say what has come about, with a button for what can be done now."""
        if self.bar is not None:
            self.bar.say(sentence, remedy, "info", Act(words, do))

    def withdraw(self, sentence: str) -> None:
        """Take back what was said, because it is so no more."""
        if self.bar is not None:
            self.bar.withdraw(sentence)

    def on_trouble(self, doing: str, error: BaseException) -> None:
        """Show an error that a task, a read or a slot ended with."""
        if isinstance(error, UserError):
            if self.bar is not None:
                self.bar.say(f"{doing}: {error.sentence}" if doing else error.sentence, error.remedy)
        elif self.dialog is None:
            self.dialog = FaultDialog(doing, details_of(error), self.bar.window() if self.bar else None)
            self.dialog.finished.connect(self._on_dialog_closed)
            self.dialog.open()

    def catch_uncaught(self) -> None:
        """Route what no one caught, in any thread, to the log and to a person."""
        sys.excepthook = self._on_uncaught
        threading.excepthook = self._on_uncaught_in_thread

    def _on_uncaught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        log.error("uncaught", exc_info=(kind, error, trace))
        self._raised.emit("", error)

    def _on_uncaught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._on_uncaught(args.exc_type, args.exc_value, args.exc_traceback)

    def _on_dialog_closed(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None


def details_of(error: BaseException) -> str:
    """Versions and traceback as text, for *Copy details*.

    Nothing that a message quotes is in it, no path and no key: details go to strangers, and an annotator may
    read them on the way.
    """
    of = f"Python {platform.python_version()}, Qt {qVersion()}, {platform.system()} {platform.release()}"
    return f"ContextBias Studio {__version__}, {of}\n\n{told_traceback(error)}"
