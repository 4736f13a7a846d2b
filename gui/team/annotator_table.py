"""The table of annotators: its columns, and which of them go where there is no room."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gui.fonts import px
from gui.models.rows import Column, RowsModel
from gui.team.facts import SECONDS_RULE
from gui.widgets.table import Table
from gui.words import day, thousands

WIDTHS_WIDE, WIDTHS, LAST_WIDTH = (220, 130, 140, 160, 110, 170), (150, 90, 100, 120, 80, 130), 90
DROPPED = (6, 5, 4)
"""Columns in the order in which they go: last answer, seconds, flagged."""


def _of(done: int, asked: int) -> str:
    return f"{thousands(done)} of {thousands(asked)}" if asked else "–"


COLUMNS = (
    Column("annotator", lambda one: one.annotator.name),
    Column("who", lambda one: "simulated" if one.annotator.is_simulated else "person"),
    Column(
        "image sets",
        lambda one: _of(one.image_sets, one.asked_sets),
        lambda one: one.image_sets,
        is_number=True,
    ),
    Column(
        "answers", lambda one: _of(one.answers, one.asked_answers), lambda one: one.answers, is_number=True
    ),
    Column("flagged", lambda one: thousands(one.flagged), lambda one: one.flagged, is_number=True),
    Column(
        "seconds an answer",
        lambda one: f"{one.median_seconds:.1f}" if one.median_seconds is not None else "–",
        lambda one: one.median_seconds or 0.0,
        is_number=True,
        tip=lambda one: "stated, not measured" if one.annotator.is_simulated else SECONDS_RULE,
    ),
    Column(
        "last answer", lambda one: day(one.last_at) if one.last_at else "–", lambda one: one.last_at or ""
    ),
)


class AnnotatorTable(Table):
    """One row a member of the team."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.rows_model = RowsModel(COLUMNS)
        super().__init__(self.rows_model, "Annotators", parent)
        self.rows_model.setParent(self)

    def fit(self, room: int, *, is_wide: bool) -> None:
        """Columns drop out by importance where there is no room; the card of an annotator has them all."""
        widths = (*(WIDTHS_WIDE if is_wide else WIDTHS), LAST_WIDTH)
        shown = set(range(len(COLUMNS)))
        for column in DROPPED:
            if sum(px(widths[each]) for each in shown) > room:
                shown.discard(column)
        for column in range(len(COLUMNS)):
            self.setColumnHidden(column, column not in shown)
        self.set_widths(*widths[:-1])
