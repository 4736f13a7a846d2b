"""Result tables of the small label table, computed once, and an agreement table written down."""

from __future__ import annotations

import pandas as pd
import pytest

from core.analysis import Analysis
from tests.core.analysed import analysed


@pytest.fixture(scope="session")
def analysis() -> Analysis:
    """Tables of an analysis in audit mode."""
    return analysed("audit")


@pytest.fixture(scope="session")
def paper() -> Analysis:
    """The same in paper mode."""
    return analysed("paper")


@pytest.fixture(scope="session")
def agreed() -> pd.DataFrame:
    """Two questions, people and pipeline; kappa of `hat` is undefined."""
    rows = []
    for question, raw, kappa in (("hat", 1.0, None), ("pose", 0.75, 0.5), ("ALL", 0.875, 0.5)):
        for scope in ("annotators", "people with the rest", "pipeline with the rest"):
            shift = 0.125 if scope.startswith("pipeline") else 0.0
            for statistic, value in (("raw_agreement", raw), ("cohen_kappa_mean", kappa)):
                known = None if value is None else value - shift
                ends = (None, None) if known is None else (known - 0.0625, known + 0.0625)
                rows.append((question, scope, statistic, "nominal", known, *ends, 40, 3, 0, 4, ""))
    columns = ["question", "scope", "statistic", "level", "value", "low", "high", "units", "annotators"]
    table = pd.DataFrame(rows, columns=[*columns, "excluded", "categories", "reason"])
    return table.astype({"value": "float64", "low": "float64", "high": "float64"})
