"""Tiny models, built once a session; each test gets entries of them, and a loaded pipeline is shared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.entry import Entry
from core.generation.entry_rules import entry_from
from tests import tiny_models


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a tiny model, built when it is first asked for. Never change it; take a copy."""
    place = tmp_path_factory.mktemp("models")

    def of(name: str) -> Path:
        folder = place / name
        return folder if folder.exists() else tiny_models.save(name, folder)

    return of


@pytest.fixture(scope="session")
def entry_of(models: Callable[[str], Path]) -> Callable[..., Entry]:
    """An entry of a tiny model, with changes."""

    def of(kind: str, **changes: Any) -> Entry:
        return entry_from(tiny_models.row(kind, models(kind), **changes), models(kind) / "own.json")

    return of


@pytest.fixture(scope="session")
def generator_of(entry_of: Callable[..., Entry]) -> Callable[..., DiffusersGenerator]:
    """A generator of a tiny model, with changes to its entry."""

    def of(kind: str, **changes: Any) -> DiffusersGenerator:
        return DiffusersGenerator(entry_of(kind, **changes))

    return of
