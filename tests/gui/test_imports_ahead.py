from __future__ import annotations

from pytestqt.qtbot import QtBot

from gui import imports_ahead
from gui.imports_ahead import OURS, ImportsAhead, import_order
from gui.shell import PAGES
from gui.studio import Studio


def test_each_module_comes_after_those_that_it_imports():
    order = import_order(one.module for one in PAGES)

    assert {one.module for one in PAGES} <= set(order)
    place = {name: at for at, name in enumerate(order)}
    assert place["core.records"] < place["gui.models.coverage"] < place["gui.pages.study"]
    assert place["gui.icons"] < place["gui.widgets.button"], "`from gui import icons`"
    assert len(place) == len(order)
    assert {name.partition(".")[0] for name in order} == set(OURS) - {"storage"}, "the store waits for a read"


def test_pages_are_imported_one_module_at_a_time_and_a_fault_is_left_to_the_page(
    open_studio: Studio, qtbot: QtBot, monkeypatch, caplog
):
    brought: list[str] = []

    def bring(name: str) -> None:
        brought.append(name)
        if name == "no.such.page":
            raise ModuleNotFoundError(name)

    monkeypatch.setattr(imports_ahead, "import_order", lambda _: ["gui.studio", "a.first", "no.such.page"])
    ahead = ImportsAhead(open_studio, ["gui.pages.team"], bring)
    open_studio.feed.arrived.emit(None)

    qtbot.waitUntil(lambda: not ahead.waiting and len(brought) == 2)
    assert brought == ["a.first", "no.such.page"], "what is there already is not asked for"
    assert "ModuleNotFoundError" in caplog.text
