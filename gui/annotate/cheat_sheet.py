"""All keys on one sheet, as they are bound now, and the choice of the keyboard's layout."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.records import IMAGES_PER_SET
from gui import fonts
from gui.annotate.keys import PRESETS, Command, KeyMap
from gui.annotate.panels import Panel, Words
from gui.widgets.icon_button import IconButton
from gui.widgets.key_cap import KeyCap
from gui.widgets.text_line import TextLine

Row = tuple[Sequence[str], str]


def rows_of(
    keys: KeyMap, *, is_slider_only: bool = False, images: int = IMAGES_PER_SET
) -> list[tuple[str, list[Row]]]:
    """Four groups of keys with what each does, for a set of so many images."""
    caps = {command: list(keys.acts[command]) for command in keys.acts}

    def of(*commands: Command) -> list[str]:
        return [caps[command][0] for command in commands]

    def chord(command: Command) -> list[str]:
        return caps[command][0].split("+") if len(caps[command][0]) > 1 else caps[command][:1]

    answer: list[Row] = [
        (["1…9", "0"], "choose a category"),
        (of(Command.UNKNOWN), "unknown / not visible"),
        (["←", "→"], "count, when it has the focus (Tab)"),
        (of(Command.CONFIRM), "confirm, next question"),
        (of(Command.BACK), "previous question"),
    ]
    whole = "ten" if images == IMAGES_PER_SET else str(images)
    marks: list[Row] = [
        (keys.images[first:last], _row_words(first, last, is_slider_only))
        for first, last in ((0, min(images, 5)), (5, images))
        if last > first
    ]
    words = ("count all {}", "count none of the {}") if is_slider_only else ("mark all {}", "none of the {}")
    marks += [
        (of(Command.MARK_ALL), words[0].format(whole)),
        (of(Command.MARK_NONE), words[1].format(whole)),
        (of(Command.PREVIOUS_SET, Command.NEXT_SET), "previous, next set"),
    ]
    look: list[Row] = [
        (of(Command.PEEK), "hold: full size, let go: back"),
        (of(Command.ZOOM), "zoom lock on and off; Tab: next image"),
        (of(Command.COMPARE), "compare two images"),
        (of(Command.GUIDE), "hold: the guide"),
        (of(Command.LEAVE), "leave the text box or this list"),
    ]
    repair: list[Row] = [
        (chord(Command.UNDO), "undo, also after a restart"),
        (chord(Command.REDO), "redo"),
        (of(Command.FLAG, Command.COMMENT), "flag this question, comment"),
        (chord(Command.DESCRIBE), "enter the text box"),
        (of(Command.KEYS), "this list"),
    ]
    return [
        ("Answer", answer),
        ("Count with the image keys" if is_slider_only else f"Mark the {whole} images", marks),
        ("Look closer", look),
        ("Repair and note", repair),
    ]


def _row_words(first: int, last: int, is_slider_only: bool) -> str:
    """What the keys of one row of images do: "second row, images 6 to 8"."""
    span = f"{first + 1} to {last}" if last > first + 1 else str(last)
    if is_slider_only:
        return f"count {span}"
    row = "second row" if first else "first row"
    return f"{row}, {'images' if last > first + 1 else 'image'} {span}"


class CheatSheet(Panel):
    """Shown and put away by one key; chooses a preset of keys."""

    closed = Signal()
    preset_chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("keys", parent)
        self._signature: tuple[object, ...] = ()
        self._body: QScrollArea | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(24, 16, 16, 20)
        self._title = TextLine(18, is_bold=True)
        self._title.set_text("Keys")
        self._note = TextLine(12, "muted")
        self._note.set_text("Keys never fire while you type.")
        self.close_button = IconButton("x", "Close", "Esc")
        self.close_button.clicked.connect(self.closed)
        top = QHBoxLayout()
        top.addWidget(self._title)
        top.addStretch(1)
        top.addWidget(self._note)
        top.addSpacing(8)
        top.addWidget(self.close_button)
        self._column.addLayout(top)
        self._layouts = self._make_layouts()

    def open_with(self, keys: KeyMap, *, is_slider_only: bool, images: int) -> None:
        """Show the keys as they are bound, for a set of so many images."""
        signature = (keys.name, keys.images, fonts.scale(), is_slider_only, images)
        if signature != self._signature:
            self._signature = signature
            self._rebuild(rows_of(keys, is_slider_only=is_slider_only, images=images))
        for button in self._layouts:
            button.setChecked(button.property("preset") == keys.name)
        self.show()
        self.raise_()

    def _make_layouts(self) -> list[QPushButton]:
        """Buttons for the presets, in the last line."""
        self._foot = QHBoxLayout()
        caption = TextLine(12, "muted")
        caption.set_text("Keyboard")
        self._foot.addWidget(caption)
        self._foot.addSpacing(6)
        buttons = []
        for index, name in enumerate(PRESETS):
            button = QPushButton(name, self)
            button.setProperty("kind", "seg")
            button.setProperty("preset", name)
            place = {0: "first", len(PRESETS) - 1: "last"}.get(index, "")
            button.setProperty("place", place)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(self._on_preset)
            self._foot.addWidget(button)
            buttons.append(button)
        self._foot.setSpacing(0)
        self._foot.addStretch(1)
        return buttons

    def _on_preset(self) -> None:
        button = self.sender()
        if isinstance(button, QPushButton):
            self.preset_chosen.emit(str(button.property("preset")))

    def _rebuild(self, groups: Sequence[tuple[str, list[Row]]]) -> None:
        if self._body is not None:
            self._column.removeWidget(self._body)
            self._column.removeItem(self._foot)
            self._body.deleteLater()
        self._body = QScrollArea(self)
        self._body.setFrameShape(QFrame.Shape.NoFrame)
        self._body.setWidgetResizable(True)
        self._body.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget()
        inner.setProperty("kind", "scrolled")
        self._body.viewport().setAutoFillBackground(False)
        grid = QGridLayout(inner)
        grid.setContentsMargins(0, 8, 8, 12)
        grid.setHorizontalSpacing(fonts.px(48))
        grid.setVerticalSpacing(fonts.px(20))
        for index, (title, rows) in enumerate(groups):
            grid.addWidget(_group(title, rows), index // 2, index % 2, Qt.AlignmentFlag.AlignTop)
        self._body.setWidget(inner)
        self._column.addWidget(self._body)
        self._column.addLayout(self._foot)

    def stand(self, whole: QRect) -> None:
        """Stand in the middle of the screen; what does not fit is scrolled to."""
        inner = self._body.widget() if self._body is not None else None
        if inner is None:
            return
        margins = self._column.contentsMargins()
        around = margins.left() + margins.right() + 2 + fonts.px(24)
        wide = min(max(inner.sizeHint().width() + around, self.sizeHint().width()), whole.width())
        layout = inner.layout()
        text = layout.totalHeightForWidth(wide - around) if layout is not None else 0
        rest = self._foot.sizeHint().height() + self.close_button.height() + 2 * self._column.spacing()
        needed = max(text, inner.sizeHint().height()) + rest + margins.top() + margins.bottom() + 16
        size = QSize(wide, min(needed, whole.height()))
        left = whole.left() + (whole.width() - size.width()) // 2
        top = whole.top() + (whole.height() - size.height()) // 2
        self.setGeometry(left, top, size.width(), size.height())


def _group(title: str, rows: Sequence[Row]) -> QWidget:
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(fonts.px(14))
    grid.setVerticalSpacing(fonts.px(8))
    grid.setColumnMinimumWidth(0, fonts.px(132))
    grid.setColumnStretch(1, 1)
    head = TextLine(12, "muted", is_bold=True)
    head.set_text(title)
    grid.addWidget(head, 0, 0, 1, 2)
    for number, (caps, what) in enumerate(rows, start=1):
        line = QHBoxLayout()
        line.setSpacing(fonts.px(5))
        for cap in caps:
            line.addWidget(KeyCap(cap))
        line.addStretch(1)
        grid.addLayout(line, number, 0)
        words = Words(13)
        words.set_text(what)
        grid.addWidget(words, number, 1)
    return made
