"""The window: makes pages when they are first shown, and connects its parts; it does not decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.jobs import Job
from core.paths import PROJECT
from gui import settings
from gui.continuing import Continuing
from gui.elsewhere import Elsewhere
from gui.fonts import px
from gui.imports_ahead import ImportsAhead
from gui.models.disk import disk_words
from gui.models.overview import Overview
from gui.notices import Notices
from gui.pages.page import Page
from gui.shell import PAGES, PageEntry, Shell, pages_there
from gui.studio import Studio
from gui.tasks import Task, WhenLeft
from gui.typed import Typed, type_on, typed_on
from gui.ways_in import WaysIn
from gui.widgets.cheat_sheet import CheatSheet
from gui.widgets.rail_button import RailState
from gui.words import counted

if TYPE_CHECKING:
    from core.plan import StudyPlan

WIDE_RAIL_FROM = 1440
SAMPLE_FOLDER = PROJECT / "studies" / "sample"
SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
MILLISECONDS_BETWEEN_DISK_LOOKS = 60_000


class MainWindow(QWidget):
    """The one window of the application.

    Parameters
    ----------
    studio : Studio
    page : str
        Page to show first once a study is open.
    make_sample : callable, optional
        Makes the job that builds the sample study in a folder.
    sample_folder : Path
        Where the sample study is.
    """

    def __init__(
        self,
        studio: Studio,
        *,
        page: str = "study",
        make_sample: Callable[[Path], Job[Any]] | None = None,
        sample_folder: Path = SAMPLE_FOLDER,
    ) -> None:
        super().__init__()
        self.studio = studio
        self._has_sample = make_sample is not None
        self._sample_folder = sample_folder
        self._page_name = page
        self._may_end, self._is_warned = False, False
        self._scale = studio.theme.scale
        self.pages: dict[str, Page] = {}
        self._acts: dict[str, list[QWidget]] = {}
        self._typed: dict[str, Typed] = {}
        self.entries = pages_there()
        self.setWindowTitle("ContextBias Studio")
        self.resize(QSize(1440, 900))
        self.notices = Notices(self)
        self.ways_in = WaysIn(studio, self.notices, make_sample, sample_folder, self)
        self.ways_in.busy.connect(self._on_busy)
        self._ahead = ImportsAhead(studio, [entry.module for entry in self.entries])
        self.continuing = Continuing(studio, self.notices, self.show_page, self)
        self.elsewhere = Elsewhere(studio, self)
        self._outer = QHBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.setSpacing(0)
        self._build()
        self._connect()
        self._add_keys()
        self._look_at_disk = QTimer(self)
        self._look_at_disk.setInterval(MILLISECONDS_BETWEEN_DISK_LOOKS)
        self._look_at_disk.timeout.connect(self._ask_disk)
        self._show_welcome()

    # -- what app and tests ask for -------------------------------------------------------------

    @property
    def page_name(self) -> str:
        """Name of the page that is shown, or will be once a study is open."""
        return self._page_name

    def open_study(self, folder: Path) -> None:
        """Open a study; what goes wrong is said in the notice bar."""
        self.ways_in.open_study(folder)

    def show_page(self, name: str, what: object = None) -> None:
        """Show a page, making it first if need be, and hand it what was asked for."""
        if self.studio.store is None or name not in {entry.name for entry in self.entries}:
            return
        page = self.pages.get(name) or self._make_page(name)
        self._page_name = name
        shell = self.shell
        shell.rail.select(name)
        shell.header.show_page(page.title, page.facts, self._acts[name])
        shell.header.setVisible(page.has_header)
        shell.about.show_page(name if page.has_header else "")
        self._show_note()
        shell.stack.setCurrentWidget(page)
        page.take_focus()
        self.elsewhere.look()
        if what is not None:
            page.show_item(what)

    # -- building -------------------------------------------------------------------------------

    def _build(self) -> None:
        """Make all parts; made anew at another scale, because lengths are taken when parts are made."""
        sample = self._sample_folder if self._has_sample else None
        self.shell = Shell(self.studio, [(entry, _key_of(entry)) for entry in self.entries], sample)
        self._outer.addWidget(self.shell)
        self.notices.show_in(self.shell.notice_bar)
        shell = self.shell
        shell.rail.asked_for.connect(self.show_page)
        shell.menu.asked_for.connect(self._on_menu)
        shell.welcome.sample_asked_for.connect(self.make_sample)
        shell.welcome.open_asked_for.connect(self.ask_for_study)
        shell.welcome.new_asked_for.connect(self.ask_for_new_study)
        shell.welcome.recent_asked_for.connect(self.open_study)

    def _rebuild(self) -> None:
        for name, page in self.pages.items():
            page.keep_for_another()
            self._typed[name] = typed_on(page)
        self._outer.removeWidget(self.shell)
        self.shell.hide()
        self.shell.deleteLater()
        self.pages.clear()
        self._acts.clear()
        self._build()
        self._fit_rail()
        if self.studio.store is None:
            self._show_welcome()
        else:
            self._show_study()

    def _connect(self) -> None:
        studio, runner = self.studio, self.studio.runner
        studio.study_opened.connect(self._on_study_opened)
        studio.study_closed.connect(self._on_study_closed)
        studio.simulated_changed.connect(self._show_note)
        studio.feed.arrived.connect(self._on_overview)
        studio.theme.changed.connect(self._on_theme)
        runner.trouble.connect(self.notices.on_trouble)
        runner.task_added.connect(self._on_task_added)
        runner.task_ended.connect(self._show_rail_states)

    def _add_keys(self) -> None:
        for entry in self.entries:
            self._shortcut(_key_of(entry), self._on_page_key)
        for keys, slot in (
            (("F1",), self.show_keys),
            (("Ctrl+O",), self.ask_for_study),
            (("Ctrl+F",), self._on_filter_key),
            (("Ctrl++", "Ctrl+="), self.larger),
            (("Ctrl+-",), self.smaller),
            (("Ctrl+0",), self.normal_size),
        ):
            for key in keys:
                self._shortcut(key, slot)

    def _shortcut(self, key: str, slot: Callable[[], None]) -> None:
        QShortcut(QKeySequence(key), self).activated.connect(slot)

    def _make_page(self, name: str) -> Page:
        entry = next(entry for entry in self.entries if entry.name == name)
        # In its place from the start: each move of a tree of widgets has the style sheet applied to all anew.
        made: Page = getattr(import_module(entry.module), entry.class_name)(self.studio, self.shell.stack)
        self.pages[name] = made
        self._acts[name] = made.header_acts()
        for act in self._acts[name]:
            act.setParent(self.shell.header)
            act.hide()
        made.facts_changed.connect(self._on_facts)
        made.asked_for.connect(self.show_page)
        made.show_pages(frozenset(entry.name for entry in self.entries))
        self.shell.stack.addWidget(made)
        type_on(made, self._typed.pop(name, {}))
        return made

    # -- studies --------------------------------------------------------------------------------

    def ask_for_study(self) -> None:
        """Let a person choose the folder of a study."""
        self.ways_in.ask_for_study()

    def ask_for_new_study(self) -> None:
        """Let a person plan a study, and make it."""
        self.ways_in.ask_for_new_study()

    def make_new_study(self, folder: Path, plan: StudyPlan) -> None:
        """Make a study from a plan off the GUI thread and open it."""
        self.ways_in.make_new_study(folder, plan)

    def make_sample(self) -> None:
        """Open the sample study, making what is not there yet."""
        self.ways_in.make_sample()

    def _on_busy(self, said: str) -> None:
        self.shell.welcome.set_busy(said)

    def _on_study_opened(self) -> None:
        if self.studio.folder is not None:
            settings.remember_study(self.studio.folder)
        self.shell.welcome.set_busy("")
        self._look_at_disk.start()
        self._ask_disk()
        self._show_study()
        self._tell_what_opening_found()

    def _tell_what_opening_found(self) -> None:
        """A file of an older release that was moved, and jobs that ended with the program."""
        store = self.studio.store
        if store is not None and store.moved_sentence:
            self.notices.tell(store.moved_sentence)
        self.continuing.look()

    def _show_study(self) -> None:
        store = self.studio.store
        if store is None:
            return
        self.setWindowTitle(f"{store.study.name} – ContextBias Studio")
        # The surround is part of the stimulus, so a study may hold one theme for all annotators.
        held = store.study.settings.get("theme")
        self.studio.theme.pin(held if held in ("light", "dark") else settings.pinned_theme())
        self.shell.rail.set_study(store.study.name, "")
        self.shell.rail.show()
        names = [entry.name for entry in self.entries]
        self.show_page(self._page_name if self._page_name in names else names[0])
        if self.studio.feed.latest is not None:
            self._on_overview(self.studio.feed.latest)

    def _on_study_closed(self) -> None:
        self._typed.clear()
        self._look_at_disk.stop()
        self.setWindowTitle("ContextBias Studio")
        self._show_welcome()

    def _show_welcome(self) -> None:
        shell = self.shell
        for part in (shell.rail, shell.header, shell.about, shell.note_row):
            part.hide()
        shell.welcome.show_recent(settings.recent_studies())
        shell.welcome.set_busy(self.ways_in.what_is_busy)
        shell.stack.setCurrentWidget(shell.welcome)

    # -- what the window shows ------------------------------------------------------------------

    def _on_overview(self, overview: Overview) -> None:
        roles, generators = len(overview.table.roles), overview.counts.generators
        facts = f"{counted(roles, 'role')}, {counted(generators, 'generator')}"
        self.shell.rail.set_study(overview.name, facts)
        self._show_rail_states()

    def _show_rail_states(self, _task: object = None) -> None:
        overview = self.studio.feed.latest
        for entry in self.entries:
            task = next((one for one in self.studio.runner.tasks if one.page == entry.name), None)
            self.shell.rail.set_state(entry.name, rail_state(entry.name, task, overview))

    def _on_task_added(self, task: Task) -> None:
        task.progressed.connect(self._show_rail_states)
        self._show_rail_states()

    def _show_note(self) -> None:
        """The line about simulated answers, on every page that has a header."""
        page = self.pages.get(self._page_name)
        has_header = page is not None and page.has_header
        self.shell.note_row.setVisible(has_header and self.studio.has_simulated)

    def _on_facts(self) -> None:
        page = self.pages.get(self._page_name)
        if page is not None:
            self.shell.header.set_facts(page.facts)

    def _ask_disk(self) -> None:
        folder = self.studio.folder
        if folder is not None:
            self.studio.query(lambda: disk_words(folder), self._on_disk)

    def _on_disk(self, words: str) -> None:
        self.shell.rail.set_disk(words)

    def _fit_rail(self) -> None:
        self.shell.rail.set_wide(self.width() >= px(WIDE_RAIL_FROM))

    # -- theme, scale, keys ---------------------------------------------------------------------

    def larger(self) -> None:
        """The next larger text size."""
        self._set_scale(next((one for one in SCALES if one > self._scale + 0.01), SCALES[-1]))

    def smaller(self) -> None:
        """The next smaller text size."""
        self._set_scale(next((one for one in reversed(SCALES) if one < self._scale - 0.01), SCALES[0]))

    def normal_size(self) -> None:
        """Text at 100 %."""
        self._set_scale(1.0)

    def _set_scale(self, scale: float) -> None:
        settings.remember_scale(scale)
        self.studio.theme.set_scale(scale)

    def _on_theme(self) -> None:
        if self.studio.theme.scale != self._scale:
            self._scale = self.studio.theme.scale
            self._rebuild()

    def _on_menu(self, act: str, what: object) -> None:
        match act:
            case "open":
                self.ask_for_study()
            case "new":
                self.ask_for_new_study()
            case "recent" if isinstance(what, Path):
                self.open_study(what)
            case "close":
                self.studio.leave_study()
            case "theme":
                settings.remember_theme(str(what) if what else None)
                self.studio.theme.pin(str(what) if what else None)
            case "continue":
                settings.remember_continuing(bool(what))
            case "larger":
                self.larger()
            case "smaller":
                self.smaller()
            case "keys":
                self.show_keys()

    def show_keys(self) -> None:
        """The cheat sheet of the window and the page that is shown."""
        page = self.pages.get(self._page_name)
        parts = [("Window", window_keys(self.entries))]
        if page is not None and self.studio.store is not None:
            parts.append((page.title, tuple(page.keys())))
        CheatSheet(parts, self).open()

    def _on_page_key(self) -> None:
        shortcut = self.sender()
        if isinstance(shortcut, QShortcut):
            number = shortcut.key().toString()[-1]
            self.show_page(PAGES[int(number) - 1].name)

    def _on_filter_key(self) -> None:
        page = self.pages.get(self._page_name)
        if page is not None:
            page.focus_filter()

    # -- events ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the page's drawer, then the strip of help."""
        page = self.pages.get(self._page_name)
        if (
            event.key() == Qt.Key.Key_Escape
            and page is not None
            and (page.close_drawer() or self.shell.about.close_it())
        ):
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The rail has words beside its icons in a wide window."""
        super().resizeEvent(event)
        self._fit_rail()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about jobs that run and wait for what is typed and not saved; then stop and let go.

        Acts that cannot be saved hold the window open once; closing it again closes it.
        """
        jobs = [task for task in self.studio.runner.tasks if task.when_left is not WhenLeft.STOP]
        if jobs and not self._may_end:
            event.ignore()
            self.ways_in.ask_before_end(jobs, self._on_may_end)
            return
        if not self.studio.are_holds_saved() and not self._is_warned:
            self._is_warned, self._may_end = True, False
            event.ignore()
            self.show_page("annotate")
            remedy = "Save again, or close the window again: then it is written to a file beside the study."
            self.notices.say("Not every act is saved.", remedy)
            return
        self.studio.shut_down()
        super().closeEvent(event)

    def end(self) -> bool:
        """Close without asking about jobs, which stop with what they made kept; whether it is closed."""
        self._may_end = True
        return self.close()

    def _on_may_end(self) -> None:
        self._may_end = True
        self.close()


def rail_state(page: str, task: Task | None, overview: Overview | None) -> RailState:
    """What stands beside a page in the rail: its running job, trouble that waits, what is in."""
    running = None
    if task is not None:
        progress = task.progress
        running = progress.done / progress.total if progress and progress.total else 0.0
    if overview is None:
        return RailState(running=running)
    failed = overview.failed_on(page)
    count = ""
    if page == "team" and overview.annotators and overview.image_sets:
        count = f"{overview.finished_annotators} of {len(overview.annotators)}"
    return RailState(count, f"{failed} failed" if failed else "", running)


def window_keys(entries: Sequence[PageEntry]) -> tuple[tuple[str, str], ...]:
    """Keys of the window for the cheat sheet."""
    pages = [(_key_of(entry).replace("+", " "), entry.word) for entry in entries]
    return (
        *pages,
        ("Ctrl O", "open a study"),
        ("Ctrl +", "larger text"),
        ("Ctrl -", "smaller text"),
        ("Esc", "close the drawer"),
        ("F1", "this list"),
    )


def _key_of(entry: PageEntry) -> str:
    return f"Ctrl+{PAGES.index(entry) + 1}"
