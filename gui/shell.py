"""The parts of the window and where they are: rail, header, notices, the stack of pages, job strip."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.notices import NoticeBar
from gui.pages.welcome import WelcomePage
from gui.studio import Studio
from gui.widgets.about_strip import AboutStrip
from gui.widgets.header import Header
from gui.widgets.job_strip import JobStrip
from gui.widgets.page_area import PageArea, PageStack
from gui.widgets.rail import Rail
from gui.widgets.simulated_note import SimulatedNote
from gui.widgets.study_menu import StudyMenu


class PageEntry(NamedTuple):
    """A page of the window: imported by name when first shown, left out while its module is not there."""

    name: str
    word: str
    class_name: str
    group: int

    @property
    def module(self) -> str:
        """Where its class is."""
        return f"gui.pages.{self.name}"


PAGES = (
    PageEntry("study", "Study", "StudyPage", 0),
    PageEntry("prompts", "Prompts", "PromptsPage", 1),
    PageEntry("generate", "Generate", "GeneratePage", 1),
    PageEntry("extract", "Extract", "ExtractPage", 1),
    PageEntry("annotate", "Annotate", "AnnotatePage", 2),
    PageEntry("team", "Team", "TeamPage", 2),
    PageEntry("agreement", "Agreement", "AgreementPage", 3),
    PageEntry("results", "Results", "ResultsPage", 3),
)


def pages_there() -> tuple[PageEntry, ...]:
    """The pages whose module exists; none of them is imported for that."""
    return tuple(entry for entry in PAGES if find_spec(entry.module) is not None)


class Shell(QWidget):
    """All parts of the window; it only lays them out, `MainWindow` connects them."""

    def __init__(
        self,
        studio: Studio,
        entries: Sequence[tuple[PageEntry, str]],
        sample_folder: Path | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.rail, self.header = Rail(), Header()
        self.menu = StudyMenu(studio.theme, self)
        self.notice_bar = NoticeBar()
        self.about = AboutStrip()
        self.header.help_asked_for.connect(self.about.toggle)
        self.note_row = _inset(studio)
        self.welcome = WelcomePage(sample_folder)
        self.stack = PageStack()
        self.stack.addWidget(self.welcome)
        self.strip = JobStrip(studio.runner)
        groups = sorted({entry.group for entry, _ in entries})
        self.rail.fill(
            [
                [(one.name, one.word, one.name, key) for one, key in entries if one.group == group]
                for group in groups
            ],
            self.menu,
        )
        column = QVBoxLayout()
        column.setSpacing(0)
        for part in (self.header, self.notice_bar, self.about, self.note_row):
            column.addWidget(part)
        column.addWidget(PageArea(self.stack), 1)
        column.addWidget(self.strip)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addLayout(column, 1)


def _inset(studio: Studio) -> QWidget:
    holder = QWidget()
    note = SimulatedNote(studio, holder)  # without a parent it would be a window for a moment
    column = QVBoxLayout(holder)
    column.setContentsMargins(px(20), 0, px(16), 0)
    column.setSpacing(0)
    column.addWidget(note)
    column.addSpacing(px(8))
    return holder
