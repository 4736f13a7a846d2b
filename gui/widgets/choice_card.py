"""A card that is chosen: what makes or reads images, how far it is, and what keeps it from running."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QHBoxLayout,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from gui.fonts import px
from gui.palette import palette
from gui.widgets.caption import Caption, ElidedCaption
from gui.widgets.card import empty_layout
from gui.widgets.icon_box import IconBox
from gui.widgets.marker import MarkerBox
from gui.widgets.progress_bar import ProgressBar
from gui.words import thousands


@dataclass(frozen=True, slots=True)
class CardState:
    """What a card says.

    `status` is its word with `icon` and `role`; `total` is None where nothing is asked for. `notes` are
    further lines below the counts, `trouble` what keeps it from running.
    """

    line: str = ""
    status: str = ""
    icon: str = ""
    role: str = "muted"
    done: int = 0
    total: int | None = None
    noun: str = "images"
    failed: int = 0
    pace: str = ""
    is_running: bool = False
    notes: tuple[str, ...] = ()
    trouble: str = ""


class ChoiceCard(QAbstractButton):
    """One card; with `is_generator` the generator's marker stands before the name."""

    def __init__(self, name: str, *, is_generator: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.state = CardState()
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Not fixed, which would hold it to the height of unwrapped lines.
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._status = QHBoxLayout()
        self._status.setSpacing(px(6))
        self._line = Caption("", "muted", wraps=True)
        self._bars = {moving: ProgressBar(name, is_moving=moving) for moving in (False, True)}
        self._count, self._failed = Caption("", "small"), Caption("", "danger")
        self._pace = ElidedCaption("", "muted")
        self._pace.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._notes = Caption("", "muted", wraps=True)
        self._trouble = Caption("", "small", wraps=True)
        self._lay_out(is_generator)

    def _lay_out(self, is_generator: bool) -> None:
        head = QHBoxLayout()
        head.setSpacing(px(10))
        if is_generator:
            head.addWidget(MarkerBox(self.name))
        head.addWidget(Caption(self.name, "strong"))
        head.addStretch(1)
        head.addLayout(self._status)
        counts = QHBoxLayout()
        counts.setSpacing(px(10))
        counts.addWidget(self._count)
        counts.addWidget(self._failed)
        counts.addWidget(self._pace, 1)
        inside = QVBoxLayout()
        inside.setContentsMargins(px(24) if is_generator else 0, 0, 0, 0)
        inside.setSpacing(px(4))
        for widget in (self._line, *self._bars.values()):
            inside.addWidget(widget)
        inside.addLayout(counts)
        inside.addWidget(self._notes)
        inside.addWidget(self._trouble)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(px(14), px(12), px(14), px(12))
        self._column.setSpacing(px(4))
        self._column.addLayout(head)
        self._column.addLayout(inside)
        self.show_state(CardState())

    def show_state(self, state: CardState) -> None:
        """Show another state."""
        if state.status != self.state.status or not self._status.count():
            self._show_status(state)
        self.state = state
        has_total = state.total is not None
        for is_moving, bar in self._bars.items():
            bar.setVisible(has_total and is_moving == state.is_running)
            bar.set_progress(state.done, state.total or 0)
        whole = f" of {thousands(state.total)}" if state.total is not None else f" {state.noun}"
        self._count.setText(f"{thousands(state.done)}{whole}")
        _say(self._failed, f"{thousands(state.failed)} failed" if state.failed else "")
        self._pace.setText(state.pace)
        _say(self._line, state.line)
        _say(self._notes, "\n".join(state.notes))
        _say(self._trouble, state.trouble)
        said = (self.name, state.status, self._count.text(), self._failed.text(), state.trouble)
        self.setAccessibleName(", ".join(part for part in said if part))
        self.setAccessibleDescription(state.line)
        self.updateGeometry()

    def _show_status(self, state: CardState) -> None:
        empty_layout(self._status)
        if state.icon:
            self._status.addWidget(IconBox(state.icon, state.role, 14))
        kind = state.role if state.role in ("danger", "accent", "warn") else "muted"
        self._status.addWidget(Caption(state.status, kind))

    def sizeHint(self) -> QSize:
        """As its parts need."""
        return self._column.sizeHint()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show that the pointer is over it."""
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Show that the pointer is gone."""
        super().leaveEvent(event)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring."""
        super().focusInEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground and border; 2 px accent when chosen, and the ring of the focus inside it."""
        painter, roles = QPainter(self), palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_over = self.underMouse() and not self.isChecked()
        painter.setBrush(roles.hover if is_over else roles.surface)
        width = 2 if self.isChecked() else 1
        painter.setPen(QPen(roles.accent if self.isChecked() else roles.line, width))
        inset = width / 2
        painter.drawRoundedRect(self.rect().toRectF().adjusted(inset, inset, -inset, -inset), px(6), px(6))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(roles.focus, 2))
            painter.drawRoundedRect(self.rect().toRectF().adjusted(4, 4, -4, -4), px(4), px(4))


class ChoiceCards(QWidget):
    """Cards under each other, one of them chosen; arrow keys move, `chosen(name)` says so."""

    chosen = Signal(str)

    def __init__(self, name: str, *, are_generators: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._are_generators = are_generators
        self._cards: dict[str, ChoiceCard] = {}
        self._group = QButtonGroup(self)
        self._group.buttonToggled.connect(self._on_toggled)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(px(12))
        self._below = QSpacerItem(0, 0)
        self._column.addItem(self._below)
        self.set_filling(True)

    def set_filling(self, is_filling: bool) -> None:
        """Whether the cards keep the height below them free, or something follows at once."""
        policy = QSizePolicy.Policy
        self._below.changeSize(0, 0, policy.Minimum, policy.Expanding if is_filling else policy.Fixed)
        self._column.invalidate()

    @property
    def cards(self) -> dict[str, ChoiceCard]:
        """The cards by name, in their order."""
        return dict(self._cards)

    @property
    def current(self) -> str:
        """Name on the chosen card, "" without cards."""
        button = self._group.checkedButton()
        return button.name if isinstance(button, ChoiceCard) else ""

    def show_states(self, states: dict[str, CardState]) -> None:
        """Show one card a name; the first is chosen while none was."""
        for name in [name for name in self._cards if name not in states]:
            card = self._cards.pop(name)
            self._group.removeButton(card)
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        for name, state in states.items():
            if name not in self._cards:
                card = self._cards[name] = ChoiceCard(name, is_generator=self._are_generators)
                self._group.addButton(card)
                self._column.insertWidget(self._column.count() - 1, card)
            self._cards[name].show_state(state)
        if not self.current and self._cards:
            next(iter(self._cards.values())).setChecked(True)

    def choose(self, name: str) -> None:
        """Choose a card; one that is not there changes nothing."""
        if name in self._cards:
            self._cards[name].setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down choose the neighbour."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        names = list(self._cards)
        if step is None or self.current not in names:
            super().keyPressEvent(event)
            return
        at = names.index(self.current) + step
        if 0 <= at < len(names):
            self._cards[names[at]].setChecked(True)
            self._cards[names[at]].setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_toggled(self, button: QAbstractButton, is_on: bool) -> None:
        button.update()
        if is_on and isinstance(button, ChoiceCard):
            self.setFocusProxy(button)
            self.chosen.emit(button.name)


def _say(caption: Caption, text: str) -> None:
    caption.setText(text)
    caption.setVisible(bool(text))
