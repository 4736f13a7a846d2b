"""What the store hands out that is not in `core.records`: the study itself, rounds, jobs, coverage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.records import Condition


@dataclass(frozen=True, slots=True)
class NewStudy:
    """A study to be made. What it leaves empty is filled in and frozen when the file is made.

    `schema_json` and `questions_json` default to the released documents; `study_key` to a fresh one.
    `settings` is anything else that changes results, as JSON-able values.
    """

    name: str
    seed: int
    design: str = "balanced"
    unrelated: str = "permuted"
    images_per_prompt: int = 10
    count_mode: str = "marks+slider"
    show_role: bool = False
    is_sample: bool = False
    schema_version: str = ""
    schema_json: str = ""
    questions_json: str = ""
    bank_hash: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    study_key: str = ""


@dataclass(frozen=True, slots=True)
class StudyInfo:
    """The study as its file says; frozen when it was made."""

    study_key: str
    name: str
    seed: int
    design: str
    unrelated: str
    images_per_prompt: int
    count_mode: str
    show_role: bool
    is_sample: bool
    schema_version: str
    schema_json: str
    questions_json: str
    bank_hash: str
    settings: Mapping[str, Any]
    application_version: str
    created_at: str


@dataclass(frozen=True, slots=True)
class GeneratorInfo:
    """A generator that the study knows: its kind and all settings that shape its images."""

    name: str
    kind: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ExtractorInfo:
    """An extractor that the study knows."""

    name: str
    parameters: Mapping[str, Any]
    is_simulated: bool


@dataclass(frozen=True, slots=True)
class Round:
    """A round of annotation: its questions, its way of counting, and whether it is closed."""

    round_id: int
    name: str
    seed: int
    questions: tuple[str, ...]
    count_mode: str
    show_role: bool
    settings: Mapping[str, Any]
    designed_at: str
    locked_at: str | None

    @property
    def is_locked(self) -> bool:
        """Whether the round takes no more answers."""
        return self.locked_at is not None


_WORK = {
    "generate": "Making images",
    "extract": "Reading labels",
    "import": "Importing pictures",
    "simulate": "Simulated answering",
}


@dataclass(frozen=True, slots=True)
class JobInfo:
    """A job that was begun: what became of it, in numbers."""

    job_id: int
    kind: str
    settings: Mapping[str, Any]
    state: str
    asked: int
    done: int
    failed: int
    skipped: int
    started_at: str
    ended_at: str | None
    host: str = ""
    """The machine that it ran on."""
    continued_at: str | None = None
    """When a later start took it up after the program had ended with it."""

    @property
    def work(self) -> str:
        """What it does, with whom: "Making images (drawn-a)"."""
        name = self.settings.get("generator") or self.settings.get("extractor") or ""
        return _WORK.get(self.kind, self.kind.capitalize()) + (f" ({name})" if name else "")

    @property
    def stopped_sentence(self) -> str:
        """What a person is told when the program ended without a word while the job ran."""
        return (
            f"{self.work} stopped before its end, because the program did; {self.asked} were asked for. "
            "What was done is kept, and the next run goes on from there."
        )


@dataclass(frozen=True, slots=True)
class Coverage:
    """What there is for one role × condition × generator (None while the study has no generator).

    `images` counts those that may be sent on and `images_left_out` the black, flagged and wrong-sized;
    `records` counts images that an extractor has read, `answers` the confirmed current answers.
    """

    role: str
    condition: Condition | None
    generator: str | None
    prompts: int
    images: int
    images_left_out: int
    records: int
    image_sets: int
    answers: int
