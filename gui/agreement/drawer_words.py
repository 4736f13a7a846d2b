"""What the Agreement drawer says about one number: title, interval, what it rests on, warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gui.agreement.view import AgreementView
from gui.models.agreement_rows import AXIS, GAP, QUESTION, SHORT_NAMES, TOP, AgreementRow, Level, RowKind
from gui.models.number import NO_VALUE, NO_WIDTH, Number, decimals, interval, percent, signed
from gui.models.people import who_sentence
from gui.widgets.number_list import NumberEntry
from gui.words import counted

OF_LABELS = (TOP, QUESTION)
"""Columns that are about the answers, not about agreement."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the drawer shows: a row, a column's key, at a level."""

    row: AgreementRow
    key: str
    level: Level

    @property
    def number(self) -> Number:
        """The number; one without a value where the column holds none."""
        found = self.row.number("pipeline" if self.key == AXIS else self.key)
        return found if found is not None else Number()


def title_of(shown: Shown) -> str:
    """ "age range, Fleiss κ"."""
    if shown.key == QUESTION:
        return shown.row.name
    names = {
        TOP: "most frequent label",
        AXIS: "pipeline with people",
        GAP: "pipeline minus people",
    }
    name = names.get(shown.key) or SHORT_NAMES.get(shown.key, shown.key)
    return f"{shown.row.name}, {name}"


def big_number(shown: Shown) -> str:
    """The one number that is opened."""
    if shown.key in OF_LABELS:
        return percent(shown.row.top_share)
    return signed(shown.number.value) if shown.key == GAP else decimals(shown.number.value)


def ends_words(shown: Shown) -> str:
    """Its interval and how that came about."""
    if shown.key in OF_LABELS:
        return f"of the answers are {shown.row.top_label}" if shown.row.top_share is not None else ""
    if not shown.number.has_interval:
        return ""
    said = f"{interval(shown.number).replace('–', ' to ')}, 95 % bootstrap over image sets"
    return f"{said}; {NO_WIDTH}" if shown.number.has_no_width else said


def rests_on_words(view: AgreementView, shown: Shown, chance: float | None) -> str:
    """Image sets, annotators, what was left out, and the margins that move a κ."""
    number, row, parts = shown.number, shown.row, []
    if number.units and shown.key not in OF_LABELS:
        whole = "image" if shown.level is Level.IMAGE else "image set"
        noun = whole if row.kind is RowKind.QUESTION else "unit"
        left_out = f"{number.excluded} left out" if number.excluded else "none left out"
        parts.append(f"{counted(number.units, noun)}, {counted(len(view.people), 'annotator')}, {left_out}.")
    if row.top_share is not None and shown.key not in OF_LABELS:
        parts.append(f"Largest label {percent(row.top_share)}.")
    if chance is not None:
        parts.append(f"Chance agreement {decimals(chance)}.")
    return " ".join([*parts, f"{who_sentence(view.people)}."])


def warning_words(shown: Shown) -> str:
    """Why there is no number, or why it is fragile."""
    if shown.key in OF_LABELS:
        return ""
    if shown.number.value is None:
        return f"{NO_VALUE} because: {shown.number.reason or 'not computed'}."
    if shown.row.is_dominated and shown.level is Level.CATEGORY and shown.key != "raw_agreement":
        return (
            "One label has nearly all answers, so κ is low or wild although people agree: read raw and AC1."
        )
    return ""


def note_words(shown: Shown) -> str:
    """What is particular about a number that is there."""
    number = shown.number
    if shown.key in OF_LABELS or number.value is None or not number.reason:
        return ""
    return f"{number.reason[0].upper()}{number.reason[1:]}."


def spread(rows: Sequence[AgreementRow], key: str) -> list[NumberEntry]:
    """The questions behind a mean, the lowest first, undefined ones last."""
    made = []
    for row in rows:
        if row.kind is not RowKind.QUESTION:
            continue
        if key in OF_LABELS:
            value, entry = row.top_share, NumberEntry(row.question, row.name, text=percent(row.top_share))
        else:
            number = row.number("pipeline" if key == AXIS else key) or Number()
            value, entry = number.value, NumberEntry(row.question, row.name, number)
        made.append((value is None, value or 0.0, entry))
    return [entry for _, _, entry in sorted(made, key=lambda one: one[:2])]
