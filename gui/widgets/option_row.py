"""All answers to one question in rows: categories with their keys, a box to type in, *unknown* last.

From the eleventh category on, where the keys end, a box finds one by typing: what does not fit steps back,
nothing moves, and Enter takes the one that is left. Open questions have a box for a descriptor instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import fonts
from gui.widgets.descriptor_box import DescriptorBox
from gui.widgets.option_button import HEIGHT, WIDE_HEIGHT, OptionButton

GAP, TIGHT_GAP = 8, 6
BEFORE_UNKNOWN = 16
FILTER_WIDTH, DESCRIPTOR_WIDTH = 150, 360


@dataclass(frozen=True, slots=True)
class Option:
    """One option to show: label id, name, key (empty when there is none left), definition."""

    label_id: str
    name: str
    key: str
    definition: str = ""


Arranged = tuple[list[tuple[QWidget, QRect]], int, float]
"""Places, height, and how comfortable the padding is, 0 to 1."""

EASES = (1.0, 0.8, 0.6, 0.4, 0.2, 0.0)


class OptionRow(QWidget):
    """Lays options out in as few rows as they need; says what was asked for."""

    chosen = Signal(str)
    unknown_chosen = Signal()
    described = Signal(str, bool)
    left_text = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options: tuple[Option, ...] = ()
        self._buttons: list[OptionButton] = []
        self._is_open = False
        self._is_wide = False
        self._height = 0
        self._arranged: dict[int, Arranged] = {}
        self.unknown = self._new_button()
        self.unknown.clicked.connect(self.unknown_chosen)
        self.box = DescriptorBox(self)
        self.box.hide()
        self.box.taken.connect(self._on_taken)
        self.box.textEdited.connect(self._on_typed)
        self.box.left.connect(self.left_text)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    # What is shown

    def show_question(
        self,
        options: Sequence[Option],
        unknown: Option,
        *,
        is_open: bool,
        suggest: Callable[[str], Sequence[str]] | None = None,
        text_key: str = "",
    ) -> None:
        """Show the options of a question; nothing is chosen until `show_answer` says so.

        `text_key` is the key that leads into the box.
        """
        self._options, self._is_open = tuple(options), is_open
        while len(self._buttons) < len(self._options):
            button = self._new_button()
            button.clicked.connect(self._on_clicked)
            self._buttons.append(button)
        for index, button in enumerate(self._buttons):
            is_used = index < len(self._options)
            button.setVisible(is_used)
            if is_used:
                option = self._options[index]
                button.show_option(
                    option.label_id, option.name, option.key, option.definition, is_unknown=False
                )
        self.unknown.show_option("", unknown.name, unknown.key, unknown.definition, is_unknown=True)
        self.box.start(is_filter=not is_open, suggest=suggest, key=text_key)
        self.box.setVisible(self.has_box)
        self._set_tab_stop([*self.options, self.unknown][0])
        self._arranged.clear()
        self._lay_out()
        self.updateGeometry()

    def show_answer(self, label: str | None, *, is_unknown: bool) -> None:
        """Show what is chosen, by label id or as the descriptor typed."""
        for button in self.options:
            button.setChecked(not is_unknown and button.label_id == label)
        self.unknown.setChecked(is_unknown)
        if self._is_open:
            self.box.show_stored(label or "")

    @property
    def options(self) -> list[OptionButton]:
        """The buttons in use, unknown not among them."""
        return self._buttons[: len(self._options)]

    @property
    def has_box(self) -> bool:
        """Whether there is something to type into: a descriptor, or a filter for many options."""
        return self._is_open or any(not option.key for option in self._options)

    @property
    def is_open(self) -> bool:
        """Whether the question takes a descriptor."""
        return self._is_open

    def set_wide(self, is_wide: bool) -> None:
        """Taller options in a wide window."""
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self._arranged.clear()

    # What is asked for

    def _new_button(self) -> OptionButton:
        return OptionButton(self)

    def _on_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, OptionButton):
            self._end_filter()
            self.chosen.emit(button.label_id)

    def _end_filter(self) -> None:
        if not self._is_open and self.box.text():
            self.box.clear()
            self._on_typed("")

    def _on_typed(self, text: str) -> None:
        if self._is_open:
            return
        fits = self._fitting(text)
        for button in self.options:
            button.set_faint(button not in fits)

    def _fitting(self, text: str) -> list[OptionButton]:
        wanted = text.strip().casefold()
        if not wanted:
            return self.options
        names = [(button, button.text().casefold()) for button in self.options]
        exact = [button for button, name in names if name == wanted]
        begins = [button for button, name in names if name.startswith(wanted)]
        return exact or begins or [button for button, name in names if wanted in name]

    def _on_taken(self, text: str, is_suggestion: bool) -> None:
        if self._is_open:
            self.described.emit(text, is_suggestion)
            return
        fits = self._fitting(text)
        if text.strip() and len(fits) == 1:
            self._end_filter()
            self.chosen.emit(fits[0].label_id)
            self.left_text.emit()

    @property
    def finding(self) -> str:
        """What is typed to find a category."""
        return "" if self._is_open else self.box.text()

    def type_on(self, finding: str) -> None:
        """The cursor into the box, behind what is in it."""
        if finding and not self._is_open:
            self.box.setText(finding)
            self._on_typed(finding)
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)
        self.box.end(False)

    def commit_text(self) -> None:
        """Hand over a descriptor that was typed and not yet taken."""
        if self._is_open:
            self.box.commit()

    # Where it stands

    def hasHeightForWidth(self) -> bool:
        """Rows depend on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of the rows needed in a width."""
        return self._arrange(width)[1]

    def sizeHint(self) -> QSize:
        """One row."""
        return QSize(600, self.heightForWidth(max(self.width(), 600)))

    def minimumSizeHint(self) -> QSize:
        """Narrow, as it wraps."""
        return QSize(240, fonts.px(HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        """A new scale is a new layout."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arranged.clear()
            self._lay_out()
            self.updateGeometry()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        places, height, ease = self._arrange(self.width())
        for widget, place in places:
            if isinstance(widget, OptionButton):
                widget.set_room(ease=ease, is_wide=self._is_wide)
            widget.setGeometry(place)
        if height != self._height:
            self._height = height
            self.updateGeometry()

    def _arrange(self, width: int) -> Arranged:
        """Where everything stands in a width: first padding goes, then another row comes."""
        found = self._arranged.get(width)
        if found is None:
            found = self._arranged[width] = self._arrange_anew(width)
        return found

    def _arrange_anew(self, width: int) -> Arranged:
        """As few rows as the tightest padding needs, with the most comfortable one that needs no more."""
        fewest = self._rows(width, EASES[-1])[2]
        for ease in EASES:
            places, height, rows = self._rows(width, ease)
            if rows == fewest:
                return places, height, ease
        raise AssertionError("the tightest padding has the fewest rows")

    def _rows(self, width: int, ease: float) -> tuple[list[tuple[QWidget, QRect]], int, int]:
        gap = fonts.px(TIGHT_GAP + (GAP - TIGHT_GAP) * ease)
        high = fonts.px(WIDE_HEIGHT if self._is_wide else HEIGHT)
        x, row = 0, 0
        places: list[tuple[QWidget, QRect]] = []
        for widget, wide, before in self._items(ease):
            x += before if x else 0
            if x and x + wide > width:
                x, row = 0, row + 1
            places.append((widget, QRect(x, row * (high + gap), min(wide, max(width, 1)), high)))
            x += wide + gap
        return places, (row + 1) * high + row * gap, row + 1

    def _items(self, ease: float) -> list[tuple[QWidget, int, int]]:
        """Widgets in order with their width and the extra room before each."""
        items: list[tuple[QWidget, int, int]] = []
        if self._is_open:
            items.append((self.box, fonts.px(DESCRIPTOR_WIDTH), 0))
        items += [(button, button.width_with(ease), 0) for button in self.options]
        if self.has_box and not self._is_open:
            items.append((self.box, fonts.px(FILTER_WIDTH), 0))
        items.append((self.unknown, self.unknown.width_with(ease), fonts.px(BEFORE_UNKNOWN)))
        return items

    # Keys of the focused control: arrows walk through the options

    def focus_option(self, step: int) -> bool:
        """Move key focus among the options by arrow; False when no option has it."""
        everything = [*self.options, self.unknown]
        here = next((index for index, button in enumerate(everything) if button.hasFocus()), None)
        if here is None:
            return False
        self._focus(everything[min(max(here + step, 0), len(everything) - 1)])
        return True

    def focus_first(self) -> None:
        """Give key focus to the first option, which chooses nothing."""
        self._focus([*self.options, self.unknown][0])

    def _focus(self, button: OptionButton) -> None:
        self._set_tab_stop(button)
        button.setFocus(Qt.FocusReason.TabFocusReason)

    def _set_tab_stop(self, stop: OptionButton) -> None:
        """All options are one stop of the Tab key."""
        for button in (*self._buttons, self.unknown):
            is_stop = button is stop
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_stop else Qt.FocusPolicy.NoFocus)
