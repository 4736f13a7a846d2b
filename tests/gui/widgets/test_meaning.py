"""What numbers mean is one press away, with the formula, and Esc takes it away."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from core.explained import OF_INTENSITY, OF_PERSISTENCE
from gui.widgets.caption import Caption
from gui.widgets.meaning import Meaning, meaning_button


def test_the_question_mark_opens_every_term_with_its_formula(qtbot: QtBot):
    window = QWidget()
    qtbot.addWidget(window)
    button = meaning_button("What CCS means", OF_PERSISTENCE)
    QVBoxLayout(window).addWidget(button)
    window.show()

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    (shown,) = window.findChildren(Meaning)
    said = [caption.text() for caption in shown.findChildren(Caption)]
    assert "CCS = P / (1 + R),  0 to 100" in said
    assert {term.name for term in OF_PERSISTENCE} <= set(said)
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(Meaning))


def test_the_numbers_in_the_words_are_those_of_the_statistics():
    from core.statistics.bias_intensity import bias_intensity
    from core.statistics.equivalence import MARGIN
    from core.statistics.persistence import MIN_SUPPORT, ccs
    from core.statistics.stability import ccs_if_stable

    said = " ".join(term.in_a_line for term in (*OF_INTENSITY, *OF_PERSISTENCE))
    assert f"at 90 and 10 % {bias_intensity([9, 1], 2).value:.2f}" in said
    assert f"at least {MIN_SUPPORT} images" in said
    assert f"{100 * MARGIN:.0f} percentage points" in said
    assert f"gets about {ccs_if_stable(123, [20, 50, 60]).value:.0f}" in said
    assert [round(ccs(x, [100] * 3).value or 0) for x in ([90, 90, 90], [85, 91, 94])] == [90, 9]
