"""Result tables made ready to be published: figures and LaTeX beside the CSV files.

The command line and the window call these jobs; what they write is named by the tables it was made from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from core.jobs import Job, Progress
from core.questions import Question
from core.schema import Schema

FIGURES, LATEX = "figures", "latex"

Tables = Mapping[str, pd.DataFrame]


def publish_analysis(
    tables: Tables,
    run: Mapping[str, Any],
    schema: Schema,
    out: Path,
    *,
    figures: Sequence[str] = (),
    latex: bool = False,
) -> Job[list[Path]]:
    """Write what is wanted of an analysis into sub-folders of `out`; returns all paths written.

    Parameters
    ----------
    tables, run
        Of `core.analysis.analyse`.
    schema : Schema
    out : Path
        The folder of the tables; figures go into `figures`, LaTeX into `latex`.
    figures : sequence of {"png", "svg", "pdf"}
        Kinds of figures; none when empty.
    latex : bool
        Whether the paper's tables are written as LaTeX.

    Raises
    ------
    BadInput
        A folder that cannot be written.
    """
    written: list[Path] = []
    if latex:
        yield Progress(0, 100, "LaTeX")
        from core.latex.writing import analysis_tables, write_latex

        written += write_latex(analysis_tables(tables, run, schema), out / LATEX)
    if figures:
        from core.figures.catalogue import analysis_drawings
        from core.figures.writing import write_drawings

        drawings = analysis_drawings(tables, run, schema)
        written += yield from write_drawings(drawings, out / FIGURES, figures)
    return written


def publish_agreement(
    tables: Tables,
    run: Mapping[str, Any],
    questions: Sequence[Question],
    schema: Schema,
    out: Path,
    *,
    figures: Sequence[str] = (),
) -> Job[list[Path]]:
    """Write the figures of an agreement run into `out/figures`; returns all paths written.

    Parameters
    ----------
    tables, run
        Of `annotation.agreement.agreement`.
    questions : sequence of Question
        What was asked, in order.
    schema, out, figures
        As in `publish_analysis`.
    """
    if not figures:
        return []
    yield Progress(0, 100, "Figures")
    from core.figures.catalogue import agreement_drawings
    from core.figures.writing import write_drawings

    drawings = agreement_drawings(tables, run, questions, schema)
    return (yield from write_drawings(drawings, out / FIGURES, figures))
