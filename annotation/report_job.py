"""The whole way to a report as one job: agreement where there is any, everything gathered, written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from annotation.reporting import ReportFrames, ReportStudy, agreement_for_report, material_of
from core.jobs import Job, Progress
from core.questions import Question
from core.report.writing import write_report
from core.schema import Schema

STEPS = 100


def report_job(
    study: ReportStudy,
    frames: ReportFrames,
    schema: Schema,
    questions: Sequence[Question],
    extractor: str,
    analysis: tuple[Mapping[str, pd.DataFrame], Mapping[str, Any]],
    records: Sequence[Any],
    path: Path,
    *,
    pdf: bool = False,
    validation: Mapping[str, pd.DataFrame] | None = None,
    **options: Any,
) -> Job[list[Path]]:
    """Write the report of a study to `path` (HTML or PDF, by its ending); returns the files written.

    Parameters
    ----------
    study, frames, schema, questions, extractor, analysis, records
        As in `annotation.reporting.material_of`.
    path : Path
    pdf : bool
        Also write a PDF beside an HTML.
    validation : mapping, optional
        As in `annotation.reporting.material_of`.
    **options
        For `annotation.agreement.agreement`: bootstrap, seed.
    """
    agreed = yield from _part(agreement_for_report(study, frames, questions, extractor, **options), 0, 30)
    yield Progress(30, STEPS, "gathering")
    parts = (schema, questions, extractor, analysis, agreed, records, validation)
    written: list[Path] = yield from _part(
        write_report(material_of(study, frames, *parts), path, pdf=pdf), 35, STEPS
    )
    return written


def _part(job: Job[Any], first: int, last: int) -> Job[Any]:
    """A part of this job, its progress between two percentages."""
    while True:
        try:
            step = next(job)
        except StopIteration as stop:
            return stop.value
        yield Progress(first + (last - first) * step.done // max(step.total, 1), STEPS, step.text)
