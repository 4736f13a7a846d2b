"""The record viewer: the image, what it was made from, and its record, beside or below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.records import Status, StoredImage
from gui.extract.facts import ImageRecord
from gui.extract.picture import Picture
from gui.extract.raw_text import RawText
from gui.extract.record_lines import RecordLines
from gui.fonts import px
from gui.models.coverage import in_words
from gui.models.failures import failure_class
from gui.studio import Studio
from gui.widgets.caption import Caption
from gui.widgets.marker import MarkerBox
from gui.widgets.segmented import Segmented

BESIDE_FROM = 700
SHARE_OF_WIDTH = 0.38


class Viewer(QFrame):
    """One image with its record."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.setAccessibleName("Record viewer")
        self.shown: ImageRecord | None = None
        self.picture = Picture(studio)
        self._where = QHBoxLayout()
        self._role = Caption("", "card_title")
        self._condition_box: MarkerBox | None = None
        self._condition = Caption("")
        self._prompt, self._facts = Caption("", "", wraps=True), Caption("", "muted", wraps=True)
        self._record, self._trouble = Caption("", "muted", wraps=True), Caption("", "danger", wraps=True)
        self.lines, self.raw = RecordLines(), RawText()
        self.which = Segmented(["Labels", "Raw response"], "Show of the record")
        self._lay_out()
        self.which.chosen.connect(self._parts.setCurrentIndex)
        self.show_nothing()

    def _lay_out(self) -> None:
        self._where.setSpacing(px(8))
        self._where.addWidget(self._role)
        self._where.addWidget(self._condition)
        self._where.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(px(4))
        words.addLayout(self._where)
        for caption in (self._prompt, self._facts, self._record, self._trouble):
            words.addWidget(caption)
        words.addStretch(1)
        self._top = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._top.setSpacing(px(12))
        self._top.addWidget(self.picture)
        self._top.addLayout(words, 1)
        inner = QWidget()
        inner.setProperty("kind", "scrolled")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, px(8), 0)
        column.addWidget(self.lines)
        column.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName("Record")
        self._scroll.setWidget(inner)
        self._parts = QStackedWidget()
        self._parts.addWidget(self._scroll)
        self._parts.addWidget(self.raw)
        record = QVBoxLayout()
        record.setSpacing(px(8))
        record.addWidget(self.which, 0, Qt.AlignmentFlag.AlignLeft)
        record.addWidget(self._parts, 1)
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._whole.setContentsMargins(px(16), px(14), px(8), px(14))
        self._whole.setSpacing(px(16))
        self._whole.addLayout(self._top)
        self._whole.addLayout(record, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Image beside the record in a wide place, above it in a narrow one."""
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        is_wide = self.width() >= px(BESIDE_FROM)
        self._whole.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
        self._top.setDirection(direction.TopToBottom if is_wide else direction.LeftToRight)
        side = self.width() * SHARE_OF_WIDTH if is_wide else min(self.width() * 0.4, self.height() * 0.4)
        self.picture.setFixedSize(*(max(int(side), px(140)),) * 2)

    def show_nothing(self) -> None:
        """No image is looked at."""
        self._show_image(None)
        self._say("No image matches the filters.", "")
        self.shown = None
        self.lines.show_lines((), has_truth=False)
        self.raw.show_record(None)

    def _show_image(self, image: StoredImage | None) -> None:
        self.picture.setVisible(image is not None)
        self.picture.show_image(image)
        self._role.setText(in_words(image.role) if image else "")
        self._show_condition(image)
        self._prompt.setText(image.prompt if image else "")
        facts = ""
        if image is not None:
            facts = f"{image.generator}, seed {image.seed}, {image.width} × {image.height}"
            facts += f", {in_words(image.status)}" if image.status != "ok" else ""
        self._facts.setText(facts)

    def show_record(self, found: ImageRecord) -> None:
        """Show an image and what was read off it, together: never one beside the other's record."""
        if self.shown is None or self.shown.image != found.image:
            self._show_image(found.image)
        self.shown = found
        record = found.record
        persons = ""
        if record is not None and record.n_persons is not None:
            persons = f", {record.n_persons} {'person' if record.n_persons == 1 else 'persons'}"
        if record is None:
            self._say(f"{found.extractor} has not read it yet", "")
        elif record.status is Status.OK:
            self._say(f"read by {found.extractor}{persons}", "")
        else:
            title = failure_class("extract", record.status.value, 1).title
            self._say(f"{found.extractor} could not read it", f"{title}. {record.reason}".strip())
        is_read = record is not None and record.status is Status.OK
        self.raw.show_record(record)
        self.lines.show_lines(found.lines if is_read or found.has_truth else (), has_truth=found.has_truth)

    @property
    def trouble(self) -> str:
        """Why there is no record."""
        return self._trouble.text()

    def _show_condition(self, image: StoredImage | None) -> None:
        if self._condition_box is not None:
            self._where.removeWidget(self._condition_box)
            self._condition_box.hide()
            self._condition_box.deleteLater()
            self._condition_box = None
        self._condition.setText("")
        if image is not None and image.condition is not None:
            self._condition_box = MarkerBox(image.condition)
            self._where.insertWidget(1, self._condition_box)
            self._condition.setText(image.condition.value)

    def _say(self, record: str, trouble: str) -> None:
        self._record.setText(record)
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))
