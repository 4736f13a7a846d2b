"""The annotator's program: a packet in a window of its own. Nothing heavy, no study, no network.

A packet opens where it was left: practice first, then the study, with a page in between that says how far
it is and saves hand-ins. Everything about the pictures stays out of titles, tooltips and messages, because
the packet itself does not know it.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent, QIcon, QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from annotation.packet_session import (
    PacketSession,
    TrainingResult,
    TrainingSession,
    confirmed_of,
    result_of,
)
from annotation.unsaved import put_aside
from core.errors import StoreError, UserError
from core.packets import TRAINING
from core.records import StoredImage
from gui import icons, settings
from gui.annotate import key_settings
from gui.annotate.file_opening import FileOpening
from gui.annotate.packet_page import PacketPage, practice_words, study_words
from gui.annotate.practice import DifferenceFrames, FeedbackPanel, feedback_words
from gui.annotate.saved_caption import SavedRelay
from gui.annotate.screen import AnnotateScreen
from gui.ending import Ending
from gui.file_dialogs import open_file, save_file
from gui.notices import Notices
from gui.platform_check import require_window
from gui.tasks import TaskRunner
from gui.theme import Theme
from storage.handin_file import HandedIn, write_hand_in
from storage.packet_book import PacketBook, RunBook

TITLE = "Annotate – ContextBias Studio"


class AloneWindow(QWidget):
    """Shows an open packet; closing it waits for the disk and lets go of the file."""

    def __init__(self, runner: TaskRunner, book: PacketBook) -> None:
        super().__init__()
        self._runner, self._book = runner, book
        self._relay = SavedRelay(self)
        self._is_warned = False
        self._was_complete = False
        self.screen_widget: AnnotateScreen | None = None
        self.feedback: FeedbackPanel | None = None
        self.frames: DifferenceFrames | None = None
        self.setWindowTitle(TITLE)
        self.setMinimumSize(960, 600)
        self.resize(1440, 900)
        self.page = PacketPage()
        self.page.show_whose(book.content.annotator, book.path.name)
        self.page.show_note(book.note)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.page)
        self.page.go.connect(self._on_go)
        self.page.hand_in.connect(self._on_hand_in)
        self._open_where_it_was_left()

    # Where it was left

    @property
    def has_practice(self) -> bool:
        """Whether practice is still due."""
        content = self._book.content
        if not content.of_part(TRAINING) or self._book.events(0):
            return False
        result = self._attempt()
        return result is None or not result.is_passed

    def _attempt(self) -> TrainingResult | None:
        """How the latest attempt at practice stands; None before the first."""
        run = self._book.newest_run()
        if run == 0:
            return None
        content = self._book.content
        answers = confirmed_of(self._book.events(run))
        asked = len(content.of_part(TRAINING)) * len(content.questions)
        return result_of(content, answers, run, is_whole=len(answers) >= asked)

    def _open_where_it_was_left(self) -> None:
        result = self._attempt()
        is_under_way = self._book.events(0) or (result is not None and not result.is_whole)
        if is_under_way and not self._book.note:
            self._on_go()
        else:
            self._show_page()

    def _show_page(self) -> None:
        """The page between sittings, as things stand."""
        self._drop_screen()
        content = self._book.content
        self.page.show_whose(content.annotator, self._book.path.name)
        if content.of_part(TRAINING) and not self._book.events(0):
            words = practice_words(content, self._attempt())
        else:
            session = PacketSession(content, RunBook(self._book, 0))
            progress = session.progress
            words = study_words(content, progress.done, progress.answers_done, session.seconds_left)
        self.page.show_work(*words)
        self._stack.setCurrentWidget(self.page)
        self.page.setFocus()

    def _on_go(self) -> None:
        result = self._attempt()
        if not self.has_practice:
            self._show_study()
        elif result is None or (result.is_whole and not result.is_passed):
            self._show_practice(self._book.newest_run() + 1)
        else:
            self._show_practice(result.attempt)

    # Screens

    def _show_study(self) -> None:
        session = PacketSession(self._book.content, RunBook(self._book, 0), on_saved=self._relay.tell)
        self._was_complete = session.is_complete
        self._show_screen(session)

    def _show_practice(self, attempt: int) -> None:
        run = RunBook(self._book, attempt)
        session = TrainingSession(self._book.content, run, attempt, on_saved=self._relay.tell)
        screen = self._show_screen(session)
        self.frames = DifferenceFrames(screen.parts.grid, screen)
        self.feedback = FeedbackPanel(screen)
        self.feedback.read.connect(screen.acting.confirm)
        self._show_feedback()

    def _show_screen(self, session: PacketSession) -> AnnotateScreen:
        self._drop_screen()
        screen = AnnotateScreen(
            *(session, self._runner, self._read, self._relay),
            keys=key_settings.chosen_keys(),
            shows_role=self._book.content.shows_role,
        )
        screen.preset_chosen.connect(key_settings.remember_preset)
        screen.acting.acted.connect(self._on_acted)
        screen.acting.counted.connect(self._on_counted)
        screen.parts.top.show_way_back()
        screen.parts.top.way_back.setAccessibleName("How far it is, and handing in")
        screen.parts.top.way_back.setToolTip("How far it is, and handing in")
        screen.parts.top.way_back.clicked.connect(self.leave)
        self.screen_widget = screen
        self._stack.addWidget(screen)
        self._stack.setCurrentWidget(screen)
        self.setFocusProxy(screen)
        screen.setFocus()
        return screen

    def _read(self, image: StoredImage) -> bytes:
        return self._book.picture(image.image_id)

    def _on_acted(self) -> None:
        screen = self.screen_widget
        if screen is None or not isinstance(screen.session, TrainingSession):
            return
        if screen.session.is_over:
            QTimer.singleShot(0, self.leave)  # after the act that led here is done with the screen
        else:
            self._show_feedback()

    def _on_counted(self) -> None:
        screen = self.screen_widget
        if screen is None or isinstance(screen.session, TrainingSession):
            return
        is_complete = screen.session.is_complete
        if is_complete and not self._was_complete and not screen.session.asking:
            QTimer.singleShot(0, self.leave)
        self._was_complete = is_complete

    def _show_feedback(self) -> None:
        screen, panel, frames = self.screen_widget, self.feedback, self.frames
        if screen is None or panel is None or frames is None:
            return
        assert isinstance(screen.session, TrainingSession)
        found = screen.session.shown_feedback
        if found is None:
            panel.hide()
            frames.show_places((), ())
            return
        stage = screen.parts.stage
        frames.setGeometry(stage)
        frames.show_places(found.missed if found.is_label_right else (), found.extra)
        panel.say(feedback_words(found, screen.showing.keys.images))
        panel.stand(screen.width() - 12, screen.height() - 8, screen.width() - 24)

    def leave(self) -> None:
        """To the page of the packet; everything is on the disk by then, or the screen stays until it is."""
        if self.screen_widget is None or not self.screen_widget.hand_over():
            return
        self._show_page()

    def _drop_screen(self) -> None:
        screen, self.screen_widget = self.screen_widget, None
        self.feedback = self.frames = None
        if screen is not None:
            screen.stop()
            self.setFocusProxy(self.page)
            self._stack.setCurrentWidget(self.page)
            self._stack.removeWidget(screen)
            screen.hide()
            screen.deleteLater()

    # Handing in

    def _on_hand_in(self) -> None:
        chosen = save_file(self, "Save a hand-in", self.suggested(), "Hand-in (*.handin)")
        if chosen is not None:
            self.hand_in_to(chosen)

    def suggested(self) -> Path:
        """A name for the next hand-in that is not taken."""
        path = self._book.path.with_suffix(".handin")
        number = 1
        while path.exists():
            number += 1
            path = self._book.path.with_name(f"{self._book.path.stem}-{number}.handin")
        return path

    def hand_in_to(self, path: Path) -> None:
        """Write a hand-in, off the GUI thread."""
        self.page.show_said("Saving …")
        self.page.show_trouble("")
        self._runner.query(lambda: write_hand_in(self._book, path), self._on_handed_in, self._on_trouble)

    def _on_handed_in(self, made: HandedIn) -> None:
        self.page.show_said(
            f"Saved: {made.path}. It holds {made.answers} of {made.assigned} answers. "
            "Send this file to the study lead."
        )

    def _on_trouble(self, error: Exception) -> None:
        self.page.show_said("")
        self.page.show_trouble(str(error))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Feedback stands in its corner."""
        super().resizeEvent(event)
        self._show_feedback()

    def closeEvent(self, event: QCloseEvent) -> None:
        """What is being typed counts; acts that cannot be saved hold the window open once.

        What cannot be saved the second time either is written to a file beside the packet.
        """
        screen = self.screen_widget
        if screen is not None and self._is_warned:
            screen.session.retry()  # a packet that was lost goes on in its copy
        is_saved = screen is None or screen.hand_over()
        if not self._is_warned and not (is_saved and self._is_found()):
            self._is_warned = True
            event.ignore()
            return
        if screen is not None:
            self._put_aside(screen)
            screen.stop()
        self._runner.close()
        self._book.close()
        super().closeEvent(event)

    def _is_found(self) -> bool:
        """Whether the packet is where it was opened; otherwise that is said, and where everything is now."""
        try:
            self._book.find_file()
        except StoreError as error:
            self._show_page()
            self.page.show_trouble(str(error))
            return False
        return True

    def _put_aside(self, screen: AnnotateScreen) -> None:
        """What cannot be saved even now is written beside the packet, else in the home folder."""
        unsaved = screen.session.unsaved
        for folder in (self._book.path.absolute().parent, Path.home()) if unsaved else ():
            with contextlib.suppress(OSError):
                put_aside(folder, screen.session.annotator, unsaved)
                return


class SorryWindow(QWidget):
    """Says why a packet cannot be opened to somebody who has no terminal."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self.setWindowTitle(TITLE)
        self.resize(640, 240)
        self.page = PacketPage()
        self.page.show_work("The packet cannot be opened", sentence, "")
        self.page.save.hide()
        stack = QStackedLayout(self)
        stack.addWidget(self.page)


def run_alone(path: Path | None) -> int:
    """Open a packet and run until its window is closed; without a path, ask for one.

    Raises
    ------
    MissingPart
        There is no display.
    UserError
        The packet cannot be opened; a window has said so already.
    """
    require_window()
    application = QApplication(sys.argv[:1])
    ending = Ending(application)
    try:
        return _run_in(application, path)
    finally:
        ending.stop()


def _run_in(application: QApplication, path: Path | None) -> int:
    """What `run_alone` does once there is an application."""
    application.setApplicationName("ContextBias Studio")
    application.setDesktopFileName("contextbias-annotate")
    application.setWindowIcon(QIcon(str(icons.OF_APPLICATION)))
    Theme(application, settings.pinned_theme(), settings.text_scale())
    handed = FileOpening(application)
    if path is None:
        path = handed.wait()
    if path is None:
        path = open_file(None, "Open a packet", "", "Packet (*.packet);;All files (*)")
    if path is None:
        return 0
    try:
        book = PacketBook(path)
    except UserError as error:
        sorry = SorryWindow(str(error))
        sorry.show()
        application.exec()
        raise
    runner, notices = TaskRunner(), Notices()
    notices.catch_uncaught()  # a fault of ours is told; without a terminal nobody would know
    runner.trouble.connect(notices.on_trouble)
    window = AloneWindow(runner, book)
    window.show()
    return application.exec()
