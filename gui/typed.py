"""What is being typed on a page, carried over to the page that takes its place at another text size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QWidget

Field: TypeAlias = QLineEdit | QPlainTextEdit
Typed: TypeAlias = dict[tuple[str, str, int], str]
"""Class, accessible name and number among its like, of each field that holds something: its text."""


def typed_on(page: QWidget) -> Typed:
    """The texts of all fields of a page that hold something."""
    return {key: text for key, field in _fields(page) if (text := _text_of(field))}


def type_on(page: QWidget, typed: Typed) -> None:
    """Put texts into the fields of a page that is made anew; what follows from a text follows again."""
    for key, field in _fields(page):
        text = typed.get(key)
        if text is None or text == _text_of(field):
            continue
        if isinstance(field, QLineEdit):
            field.setText(text)
            field.textEdited.emit(text)
        else:
            field.setPlainText(text)


def _fields(page: QWidget) -> Iterator[tuple[tuple[str, str, int], Field]]:
    counts: dict[tuple[str, str], int] = {}
    lines: list[Field] = [
        line
        for line in page.findChildren(QLineEdit)
        if not line.isReadOnly() and not isinstance(line.parent(), QAbstractSpinBox)
    ]
    texts: list[Field] = [text for text in page.findChildren(QPlainTextEdit) if not text.isReadOnly()]
    for field in (*lines, *texts):
        kind = (type(field).__name__, field.accessibleName())
        counts[kind] = counts.get(kind, -1) + 1
        yield (*kind, counts[kind]), field


def _text_of(field: Field) -> str:
    ask: Callable[[], str] = field.text if isinstance(field, QLineEdit) else field.toPlainText
    return ask()
