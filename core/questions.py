"""The 23 questions an annotator is asked about ten images, and how a record answers the same question.

Not every dimension is asked: the four `*_present` dimensions fold into the question about the kind (its
`none` answers them), and `contrast_level`, `facial_hair_color` and `tattoo_present` are left out. A study
may choose and order its own questions in a file of the same form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.json_files import parse_json, read_json
from core.label_form import look_up_form, meaning_of, plain_form
from core.paths import RESOURCES
from core.records import UNKNOWN, DimensionReading, Status
from core.schema import Kind, LabelDefinition, Schema, load_schema

KEYS = "1234567890"
"""Keys of the first ten options in the order on the screen; further ones are found by typing."""

NONE = "none"

_HELP_PARTS = {
    "what_counts": "What counts",
    "counts": "Counts",
    "does_not_count": "Does not count",
    "borderline": "Borderline",
}


@dataclass(frozen=True)
class Question:
    """What is asked about the ten images of an image set.

    `options` are the labels offered (empty for an open question); *unknown* is always offered besides and
    is none of them. `folds` are presence dimensions whose `no` is this question's `none`. `help` has four
    lines: what counts, an example that counts, one that does not, and a borderline one. `spellings` are
    other words for a label that the schema accepts, in look-up form, each with its label.
    """

    id: str
    dimension: str
    cohort: str
    wording: str
    kind: Kind
    options: tuple[LabelDefinition, ...]
    help: str
    folds: tuple[str, ...] = ()
    spellings: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)

    @property
    def is_open(self) -> bool:
        """Whether the answer is a descriptor in the annotator's own words."""
        return self.kind == "open_list"

    @property
    def needs_filter(self) -> bool:
        """Whether there are more options than keys, so that a box to find one by typing is shown."""
        return len(self.options) > len(KEYS)

    @cached_property
    def option_ids(self) -> tuple[str, ...]:
        """Label ids of the options in the order of the vocabulary."""
        return tuple(option.id for option in self.options)

    def meaning(self, text: str) -> str:
        """The label that an answer means, by the rule of `core.label_form`; empty for no answer.

        An answer that a closed question does not offer stays one, in plain form.

        >>> asked = {question.id: question for question in load_questions()}
        >>> asked["age_range"].meaning("Middle-Aged "), asked["age_range"].meaning("Ageless")
        ('middle_aged', 'ageless')
        >>> asked["items"].meaning("Lab_Coat."), asked["items"].meaning("Unknown")
        ('lab coat', 'unknown')
        """
        found = meaning_of(text, self._meanings, is_closed=not self.is_open)
        return found if found is not None else plain_form(text)

    @cached_property
    def _meanings(self) -> dict[str, str]:
        words = dict(self.spellings)
        words |= {look_up_form(option.name): option.id for option in self.options}
        words |= {look_up_form(option.id): option.id for option in self.options}
        return words | {label: label for label in (*self.option_ids, UNKNOWN)}


def key_at(position: int) -> str | None:
    """Key of the option at a position on the screen (from 0): 1 to 9, then 0, then none.

    >>> key_at(0), key_at(9), key_at(10)
    ('1', '0', None)
    """
    return KEYS[position] if position < len(KEYS) else None


def image_label(question: Question, readings: Mapping[str, DimensionReading]) -> DimensionReading:
    """What a record says about one image, in the words of the question.

    The question's own dimension goes first. Only where it is unknown, a folded presence dimension that
    says `no` turns it into `none`; a presence that contradicts a label that was read changes nothing.
    A closed label that the question does not offer is invalid; of a list, the labels offered stay.

    Parameters
    ----------
    question : Question
        The question asked.
    readings : mapping of dimension id to DimensionReading
        The record of the image; a dimension it lacks is unknown.

    Returns
    -------
    DimensionReading
        Labels among `question.option_ids` (as read for an open question), or a status without labels.
    """
    own = readings.get(question.dimension, DimensionReading(status=Status.UNKNOWN))
    if own.status is Status.UNKNOWN:
        return DimensionReading((NONE,)) if _says_no(question, readings) else own
    if own.status is not Status.OK or question.is_open:
        return own
    offered = tuple(label for label in own.labels if label in question.option_ids)
    return DimensionReading(offered) if offered else DimensionReading(status=Status.INVALID)


def _says_no(question: Question, readings: Mapping[str, DimensionReading]) -> bool:
    return any(
        readings[presence].status is Status.OK and readings[presence].labels == ("no",)
        for presence in question.folds
        if presence in readings
    )


def load_questions(path: Path | None = None, schema: Schema | None = None) -> tuple[Question, ...]:
    """The questions of this release, or of a user's own file, for a schema (default: of this release)."""
    path = path or RESOURCES / "questions.json"
    return questions_from(read_json(path, f"The questions {path.name}"), schema or load_schema(), path.name)


def read_questions(text: str, schema: Schema, where: str = "the questions") -> tuple[Question, ...]:
    """Questions from their JSON text; `where` names it in the error."""
    return questions_from(parse_json(text, where), schema, where)


def questions_from(data: Any, schema: Schema, where: str = "the questions") -> tuple[Question, ...]:
    """Questions from JSON data of the form of `resources/questions.json`."""
    items = data.get("questions") if isinstance(data, dict) else None
    if not isinstance(items, list) or not items or not all(isinstance(item, dict) for item in items):
        raise BadInput(f"{where} needs an object with a list of questions.")
    for problem in _problems_of(items, schema):
        raise BadInput(f"{where}: {problem}", "Correct this and load it again.")
    return tuple(_question(item, schema) for item in items)


def choose(questions: Sequence[Question], ids: Sequence[str]) -> tuple[Question, ...]:
    """The questions with these ids in this order, each once; BadInput for an id that is not among them.

    >>> every = load_questions()
    >>> [one.id for one in choose(every, ("mood", "items", "mood"))]
    ['mood', 'items']
    """
    by_id = {question.id: question for question in questions}
    absent = [name for name in ids if name not in by_id]
    if absent:
        raise BadInput(f"There is no question {absent[0]!r}.", f"Use some of: {', '.join(by_id)}.")
    return tuple(by_id[name] for name in dict.fromkeys(ids))


def asked_in(questions: Sequence[Question], ids: Collection[str]) -> tuple[Question, ...]:
    """Those of the questions that a round asked, in the order of the study, so that cohorts stay together.

    >>> [one.id for one in asked_in(load_questions(), ("weather", "mood", "gone"))]
    ['mood', 'weather']
    """
    return tuple(question for question in questions if question.id in ids)


def _problems_of(items: list[dict[str, Any]], schema: Schema) -> Iterator[str]:
    for name, times in Counter(str(item.get("dimension")) for item in items).items():
        if not schema.has(name):
            yield f"there is a question about {name}, which is no dimension of the schema."
        if times > 1:
            yield f"{name} is asked {times} times."
    for item in items:
        name = item["dimension"]
        if not isinstance(item.get("wording"), str) or not item["wording"].strip():
            yield f"the question about {name} has no wording."
        yield from _help_problems(name, item.get("help"))
        yield from _fold_problems(name, item.get("folds", []), schema)
        yield from _option_problems(name, item.get("extra_options", []), schema)


def _help_problems(name: str, parts: Any) -> Iterator[str]:
    if not isinstance(parts, dict):
        parts = {}
    for part in _HELP_PARTS:
        if not isinstance(parts.get(part), str) or not parts[part].strip():
            yield f"the help of {name} lacks {part}."


def _fold_problems(name: str, folds: Any, schema: Schema) -> Iterator[str]:
    if not isinstance(folds, list):
        yield f"the folds of {name} must be a list of dimensions."
        return
    for presence in folds:
        if not schema.has(presence) or schema.dimension(presence).label_ids != ("yes", "no"):
            yield f"{name} folds {presence}, which is no yes/no dimension of the schema."


def _option_problems(name: str, extra: Any, schema: Schema) -> Iterator[str]:
    if not isinstance(extra, list) or not all(isinstance(option, dict) for option in extra):
        yield f"the extra options of {name} must be a list of objects."
        return
    taken = set(schema.dimension(name).label_ids) | {UNKNOWN}
    if extra and not schema.dimension(name).is_closed:
        yield f"{name} is open and has no options."
    for option in extra:
        if not all(
            isinstance(option.get(part), str) and option[part] for part in ("id", "name", "definition")
        ):
            yield f"an extra option of {name} lacks id, name or definition."
        elif option["id"] in taken:
            yield f"the extra option {option['id']} of {name} is offered anyway."
        else:
            taken.add(option["id"])


def _question(item: Mapping[str, Any], schema: Schema) -> Question:
    dimension = schema.dimension(item["dimension"])
    extra = tuple(
        LabelDefinition(option["id"], option["name"], option["definition"])
        for option in item.get("extra_options", [])
    )
    return Question(
        id=dimension.id,
        dimension=dimension.id,
        cohort=dimension.cohort,
        wording=item["wording"],
        kind=dimension.kind,
        options=dimension.labels + extra,
        help="\n".join(f"{title}: {item['help'][part]}" for part, title in _HELP_PARTS.items()),
        folds=tuple(item.get("folds", ())),
        spellings=tuple(sorted(schema.spellings(dimension.id).items())),
    )
