"""From the Agreement page onto paper: its figures with their data, from the tables that the page shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.jobs import Job, Progress
from gui.agreement.view import AgreementView

if TYPE_CHECKING:
    from storage.store import Store


def publish(store: Store, view: AgreementView, folder: Path) -> Job[list[Path]]:
    """Figures as PNG, SVG and PDF with their data, into a folder."""
    yield Progress(0, 100, "figures")
    from core.figures.writing import KINDS
    from core.publishing import publish_agreement
    from core.schema import read_schema

    schema = read_schema(store.study.schema_json)
    job = publish_agreement(view.tables, view.run, view.questions, schema, folder, figures=KINDS)
    return (yield from job)
