"""The small label table analysed in both modes, once for all tests that look at result tables."""

from __future__ import annotations

from functools import cache

from core.analysis import Analysis
from core.analysis import analyse as analyse_labels
from core.jobs import run_here
from core.schema import load_schema
from tests.core.conftest import make_labels


@cache
def analysed(mode: str) -> Analysis:
    """Result tables and record; whoever changes them must copy them."""
    draws = 40 if mode == "audit" else 20
    return run_here(analyse_labels(make_labels(), load_schema(), mode=mode, bootstrap=draws))
