"""The result of the agreement job in plain values, so that the page needs no frame to paint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from core.questions import Question
from core.records import UNKNOWN, ImageSet
from gui.agreement.sentences import Ingredients
from gui.models.agreement_rows import IMAGE_COLUMNS, AgreementRow, Level, RowKind
from gui.models.agreement_rows import PEOPLE as PEOPLE_TITLE
from gui.models.coverage import in_words
from gui.models.number import UNDEFINED, Number, finite, number_of, words
from gui.models.people import Person, short_names
from gui.words import MINUS, counted

if TYPE_CHECKING:
    from annotation.agreement import AgreementResult

ALL, POOLED = "ALL", "POOLED"
EVERYBODY, PEOPLE, MACHINE, GAP = (
    "annotators",
    "people with the rest",
    "pipeline with the rest",
    "pipeline minus people",
)
LEVEL_NAMES = {Level.CATEGORY: "nominal", Level.COUNT: "interval", Level.IMAGE: "nominal"}
COMPARED_BY = {
    Level.CATEGORY: "cohen_kappa_mean",
    Level.COUNT: "mean_absolute_error",
    Level.IMAGE: "cohen_kappa_mean",
}
ENDINGS = {Level.IMAGE: " image"}
"""What the names of a level's scopes end in."""
NO_MARKS = Number(reason="nobody marked images in a way that can be used")

Numbers = Mapping[tuple[str, str, str, str], Number]
"""By question, scope, statistic, level."""


@dataclass(frozen=True, slots=True)
class Given:
    """What one side answered: a label ("unknown" included, "" for none), its count, how."""

    label: str
    slider: float | None = None
    how: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a result was computed for; equal settings give equal results while nothing changed."""

    round_id: int
    unknown: str = "label"
    extractor: str | None = None


@dataclass(frozen=True)
class AgreementView:
    """Everything the page shows of one result."""

    settings: Settings
    people: tuple[Person, ...]
    image_sets: Mapping[str, ImageSet]
    numbers_of_sets: Mapping[str, int]
    questions: tuple[Question, ...]
    names: Mapping[str, str]
    rows: Mapping[Level, tuple[AgreementRow, ...]]
    numbers: Numbers
    given: Mapping[str, Mapping[str, Mapping[str, Given]]]
    """Question, image set, annotator."""
    pipeline: Mapping[str, Mapping[str, Given]]
    consensus: Mapping[str, Mapping[str, Given]]
    tables: Mapping[str, Any] = field(default_factory=dict)
    run: Mapping[str, Any] = field(default_factory=dict)
    frames: tuple[Any, Any, Any] = (None, None, None)
    """Answers, pipeline and readings as they were given to the job, for the counts of a cell."""
    second: Mapping[str, Mapping[str, Mapping[str, Given]]] = field(default_factory=dict)
    """As `given`: what was answered when an image set was shown again, under its first showing."""

    @property
    def is_pipeline_open(self) -> bool:
        """Whether the pipeline was compared."""
        return self.settings.extractor is not None

    def is_used(self, given: Given) -> bool:
        """Whether an answer is compared: it has a label, and unknown is one where it counts as a label."""
        return bool(given.label) and (given.label != UNKNOWN or self.settings.unknown == "label")

    def question(self, question_id: str) -> Question | None:
        """The question with this id."""
        return next((one for one in self.questions if one.id == question_id), None)

    def pair_numbers(self, question: str, statistic: str, level: Level) -> dict[str, Number]:
        """A statistic of each pair of people."""
        statistic = "cohen_kappa" if statistic == "cohen_kappa_mean" else statistic
        found = {}
        for at, one in enumerate(self.people):
            for other in self.people[at + 1 :]:
                pair = f"{one.name} and {other.name}"
                scope = pair + ENDINGS.get(level, "")
                number = self.numbers.get((question, scope, statistic, LEVEL_NAMES[level]))
                if number is not None:
                    found[pair] = number
        return found

    def ingredients(self, row: AgreementRow, statistic: str, level: Level) -> Ingredients:
        """What the sentence about a number is made of."""
        raw = row.numbers.get("raw_agreement")
        prevalence = self.run.get("prevalence", {}).get(row.question, {})
        pairs = self.pair_numbers(row.question, statistic, level)
        return Ingredients(
            raw.value if raw is not None else None,
            prevalence.get("shares", {}) if level is not Level.IMAGE else {},
            {self.short_pair(pair): number for pair, number in pairs.items()},
            row.ceiling,
            row.pipeline,
            "difference" if level is Level.COUNT else "κ",
        )

    def short_pair(self, pair: str) -> str:
        """A pair in short names."""
        short = short_names(self.people)
        for one in self.people:
            for other in self.people:
                if pair == f"{one.name} and {other.name}":
                    return f"{short[one.name]} and {short[other.name]}"
        return pair


def numbers_of(rows: Iterable[Mapping[Any, Any]], names: Mapping[str, str]) -> Numbers:
    """The agreement table by its key, with the names of questions in its reasons."""
    found = {}
    for row in rows:
        number = number_of(row)
        if number.reason:
            number = replace(number, reason=as_read(number.reason, names))
        found[row["question"], row["scope"], row["statistic"], row["level"]] = number
    return found


def as_read(reason: str, names: Mapping[str, str]) -> str:
    """A reason with ids of questions as their names and real minus signs.

    >>> as_read("from -0.07 (age_range)", {"age_range": "age range"})
    'from −0.07 (age range)'
    """
    said = re.sub(r"\w+", lambda word: names.get(word[0], word[0]), reason)
    return re.sub(r"(?<![\w.])-(?=\d)", MINUS, said)


def view_of(
    result: AgreementResult,
    settings: Settings,
    people: Sequence[Person],
    image_sets: Sequence[ImageSet],
    questions: Sequence[Question],
    names: Mapping[str, str],
    frames: tuple[Any, Any, Any],
    repeats: Any = None,
) -> AgreementView:
    """Turn tables into plain values; called where the job runs."""
    numbers = numbers_of(result.tables["agreement"].to_dict("records"), names)
    answers, pipeline, _ = frames
    return AgreementView(
        settings,
        tuple(people),
        {one.key: one for one in image_sets},
        {one.key: number for number, one in enumerate(image_sets, 1)},
        tuple(questions),
        names,
        {level: _rows(level, numbers, result.run, questions, names) for level in LEVEL_NAMES},
        numbers,
        _given(answers, questions),
        _pipeline(pipeline),
        _consensus(result.tables["consensus"]),
        result.tables,
        result.run,
        frames,
        {} if repeats is None else _given(repeats, questions),
    )


def _rows(
    level: Level,
    numbers: Numbers,
    run: Mapping[str, Any],
    questions: Sequence[Question],
    names: Mapping[str, str],
) -> tuple[AgreementRow, ...]:
    made = [
        _row(level, numbers, run, RowKind.QUESTION, one.id, names.get(one.id, one.id), one.cohort)
        for one in questions
    ]
    many = len(questions)
    everybody = EVERYBODY + ENDINGS.get(level, "")
    pooled = numbers.get((POOLED, everybody, "raw_agreement", "nominal"))
    units = counted(pooled.units if pooled is not None else 0, "unit")
    made.append(_row(level, numbers, run, RowKind.MEAN, ALL, f"mean of {counted(many, 'question')}"))
    made.append(_row(level, numbers, run, RowKind.POOLED, POOLED, f"pooled, {units}"))
    return tuple(made)


def _row(
    level: Level,
    numbers: Numbers,
    run: Mapping[str, Any],
    kind: RowKind,
    question: str,
    name: str,
    cohort: str = "",
) -> AgreementRow:
    word, by, ending = LEVEL_NAMES[level], COMPARED_BY[level], ENDINGS.get(level, "")
    missing = NO_MARKS if level is Level.IMAGE else UNDEFINED
    prevalence = {} if level is Level.IMAGE else run.get("prevalence", {})
    shares = prevalence.get(question, {}).get("shares", {})
    top = max(shares.items(), key=lambda share: share[1]) if shares else ("", None)
    own = {
        statistic: number
        for (asked, scope, statistic, at), number in numbers.items()
        if asked == question and scope == EVERYBODY + ending and at == word
    }
    if not own and level is Level.IMAGE:
        own = {column.key: missing for column in IMAGE_COLUMNS if column.group == PEOPLE_TITLE}
    return AgreementRow(
        kind,
        question,
        name,
        cohort,
        in_words(top[0]),
        top[1],
        own,
        numbers.get((question, PEOPLE + ending, by, word), missing),
        numbers.get((question, MACHINE + ending, by, word), missing),
        numbers.get((question, GAP + ending, by, word), missing),
    )


def _given(answers: Any, questions: Sequence[Question]) -> dict[str, dict[str, dict[str, Given]]]:
    asked = {question.id: question for question in questions}
    found: dict[str, dict[str, dict[str, Given]]] = {}
    columns = ["annotator", "image_set", "question", "label", "slider", "status"]
    for who, image_set, question, label, slider, status in answers[columns].itertuples(index=False):
        text = UNKNOWN if status == UNKNOWN else words(label)
        text = asked[question].meaning(text) if question in asked else text.strip()
        by_set = found.setdefault(str(question), {}).setdefault(str(image_set), {})
        by_set[str(who)] = Given(text, None if text == UNKNOWN else finite(slider), str(status))
    return found


def _pipeline(pipeline: Any) -> dict[str, dict[str, Given]]:
    found: dict[str, dict[str, Given]] = {}
    if pipeline is None:
        return found
    columns = ["image_set", "question", "label", "slider", "how"]
    for image_set, question, label, slider, how in pipeline[columns].itertuples(index=False):
        found.setdefault(str(question), {})[str(image_set)] = Given(words(label), finite(slider), str(how))
    return found


def _consensus(consensus: Any) -> dict[str, dict[str, Given]]:
    found: dict[str, dict[str, Given]] = {}
    columns = ["image_set", "question", "label", "slider_mean_winner", "how"]
    for image_set, question, label, slider, how in consensus[columns].itertuples(index=False):
        found.setdefault(str(question), {})[str(image_set)] = Given(words(label), finite(slider), str(how))
    return found
