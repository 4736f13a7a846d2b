"""Everything that a report says, in plain values: who gathers it need not know how it is written."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from core.questions import Question
from core.records import Prompt
from core.schema import Schema

SECRET = ("key", "token", "secret", "password", "authorization")
"""A setting whose name holds one of these words is never written."""

OF_NO_SECRET = ("run_key", "record_key", "study_key", "keyboard", "tokens")


@dataclass(frozen=True)
class Made:
    """A generator or an extractor: its name, its kind, all settings that change what it makes."""

    name: str
    kind: str
    settings: Mapping[str, Any]
    is_simulated: bool = False


@dataclass(frozen=True)
class People:
    """The human study: its round, who answered, and the agreement that came of it.

    `names` gives each annotator a letter; a report names nobody.
    """

    round_name: str
    is_locked: bool
    count_mode: str
    shows_role: bool
    image_sets: int
    answers: int
    names: Mapping[str, str]
    tables: Mapping[str, pd.DataFrame]
    run: Mapping[str, Any]


@dataclass(frozen=True)
class Material:
    """A study as a report needs it.

    Attributes
    ----------
    facts : mapping
        Name, key, design, seed and whatever else the study says of itself.
    prompts : sequence of Prompt
    generators, extractors : sequence of Made
    extractor : str
        Whose records the results are of.
    images : DataFrame
        generator, condition, status, images: how many images there are of each.
    records : DataFrame
        extractor, status, images, reason.
    jobs : DataFrame
        kind, state, asked, done, failed, skipped, started_at.
    schema : Schema
    questions : sequence of Question
    tables, run : mapping
        Of the analysis.
    people : People or None
    no_people : str
        Why there is no human study, in a sentence.
    versions : mapping
    as_of : str
        Time of the newest act in the study, ISO 8601; a report is dated by its data, not by the clock.
    """

    facts: Mapping[str, Any]
    prompts: Sequence[Prompt]
    generators: Sequence[Made]
    extractors: Sequence[Made]
    extractor: str
    images: pd.DataFrame
    records: pd.DataFrame
    jobs: pd.DataFrame
    schema: Schema
    questions: Sequence[Question]
    tables: Mapping[str, pd.DataFrame]
    run: Mapping[str, Any]
    people: People | None
    no_people: str
    versions: Mapping[str, str]
    as_of: str
    images_digest: str = ""
    validation: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    @property
    def is_simulated(self) -> bool:
        """Whether anything in it was not made by a person or a real extractor."""
        used = [one for one in self.extractors if one.name == self.extractor]
        of_people = bool(self.people is not None and self.people.run.get("simulated"))
        return any(one.is_simulated for one in used) or of_people

    @property
    def names(self) -> dict[str, str]:
        """How dimensions are called."""
        return {one.id: one.name for one in self.schema.dimensions}


SETTING_WORDS = {"art_hash": "checksum of the drawings", "bias_hash": "checksum of the planted bias"}
"""How settings are called whose name says nothing to a reader."""


def setting_words(settings: Mapping[str, Any]) -> dict[str, Any]:
    """`open_settings` under names that a reader knows.

    >>> setting_words({"art_hash": "ab12", "size": 512})
    {'checksum of the drawings': 'ab12', 'size': 512}
    """
    return {
        SETTING_WORDS.get(name, name.replace("_", " ")): value
        for name, value in open_settings(settings).items()
    }


def open_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings without anything that might be a secret.

    >>> open_settings({"model": "m", "api_key": "abc", "max_tokens": 5})
    {'model': 'm', 'max_tokens': 5}
    """
    return {name: value for name, value in settings.items() if not _may_be_secret(str(name))}


def _may_be_secret(name: str) -> bool:
    plain = name.lower()
    for harmless in OF_NO_SECRET:
        plain = plain.replace(harmless, "")
    return any(word in plain for word in SECRET)


def digest_of(table: pd.DataFrame) -> str:
    """SHA-256 of a table's content, whatever its column types."""
    text = table.astype(object).to_csv(index=False, lineterminator="\n")
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
