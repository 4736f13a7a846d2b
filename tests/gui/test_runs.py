"""Runs and failures on the Study page: counts, pictures behind them, and the axis of time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from gui.models.runs import IMAGES, RECORDS, Run, read_runs, shares_of, uneven_words
from gui.pages.study import StudyPage
from gui.runs.timeline import bar_of, run_words, span_of
from gui.studio import Studio


def test_losses_are_those_of_the_study_and_open_their_pictures(
    open_studio: Studio, qtbot: QtBot, settle: Callable[[Studio], None]
) -> None:
    """One black picture and one refusal, by condition, role and generator; a run with its failure."""
    page = StudyPage(open_studio)
    qtbot.addWidget(page)
    page._on_runs()
    settle(open_studio)
    drawer, store = page.runs, open_studio.store
    assert drawer is not None
    assert store is not None
    view = read_runs(store)
    assert (view.failed(IMAGES), view.failed(RECORDS)) == (1, 1)
    whole = {"condition": 36, "role": 36, "generator": 36}
    for part, images in whole.items():
        shares = view.shares[IMAGES, part]
        assert sum(one.whole for one in shares) == images
        assert sum(one.failed for one in shares) == 1
        assert sum(one.failed for one in view.shares[RECORDS, part]) == 1
    for what, status in ((0, "black"), (1, "ok")):
        drawer.what.choose(what)
        for part in range(3):
            drawer.part.choose(part)
            first = drawer.shares.entries[0]
            assert first.text.startswith("1 of ")
            drawer.shares.chosen.emit(first.key)
            settle(open_studio)
            assert [one.status for one in drawer.sheet.inner._images] == [status]
    drawer.timeline.chosen.emit(drawer.timeline.runs[0])
    settle(open_studio)
    assert "baker 3: The GPU ran out of memory." in drawer.lines.text()
    assert page.close_drawer()
    assert drawer.isHidden()


def test_intervals_that_do_not_meet_are_said_to_be_uneven() -> None:
    """And those that meet are not."""
    apart = shares_of({"baker": (40, 100), "nurse": (2, 100), "": (0, 0)})
    assert [one.name for one in apart] == ["baker", "nurse"]
    assert uneven_words(apart, "role").startswith("Uneven: baker lost more than nurse")
    assert uneven_words(shares_of({"baker": (3, 100), "nurse": (2, 100)}), "role").startswith("No role")
    assert uneven_words(shares_of({"baker": (0, 100), "nurse": (0, 100)}), "role") == ""


def test_runs_stand_where_they_ran() -> None:
    """The first begins at 0, one that goes on ends at 1."""
    first = Run(1, "Generate, sdxl", "done", 0.0, 100.0, 10, 8, 1, 1)
    goes_on = Run(2, "Extract, reader", "running", 300.0, None, 10, 2, 0, 0)
    ended = Run(3, "Extract, reader", "cancelled", 200.0, 400.0, 10, 4, 0, 0)
    span = span_of((first, goes_on, ended))
    assert span == (0.0, 400.0)
    assert bar_of(first, *span) == pytest.approx((0.0, 0.25))
    assert bar_of(goes_on, *span) == pytest.approx((0.75, 1.0))
    assert run_words(first) == "done in 2 min: 8 of 10, 1 failed, 1 skipped"
    assert run_words(ended) == "cancelled: 4 of 10"
