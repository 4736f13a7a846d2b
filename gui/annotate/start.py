"""The Annotate page before an annotator sits down: what there is to do, and who does it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui import fonts
from gui.annotate.offers import Offer, Person
from gui.annotate.start_rows import MODES, PersonRow, mode_words
from gui.widgets.about_strip import AboutStrip
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.card import Card, empty_layout
from gui.widgets.segmented import Segmented
from gui.words import counted

WIDEST = 1040


class StartView(QWidget):
    """Says what is here, and asks for a name, or for one of those who began already."""

    begin = Signal(str, str)
    go_to = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(fonts.px(20), 0, fonts.px(16), fonts.px(16))
        outer.setSpacing(fonts.px(12))
        head = QHBoxLayout()
        head.setSpacing(fonts.px(12))
        title = Caption("Annotate", "page_title")
        title.setMinimumHeight(fonts.px(52))
        self._facts = Caption("", "muted")
        self.help = Button("", "quiet", "help", name="What am I looking at?")
        self.about = AboutStrip()
        self.about.layout().setContentsMargins(0, 0, 0, 0)
        self.about.show_page("annotate")
        self.help.clicked.connect(self.about.toggle)
        head.addWidget(title)
        head.addWidget(self.help)
        head.addWidget(self._facts, 1)
        outer.addLayout(head)
        outer.addWidget(self.about)
        self._people = Card("Annotators")
        self._new = Card("Someone new")
        for card in (self._people, self._new):
            card.setMaximumWidth(fonts.px(WIDEST))
            outer.addWidget(card)
        outer.addStretch(1)
        self.name_box = QLineEdit()
        self.name_box.setPlaceholderText("name")
        self.name_box.setAccessibleName("annotator's name")
        self.name_box.setMaxLength(60)
        self.start_button = Button("Start annotating", "primary")
        self.mode_box = Segmented([words for _, words in MODES], "How images are counted")
        self.generate_button = Button("Go to Generate", "primary")
        self._trouble = Caption("", "danger", wraps=True)
        self._note = Caption("", "muted", wraps=True)
        self._fill_new()
        self.start_button.clicked.connect(self._on_start)
        self.name_box.returnPressed.connect(self._on_start)
        self.generate_button.clicked.connect(self._on_generate)

    def _fill_new(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(fonts.px(8))
        row.addWidget(self.name_box, 1)
        row.addWidget(self.start_button)
        body = self._new.body
        body.setSpacing(fonts.px(10))
        body.addWidget(self._note)
        body.addWidget(self.mode_box, 0, Qt.AlignmentFlag.AlignLeft)
        body.addLayout(row)
        body.addWidget(self.generate_button, 0, Qt.AlignmentFlag.AlignLeft)
        body.addWidget(self._trouble)
        self._trouble.hide()

    @property
    def words(self) -> str:
        """What it says about the study; empty until it has been read."""
        return self._note.text()

    def show_offer(self, offer: Offer) -> None:
        """Show what the study offers."""
        self._facts.setText(facts_of(offer))
        self._show_people(offer)
        can_start = offer.sets > 0 and not (offer.round is not None and offer.round.is_locked)
        is_first = offer.round is None
        self._new.set_title("No round yet" if is_first else "Someone new" if can_start else "Nobody new")
        self._note.setText(_note(offer))
        for widget in (self.name_box, self.start_button):
            widget.setVisible(can_start)
        self.mode_box.setVisible(can_start and is_first)
        self.generate_button.setVisible(offer.images == 0)
        if is_first and can_start:
            self.mode_box.choose([mode for mode, _ in MODES].index(offer.count_mode))
        self.set_busy(is_busy=False)

    def _show_people(self, offer: Offer) -> None:
        empty_layout(self._people.body)
        self._people.setVisible(bool(offer.people))
        is_open = offer.round is not None and not offer.round.is_locked
        for person in offer.people:
            row = PersonRow(person, offer.answers, can_open=is_open and not person.annotator.is_simulated)
            row.chosen.connect(self._on_person)
            self._people.body.addWidget(row)

    def show_trouble(self, words: str) -> None:
        """What went wrong, in place."""
        self._trouble.setText(words)
        self._trouble.setVisible(bool(words))
        self.set_busy(is_busy=False)

    def set_busy(self, *, is_busy: bool) -> None:
        """While a session is opened nothing else can be asked for."""
        self._people.setEnabled(not is_busy)
        self._new.setEnabled(not is_busy)
        self.start_button.setText("Opening …" if is_busy else "Start annotating")

    def _on_start(self) -> None:
        name = self.name_box.text().strip()
        if not name:
            self.show_trouble("Type a name first.")
            self.name_box.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._begin(name)

    def _on_person(self, person: Person) -> None:
        self._begin(person.annotator.name)

    def _begin(self, name: str) -> None:
        self.show_trouble("")
        self.set_busy(is_busy=True)
        self.begin.emit(name, MODES[self.mode_box.index][0])

    def _on_generate(self) -> None:
        self.go_to.emit("generate")


def facts_of(offer: Offer) -> str:
    """The line beside the title."""
    if offer.round is None:
        return ""
    parts = [offer.round.name, counted(offer.sets, "set"), counted(offer.questions, "question")]
    parts.append(mode_words(offer.count_mode))
    return ", ".join([*parts, *(["locked"] if offer.round.is_locked else [])])


def _note(offer: Offer) -> str:
    if offer.round is not None:
        if offer.round.is_locked:
            return "The round is locked: it takes no more answers."
        return f"{counted(offer.answers, 'answer')} in all, in an order of their own."
    if offer.images == 0:
        return "No images yet. Ten images of one role, condition and generator make an image set."
    found = counted(offer.images, "image")
    left = "".join(f"\n{reason}." for reason in offer.reasons)
    if offer.sets == 0:
        return f"{found}, and no ten that make an image set.{left}"
    sets = counted(offer.sets, "image set")
    answers = counted(offer.answers, "answer")
    return f"{found} make {sets}; with {counted(offer.questions, 'question')} that is {answers}.{left}"
