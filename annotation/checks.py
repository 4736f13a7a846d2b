"""What keeps an answer from being confirmed, and what is asked about once.

Hard checks (`missing_of`) leave the question open and say which part is missing. Soft checks give a
`Warning`: the annotator keeps the answer or changes it, and either is logged. No check ever changes an
answer. Checks that compare questions run when the last question of a set is confirmed, so that no warning
can steer an answer that is still to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.answering import BY_KEY, BY_POINTER, FROM_MARKS, QuestionState
from annotation.descriptors import LONGEST, SHORTEST, is_usable
from core.amounts import are_counted
from core.questions import Question
from core.records import IMAGES_PER_SET, Answer

CATEGORY, DESCRIPTOR, COUNT = "category", "descriptor", "count"
"""The parts of an answer that can be missing."""

SOURCES = (FROM_MARKS, BY_POINTER, BY_KEY)


@dataclass(frozen=True, slots=True)
class SoftWarning:
    """One thing to look at again: `check` is its id in the log, `question` where a change would be made."""

    check: str
    sentence: str
    question: str


@dataclass(frozen=True, slots=True)
class Exclusion:
    """An image with `label` in `question` cannot have a label in `other`."""

    question: str
    label: str
    other: str


EXCLUSIONS = (
    Exclusion("hair_style", "none", "hair_color"),
    Exclusion("hair_present", "no", "hair_style"),
    Exclusion("hair_present", "no", "hair_color"),
    Exclusion("facial_hair_style", "none", "facial_hair_color"),
    Exclusion("facial_hair_present", "no", "facial_hair_style"),
    Exclusion("eyewear_present", "no", "eyewear_type"),
    Exclusion("head_covering_present", "no", "head_covering_type"),
)
"""Those whose two questions a study does not both ask never fire."""

_NOTHING_THERE = ("none", "no")


def missing_of(question: Question, answer: Answer) -> tuple[str, ...]:
    """The parts that an answer still needs before it can be confirmed; empty when it is complete.

    A count of 0 is an act and is stored, but a category that none of the images shows is not their most
    common one, so the count stays open until it is 1 or more or the answer is unknown.
    """
    if answer.is_unknown:
        return ()
    missing = []
    if question.is_open and not is_usable(answer.label):
        missing.append(DESCRIPTOR)
    elif answer.label is None:
        missing.append(CATEGORY)
    if answer.slider is None or (answer.slider == 0 and answer.label is not None):
        missing.append(COUNT)
    return tuple(missing)


def open_sentence(question: Question, answer: Answer) -> str:
    """What stands beside Confirm while the answer is open; empty when it is complete."""
    missing = missing_of(question, answer)
    if not missing:
        return ""
    sentence = f"Still open: {', '.join(missing)}."
    if DESCRIPTOR in missing and answer.label is not None:
        sentence += f" A descriptor has {SHORTEST} to {LONGEST} characters, a letter or digit among them."
    if COUNT in missing and answer.slider == 0:
        sentence += " None of the images shows it: choose another answer, or unknown."
    return sentence


def question_warnings(question: Question, state: QuestionState, n: int = IMAGES_PER_SET) -> list[SoftWarning]:
    """Soft checks of one complete answer on a set of `n` images."""
    found = (_unknown_marked(state), _count_too_low(question, state, n), _other_marked_more(question, state))
    return [SoftWarning(check, sentence, question.id) for check, sentence in filter(None, found)]


UNSEEN = "not shown at "
"""Check of an answer that was given although some images could not be shown; their positions follow."""


def unseen_warning(question: Question, places: Iterable[int], order: Sequence[int]) -> SoftWarning | None:
    """Asks once whether an answer stays that was given without seeing all images; None when all were seen.

    `places` count from 0 as they stand on the screen, and the sentence says them from 1; the log names the
    positions in the image set (`order` of the places), as `marks` does.
    """
    places = sorted(places)
    numbers = [str(place + 1) for place in places]
    if not numbers:
        return None
    if len(numbers) == 1:
        sentence = f"Picture {numbers[0]} cannot be shown, so this answer is about the others."
    else:
        said = f"{', '.join(numbers[:-1])} and {numbers[-1]}"
        sentence = f"Pictures {said} cannot be shown, so this answer is about the others."
    positions = " ".join(str(one) for one in sorted(order[place] for place in places))
    return SoftWarning(UNSEEN + positions, sentence, question.id)


def set_warnings(
    questions: Sequence[Question], answers: Mapping[str, Answer], n: int = IMAGES_PER_SET
) -> list[SoftWarning]:
    """Soft checks between the questions of one set, once all of them are confirmed."""
    names = {question.id: question for question in questions}
    return list(_broken_exclusions(names, answers, n))


def _unknown_marked(state: QuestionState) -> tuple[str, str] | None:
    number = len(state.answer.marks)
    if not state.answer.is_unknown or number == 0:
        return None
    return "unknown-with-marks", f"The answer is unknown, but {_images(number)} marked."


def _count_too_low(question: Question, state: QuestionState, n: int) -> tuple[str, str] | None:
    """The images left over are more than `slider` for each other label and for unknown together."""
    slider = state.answer.slider
    if slider is None or not question.options or slider * (len(question.options) + 1) >= n:
        return None
    sentence = (
        f"With {slider} of {n}, something else must be more common than {_name(question, state.answer)}."
    )
    return "count-too-low", sentence


def _other_marked_more(question: Question, state: QuestionState) -> tuple[str, str] | None:
    slider = state.answer.slider
    if slider is None or question.is_open:
        return None
    more = {
        label.name: len(state.kept[label.id].marks)
        for label in question.options
        if label.id in state.kept and len(state.kept[label.id].marks) > slider
    }
    if not more:
        return None
    name = max(more, key=lambda one: more[one])
    now = _name(question, state.answer)
    return (
        "other-marked-more",
        f"{are_counted(more[name], 'image', were=True)} marked for {name}, and {slider} count for {now}.",
    )


def _broken_exclusions(
    questions: Mapping[str, Question], answers: Mapping[str, Answer], n: int
) -> Iterator[SoftWarning]:
    for rule in EXCLUSIONS:
        one, other = answers.get(rule.question), answers.get(rule.other)
        if one is None or other is None or one.label != rule.label:
            continue
        if other.label is None or other.label in _NOTHING_THERE or not _overlap(one, other, n):
            continue
        first, second = questions[rule.question], questions[rule.other]
        sentence = (
            f"“{first.wording}” has {_label_name(first, rule.label)} for {one.slider} of {n}, and "
            f"“{second.wording}” has {_label_name(second, other.label)} for {other.slider}."
        )
        yield SoftWarning(f"{rule.question}-without-{rule.other}", sentence, rule.other)


def _overlap(one: Answer, other: Answer, n: int) -> bool:
    """Whether some image must have been counted for both."""
    if one.slider_source == FROM_MARKS and other.slider_source == FROM_MARKS:
        return bool(one.marks & other.marks)
    return (one.slider or 0) + (other.slider or 0) > n


def _images(number: int) -> str:
    return "1 image is" if number == 1 else f"{number} images are"


def _name(question: Question, answer: Answer) -> str:
    return _label_name(question, answer.label or "")


def _label_name(question: Question, label: str) -> str:
    return next((option.name for option in question.options if option.id == label), label)
