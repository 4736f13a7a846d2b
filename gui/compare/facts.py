"""What the comparison of people with the pipeline reads; off the GUI thread, once a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from annotation.compare import Comparison, compare
from gui.agreement.view import AgreementView
from gui.models.coverage import in_words

if TYPE_CHECKING:
    from annotation.compare_images import Answers, ImageSaid, Readings, Said
    from storage.store import Store

TAGS = ("pipeline wrong", "people wrong", "ambiguous image", "guideline gap", "look again")


@dataclass(frozen=True)
class CompareFacts:
    """Everything the view shows of one result."""

    view: AgreementView
    comparisons: tuple[Comparison, ...] = ()
    answers: Answers = field(default_factory=dict)
    readings: Readings = field(default_factory=dict)
    notes: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)

    def images(self, one: Comparison) -> tuple[ImageSaid, ...]:
        """The images of a comparison with marks and readings."""
        from annotation.compare_images import images_of  # there since the facts were read

        return images_of(one, self.answers, self.readings)

    def said(self, one: Comparison) -> tuple[Said, ...]:
        """What each annotator answered."""
        return self.answers.get(one.place, ())

    def letters(self) -> dict[str, str]:
        """A letter for each annotator, in their order."""
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        return {person.name: alphabet[at % 26] for at, person in enumerate(self.view.people)}

    def number(self, one: Comparison) -> int:
        """Number of the image set on this page."""
        return self.view.numbers_of_sets.get(one.image_set.key, 0)


def read_facts(store: Store, view: AgreementView) -> CompareFacts:
    """Compare, index marks and readings, and read the notes."""
    from annotation.compare_images import answers_by_place, readings_by_place

    answers, pipeline, readings = view.frames
    extractor = view.settings.extractor or ""
    sets = tuple(view.image_sets.values())
    return CompareFacts(
        view,
        compare(view.tables["consensus"], pipeline, sets, view.questions),
        answers_by_place(answers, view.questions),
        readings_by_place(readings),
        store.comparison_notes(view.settings.round_id, extractor),
    )


def label_words(one: Comparison, label: str) -> str:
    """A label as the question names it.

    Labels of open questions are in the annotators' own words already.
    """
    named = (option.name for option in one.question.options if option.id == label)
    return next(named, "") or in_words(label)


def side_words(one: Comparison, *, is_pipeline: bool) -> str:
    """One side in a few words: "young adult 7", "mixed", "unknown"."""
    side = one.pipeline if is_pipeline else one.people
    if not side.label:
        return {"tie": "mixed"}.get(side.how, side.how)
    count = "" if side.count is None else f" {count_words(side.count)}"
    return f"{label_words(one, side.label)}{count}"


def count_words(count: float) -> str:
    """A whole count, or a mean with one decimal.

    >>> count_words(7.0), count_words(20 / 3)
    ('7', '6.7')
    """
    return str(int(count)) if count == int(count) else f"{count:.1f}"


def detail_words(one: Comparison, *, is_pipeline: bool) -> str:
    """How a side came to its answer: its votes, or the labels of a tie."""
    side = one.pipeline if is_pipeline else one.people
    of = len(one.image_set.images)
    count = "" if side.count is None else f"on {count_words(side.count)} of {of} images, "
    said = {"mode": "the label of most images"}.get(side.how, side.how)
    more = in_words(side.detail.replace(" | ", " and "))
    votes = ": " if is_pipeline else ", votes "
    return f"{count}{said}{votes + more if more else ''}"
