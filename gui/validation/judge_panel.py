"""A person judges whether what a prompt states was drawn: one image large, three keys, kept at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from core.records import StoredImage
from core.validation.judging import Judging, Verdict
from gui.annotate.key_dispatcher import key_name
from gui.extract.picture import Picture
from gui.fonts import px
from gui.models.coverage import in_words
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.option_button import OptionButton
from gui.widgets.progress_bar import ProgressBar
from gui.words import counted, key_words, thousands

if TYPE_CHECKING:
    from gui.tasks import Query

WIDE = 300
OPTIONS = (
    (Verdict.DRAWN, "1", "Drawn", "The picture shows what is stated."),
    (Verdict.NOT_DRAWN, "2", "Not drawn", "The picture shows something else, or not that."),
    (Verdict.CANNOT_TELL, "3", "Cannot tell", "It is hidden, or one person would see it and another not."),
)
BLIND = (
    "Judge by the picture alone: neither the occupation nor what the extractor said is shown, and the order "
    "is mixed."
)
KEYS = "1 2 3 judge and go on, ← → look at the one before or after, N the next open one, Ctrl+Z takes back."


class Stage(QWidget):
    """The picture in the middle of an achromatic ground."""

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self.picture = picture
        row = QVBoxLayout(self)
        row.setContentsMargins(px(12), px(12), px(12), px(12))
        row.addWidget(picture, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground."""
        QPainter(self).fillRect(self.rect(), palette().stage)


class JudgePanel(QWidget):
    """`changed` when a judgement was kept, `failed(str)` when one could not be; `finished` for the scores."""

    changed = Signal()
    failed = Signal(str)
    finished = Signal()

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._query: Query | None = None
        self.judging: Judging | None = None
        self.at = 0
        self.picture = Picture(studio, read=self.read, is_centred=True)
        self.count, self.bar = Caption("", "strong"), ProgressBar("Judged")
        self.question = Caption("Was this drawn?", "muted")
        self.words, self.about = Caption("", "number", wraps=True), Caption("", "muted", wraps=True)
        self.options = {one: OptionButton() for one, *_ in OPTIONS}
        self.back, self.further = Button("Before", "quiet", key="←"), Button("After", "quiet", key="→")
        self.undo = Button("Take back", "quiet", "undo", key="Ctrl+Z")
        self.saved = Caption("", "muted", wraps=True)
        self.scores = Button("See the scores", "primary")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Judge what was drawn")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        side = QFrame()
        side.setProperty("kind", "card")
        side.setFixedWidth(px(WIDE))
        column = QVBoxLayout(side)
        column.setContentsMargins(px(16), px(14), px(16), px(14))
        column.setSpacing(px(8))
        for widget in (self.count, self.bar, self.question, self.words, self.about):
            column.addWidget(widget)
        for verdict, key, name, tip in OPTIONS:
            button = self.options[verdict]
            is_unknown = verdict is Verdict.CANNOT_TELL
            button.show_option(verdict.value, name, key, tip, is_unknown=is_unknown)
            column.addSpacing(px(8) if is_unknown else 0)
            column.addWidget(button)
        steps = QHBoxLayout()
        for step in (self.back, self.further, self.undo):
            steps.addWidget(step)
        steps.addStretch(1)
        column.addLayout(steps)
        column.addWidget(self.saved)
        column.addWidget(self.scores, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        column.addWidget(Caption(BLIND, "muted", wraps=True))
        column.addWidget(Caption(key_words(KEYS), "muted", wraps=True))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(12))
        row.addWidget(Stage(self.picture), 1)
        row.addWidget(side)

    def _connect(self) -> None:
        for verdict, button in self.options.items():
            button.clicked.connect(_judging(self, verdict))
        self.back.clicked.connect(self.go_back)
        self.further.clicked.connect(self.go_on)
        self.undo.clicked.connect(self.take_back)
        self.scores.clicked.connect(self.finished)

    def read(self, image: StoredImage) -> bytes:
        """The encoded file of an image; in a pool thread."""
        judging = self.judging
        if judging is None:
            raise FileNotFoundError(image.path)
        return Path(judging.path.parent / image.path).read_bytes()

    # -- what is shown ----------------------------------------------------------------------------

    def show_judging(self, judging: Judging) -> None:
        """Begin, or go on, at the first image without a judgement."""
        self.judging = judging
        self.saved.setText(f"{counted(judging.judged, 'judgement')} kept." if judging.judged else "")
        self._go(judging.next_open() or 0)
        self.setFocus()

    def _go(self, at: int) -> None:
        judging = self.judging
        if judging is None or not judging.cases:
            return
        self.at = min(max(at, 0), len(judging.cases) - 1)
        case = judging.cases[self.at]
        # Neither for the eye nor for a screen reader: the prompt names the occupation.
        self.picture.show_image(replace(case.image, prompt=case.words, role=""))
        self.words.setText(case.words)
        self.about.setText(in_words(case.stated.dimension))
        self._show_state()

    def _show_state(self) -> None:
        judging = self.judging
        if judging is None:
            return
        done, whole, verdict = judging.judged, len(judging.cases), judging.verdict(self.at)
        self.count.setText(f"{thousands(done)} of {thousands(whole)} judged")
        self.bar.set_progress(done, whole)
        for one, button in self.options.items():
            button.setChecked(one is verdict)
        self.back.setEnabled(self.at > 0)
        self.further.setEnabled(self.at + 1 < whole)
        self.undo.setEnabled(judging.can_undo)
        self.scores.setVisible(done == whole > 0)
        said = f", {verdict}" if verdict else ", not judged"
        self.setAccessibleDescription(f"Image {self.at + 1} of {whole}: {self.words.text()}{said}")

    # -- acts -------------------------------------------------------------------------------------

    def judge(self, verdict: Verdict) -> None:
        """Keep what a person saw, and go to the next image without a judgement."""
        judging = self.judging
        if judging is None or not judging.cases:
            return
        self._keep(judging.judge(self.at, verdict, datetime.now(UTC).isoformat()))
        following = judging.next_open(self.at)
        if following is None:
            self._show_state()
        else:
            self._go(following)

    def take_back(self) -> None:
        """Take the newest judgement of this window back and show its image."""
        found = self.judging.undo(datetime.now(UTC).isoformat()) if self.judging is not None else None
        if found is not None:
            at, save = found
            self._keep(save)
            self._go(at)

    def go_back(self) -> None:
        """Look at the image before."""
        self._go(self.at - 1)

    def go_on(self) -> None:
        """Look at the image after."""
        self._go(self.at + 1)

    def go_to_open(self) -> None:
        """Go to the next image without a judgement."""
        following = self.judging.next_open(self.at) if self.judging is not None else None
        if following is not None:
            self._go(following)

    def _keep(self, save: Callable[[], bool]) -> None:
        self.saved.setText("saving …")
        self._studio.query(save, self._on_saved, self._on_not_saved)

    def _on_saved(self, is_newest: bool) -> None:
        if is_newest and self.judging is not None:
            others = self.judging.news()
            said = f" Another window judged {counted(others, 'image')} meanwhile." if others else ""
            self.saved.setText(f"Saved at {datetime.now().astimezone():%H:%M:%S}.{said}")
            self._show_state()
            self.changed.emit()

    def _on_not_saved(self, error: Exception) -> None:
        self.saved.setText("Not saved. The next judgement saves all of them.")
        self.failed.emit(str(error))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys judge and move; nothing needs the pointer."""
        acts: dict[str, Callable[[], None]] = {
            "Left": self.go_back,
            "Right": self.go_on,
            "N": self.go_to_open,
            "Ctrl+Z": self.take_back,
            "Backspace": self.take_back,
            **{key: _judging(self, verdict) for verdict, key, *_ in OPTIONS},
        }
        name = key_name(event)
        act = acts.get(name)
        if act is None:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat() or name in ("Left", "Right"):
            act()


def _judging(panel: JudgePanel, verdict: Verdict) -> Callable[[], None]:
    def judge() -> None:
        panel.judge(verdict)

    return judge
