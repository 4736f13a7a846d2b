"""The window driven by keyboard at speed, with jumps and steps back, against the script's own log.

20 sets at an answer every 30 ms are in `tests/benchmarks/bench_packet_sessions.py`; here are two, unpaced.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.annotate.alone import AloneWindow
from gui.tasks import TaskRunner
from storage.packet_book import PacketBook
from tests import team
from tests.gui.annotate.scripted_annotator import ScriptedAnnotator, differences


def test_no_answer_is_on_the_wrong_question_and_none_is_lost(
    tmp_path: Path, qtbot: QtBot, runner: TaskRunner
) -> None:
    with team.new_study(tmp_path / "study", roles=1, generators=("sdxl-turbo",), roomy=0) as store:
        team.open_round(store, training=0, repeat_share=0)
        team.packet_for(store, "Ana", tmp_path / "ana.packet")
    window = AloneWindow(runner, PacketBook(tmp_path / "ana.packet"))
    qtbot.addWidget(window)
    window.resize(1280, 720)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    window._on_go()
    screen = window.screen_widget
    assert screen is not None
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    qtbot.waitUntil(lambda: all(tile.has_picture for tile in screen.parts.grid.shown))
    ana = ScriptedAnnotator(screen, 5, QApplication.processEvents)

    ana.work(35)

    assert ana.jumps > 1
    assert ana.undone > 5
    assert screen.hand_over()
    window.close()
    with PacketBook(tmp_path / "ana.packet") as book:
        events = book.events(0)
    stored = {(event.image_set_id, event.question): event.answer for event in events}
    assert differences(ana.log, stored) == []
    assert len(events) == ana.acts, "one act, one event"
