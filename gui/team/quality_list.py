"""The look at quality: a row an annotator and question, what was flagged, and who is excluded, with why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from annotation.quality import MEANINGS
from gui.fonts import px
from gui.models.coverage import in_words
from gui.models.rows import Column, RowsModel
from gui.team.quality import ALL, Quality
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.card import empty_layout
from gui.widgets.table import Table
from gui.words import counted, day, thousands

WIDTHS = (84, 124, 118, 66, 76, 88, 112, 56, 68)
AT_REST = len(WIDTHS)
AT_REST_WIDTH = 76
FLAGS_AT = 2
RULE = (
    "Flags are advice: fast or slow against everybody's median for that question, many unknowns, one label "
    "all the time, gold sets (category, and count within 1), repeats that came out otherwise, counts left at "
    "0, 5 or 10. Nothing is left out unless somebody excludes it, with a reason that stands in every table."
)


def _share(key: str) -> Callable[[Any], str]:
    return lambda row: "–" if row[key] is None else f"{100 * row[key]:.0f} %"


def _of(key: str) -> Callable[[Any], float]:
    return lambda row: -1.0 if row[key] is None else float(row[key])


def _some_of(share: str, number: str) -> Callable[[Any], str]:
    """How many of how many, such as "3 of 12": a share of few answers says too much."""

    def words(row: Any) -> str:
        if row[share] is None:
            return "–"
        return f"{thousands(round(row[share] * row[number]))} of {thousands(row[number])}"

    return words


class QualityList(QWidget):
    """`exclude(annotator, question or '')` and `withdraw(exclusion)` ask for the two recorded acts."""

    exclude = Signal(str, str)
    withdraw = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quality = Quality()
        self.model = RowsModel(self._columns())
        self.table = Table(self.model, "Quality by annotator and question", self)
        self.table.horizontalHeader().setStretchLastSection(False)
        self.every = QCheckBox("Every question, also without a flag")
        self.said = Caption("", "muted", wraps=True)
        self.go = Button("Exclude")
        self.row: dict[str, Any] | None = None
        self._exclusions = QVBoxLayout()
        self._exclusions.setContentsMargins(px(8), 0, px(8), 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        column.addLayout(self._exclusions)
        foot = QHBoxLayout()
        foot.setContentsMargins(px(8), 0, px(8), 0)
        foot.setSpacing(px(12))
        foot.addWidget(self.said, 1)
        foot.addWidget(self.every)
        foot.addWidget(self.go)
        column.addLayout(foot)
        rule = Caption(RULE, "muted", wraps=True)
        rule.setContentsMargins(px(8), 0, px(8), 0)
        column.addWidget(rule)
        self.every.toggled.connect(self._show)
        self.table.moved.connect(self._on_moved)
        self.go.clicked.connect(self._on_go)
        self.show_quality(Quality())

    def _columns(self) -> tuple[Column, ...]:
        return (
            Column("annotator", lambda row: row["annotator"]),
            Column("question", lambda row: row["name"]),
            Column("flags", self._flags, tip=self._flags_tip),
            Column("seconds", _seconds, _of("median_seconds"), is_number=True, tip=_seconds_tip),
            Column("fast, slow", _off, lambda row: row["fast"] + row["slow"], is_number=True, tip=_off_tip),
            Column("unknown", _some_of("unknown_share", "answers"), _of("unknown_share"), is_number=True),
            Column("most used", _top, _of("top_share"), tip=_top),
            Column("gold", _some_of("gold_right", "gold"), _of("gold_right"), is_number=True, tip=_gold_tip),
            Column("repeats", _some_of("repeats_same", "repeats"), _of("repeats_same"), is_number=True),
            Column("at 0 5 10", _share("at_rest_share"), _of("at_rest_share"), is_number=True),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The flags take the room that is left."""
        super().resizeEvent(event)
        self.table.set_widths(*WIDTHS, AT_REST_WIDTH)
        spare = self.table.viewport().width() - sum(px(width) for width in WIDTHS)
        # In a narrow window the last share stands in the tooltip of the flags alone.
        self.table.setColumnHidden(AT_REST, spare < px(AT_REST_WIDTH))
        spare -= 0 if spare < px(AT_REST_WIDTH) else px(AT_REST_WIDTH)
        self.table.setColumnWidth(FLAGS_AT, px(WIDTHS[FLAGS_AT]) + max(spare, 0))

    def show_quality(self, quality: Quality) -> None:
        """Show another look."""
        self._quality = quality
        self._show()

    def _show(self) -> None:
        quality = self._quality
        rows = [
            row for row in quality.rows if self.every.isChecked() or row["flags"] or row["question"] == ALL
        ]
        self.model.set_rows(rows)
        flagged = sum(bool(row["flags"]) for row in quality.rows)
        self.said.setText(
            f"{counted(flagged, 'flag')} in {counted(len(quality.rows), 'row')}."
            if quality.rows
            else "No confirmed answer yet."
        )
        self._show_exclusions()
        if rows:
            self.table.setCurrentIndex(self.model.index(0, 0))
        else:
            self._on_moved(None)

    def _show_exclusions(self) -> None:
        empty_layout(self._exclusions)
        for one in self._quality.exclusions:
            where = one["question"] or "all questions"
            state = f", taken back {day(one['withdrawn_at'])}" if one["withdrawn_at"] else ""
            who = f"{one['annotator']}, {in_words(where)}"
            words = f"Excluded: {who}: {one['reason']} ({one['decided_by']}{state})"
            row = QHBoxLayout()
            row.addWidget(Caption(words, "muted" if state else "warn", wraps=True), 1)
            if not state:
                back = Button("Take back", "quiet", name="")
                back.setProperty("exclusion", one["exclusion"])
                back.clicked.connect(self._on_back)
                row.addWidget(back, 0, Qt.AlignmentFlag.AlignTop)
            self._exclusions.addLayout(row)

    def _flags(self, row: dict[str, Any]) -> str:
        why = self._quality.excluded(row["annotator"], row["question"])
        return ", ".join(part for part in (row["flags"], f"excluded: {why}" if why else "") if part)

    def _flags_tip(self, row: dict[str, Any]) -> str:
        """The flags, and what each says."""
        raised = [f"{flag}: {MEANINGS[flag]}." for flag in row["flags"].split(", ") if flag in MEANINGS]
        ends = f"Counts at 0, 5 or 10: {_share('at_rest_share')(row)}." if row["by_hand"] else ""
        return "\n".join(part for part in (self._flags(row), *raised, ends) if part)

    def _on_moved(self, row: dict[str, Any] | None) -> None:
        self.row = row
        if row is None:
            self.go.setText("Exclude")
            self.go.setEnabled(False)
            self.go.setToolTip("Choose a row first.")
            return
        is_out = bool(self._quality.excluded(row["annotator"], row["question"]))
        where = "" if row["question"] == ALL else f", {row['name']}"
        self.go.setText(f"Exclude {row['annotator']}{where}")
        self.go.setAccessibleName(self.go.text())
        self.go.setEnabled(not is_out)
        self.go.setToolTip("Excluded already." if is_out else "")

    def _on_go(self) -> None:
        if self.row is not None:
            question = "" if self.row["question"] == ALL else self.row["question"]
            self.exclude.emit(self.row["annotator"], question)

    def _on_back(self) -> None:
        button = self.sender()
        if isinstance(button, Button):
            self.withdraw.emit(int(button.property("exclusion")))


def _top(row: Any) -> str:
    if row["top_share"] is None:
        return "–"
    return f"{in_words(row['top_label'])} {100 * row['top_share']:.0f} %"


def _gold_tip(row: Any) -> str:
    return str(row["gold_reason"]) or counted(row["gold"], "answer")


def _seconds(row: Any) -> str:
    return "–" if row["median_seconds"] is None else f"{row['median_seconds']:.1f}"


def _seconds_tip(row: Any) -> str:
    usual = row["usual_seconds"]
    everybody = "" if usual is None else f"; everybody's is {usual:.1f}"
    return f"median of the active seconds of an answer{everybody}"


def _off(row: Any) -> str:
    return f"{thousands(row['fast'])}, {thousands(row['slow'])}"


def _off_tip(row: Any) -> str:
    return (
        f"{counted(row['fast'], 'answer')} far faster and {row['slow']} far slower than everybody's median "
        "for that question"
    )
