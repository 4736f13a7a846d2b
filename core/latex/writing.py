"""LaTeX tables as files, and a document that shows all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from core.errors import BadInput
from core.latex.bias import bi_by_estimator, change_by_cohort, change_by_generator
from core.latex.labels import labels_of_roles, robustness_by_cohort
from core.latex.table import LatexTable
from core.schema import Schema
from core.whole_files import make_folder, write_whole

DOCUMENT = "tables.tex"
PREAMBLE = r"""% Compile with pdflatex; with lualatex when labels hold other scripts.
\documentclass[a4paper,landscape]{article}
\usepackage{iftex}
\ifPDFTeX\usepackage[T1]{fontenc}\usepackage{textcomp}\fi
\usepackage[margin=15mm]{geometry}
\usepackage{booktabs,longtable}
\begin{document}
"""


def analysis_tables(
    tables: Mapping[str, pd.DataFrame], run: Mapping[str, Any], schema: Schema
) -> list[LatexTable]:
    """Published tables 2, 3 and 8 to 11 of an analysis of either mode, in their order.

    Parameters
    ----------
    tables : mapping
        Result tables of `core.analysis.analyse`.
    run : mapping
        Its record.
    schema : Schema
    """
    mode = str(run.get("mode", "audit"))
    options = run.get("options", {})
    draws, move = int(options.get("bootstrap", 0)), float(options.get("prompt_move_pp", 5.0))
    shaped = [
        labels_of_roles(tables, schema, mode),
        robustness_by_cohort(tables, schema, mode, move),
        change_by_cohort(tables["bi_change"], tables["bi"], mode, draws),
        change_by_generator(tables["bi_change"], tables["bi"], mode, draws),
        bi_by_estimator(tables["bi"], mode),
        labels_of_roles(tables, schema, mode, is_open=True),
    ]
    drawn = run.get("resampled", {})
    if drawn:
        said = {"table_2": drawn["labels"], "table_11": drawn["labels"]} | dict.fromkeys(
            ("table_8", "table_9"), drawn["bi"]
        )
        shaped = [
            replace(one, note=f"{one.note} Resampled {words}.".strip()) if words else one
            for one, words in ((one, said.get("_".join(one.name.split("_")[:2]))) for one in shaped)
        ]
    if not (run.get("extractor") or {}).get("is_simulated"):
        return shaped
    return [replace(table, note=f"{table.note} Contains simulated records.".strip()) for table in shaped]


def write_latex(latex: Sequence[LatexTable], folder: Path | str) -> list[Path]:
    """Write each table to `<name>.tex`, and `tables.tex` that shows all of them; the paths written.

    Raises
    ------
    BadInput
        A folder that cannot be written.
    """
    place = Path(folder)
    try:
        make_folder(place)
        written = [_write(place / f"{table.name}.tex", table.text()) for table in latex]
        inputs = "".join(f"\\input{{{table.name}}}\n\\clearpage\n" for table in latex)
        written.append(_write(place / DOCUMENT, f"{PREAMBLE}{inputs}\\end{{document}}\n"))
    except OSError as error:
        raise BadInput(f"The tables cannot be written to {place}: {error.strerror or error}.") from error
    return written


def _write(path: Path, text: str) -> Path:
    return write_whole(path, lambda place: place.write_text(text, encoding="utf-8", newline="\n"))
