"""Stores for tests; every one is closed when its test ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.store import Store
from tests.storage.builders import new_store


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())  # those of a store that several tests share
    yield
    left = {thread.name for thread in set(threading.enumerate()) - before}
    assert not {name for name in left if name.startswith(("store-", "image-"))}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "study"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    with new_store(folder) as opened:
        yield opened
