"""Panels of the drawer: each person left out, the second opinion on labels, differences of counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.agreement.view import COMPARED_BY, ENDINGS, LEVEL_NAMES, AgreementView
from gui.fonts import px
from gui.models.agreement_rows import Level
from gui.models.coverage import in_words
from gui.models.number import Number, percent
from gui.models.people import short_names
from gui.widgets.caption import Caption
from gui.widgets.difference_plot import DifferencePlot
from gui.widgets.number_list import NumberEntry, NumberList
from gui.words import counted, thousands

if TYPE_CHECKING:
    from annotation.second_opinion import SecondOpinion
    from gui.models.differences import Differences

DIFFERS, DECIDES = "differs", "decides"
ABOUT = (
    "Dawid and Skene's model weighs each person by how often the answers suggest an error; the consensus "
    "counts all alike and stays what it is."
)


class LeaveOneOutPanel(QWidget):
    """Each person with the rest, and the pipeline in that person's place on the same image sets.

    `place_wanted(name, is_pipeline)` when a person wants to see where one of them differs from the rest.
    """

    place_wanted = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._places: dict[str, tuple[str, bool]] = {}
        self.title = Caption("Each person left out in turn", "strong")
        self.numbers = NumberList("Each person left out in turn")
        self.verdict = Caption("", "muted", wraps=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(4), 0, px(4))
        column.setSpacing(px(4))
        for widget in (self.title, self.numbers, self.verdict):
            column.addWidget(widget)
        self.numbers.chosen.connect(self._on_chosen)

    def show_question(self, view: AgreementView, question: str, level: Level) -> None:
        """Show the numbers of a question, or of the mean, which is only read; hidden where there are none."""
        entries, ahead, compared = left_out_entries(view, question, level)
        short = short_names(view.people)
        self._places = {
            f"{short[person.name]} {who}": (person.name, who == "pipeline")
            for person in view.people
            for who in ("own", "pipeline")
        }
        self.numbers.set_read_only(is_read_only=view.question(question) is None)
        self.numbers.show_entries(entries)
        self.verdict.setText(_verdict(ahead, compared))
        self.verdict.setVisible(bool(compared))
        self.setVisible(bool(entries))

    def _on_chosen(self, key: str) -> None:
        self.numbers.show_entries(self.numbers.entries, key)
        self.place_wanted.emit(*self._places[key])


def left_out_entries(view: AgreementView, question: str, level: Level) -> tuple[list[NumberEntry], int, int]:
    """Lines of the panel; in how many places the pipeline is no worse than the person, of how many."""
    by, word, ending = COMPARED_BY[level], LEVEL_NAMES[level], ENDINGS.get(level, "")
    short, entries, ahead, compared = short_names(view.people), [], 0, 0
    for person in view.people:
        scopes = (f"{person.name} with the rest", f"pipeline in the place of {person.name}")
        own, machine = (view.numbers.get((question, scope + ending, by, word)) for scope in scopes)
        if own is None:
            continue
        name = short[person.name]
        entries.append(NumberEntry(f"{name} own", f"{name} with the rest", own))
        if machine is None:
            continue
        is_ahead = _no_worse(machine, own, level)
        entries.append(
            NumberEntry(f"{name} pipeline", f"pipeline in {name}’s place", machine, is_bold=bool(is_ahead))
        )
        compared += is_ahead is not None
        ahead += bool(is_ahead)
    return entries, ahead, compared


def _no_worse(machine: Number, own: Number, level: Level) -> bool | None:
    if machine.value is None or own.value is None:
        return None
    if level is Level.COUNT:  # a difference of counts: less is better
        return machine.value <= own.value
    return machine.value >= own.value


def _verdict(ahead: int, compared: int) -> str:
    if not compared:
        return ""
    return (
        f"The pipeline agrees with the rest at least as well as the person left out in {ahead} of "
        f"{counted(compared, 'place')} (bold); whether that is more than chance says the interval of the gap."
    )


class SecondOpinionPanel(QWidget):
    """`sets_wanted(heading, keys)` when a person wants to see the image sets behind a line."""

    sets_wanted = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self._found: SecondOpinion | None = None
        self.title = Caption("Second opinion on the labels", "strong")
        self.about = Caption(ABOUT, "muted", wraps=True)
        self.sets = NumberList("Image sets where it differs")
        self.people = NumberList("Estimated share of right answers", is_read_only=True)
        self.reason = Caption("", "warn", wraps=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(8), 0, px(4))
        column.setSpacing(px(4))
        for widget in (self.title, self.about, self.sets, self.people, self.reason):
            column.addWidget(widget)
        self.sets.chosen.connect(self._on_chosen)

    def show_opinion(self, view: AgreementView, found: SecondOpinion) -> None:
        """Show what the model makes of a question."""
        self._found = found
        self.sets.setVisible(found.is_defined)
        self.people.setVisible(found.is_defined)
        said = f"{found.reason[:1].upper()}{in_words(found.reason[1:])}." if found.reason else ""
        self.reason.setText(said if found.is_defined else f"None, because: {found.reason}.")
        self.reason.setVisible(bool(found.reason))
        whole = max(len(view.image_sets), 1)
        self.sets.show_entries(
            [
                _share(DIFFERS, "another label than the consensus", len(found.differs), whole),
                _share(DECIDES, "a label where there is no consensus", len(found.decides), whole),
            ]
        )
        short, accuracy = short_names(view.people), found.accuracy or {}
        self.people.show_entries(
            [
                NumberEntry(name, f"{short.get(name, name)}: estimated right", None, percent(share), share)
                for name, share in accuracy.items()
            ]
        )

    def _on_chosen(self, key: str) -> None:
        if self._found is None:
            return
        keys: Sequence[str] = self._found.differs if key == DIFFERS else self._found.decides
        self.sets.show_entries(self.sets.entries, key)
        words = "the second opinion is another label" if key == DIFFERS else "only the second opinion decides"
        self.sets_wanted.emit(f"{counted(len(keys), 'image set')} where {words}", tuple(keys))


def _share(key: str, name: str, number: int, whole: int) -> NumberEntry:
    return NumberEntry(key, name, None, f"{thousands(number)} of {thousands(whole)}", number / whole)


class DifferencesPanel(QWidget):
    """Counts as Bland and Altman plot them; `sets_wanted(heading, keys)` for the sets behind a dot."""

    sets_wanted = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.title = Caption("Differences of counts (Bland–Altman)", "strong")
        self.plot = DifferencePlot()
        self.words = Caption("", "muted", wraps=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(4), 0, px(4))
        column.setSpacing(px(4))
        for widget in (self.title, self.plot, self.words):
            column.addWidget(widget)
        self.plot.chosen.connect(self._on_chosen)

    def show_differences(self, found: Differences | None) -> None:
        """Show them; hidden where there are none."""
        self.setVisible(found is not None)
        if found is not None:
            self.plot.show_differences(found)
            self.words.setText(f"{found.sentence} Solid: mean, broken: limits. A dot opens its image sets.")

    def _on_chosen(self, at: int) -> None:
        shown = self.plot.shown
        if shown is not None:
            self.sets_wanted.emit(shown.dot_words(at).capitalize(), shown.dots[at].keys)
