"""The headline of an agreement run in lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from core.records import UNKNOWN
from core.sample_report import agreement_columns, agreement_rows, width_sentence
from core.text_table import text_table


def agreement_text(tables: Mapping[str, pd.DataFrame], run: Mapping[str, Any], out: Path) -> str:
    """The coefficients by question, what *unknown* does to them, and what was written where."""
    rows = agreement_rows(tables)
    parts = [text_table(rows, agreement_columns(rows)), width_sentence(tables), unknown_sentence(tables, run)]
    parts.append(f"\nWritten to {out}: {', '.join(tables)} and run.json. Reasons are in agreement.csv.")
    return "\n".join(part for part in parts if part)


def unknown_sentence(tables: Mapping[str, pd.DataFrame], run: Mapping[str, Any]) -> str:
    """How often everybody said unknown, which counts as agreement unless it is left out; and what then.

    Empty where nobody said it, or where it is left out already.
    """
    if run.get("unknown") != "label" or "without_unknown" not in tables["agreement"]:
        return ""
    table = tables["agreement"]
    mean = (table["question"] == "ALL") & (table["scope"] == "annotators") & (table["level"] == "nominal")
    parts = []
    for statistic, name in (("raw_agreement", "raw agreement"), ("fleiss_kappa", "Fleiss kappa")):
        row = table[mean & (table["statistic"] == statistic)]
        if len(row) and row["without_unknown"].notna().all():
            value, bare = row["value"].iloc[0], row["without_unknown"].iloc[0]
            parts.append(f"{name} {value:.3f}, without unknown {bare:.3f}")
    consensus = tables["consensus"]
    if not parts or not consensus["votes"].str.contains(UNKNOWN).any():
        return ""
    everybody = int(((consensus["label"] == UNKNOWN) & (consensus["how"] == "unanimous")).sum())
    return (
        f"Unknown is an answer like any other: {everybody} of {len(consensus)} questions of image sets count"
        f" as agreement because everybody said it. Mean over questions: {'; '.join(parts)}."
        " `--unknown left-out` has the intervals."
    )
