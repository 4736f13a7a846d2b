"""The counts table of two sides for one question, and the image sets of one of its cells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from core.questions import Question, key_at
from core.records import UNKNOWN
from gui.agreement.view import AgreementView, Given
from gui.models.agreement_rows import Level
from gui.models.contingency import Category, Contingency, contingency
from gui.models.coverage import in_words
from gui.models.people import short_names
from gui.widgets.set_list import SetEntry
from gui.words import counted

if TYPE_CHECKING:
    from annotation.second_opinion import SecondOpinion
    from gui.models.differences import Differences

CONSENSUS, PIPELINE = "consensus", "pipeline"


def count_labels(view: AgreementView, question: Question, a: str, b: str) -> Contingency:
    """Labels of two sides by image set, as `annotation.agreement` counts them; call it off the GUI thread."""
    from annotation.agreement import contingency as table_of

    answers, pipeline, _ = view.frames
    unknown: Any = view.settings.unknown
    return _in_words(
        view, question, a, b, table_of(answers, question, a, b, pipeline=pipeline, unknown=unknown)
    )


def count_images(view: AgreementView, question: Question, a: str, b: str) -> Contingency:
    """Single images by what two sides say of them, where they chose the same label for the set."""
    from annotation.image_counts import image_contingency

    answers, pipeline, readings = view.frames
    unknown: Any = view.settings.unknown
    frames = {"pipeline": pipeline, "readings": readings, "unknown": unknown}
    table = image_contingency(answers, question, a, b, **frames)
    categories = tuple(
        Category(label, _SIGNS.get(label, "–"), _name(label, {}), label.startswith("("))
        for label in table.labels
    )
    return Contingency(side_name(view, a), side_name(view, b), categories, dict(table.image_sets), 0, "image")


def differences_on(view: AgreementView, question: Question, a: str, b: str) -> Differences | None:
    """Differences of the counts of two sides; None where the tables hold no such pair."""
    from gui.models.differences import differences_of

    table = view.tables["counts"]
    scope = "pipeline" if (a, b) == (CONSENSUS, PIPELINE) else f"{a} and {b}"
    used = table[(table["question"] == question.id) & (table["scope"] == scope)]
    if used.empty:
        return None
    short = short_names(view.people)
    who = "pipeline minus consensus" if scope == "pipeline" else f"{short[b]} minus {short[a]}"
    rows = zip(used["image_set"], used["first"], used["second"], strict=True)
    return differences_of([(str(key), float(one), float(two)) for key, one, two in rows], who)


def opinion_on(view: AgreementView, question: Question) -> SecondOpinion:
    """The second opinion on a question's labels; call it off the GUI thread."""
    from annotation.second_opinion import second_opinion

    return second_opinion(view.frames[0], question, view.settings.unknown)


_SIGNS = {"not shown": "○", "shown": "●", "(tied)": "~"}


def _in_words(view: AgreementView, question: Question, a: str, b: str, table: Any) -> Contingency:
    names = {option.id: option.name for option in question.options}
    number = {option: at for at, option in enumerate(question.option_ids)}
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    categories = tuple(
        Category(label, _key(label, number) or next(letters, ""), _name(label, names), label.startswith("("))
        for label in table.labels
    )
    everybody = len(view.image_sets)
    total = int(table.matrix.sum())
    return Contingency(
        side_name(view, a), side_name(view, b), categories, dict(table.image_sets), everybody - total
    )


def count_counts(view: AgreementView, question: Question, a: str, b: str) -> Contingency:
    """Counts 0–10 of two sides where both chose the same label."""
    pairs = []
    for key in view.image_sets:
        one, two = _side(view, question.id, key, a), _side(view, question.id, key, b)
        same = one is not None and two is not None and one.label == two.label and one.label != ""
        if one is not None and two is not None and same:
            pairs.append((key, _count(one), _count(two)))
        else:
            pairs.append((key, "", ""))
    categories = [Category(str(number), str(number), str(number)) for number in range(11)]
    return contingency(side_name(view, a), side_name(view, b), pairs, categories)


COUNTED_BY = {Level.CATEGORY: count_labels, Level.COUNT: count_counts, Level.IMAGE: count_images}


def apart_from_the_rest(
    view: AgreementView, question: Question, level: Level, name: str, *, is_pipeline: bool
) -> tuple[str, tuple[str, ...]]:
    """A heading, and the image sets where a person, or the pipeline in that place, differs from anybody left.

    They are those off the diagonal of the counts tables with each of the others; call it off the GUI thread.
    """
    apart: set[str] = set()
    for other in (person.name for person in view.people if person.name != name):
        table = COUNTED_BY[level](view, question, other, PIPELINE if is_pipeline else name)
        apart.update(key for (one, two), keys in table.sets.items() if one != two for key in keys)
    short = short_names(view.people)[name]
    who = f"the pipeline, in {short}’s place, differs from" if is_pipeline else f"{short} differs from"
    keys = tuple(key for key in view.image_sets if key in apart)
    return f"{counted(len(keys), 'image set')} where {who} anybody else", keys


def side_name(view: AgreementView, who: str) -> str:
    """A side as the head of the table says it."""
    if who == CONSENSUS:
        return "consensus"
    if who == PIPELINE:
        return f"pipeline ({view.settings.extractor})"
    person = next((one for one in view.people if one.name == who), None)
    return person.full_name if person is not None else who


def entries_of(
    view: AgreementView, question: Question, keys: Iterable[str], level: Level
) -> tuple[SetEntry, ...]:
    """The image sets with what everybody said about them."""
    short, names = short_names(view.people), {option.id: option.name for option in question.options}
    made = []
    for key in dict.fromkeys(keys):
        image_set = view.image_sets.get(key)
        if image_set is None:
            continue
        given = view.given.get(question.id, {}).get(key, {})
        said = [
            (short[person.name], _said(given.get(person.name), names, level))
            for person in view.people
            if person.name in given
        ]
        machine = view.pipeline.get(question.id, {}).get(key)
        if machine is not None:
            said.append((PIPELINE, _said(machine, names, level)))
        title = f"Set {view.numbers_of_sets[key]}"
        made.append(SetEntry(key, title, tuple(said), image_set.images))
    return tuple(made)


def chip_words(given: Given, question: Question | None, level: Level) -> str:
    """An answer as it stands beside who gave it."""
    names = {option.id: option.name for option in question.options} if question is not None else {}
    return _said(given, names, level)


def _said(given: Given | None, names: dict[str, str], level: Level) -> str:
    if given is None:
        return "no answer"
    label = _name(given.label, names) if given.label else _HOW.get(given.how, given.how)
    if level is not Level.CATEGORY:
        return f"{label} {_count(given) or 'not counted'}"
    return label


_HOW = {"tie": "mixed"}


def _count(given: Given) -> str:
    return "" if given.slider is None else str(round(given.slider))


def _side(view: AgreementView, question: str, key: str, who: str) -> Given | None:
    if who == CONSENSUS:
        return view.consensus.get(question, {}).get(key)
    if who == PIPELINE:
        return view.pipeline.get(question, {}).get(key)
    return view.given.get(question, {}).get(key, {}).get(who)


_STATES = {
    "(unresolved)": "?",
    "(mixed)": "~",
    "(no usable image)": "∅",
    "(no answer)": "–",
    "(no pipeline answer)": "–",
}


def _key(label: str, number: dict[str, int]) -> str:
    """The key that chooses a label on the annotation screen, or a sign for what is no label."""
    if label == UNKNOWN:
        return "U"
    if label in number:
        return key_at(number[label]) or ""
    return _STATES.get(label, "")


def _name(label: str, names: dict[str, str]) -> str:
    return names.get(label, in_words(label)).removeprefix("(").removesuffix(")")
