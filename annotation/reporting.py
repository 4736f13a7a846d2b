"""Gather what a report says about a study: from an open store, its frames, and results already computed.

The study and its frames are named by the few methods they must have; an open store and
`storage.frames.Frames` have them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import pandas as pd

from annotation.adjudication import with_decisions
from annotation.agreement import AgreementResult
from annotation.mapped_labels import Sides, agreement_mapped
from core.amounts import counted
from core.environment import versions
from core.jobs import Job, Progress
from core.labels.label_map import LabelMap
from core.questions import Question, asked_in
from core.records import Annotator, Prompt
from core.report.material import Made, Material, People
from core.schema import Schema, schema_from

NOBODY = "Nobody has labelled anything in this study."


class ReportStudy(Protocol):
    """A study that a report can be written of."""

    study: Any

    def prompts(self) -> Sequence[Prompt]:
        """All prompts."""

    def generators(self) -> Sequence[Any]:
        """All generators: name, kind, settings."""

    def extractors(self) -> Sequence[Any]:
        """All extractors: name, parameters, is_simulated."""

    def jobs(self) -> Sequence[Any]:
        """All jobs, oldest first."""

    def rounds(self) -> Sequence[Any]:
        """All rounds, oldest first."""

    def annotators(self) -> Sequence[Annotator]:
        """All annotators."""

    def label_map(self) -> LabelMap:
        """The label map as it stands."""

    def adjudications(self, round_id: int) -> Sequence[Mapping[str, Any]]:
        """Decisions that count, one a question of an image set."""

    def exclusions(self, round_id: int) -> Sequence[Mapping[str, Any]]:
        """Who was left out of the round's tables, and why."""


class ReportFrames(Protocol):
    """The study's tables."""

    def answers(self, round_id: int) -> pd.DataFrame:
        """Confirmed answers of a round."""

    def repeats(self, round_id: int) -> pd.DataFrame:
        """Answers to image sets that were shown again."""

    def readings(self, round_id: int, extractor: str) -> pd.DataFrame:
        """What an extractor read off the images of a round."""

    def images(self) -> pd.DataFrame:
        """All images."""


def agreement_for_report(
    study: ReportStudy,
    frames: ReportFrames,
    questions: Sequence[Question],
    extractor: str | None,
    **options: Any,
) -> Job[AgreementResult | None]:
    """Agreement in the latest round that somebody answered; None when nobody did.

    The pipeline is compared once the round is locked (or in a sample study, which has nobody to lead).
    """
    yield Progress(0, 100, "Agreement")
    found = _answered(study, frames)
    if found is None:
        return None
    which, answers = found
    is_closed = which.is_locked or study.study.is_sample
    readings = None
    if is_closed and extractor is not None:
        readings = frames.readings(which.round_id, extractor)
    said = Sides(answers, readings, frames.repeats(which.round_id))
    schema = schema_from(json.loads(study.study.schema_json))
    asked = asked_in(questions, which.questions)
    result = yield from agreement_mapped(said, asked, study.label_map(), schema, **options)
    result.run["extractor"] = extractor if readings is not None else None
    decisions = study.adjudications(which.round_id), study.exclusions(which.round_id)
    return with_decisions(result, *decisions, with_names=False)


def _answered(study: ReportStudy, frames: ReportFrames) -> tuple[Any, pd.DataFrame] | None:
    for which in reversed(list(study.rounds())):
        answers = frames.answers(which.round_id)
        if len(answers):
            return which, answers
    return None


def material_of(
    study: ReportStudy,
    frames: ReportFrames,
    schema: Schema,
    questions: Sequence[Question],
    extractor: str,
    analysis: tuple[Mapping[str, pd.DataFrame], Mapping[str, Any]],
    agreed: AgreementResult | None,
    records: Sequence[Any],
    validation: Mapping[str, pd.DataFrame] | None = None,
) -> Material:
    """Everything a report says.

    Parameters
    ----------
    study, frames
        The study.
    schema, questions
        The study's.
    extractor : str
        Whose records `analysis` is of.
    analysis : tuple
        Result tables and their record.
    agreed : AgreementResult or None
        From `agreement_for_report`.
    records : sequence
        extractor, status, images and reason of the newest records (`storage.listing.record_facts`).
    validation : mapping, optional
        `validation` and `validation_dimensions` of `core.validation.tables`.
    """
    tables, run = analysis
    images = frames.images()
    jobs = _jobs_table(study.jobs())
    info = study.study
    facts = {
        name: getattr(info, name)
        for name in (
            *("name", "study_key", "design", "unrelated", "images_per_prompt", "seed", "is_sample"),
            *("created_at", "application_version", "bank_hash"),
        )
    }
    return Material(
        facts=facts,
        prompts=study.prompts(),
        generators=[Made(one.name, one.kind, one.settings) for one in study.generators()],
        extractors=[
            Made(one.name, "extractor", one.parameters, one.is_simulated) for one in study.extractors()
        ],
        extractor=extractor,
        images=_images_table(images),
        records=_records_table(records),
        jobs=jobs,
        schema=schema,
        questions=questions,
        tables=tables,
        run=run,
        people=_people(study, frames, agreed),
        no_people=NOBODY,
        versions=versions(),
        as_of=_newest(info.created_at, images, study.jobs()),
        images_digest=_digest(images),
        validation=validation or {},
    )


def _people(study: ReportStudy, frames: ReportFrames, agreed: AgreementResult | None) -> People | None:
    found = _answered(study, frames)
    if agreed is None or found is None:
        return None
    which, answers = found
    who = list(agreed.run.get("annotators", []))
    names = {name: f"annotator {_letter(place)}" for place, name in enumerate(who)}
    return People(
        which.name,
        which.is_locked,
        which.count_mode,
        which.show_role,
        int(answers["image_set"].nunique()),
        len(answers),
        names,
        {name: _without_names(table, names) for name, table in agreed.tables.items()},
        agreed.run,
    )


def _letter(place: int) -> str:
    return chr(ord("A") + place) if place < 26 else str(place + 1)


def _without_names(table: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """A table of agreement in which a letter stands for a person."""
    if "scope" not in table.columns:
        return table

    def anonymous(scope: object) -> str:
        text = str(scope)
        for name in sorted(names, key=len, reverse=True):
            text = text.replace(name, names[name])
        return text

    new = {scope: anonymous(scope) for scope in table["scope"].unique()}
    return table.assign(scope=[new[scope] for scope in table["scope"]])


def _images_table(images: pd.DataFrame) -> pd.DataFrame:
    keys = ["generator", "condition", "status"]
    plain = images[keys].astype(object)
    plain = plain.where(plain.notna() & (plain != ""), "none")
    return plain.astype(str).groupby(keys).size().reset_index(name="images")


def _records_table(records: Sequence[Any]) -> pd.DataFrame:
    rows = [(one.extractor, str(one.status), one.images, one.reason or "") for one in records]
    return pd.DataFrame(rows, columns=["extractor", "status", "images", "reason"])


def _jobs_table(jobs: Sequence[Any]) -> pd.DataFrame:
    names = ["kind", "state", "asked", "done", "failed", "skipped", "started_at"]
    return pd.DataFrame([[getattr(one, name) for name in names] for one in jobs], columns=names)


def _newest(created_at: str, images: pd.DataFrame, jobs: Sequence[Any]) -> str:
    times = [created_at, *(str(one.ended_at or one.started_at) for one in jobs)]
    if len(images):
        times.append(str(images["arrived_at"].max()))
    return max(times)


def _digest(images: pd.DataFrame) -> str:
    if not len(images):
        return ""
    content = "\n".join(sorted(images["sha256"].astype(str)))
    return f"{counted(len(images), 'file')}, {hashlib.sha256(content.encode()).hexdigest()}"
