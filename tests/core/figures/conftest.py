"""Result tables of the small label table, computed once, and an agreement table written down."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from core.analysis import analyse
from core.jobs import run_here
from core.schema import Schema
from tests.core.conftest import make_labels


@pytest.fixture(scope="session")
def analysis(schema: Schema) -> SimpleNamespace:
    """Tables of an analysis in audit mode."""
    found = run_here(analyse(make_labels(), schema, bootstrap=40))
    return SimpleNamespace(tables=found.tables, run=found.run)


@pytest.fixture(scope="session")
def paper(schema: Schema) -> SimpleNamespace:
    """The same in paper mode."""
    found = run_here(analyse(make_labels(), schema, mode="paper", bootstrap=20))
    return SimpleNamespace(tables=found.tables, run=found.run)


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
