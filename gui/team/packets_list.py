"""Every packet that left: for whom, how much, whether it is out, back or withdrawn."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.models.rows import Column, RowsModel
from gui.team.packets import WITHDRAWN, PacketRow
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.table import Table
from gui.words import counted, day, thousands

WIDTHS = (140, 80, 70, 240, 70)
NOTHING = "No packet has left yet."


def _why(row: PacketRow) -> str:
    packet = row.packet
    if not packet.is_withdrawn:
        return ""
    return f"{packet.withdrawn_reason} ({packet.withdrawn_by}, {day(packet.withdrawn_at or '')})"


COLUMNS = (
    Column("annotator", lambda one: one.packet.annotator.name),
    Column("round", lambda one: one.round_name),
    Column("made", lambda one: day(one.packet.made_at), lambda one: one.packet.made_at),
    Column(
        "image sets", lambda one: one.shown, lambda one: len(one.packet.plan.sets), tip=lambda one: one.shown
    ),
    Column("hand-ins", lambda one: thousands(one.hand_ins), lambda one: one.hand_ins, is_number=True),
    Column("state", lambda one: f"{one.state}: {_why(one)}" if _why(one) else one.state, tip=_why),
)


class PacketsList(QWidget):
    """A row a packet; `withdraw(PacketRow)` asks for the one act."""

    withdraw = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = RowsModel(COLUMNS)
        self.table = Table(self.model, "Packets", self)
        self.table.set_widths(*WIDTHS)
        self.said = Caption(NOTHING, "muted", wraps=True)
        self.go = Button("Withdraw")
        self.row: PacketRow | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(px(8), 0, px(8), 0)
        foot.addWidget(self.said, 1)
        foot.addWidget(self.go)
        column.addLayout(foot)
        self.table.moved.connect(self._on_moved)
        self.go.clicked.connect(self._on_go)
        self._on_moved(None)

    def show_rows(self, rows: Sequence[PacketRow]) -> None:
        """Show packets; the one that was looked at stays so."""
        chosen = None if self.row is None else self.row.packet.packet_id
        self.model.set_rows(rows)
        states = [one.state for one in rows]
        told = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
        self.said.setText(f"{counted(len(rows), 'packet')}: {told}." if rows else NOTHING)
        ids = [one.packet.packet_id for one in self.model.rows]
        if ids:
            at = ids.index(chosen) if chosen in ids else 0
            self.table.setCurrentIndex(self.model.index(at, 0))
        else:
            self._on_moved(None)

    def _on_moved(self, row: PacketRow | None) -> None:
        self.row = row
        why = "Choose a packet in the list first." if row is None else ""
        if row is not None and row.state == WITHDRAWN:
            why = "It is withdrawn already."
        self.go.setText(f"Withdraw the packet of {row.packet.annotator.name}" if row else "Withdraw")
        self.go.setAccessibleName(self.go.text())
        self.go.setEnabled(not why)
        self.go.setToolTip(why)

    def _on_go(self) -> None:
        if self.row is not None:
            self.withdraw.emit(self.row)
