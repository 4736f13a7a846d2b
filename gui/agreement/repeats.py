"""People with themselves: what the second answers to sets that were shown twice say, in a sentence."""

from __future__ import annotations

from gui.agreement.view import AgreementView
from gui.models.agreement_rows import Level
from gui.models.number import Number, decimals, interval, percent
from gui.models.people import short_names
from gui.words import counted

AGAIN, PEOPLE_AGAIN = "again", "people again"
CEILING = "What a person does not repeat, no second person can be expected to match."


def again_words(view: AgreementView, question: str, level: Level) -> str:
    """How far people agree with themselves on a question ("ALL": on all), "" where nobody answered twice.

    Single images have no second answers of their own; the whole sets' are told instead.
    """
    found = view.numbers.get((question, PEOPLE_AGAIN, "raw_agreement", "nominal"))
    each = {
        person.name: number
        for person in view.people
        if (number := view.numbers.get((question, f"{person.name} {AGAIN}", "raw_agreement", "nominal")))
        is not None
        and number.value is not None
    }
    if found is None or found.value is None or not each:
        return ""
    pairs = counted(sum(number.units for number in each.values()), "answer")
    head = f"People with themselves, {pairs} given twice by {counted(len(each), 'person', 'people')}:"
    said = _of_counts(view, question) if level is Level.COUNT else _of_labels(view, question, found)
    return f"{head} {said} {_by_person(view, each)}{CEILING}"


def _of_labels(view: AgreementView, question: str, raw: Number) -> str:
    kappa = view.numbers.get((question, PEOPLE_AGAIN, "cohen_kappa", "nominal"), Number())
    parts = [f"the same label {percent(raw.value)} of the time{_ends(raw)}"]
    if kappa.value is not None:
        parts.append(f"κ {decimals(kappa.value)}{_ends(kappa)}")
    return f"{', '.join(parts)}."


def _of_counts(view: AgreementView, question: str) -> str:
    gap, near = (
        view.numbers.get((question, PEOPLE_AGAIN, statistic, "interval"), Number())
        for statistic in ("mean_absolute_error", "within_one")
    )
    if gap.value is None:
        return "no count of the same label was given twice."
    said = f"counts of the same label differ by {decimals(gap.value)} images on average{_ends(gap)}"
    return f"{said}, {percent(near.value)} by one at most." if near.value is not None else f"{said}."


def _ends(number: Number) -> str:
    return f" ({interval(number)})" if number.has_interval else ""


def _by_person(view: AgreementView, each: dict[str, Number]) -> str:
    """Each person's share, while they are few enough to read."""
    if not 2 <= len(each) <= 6:
        return ""
    short = short_names(view.people)
    return f"{', '.join(f'{short[name]} {percent(number.value)}' for name, number in each.items())}. "
