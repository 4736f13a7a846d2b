"""Panel of the drawer: each person with themselves, and the image sets that were answered twice."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.agreement.counting import chip_words
from gui.agreement.repeats import AGAIN, PEOPLE_AGAIN
from gui.agreement.view import ALL, AgreementView, Given
from gui.fonts import px
from gui.models.agreement_rows import Level
from gui.models.people import short_names
from gui.widgets.caption import Caption
from gui.widgets.number_list import NumberEntry, NumberList
from gui.widgets.set_list import SetEntry
from gui.words import counted

Pair = tuple[Given, Given]
"""What a person answered at first and the second time."""


class AgainPanel(QWidget):
    """`sets_wanted(heading, entries)` when somebody wants to see what was answered twice."""

    sets_wanted = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self._view: AgreementView | None = None
        self._question, self._level = ALL, Level.CATEGORY
        self.title = Caption("People with themselves", "strong")
        self.numbers = NumberList("People with themselves")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(4), 0, px(4))
        column.setSpacing(px(4))
        column.addWidget(self.title)
        column.addWidget(self.numbers)
        self.numbers.chosen.connect(self.choose)

    def show_question(self, view: AgreementView, question: str, level: Level) -> None:
        """Show the numbers of a question ("ALL": of all); hidden where nobody answered twice."""
        self._view, self._question, self._level = view, question, level
        entries = again_entries(view, question, level)
        self.title.setText(
            "People with themselves, mean difference of counts"
            if level is Level.COUNT
            else "People with themselves, share of the same label"
        )
        self.numbers.show_entries(entries)
        self.setVisible(bool(entries))

    def choose(self, key: str) -> None:
        """Open the image sets behind a line: those of a person, or of everybody."""
        if self._view is None or key not in {one.key for one in self.numbers.entries}:
            return
        self.numbers.show_entries(self.numbers.entries, key)
        names = [one.name for one in self._view.people] if key == PEOPLE_AGAIN else [key]
        self.sets_wanted.emit(*answered_twice(self._view, self._question, names, self._level))


def again_entries(view: AgreementView, question: str, level: Level) -> list[NumberEntry]:
    """One line for everybody together and one a person who answered something twice."""
    by, word = ("mean_absolute_error", "interval") if level is Level.COUNT else ("raw_agreement", "nominal")
    short, entries = short_names(view.people), []
    for person in view.people:
        number = view.numbers.get((question, f"{person.name} {AGAIN}", by, word))
        if number is not None and number.value is not None:
            entries.append(NumberEntry(person.name, short[person.name], number))
    together = view.numbers.get((question, PEOPLE_AGAIN, by, word))
    if together is not None and len(entries) > 1:
        entries.insert(0, NumberEntry(PEOPLE_AGAIN, "mean over people", together))
    return entries


def pairs_of(view: AgreementView, question: str, name: str, level: Level) -> dict[str, Pair]:
    """The two answers of a person to each image set that was shown twice, as far as they are compared."""
    found = {}
    for key, by_person in view.second.get(question, {}).items():
        first, again = view.given.get(question, {}).get(key, {}).get(name), by_person.get(name)
        if first is not None and again is not None and _is_compared(view, first, again, level):
            found[key] = (first, again)
    return found


def _is_compared(view: AgreementView, first: Given, again: Given, level: Level) -> bool:
    if level is Level.COUNT:
        return first.label == again.label and first.slider is not None and again.slider is not None
    return all(view.is_used(one) for one in (first, again))


def is_other(pair: Pair, level: Level) -> bool:
    """Whether the second answer is another one than the first."""
    first, again = pair
    return first.slider != again.slider if level is Level.COUNT else first.label != again.label


def answered_twice(
    view: AgreementView, question: str, names: Sequence[str], level: Level
) -> tuple[str, tuple[SetEntry, ...]]:
    """A heading, and the image sets that these people answered twice, those answered otherwise first."""
    asked = [one.id for one in view.questions] if question == ALL else [question]
    found = {(one, name): pairs_of(view, one, name, level) for one in asked for name in names}
    keys = [key for key in view.image_sets if any(key in pairs for pairs in found.values())]
    differ = {key for pairs in found.values() for key, pair in pairs.items() if is_other(pair, level)}
    short = short_names(view.people)
    who = short[names[0]] if len(names) == 1 else "somebody"
    what = "counted" if level is Level.COUNT else "answered"
    heading = f"{counted(len(keys), 'image set')} {what} twice, {len(differ)} otherwise by {who}"
    entries = []
    for key in sorted(keys, key=lambda one: one not in differ):
        said: list[tuple[str, str]] = []
        for name in names:
            own = {one: found[one, name][key] for one in asked if key in found[one, name]}
            said += _said(view, question, short[name], own, level)
        image_set = view.image_sets[key]
        entries.append(SetEntry(key, f"Set {view.numbers_of_sets[key]}", tuple(said), image_set.images))
    return heading, tuple(entries)


def _said(
    view: AgreementView, question: str, name: str, pairs: dict[str, Pair], level: Level
) -> list[tuple[str, str]]:
    """Both answers to one question; of all questions, how many came out the same."""
    if question == ALL:
        same = sum(not is_other(pair, level) for pair in pairs.values())
        return [(name, f"{same} of {len(pairs)} the same")] if pairs else []
    if question not in pairs:
        return []
    first, again = pairs[question]
    asked = view.question(question)
    return [
        (name, chip_words(first, asked, level)),
        (f"{name} {AGAIN}", chip_words(again, asked, level)),
    ]
