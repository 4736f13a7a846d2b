"""The findings as a small table: what, of one role, of all roles; a reason where there is no number."""

from __future__ import annotations

from textwrap import fill

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from core.power.findings import ALL_ROLES, ONE_QUESTION, ONE_ROLE, Finding, PowerPanel
from core.power.words import NAMES, TERMS, range_words, value_words
from gui.fonts import px
from gui.widgets.caption import Caption
from gui.widgets.wide_header import TIP_WIDTH

OF_ROLES = ("smallest_change", "smallest_margin", "least_margin", "ccs_if_stable")
OF_QUESTIONS = ("kappa", "kappa_width")
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop


class PowerNumbers(QWidget):
    """Made anew for each panel: it has eight numbers."""

    def __init__(self, panel: PowerPanel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said: set[str] = set()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(px(12))
        self._grid.setVerticalSpacing(px(3))
        self._grid.setColumnStretch(0, 1)
        self._line("", ONE_ROLE, ALL_ROLES, kind="muted")
        for quantity in OF_ROLES:
            self._add(quantity, [panel.of(quantity, scope) for scope in (ONE_ROLE, ALL_ROLES)])
        self._grid.setRowMinimumHeight(self._grid.rowCount(), px(6))
        self._line("", "", ONE_QUESTION, kind="muted")
        for quantity in OF_QUESTIONS:
            self._add(quantity, [None, panel.of(quantity, ONE_QUESTION)])

    def _add(self, quantity: str, found: list[Finding | None]) -> None:
        words = [value_words(one) if one else "" for one in found]
        name = self._line(NAMES[quantity][0].upper() + NAMES[quantity][1:], *words, kind="")
        name.setToolTip(fill(TERMS[quantity].says, TIP_WIDTH))
        ranges = [range_words(one) if one else "" for one in found]
        if any(ranges):
            self._line("in 95 of 100 studies", *ranges, kind="muted")
        for reason in dict.fromkeys(one.reason for one in found if one and one.reason):
            if reason in self._said:
                continue
            self._said.add(reason)
            row = self._grid.rowCount()
            self._grid.addWidget(Caption(reason, "muted", wraps=True), row, 0, 1, 3)

    def _line(self, first: str, second: str, third: str, kind: str) -> Caption:
        row, name = self._grid.rowCount(), Caption(first, kind, wraps=True)
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(Caption(second, kind), row, 1, _RIGHT)
        self._grid.addWidget(Caption(third, kind), row, 2, _RIGHT)
        return name
