"""Design a round for packets: who sees what, what beside the study's sets, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gui.annotate.start_rows import MODES
from gui.fonts import px, scale
from gui.models.coverage import in_words
from gui.team.dialog_size import fitting
from gui.team.packets import DesignChoices
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.check_list import CheckList
from gui.widgets.number_box import NumberBox
from gui.widgets.scrolled import scrolled
from gui.widgets.segmented import Segmented

FIELDS = (
    ("annotators", "Annotators", 1, 20, 3, ""),
    ("overlap", "Annotators who see each set", 1, 20, 3, ""),
    ("sets_per_cell", "Sets a role, condition and generator", 1, 20, 1, ""),
    ("images_per_set", "Images a set", 1, 10, 10, ""),
    ("gold_share", "Gold sets, of all", 0, 50, 5, " %"),
    ("repeat_share", "Sets shown a second time", 0, 50, 5, " %"),
    ("repeat_gap", "Sets between the two showings, at least", 1, 200, 20, ""),
    ("training", "Sets to practise on", 0, 20, 6, ""),
    ("pass_share", "Right answers to pass practice", 0, 100, 80, " %"),
    ("attempts", "Attempts at practice", 1, 10, 3, ""),
)
"""Name in the design, caption, least, most, default, unit. Shares are typed in percent."""

SHARES = ("gold_share", "repeat_share", "pass_share")
TWO_PAIRS_UP_TO = 1.25
PARTS = ("roles", "conditions", "generators", "questions")
MODE_NAMES = [name for name, _ in MODES]
FIXED = (
    "A round keeps its design from the moment its first packet leaves. A changed design is a new round; "
    "hand-ins of the earlier one are still taken, for it."
)


class DesignDialog(QDialog):
    """`asked(changes)` for a preview whenever something changed; `wanted(changes)` to open the round."""

    asked = Signal(object)
    wanted = Signal(object)

    def __init__(self, choices: DesignChoices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Design a round for packets")
        self._ids: dict[str, tuple[Any, ...]] = {
            "roles": choices.roles,
            "conditions": choices.conditions,
            "generators": choices.generators,
            "questions": tuple(name for name, _ in choices.questions),
        }
        words = {
            "roles": [in_words(one) for one in choices.roles],
            "conditions": [f"{one.value}, {one.in_words}" for one in choices.conditions],
            "generators": list(choices.generators),
            "questions": [name for _, name in choices.questions],
        }
        self.boxes: dict[str, NumberBox] = {}
        self.lists: dict[str, CheckList] = {}
        self._grid = self._make_boxes(choices)
        self.mode = Segmented([caption for _, caption in MODES], "How images are counted")
        mode = choices.before.get("count_mode", choices.count_mode)
        self.mode.choose(MODE_NAMES.index(mode) if mode in MODE_NAMES else 0)
        self.show_role = QCheckBox("Annotators see the role")
        self.show_role.setToolTip("Recorded with the round, and in every export of it")
        self.show_role.setChecked(bool(choices.before.get("show_role", choices.show_role)))
        self.part = Segmented([part.capitalize() for part in PARTS], "What the round is about")
        self._lists = QStackedWidget()
        for part in PARTS:
            self._add_list(part, words[part], choices.before.get(part))
        self._said = Caption("", "", wraps=True)
        self.go, self.stay = Button("Open the round", "primary"), Button("Cancel", "quiet")
        self._lay_out()
        self._connect()

    def _make_boxes(self, choices: DesignChoices) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(6))
        # Two pairs a row, but at large text one: no dialog is wider than a small screen.
        rows = -(-len(FIELDS) // 2) if scale() <= TWO_PAIRS_UP_TO else len(FIELDS)
        for number, (name, caption, least, most, default, unit) in enumerate(FIELDS):
            value = choices.before.get(name, default)
            if name in SHARES and name in choices.before:
                value = round(100 * value)
            box = NumberBox(least, most, int(value), caption)
            box.setSuffix(unit)
            box.setFixedWidth(px(84))
            self.boxes[name] = box
            pair, row = divmod(number, rows)
            words = Caption(caption, wraps=True)
            words.setMinimumWidth(px(150))
            grid.addWidget(words, row, 2 * pair)
            grid.addWidget(box, row, 2 * pair + 1, Qt.AlignmentFlag.AlignLeft)
        return grid

    def _add_list(self, part: str, captions: Sequence[str], before: Sequence[Any] | None) -> None:
        found = CheckList(tuple(captions), part.capitalize())
        for row, one in enumerate(self._ids[part]):
            # None in a design is everything there is, also what came since.
            if before is None or str(one) in {str(each) for each in before}:
                found.toggle(row)
        self.lists[part] = found
        self._lists.addWidget(found)

    def _lay_out(self) -> None:
        self.all, self.none = Button("All", "quiet"), Button("None", "quiet")
        left = QVBoxLayout()
        left.setSpacing(px(10))
        left.addLayout(self._grid)
        left.addWidget(self.mode, 0, Qt.AlignmentFlag.AlignLeft)
        left.addWidget(self.show_role)
        left.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(px(8))
        right.addWidget(self.part, 0, Qt.AlignmentFlag.AlignLeft)
        right.addWidget(self._lists, 1)
        quick = QHBoxLayout()
        quick.addWidget(self.all)
        quick.addWidget(self.none)
        quick.addStretch(1)
        right.addLayout(quick)
        both = QHBoxLayout()
        both.setSpacing(px(24))
        area = scrolled(left)
        area.setMinimumWidth(left.sizeHint().width() + px(16))
        both.addWidget(area)
        both.addLayout(right, 1)
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addStretch(1)
        row.addWidget(self.stay)
        row.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(10))
        column.addWidget(Caption("Design a round for packets", "drawer_title"))
        column.addLayout(both, 1)
        column.addWidget(self._said)
        column.addWidget(Caption(FIXED, "muted", wraps=True))
        column.addLayout(row)
        self._said.setMinimumHeight(px(64))
        self._said.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.resize(fitting(self.parentWidget(), 900, 640))
        self.go.setEnabled(False)

    def _connect(self) -> None:
        for box in self.boxes.values():
            box.valueChanged.connect(self._on_changed)
        for one in self.lists.values():
            one.toggled.connect(self._on_changed)
        self.mode.chosen.connect(self._on_changed)
        self.show_role.toggled.connect(self._on_changed)
        self.part.chosen.connect(self._lists.setCurrentIndex)
        self.all.clicked.connect(self._on_all)
        self.none.clicked.connect(self._on_none)
        self.go.clicked.connect(self._on_go)
        self.stay.clicked.connect(self.reject)

    @property
    def said(self) -> str:
        """What comes of the design."""
        return self._said.text()

    def changes(self) -> dict[str, Any]:
        """What was chosen, as a design takes it; everything chosen is None, as what comes later is meant."""
        chosen: dict[str, Any] = {name: box.value() for name, box in self.boxes.items()}
        chosen["overlap"] = min(chosen["overlap"], chosen["annotators"])
        for name in SHARES:
            chosen[name] /= 100
        for part, one in self.lists.items():
            ids = self._ids[part]
            picked = tuple(ids[row] for row in one.checked)
            chosen[part] = None if len(picked) == len(ids) else picked
        mode = MODE_NAMES[self.mode.index]
        return {**chosen, "count_mode": mode, "show_role": self.show_role.isChecked()}

    def missing(self) -> str:
        """What nothing is chosen of; empty when the design can be looked at."""
        empty = [part for part, one in self.lists.items() if self._ids[part] and not one.checked]
        return f"Nothing is chosen among the {' and the '.join(empty)}." if empty else ""

    def show_plan(self, lines: list[str]) -> None:
        """What comes of it."""
        self._said.setText("\n".join(lines))
        self.go.setEnabled(not self.missing())

    def show_trouble(self, sentence: str) -> None:
        """Why nothing comes of it."""
        self._said.setText(sentence)
        self.go.setEnabled(False)

    def _on_all(self) -> None:
        self._check(is_checked=True)

    def _on_none(self) -> None:
        self._check(is_checked=False)

    def _check(self, *, is_checked: bool) -> None:
        found = self.lists[PARTS[self.part.index]]
        found.blockSignals(True)
        for row in range(found.count()):
            if (row in found.checked) != is_checked:
                found.toggle(row)
        found.blockSignals(False)
        self._on_changed()

    def _on_changed(self) -> None:
        self.go.setEnabled(False)
        why = self.missing()
        if why:
            self.show_trouble(why)
        else:
            self.asked.emit(self.changes())

    def _on_go(self) -> None:
        self.wanted.emit(self.changes())
