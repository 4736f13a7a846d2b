"""Every test starts without keys in the environment, without a keyring, and with a memory of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backends import null

from core import secrets
from tests.fake_server import Call, FakeServer, Mischief, fake_server

VARIABLES = ("OPENAI_API_KEY", "CONTEXTBIAS_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_LOG")

Misbehave = Callable[[Call], Mischief | None]


@pytest.fixture(autouse=True)
def _nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(secrets, "_session", {})
    before = keyring.get_keyring()
    keyring.set_keyring(null.Keyring())
    yield
    keyring.set_keyring(before)


@pytest.fixture
def serve() -> Iterator[Callable[..., FakeServer]]:
    """Start fake servers that are stopped after the test."""
    with ExitStack() as stack:

        def start(misbehave: Misbehave | None = None, **options: Any) -> FakeServer:
            return stack.enter_context(fake_server(misbehave, **options))

        yield start
