"""Over the pipeline half while the round is open: a lock, and what locking needs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from gui.agreement.table import AgreementTable
from gui.fonts import px
from gui.models.agreement_rows import AXIS, GAP
from gui.plain_text import short_name
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.icon_box import IconBox


class ClosedPanel(QFrame):
    """Lies over the axis and gap columns of the table and follows them."""

    asked_for_lock = Signal()

    def __init__(self, table: AgreementTable) -> None:
        super().__init__(table.viewport())
        self._table = table
        self._is_closed = False
        self.setProperty("kind", "note")
        self.setAutoFillBackground(True)
        self._needs = Caption("", "muted", wraps=True)
        self._lock = Button("Lock round")
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(24), px(20), px(16))
        column.setSpacing(px(8))
        column.addWidget(IconBox("lock", "muted", 20))
        title = Caption("The pipeline is compared once the round is locked", "strong", wraps=True)
        column.addWidget(title)
        why = "Until then nobody can tune answers to it, or it to answers."
        column.addWidget(Caption(why, "muted", wraps=True))
        column.addWidget(self._needs)
        column.addSpacing(px(4))
        column.addWidget(self._lock, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self._lock.clicked.connect(self.asked_for_lock)
        table.viewport().installEventFilter(self)
        table.horizontalHeader().sectionResized.connect(self._on_columns)
        self.hide()

    @property
    def text(self) -> str:
        """What locking needs."""
        return self._needs.text()

    def show_needs(self, is_closed: bool, needs: str, round_name: str, can_lock: bool) -> None:
        """Show or hide it, with what locking needs."""
        self._is_closed = is_closed
        self._needs.setText(needs)
        self._lock.setText(f"Lock {short_name(round_name)}")
        self._lock.setVisible(can_lock)
        self.place_it()

    def place_it(self) -> None:
        """Cover the columns of the pipeline that are shown."""
        table = self._table
        keys = [column.key for column in table.columns]
        shown = [
            keys.index(key)
            for key in (AXIS, GAP)
            if key in keys and not table.isColumnHidden(keys.index(key))
        ]
        if not self._is_closed or not shown or AXIS not in keys or table.isColumnHidden(keys.index(AXIS)):
            self.hide()
            return
        left = min(table.columnViewportPosition(column) for column in shown)
        self.setGeometry(left, 0, table.viewport().width() - left, table.viewport().height())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the table's size."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.place_it()
        return super().eventFilter(watched, event)

    def _on_columns(self, _section: int, _before: int, _after: int) -> None:
        self.place_it()
