"""Whether every act is on the disk: "Saved 14:02:07" only once it is, "Saving…" before, trouble in danger."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import fonts
from gui.icons import draw_icon
from gui.palette import palette


class SavedRelay(QObject):
    """Brings "something was saved" from the store's thread to the GUI thread.

    Give `tell` to the session as `on_saved`, and connect `saved` to a bound method of a QObject.
    """

    saved = Signal()

    def tell(self) -> None:
        """Called in whichever thread a save ended."""
        self.saved.emit()


class SavedCaption(QWidget):
    """One of three: saved at, saving, not saved."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._role, self._icon = "", "muted", ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def words(self) -> str:
        """What it says."""
        return self._words

    @property
    def is_trouble(self) -> bool:
        """Whether it speaks of trouble."""
        return self._role == "danger"

    def show_state(self, saved_at: datetime | None, pending: int, trouble: str) -> None:
        """Say how things are."""
        if trouble:
            self._say("Not saved", "danger", "warn")
        elif pending != 0:
            self._say("Saving…", "muted", "")
        elif saved_at is not None:
            self._say(f"Saved {_time_words(saved_at)}", "muted", "check")
        else:
            self._say("Every act is saved", "muted", "")
        self.setToolTip(trouble)

    def _say(self, words: str, role: str, icon: str) -> None:
        if (words, role, icon) == (self._words, self._role, self._icon):
            return
        is_wider = fonts.width_of(words) > self.width() - self._icon_room()
        self._words, self._role, self._icon = words, role, icon
        self.setAccessibleName(words)
        if is_wider:
            self.updateGeometry()
        self.update()

    @staticmethod
    def _icon_room() -> int:
        return fonts.px(20)

    def sizeHint(self) -> QSize:
        """Room for a time, so that nothing moves while it changes."""
        words = max((self._words, "Saved 00:00:00"), key=fonts.width_of)
        return QSize(self._icon_room() + fonts.width_of(words) + 2, fonts.px(32))

    def changeEvent(self, event: QEvent) -> None:
        """A new scale is a new size."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Icon and words."""
        painter = QPainter(self)
        side = fonts.px(16)
        if self._icon:
            draw_icon(painter, self._icon, self._role, QRectF(0, (self.height() - side) / 2, side, side))
        painter.setPen(palette().role(self._role))
        painter.setFont(fonts.font(13, self.is_trouble))
        place = QRectF(self._icon_room(), 0, self.width(), self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._words)


def _time_words(moment: datetime) -> str:
    local = moment.astimezone()
    is_today = local.date() == datetime.now().astimezone().date()
    return f"{local:%H:%M:%S}" if is_today else f"{local:%d.%m. %H:%M}"
