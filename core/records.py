"""The words of the field as records (product words: role, condition, prompt, image, image set, answer …).

Frozen values without behaviour. Ids are content or names, never row positions; the store has its own
integer ids, which leave it only as opaque handles (`image_id`, `image_set_id`, `annotator_id`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

IMAGES_PER_SET = 10
"""An annotator sees ten images at once; the count (slider) runs from 0 to 10."""

UNKNOWN = "unknown"
"""Not visible or not enough evidence. A status, never a label of a vocabulary."""

CAUSES = ("ambiguous image", "guideline gap", "slip", "real difference")
"""Why people did not agree, as whoever adjudicates says."""

CONFIDENCES = ("low", "medium", "high")


class Condition(StrEnum):
    """The three conditions of the audit."""

    CF = "CF"
    CA_R = "CA-R"
    CA_U = "CA-U"

    @property
    def in_words(self) -> str:
        """The condition in words."""
        return {
            "CF": "context-free",
            "CA-R": "context-aware related",
            "CA-U": "context-aware unrelated",
        }[self.value]


def condition_of(text: str) -> Condition | None:
    """The condition that a word or folder name states, or None.

    Understands the short names in any case, the names in words, and the published folder names.

    Examples
    --------
    >>> condition_of("Context-aware_Unrelated_CA-U")
    <Condition.CA_U: 'CA-U'>
    >>> condition_of("context aware related"), condition_of("Context-Free")
    (<Condition.CA_R: 'CA-R'>, <Condition.CF: 'CF'>)
    >>> condition_of("kitchen") is None
    True
    """
    plain = "-".join(text.upper().replace("_", " ").replace("-", " ").split())
    for condition in (Condition.CA_R, Condition.CA_U, Condition.CF):
        in_words = "-".join(condition.in_words.upper().replace("-", " ").split())
        if plain in (condition, in_words) or plain.endswith(f"-{condition}"):
            return condition
    return None


class PromptKind(StrEnum):
    """What a prompt is within its role's design."""

    BASE = "base"
    PARAPHRASE = "paraphrase"
    SUBSTITUTION = "substitution"


class Status(StrEnum):
    """What became of reading one image, or one dimension of it."""

    OK = "ok"
    UNKNOWN = "unknown"
    REFUSED = "refused"
    INVALID = "invalid"
    TRUNCATED = "truncated"
    FLAGGED = "flagged"
    MISSING_IMAGE = "missing_image"
    ERROR = "error"


class ImageStatus(StrEnum):
    """Whether an image may be sent on. Everything but OK is kept, counted and left out."""

    OK = "ok"
    BLACK = "black"
    FLAGGED = "flagged"
    WRONG_SIZE = "wrong_size"


@dataclass(frozen=True, slots=True)
class Role:
    """An occupation named in a prompt: `name` is the id (`bus_driver`), the rest is how it is written."""

    name: str
    display_name: str
    article: str
    plural: str
    soc_code: str | None = None
    soc_title: str | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """The sentence given to a generator.

    `condition` is None for pictures made elsewhere whose condition nobody stated; such images can be
    labelled, and every table that needs a condition leaves them out with that reason.
    `place` is the location with its article ("a clinic"); `activity` is in -ing form.
    """

    role: str
    condition: Condition | None
    kind: PromptKind
    text: str
    wording: str = ""
    place: str | None = None
    activity: str | None = None


@dataclass(frozen=True, slots=True)
class NewImage:
    """A picture that has arrived, with everything that went into it.

    `run_key` is the content key of all inputs (generator, settings, effective prompts, seed);
    `data` is the encoded file; `truth` is known for drawn pictures only: dimension -> labels.
    """

    generator: str
    prompt: Prompt
    seed: int
    run_key: str
    data: bytes
    width: int
    height: int
    format: str
    status: ImageStatus = ImageStatus.OK
    seconds: float | None = None
    source: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)
    truth: Mapping[str, tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class DimensionReading:
    """What an extractor read for one dimension of one image; `labels` is empty unless status is OK."""

    labels: tuple[str, ...] = ()
    status: Status = Status.OK


@dataclass(frozen=True, slots=True)
class NewRecord:
    """An extractor's output for one image.

    `record_key` is the content key of image hash, schema version, template version, extractor and
    parameters. When `status` is not OK, `readings` is empty and counts nowhere as unknown.
    """

    image_id: int
    extractor: str
    record_key: str
    status: Status
    readings: Mapping[str, DimensionReading] = field(default_factory=dict)
    n_persons: int | None = None
    reason: str = ""
    raw: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class StoredImage:
    """An image as the store hands it out: `path` and `thumbnail` are relative to the study folder."""

    image_id: int
    generator: str
    role: str
    condition: Condition | None
    prompt: str
    seed: int
    sha256: str
    path: str
    thumbnail: str
    width: int
    height: int
    status: ImageStatus


@dataclass(frozen=True, slots=True)
class ImageSet:
    """The ten images an annotator sees at once: one role × condition × generator."""

    image_set_id: int
    key: str
    role: str
    condition: Condition | None
    generator: str
    images: tuple[StoredImage, ...]


@dataclass(frozen=True, slots=True)
class Annotator:
    """A person who labels, or a simulated stand-in that says so wherever its answers appear."""

    annotator_id: int
    name: str
    is_simulated: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The state of one annotator's answer to one question on one image set.

    `slider` is None until an act sets it and for ever after if none does; 0 is a value like any other.
    `marks` are positions 0–9 in the image set's own order (not the order on the screen).
    `slider_source` is how the count came about: "marks", "slider" (pointer) or "key".
    `label` is a label id of a closed vocabulary, or the descriptor as typed for an open one.
    """

    label: str | None = None
    is_unknown: bool = False
    slider: int | None = None
    slider_source: str | None = None
    marks: frozenset[int] = frozenset()
    is_confirmed: bool = False
    is_flagged: bool = False
    comment: str = ""


@dataclass(frozen=True, slots=True)
class AnswerEvent:
    """One act of an annotator: the answer as it stands after the act. Never updated, never deleted.

    `undoes` is set when the act is "undo" or "redo": the event it takes back or brings back.
    Seconds are monotonic: `wall_seconds` since the question was shown, `active_seconds` without idle
    time, focus loss or suspend, `first_act_seconds` until the first act on it.
    """

    annotator_id: int
    image_set_id: int
    question: str
    act: str
    answer: Answer
    at: str
    undoes: int | None = None
    wall_seconds: float = 0.0
    active_seconds: float = 0.0
    first_act_seconds: float | None = None
    theme: str = ""
    event_id: int | None = None
