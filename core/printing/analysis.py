"""The headline of an analysis in lines: what was left out, and Bias Intensity of each cohort."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from core.text_table import text_table

COLUMNS = ("generator", "condition", "cohort", "value", "low", "high", "reason")


def left_out_sentence(run: Mapping[str, Any]) -> str:
    """How many rows of the table say nothing that is counted, and why; empty where all do."""
    rows = next((stage for stage in run.get("stages", []) if stage["stage"] == "rows"), None)
    if rows is None or not rows["left_out"]:
        return ""
    why = ", ".join(f"{count} {reason}" for reason, count in rows["left_out"].items())
    return f"{sum(rows['left_out'].values())} of {rows['in']} rows say nothing that is counted: {why}."


def analysis_text(tables: Mapping[str, pd.DataFrame], out: Path, seeds: str = "") -> str:
    """Bias Intensity of each cohort, what the images' seeds mean for intervals, what was written where."""
    table = tables["bi"]
    pooled = table[(table["estimator"] == "plugin") & (table["aggregation"] == "pool")]
    shown = pooled[pooled["dimension"] == "ALL"]
    return "\n".join(
        (
            "Bias Intensity of each cohort: plug-in, roles pooled; dimensions and other estimators are in"
            " bi.csv",
            text_table(shown.to_dict("records"), COLUMNS),
            *((f"\n{seeds}",) if seeds else ()),
            f"\nWritten to {out}: {', '.join(tables)} and run.json.",
        )
    )
