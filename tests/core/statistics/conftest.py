"""The worked examples, by the name of their file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PUBLISHED = Path(__file__).parents[2] / "reference" / "published"


@pytest.fixture(scope="session")
def published() -> Callable[[str], dict[str, Any]]:
    """Read one worked example: `published("wilson_newcombe_1998")["expected"]`."""

    def read(name: str) -> dict[str, Any]:
        example: dict[str, Any] = json.loads((PUBLISHED / f"{name}.json").read_text(encoding="utf-8"))
        return example

    return read
