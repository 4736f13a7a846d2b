"""Full collections wait until nobody is at work."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from gui import tidying
from gui.tidying import Tidying


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    """The thresholds of other tests stay."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_a_quiet_window_is_tidied_and_a_busy_one_is_not(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After four quiet looks in a row, not before, and a busy moment begins the count anew."""
    monkeypatch.setattr(tidying, "SECONDS_BETWEEN_COLLECTIONS", 0.0)
    clock = {"at": 0.0, "used": 0.0}
    monkeypatch.setattr(time, "monotonic", lambda: clock["at"])
    monkeypatch.setattr(time, "thread_time", lambda: clock["used"])
    tidy = Tidying()

    def look(busy: float) -> bool:
        clock["at"] += 2.0
        clock["used"] += busy
        return tidy.look()

    assert [look(0.0) for _ in range(3)] == [False] * 3
    assert not look(1.0)
    assert [look(0.01) for _ in range(4)] == [False, False, False, True]


def test_no_full_collection_happens_by_itself(qapp: QApplication) -> None:
    """Making very many objects collects the young ones only."""
    Tidying()
    before = gc.get_stats()[2]["collections"]
    kept = [[number] for number in range(200_000)]
    assert gc.get_stats()[2]["collections"] == before
    assert len(kept) == 200_000
