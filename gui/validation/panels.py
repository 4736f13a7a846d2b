"""The three panels of a validation: scores with plot and confusion, the prompts, each image."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.records import StoredImage
from gui.extract.picture import Picture
from gui.fonts import px
from gui.models.coverage import in_words
from gui.models.number import NO_VALUE, Number
from gui.models.rows import Column, RowsModel
from gui.studio import Studio
from gui.validation.facts import Situation
from gui.validation.plot import PlotAxis, ValidationPlot, legend_of
from gui.validation.result import ALL, Result, number_of, side_order, side_words
from gui.widgets.caption import Caption
from gui.widgets.card import Card
from gui.widgets.contingency_grid import ContingencyGrid
from gui.widgets.scrolled import scrolled
from gui.widgets.segmented import Segmented
from gui.widgets.sign_legend import SignLegend
from gui.widgets.table import Table
from gui.words import thousands

Row = dict[str, Any]
NOT_JUDGED = "Nobody judged what was drawn, so the generator's errors count as the extractor's."
ON_CONFUSION = "Rows: what the prompt states; columns: what {name} said."


def number_words(number: Number) -> str:
    """A share with its interval: "71 %  62–79"; a dash where there is none."""
    if number.value is None:
        return NO_VALUE
    ends = ""
    if number.low is not None and number.high is not None:
        ends = f"  {100 * number.low:.0f}–{100 * number.high:.0f}"
    return f"{100 * number.value:.0f} %{ends}"


def _score(name: str, title: str = "") -> Column:
    def text(row: Row) -> str:
        return number_words(number_of(row, name))

    def order(row: Row) -> float:
        value = number_of(row, name).value
        return -1.0 if value is None else value

    return Column(
        title or in_words(name), text, order, is_number=True, tip=lambda row: number_of(row, name).reason
    )


def _count(name: str, title: str = "") -> Column:
    def text(row: Row) -> str:
        return NO_VALUE if row[name] is None else thousands(int(row[name]))

    def order(row: Row) -> int:
        return -1 if row[name] is None else int(row[name])

    return Column(title or in_words(name), text, order, is_number=True)


SCORES = (
    Column("prompts", lambda row: side_words(row["side"]), lambda row: side_order(row["side"])),
    _count("images"),
    _count("failed"),
    _count("unknown"),
    _score("accuracy"),
    _score("precision"),
    _score("recall"),
    _score("f1", "F1"),
    _score("accuracy_if_drawn", "if drawn"),
    _count("not_drawn"),
    _count("not_seen"),
    Column("note", lambda row: row["reason"], tip=lambda row: row["reason"]),
)
BY_DIMENSION = (Column("dimension", lambda row: in_words(row["dimension"])), *SCORES)
BY_GENERATOR = (
    Column(
        "generator",
        lambda row: "all" if row["generator"] == ALL else str(row["generator"]),
        marker=lambda row: None if row["generator"] == ALL else row["generator"],
    ),
    *SCORES,
)
WIDTHS = (140, 150, 56, 52, 68, 104, 118, 104, 104, 110, 76, 70, 24)


class ScoresPanel(QWidget):
    """Both tables above; below, the plot, and the confusion of the dimension that is looked at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result: Result | None = None
        self.by = Segmented(["By dimension", "By generator"], "Scores")
        self.dimensions, self.generators = RowsModel(BY_DIMENSION, self), RowsModel(BY_GENERATOR, self)
        self.of_dimensions = Table(self.dimensions, "Scores by dimension")
        self.of_generators = Table(self.generators, "Scores by generator")
        self.said = Caption("", "warn")
        self.plot, self.legend = ValidationPlot(), SignLegend()
        self.plot_card, self.confusion_card = Card("Accuracy"), Card("Confusion")
        self.confusion = ContingencyGrid()
        self.how = Caption("", "muted", wraps=True)
        self._lay_out()
        self.by.chosen.connect(self._on_by)
        self.of_dimensions.moved.connect(self._on_moved)

    def _lay_out(self) -> None:
        for table in (self.of_dimensions, self.of_generators):
            table.set_widths(*WIDTHS)
            table.setMinimumHeight(px(150))
        self.of_generators.hide()
        self.plot_card.body.addWidget(scrolled(_column(self.plot)), 1)
        self.plot_card.body.addWidget(PlotAxis(self.plot))
        self.plot_card.body.addWidget(self.legend)
        self.confusion_card.body.addWidget(scrolled(_column(self.confusion)), 1)
        self.confusion_card.body.addWidget(self.how)
        both = QHBoxLayout()
        both.setSpacing(px(12))
        both.addWidget(self.plot_card, 1)
        both.addWidget(self.confusion_card, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        line = QHBoxLayout()
        line.addWidget(self.by)
        line.addSpacing(px(12))
        line.addWidget(self.said, 1)
        column.addLayout(line)
        column.addWidget(self.of_dimensions, 4)
        column.addWidget(self.of_generators, 4)
        column.addLayout(both, 5)

    def show_result(self, found: Result) -> None:
        """Show other scores; the dimension that is looked at stays."""
        at = max(self.of_dimensions.currentIndex().row(), 0)
        self.result = found
        self.dimensions.set_rows(found.dimensions)
        self.generators.set_rows(found.generators)
        self.said.setText("" if found.judge else NOT_JUDGED)
        self.plot.show_rows(found.plot)
        self.legend.show_items(legend_of(found.plot))
        if found.dimensions:
            self.of_dimensions.setCurrentIndex(self.dimensions.index(min(at, len(found.dimensions) - 1), 0))

    def _on_by(self, index: int) -> None:
        self.of_dimensions.setVisible(index == 0)
        self.of_generators.setVisible(index == 1)

    def _on_moved(self, row: Row | None) -> None:
        found = self.result
        if found is not None and row is not None:
            name = row["dimension"]
            self.confusion_card.set_title(f"Confusion: {found.names.get(name, name)}")
            self.confusion.show_table(found.confusions.get(name))
            self.how.setText(ON_CONFUSION.format(name=found.extractor))


PROMPT_COLUMNS = (
    Column("prompt", lambda one: one.text, tip=lambda one: one.text),
    Column("side", lambda one: side_words(one.side.value), lambda one: side_order(one.side.value)),
    Column("role", lambda one: in_words(one.role)),
    Column("dimension", lambda one: in_words(one.dimension)),
    Column("stated", lambda one: in_words(one.label)),
)


class PromptsPanel(QWidget):
    """The prompts: what each states, and on which side of the stereotype it stands."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = RowsModel(PROMPT_COLUMNS, self)
        self.table = Table(self.model, "Prompts")
        self.table.set_widths(420, 170, 150, 160)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)

    def show_prompts(self, found: Situation) -> None:
        """Show others."""
        self.model.set_rows(found.stated)


IMAGE_COLUMNS = (
    Column("prompt", lambda row: row["text"], tip=lambda row: row["text"]),
    Column("side", lambda row: side_words(row["side"]), lambda row: side_order(row["side"])),
    Column("stated", lambda row: in_words(row["stated"])),
    Column("said", lambda row: in_words(row["said"])),
    Column("judged", lambda row: in_words(row["judged"]) or NO_VALUE),
    Column("who erred", lambda row: row["error_of"] or row["outcome"]),
)
ERRED = {
    "not drawn": "Neither judge nor extractor sees it: the generator did not draw it.",
    "not seen": "The judge sees it and the extractor does not: the extractor missed it.",
    "both saw it": "Judge and extractor see it.",
    "only the extractor saw it": "The extractor says it and the judge does not see it.",
    "hit": "The extractor says what the prompt states.",
    "missed": "The extractor says something else; without a judge nobody knows whether it was drawn.",
    "unknown": "The extractor says unknown.",
    "failed": "Its record has no labels.",
}


class ImagesPanel(QWidget):
    """Every image with what was stated, said and judged; the one that is looked at beside it."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.folder: Path | None = None
        self._pictures: dict[int, StoredImage] = {}
        self.model = RowsModel(IMAGE_COLUMNS, self)
        self.table = Table(self.model, "Images of the prompts")
        self.table.set_widths(290, 150, 110, 110, 110)
        self.picture = Picture(studio, read=self.read)
        self.words = Caption("", "", wraps=True)
        side = QVBoxLayout()
        side.addWidget(self.words)
        side.addWidget(self.picture, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(12))
        row.addWidget(self.table, 5)
        row.addLayout(side, 2)
        self.table.moved.connect(self._on_moved)

    def read(self, image: StoredImage) -> bytes:
        """The encoded file of an image; in a pool thread."""
        folder = self.folder
        if folder is None:
            raise FileNotFoundError(image.path)
        return (folder / image.path).read_bytes()

    def show_result(self, found: Result, folder: Path | None) -> None:
        """Show other images."""
        self.folder, self._pictures = folder, dict(found.pictures)
        at = max(self.table.currentIndex().row(), 0)
        self.model.set_rows(found.images)
        if found.images:
            self.table.setCurrentIndex(self.model.index(min(at, len(found.images) - 1), 0))

    def _on_moved(self, row: Row | None) -> None:
        self.picture.show_image(self._pictures.get(row["image"]) if row else None)
        self.words.setText(_image_words(row) if row else "")


def _image_words(row: Row) -> str:
    erred = ERRED.get(row["error_of"] or row["outcome"], "")
    judged = f", judged {in_words(row['judged'])}" if row["judged"] else ""
    said = f"Stated {in_words(row['stated'])}, said {in_words(row['said'])}{judged}."
    return f"{row['text']}. {said} {erred}"


def _column(widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setContentsMargins(0, 0, px(8), 0)
    column.addWidget(widget)
    column.addStretch(1)
    return column
