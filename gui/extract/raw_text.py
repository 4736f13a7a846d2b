"""What a server sent, as it is kept with a record: JSON laid out to be read, and nothing left out."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from core.records import NewRecord
from gui.fonts import px

NOTHING = "This extractor keeps no raw response."
LONGEST = 200_000


def raw_words(record: NewRecord | None) -> str:
    """The raw part of a record; answers of a server are unfolded, so that they can be read.

    >>> raw_words(None)
    'This extractor keeps no raw response.'
    """
    if record is None or not record.raw:
        return NOTHING
    try:
        found = json.loads(record.raw)
    except ValueError:
        return record.raw[:LONGEST]
    return json.dumps(_unfolded(found), indent=2, ensure_ascii=False)[:LONGEST]


def _unfolded(value: Any) -> Any:
    """JSON that stands as text inside JSON, as the value it holds."""
    if isinstance(value, dict):
        return {name: _unfolded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_unfolded(each) for each in value]
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return _unfolded(json.loads(value))
        except ValueError:
            return value
    return value


class RawText(QPlainTextEdit):
    """The raw response, to be read, searched and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAccessibleName("Raw response")
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPixelSize(px(12))
        self.setFont(fixed)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setTabChangesFocus(True)

    def show_record(self, record: NewRecord | None) -> None:
        """Show another record's."""
        words = raw_words(record)
        if words != self.toPlainText():
            self.setPlainText(words)
