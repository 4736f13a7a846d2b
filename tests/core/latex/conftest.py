"""Result tables of the small label table in both modes."""

from __future__ import annotations

import pytest

from core.analysis import Analysis
from tests.core.analysed import analysed


@pytest.fixture(scope="session", params=["audit", "paper"])
def result(request: pytest.FixtureRequest) -> Analysis:
    """Tables of an analysis, once in each mode."""
    return analysed(request.param)


@pytest.fixture(scope="session")
def analysis() -> Analysis:
    """Tables of an analysis in audit mode."""
    return analysed("audit")
