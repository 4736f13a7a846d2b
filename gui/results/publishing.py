"""From the Results page onto paper: figures with their data and LaTeX in a folder, and the report.

All of it is written from the tables that the page shows, so that no number differs from what was seen.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.jobs import Job, Progress
from core.questions import questions_from
from gui.results.view import ResultsView

if TYPE_CHECKING:
    from storage.store import Store

REPORT_KINDS = "HTML, loads nothing (*.html);;PDF (*.pdf)"


def publish(view: ResultsView, folder: Path) -> Job[list[Path]]:
    """Figures as PNG, SVG and PDF with their data, and the paper's tables as LaTeX, into a folder."""
    yield Progress(0, 100, "figures")
    from core.figures.writing import KINDS
    from core.publishing import publish_analysis

    extractor = {"name": view.settings.extractor, "is_simulated": view.is_simulated}
    run = {**view.run, "extractor": extractor}
    job = publish_analysis(view.tables, run, view.schema, folder, figures=KINDS, latex=True)
    return (yield from job)


def report_of(store: Store, view: ResultsView, path: Path) -> Job[list[Path]]:
    """The report of the open study, with the results that the page shows."""
    yield Progress(0, 100, "report")
    import json

    from annotation.report_job import report_job
    from storage.frames import Frames
    from storage.listing import record_facts

    if path.suffix.lower() not in (".html", ".pdf"):
        raise BadInput(f"{path.name} is no kind of report.", "Use .html or .pdf.")
    questions = questions_from(json.loads(store.study.questions_json), view.schema)
    return (
        yield from report_job(
            store,
            Frames(store.folder),
            view.schema,
            questions,
            view.settings.extractor,
            (view.tables, view.run),
            record_facts(store),
            path,
            bootstrap=view.bootstrap,
            seed=int(view.run.get("seed", 0)),
        )
    )
