"""The guide to the current question: what counts, what does not, and every option with its definition.

Held open with a key or pinned with a click; it lies over the stage, so the answer below stays in sight.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QFrame, QTextBrowser, QVBoxLayout, QWidget

from core.questions import Question
from core.schema import LabelDefinition
from gui import fonts
from gui.annotate.panels import Panel
from gui.palette import palette
from gui.widgets.option_row import Option

WIDEST = 920


class Guide(Panel):
    """Text of one question, made only when it is shown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("guide", parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 12, 16)
        self._text = QTextBrowser(self)
        self._text.setFrameShape(QFrame.Shape.NoFrame)
        self._text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._text.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._text.viewport().setAutoFillBackground(False)
        self._text.setStyleSheet("background: transparent;")
        column.addWidget(self._text)

    @property
    def words(self) -> str:
        """The guide as plain text."""
        return self._text.toPlainText()

    def open_for(self, question: Question, options: Sequence[Option], unknown: LabelDefinition) -> None:
        """Show the guide to a question, with its options in the order on the screen."""
        self._text.setFont(fonts.font(13))
        self._text.setHtml(_html(question, options, unknown))
        self.show()
        self.raise_()

    def stand(self, stage: QRect) -> None:
        """Stand in the middle of the stage, as high as the text needs and the stage allows."""
        margin = 16
        wide = min(fonts.px(WIDEST), stage.width() - 2 * margin)
        self._text.document().setDocumentMargin(0)
        self._text.document().setTextWidth(wide - 2 - 32 - 2)
        needed = int(self._text.document().size().height()) + 2 + 32
        high = min(needed, stage.height() - 2 * margin)
        left = stage.left() + (stage.width() - wide) // 2
        top = stage.top() + max(margin, (stage.height() - high) // 2)
        self.setGeometry(left, top, wide, high)


def _html(question: Question, options: Sequence[Option], unknown: LabelDefinition) -> str:
    roles = palette()
    text, muted, line = roles.text.name(), roles.muted.name(), roles.line.name()
    title = (
        f'<p style="font-size:{fonts.px(16)}px; font-weight:600; color:{text}; margin:0">'
        f"{escape(question.wording)}</p>"
    )
    rules = "".join(_rule(row, text, muted) for row in question.help.splitlines() if row.strip())
    entries = [(option.key, option.name, option.definition) for option in options]
    entries.append(("U", unknown.name, unknown.definition))
    columns = 2 if len(entries) > 6 else 1
    rows = "".join(
        "<tr>" + "".join(_entry(one, text, muted) for one in entries[i : i + columns]) + "</tr>"
        for i in range(0, len(entries), columns)
    )
    return (
        f'{title}<table cellspacing="0" cellpadding="3" style="margin-top:8px">{rules}</table>'
        f'<hr style="color:{line}; background:{line}; height:1px; border:none">'
        f'<table width="100%" cellspacing="0" cellpadding="3">{rows}</table>'
    )


def _rule(row: str, text: str, muted: str) -> str:
    lead, _, rest = row.partition(": ")
    if not rest:
        lead, rest = "", row
    return (
        f'<tr><td style="color:{muted}; padding-right:12px" nowrap>{escape(lead)}</td>'
        f'<td style="color:{text}">{escape(rest)}</td></tr>'
    )


def _entry(entry: tuple[str, str, str], text: str, muted: str) -> str:
    key, name, definition = entry
    return (
        f'<td style="color:{muted}; padding-right:6px" width="18">{escape(key)}</td>'
        f'<td style="color:{text}; padding-right:12px" nowrap><b>{escape(name)}</b></td>'
        f'<td style="color:{muted}; padding-right:16px">{escape(definition)}</td>'
    )
