"""Image sets behind a number, by key and pointer; drop-downs, rows that wrap and chips that filter."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.records import Condition, ImageStatus, StoredImage
from gui.studio import Studio
from gui.widgets.choice import Choice
from gui.widgets.flow import Flow
from gui.widgets.set_list import SetEntry, SetList
from gui.widgets.verdict_filter import VerdictFilter


def stored(number: int, folder: Path) -> StoredImage:
    path = folder / f"{number}.png"
    Image.new("RGB", (8, 8), (number * 9 % 256, 50, 90)).save(path)
    return StoredImage(
        *(number, "sdxl", "baker", Condition.CF, "a photo of a baker", number, str(number)),
        *(path.name, path.name, 8, 8, ImageStatus.OK),
    )


@pytest.fixture
def sets(qtbot: QtBot, open_studio: Studio) -> SetList:
    """Two image sets of ten."""
    assert open_studio.folder is not None
    entries = [
        SetEntry(
            f"set {number}",
            f"Set {number}",
            (("A", "middle-aged"), ("B", "young adult")),
            tuple(stored(10 * number + at, open_studio.folder) for at in range(10)),
        )
        for number in (1, 2)
    ]
    made = SetList(open_studio)
    qtbot.addWidget(made)
    made.show_entries(entries)
    made.resize(500, made.heightForWidth(500))
    made.show()
    return made


def test_arrows_go_from_picture_to_picture_and_from_set_to_set(sets: SetList, qtbot: QtBot):
    sets.setFocus()
    sets._go(0, 9)
    qtbot.keyClick(sets, Qt.Key.Key_Right)
    assert sets.current == sets.entries[1].images[0]

    qtbot.keyClick(sets, Qt.Key.Key_Up)
    assert sets.current == sets.entries[0].images[0]
    qtbot.keyClick(sets, Qt.Key.Key_Left)
    assert sets.current == sets.entries[0].images[0]


def test_a_press_and_enter_choose_the_picture(sets: SetList, qtbot: QtBot):
    with qtbot.waitSignal(sets.chosen) as pressed:
        qtbot.mouseClick(sets, Qt.MouseButton.LeftButton, pos=sets.image_rect(1, 4).center())
    with qtbot.waitSignal(sets.chosen) as entered:
        qtbot.keyClick(sets, Qt.Key.Key_Return)

    assert pressed.args == entered.args == [sets.entries[1].images[4]]


def test_pictures_never_overlap_and_stay_inside(sets: SetList):
    for width in (200, 330, 500, 900):
        sets.resize(width, sets.heightForWidth(width))
        places = [sets.image_rect(entry, at) for entry in range(2) for at in range(10)]
        assert all(sets.rect().contains(place) for place in places)
        for at, place in enumerate(places):
            assert not any(place.intersects(other) for other in places[at + 1 :])


def test_the_wheel_does_not_change_a_choice(qtbot: QtBot, open_studio: Studio):
    choice = Choice(["one", "two", "three"], "Number")
    qtbot.addWidget(choice)
    choice.show()
    choice.setFocus()
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, 0),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )

    choice.wheelEvent(event)

    assert choice.currentText() == "one"


def test_a_choice_keeps_what_was_chosen_when_it_is_still_offered(qtbot: QtBot, open_studio: Studio):
    choice = Choice(["one", "two"], "Number")
    qtbot.addWidget(choice)
    choice.choose(1)
    with qtbot.assertNotEmitted(choice.chosen):
        choice.set_words(["zero", "one", "two"])

    assert choice.currentText() == "two"


def test_a_row_goes_on_in_a_second_line_and_right_items_keep_to_the_right(qtbot: QtBot, open_studio: Studio):
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = Flow(holder)
    buttons = [QPushButton(word) for word in ("first", "second", "third")]
    for button in buttons[:2]:
        flow.addWidget(button)
    flow.add_right(buttons[2])
    holder.show()
    wide = 3 * max(button.sizeHint().width() for button in buttons) + 60

    flow.setGeometry(QRect(0, 0, wide, 100))
    assert len({button.y() for button in buttons}) == 1
    assert buttons[2].geometry().right() + 1 == wide

    flow.setGeometry(QRect(0, 0, buttons[0].sizeHint().width() + 10, 300))
    assert len({button.y() for button in buttons}) == 3
    assert flow.heightForWidth(100) > flow.heightForWidth(wide)


def test_chips_are_chosen_by_keyboard(qtbot: QtBot, open_studio: Studio):
    chips = VerdictFilter()
    qtbot.addWidget(chips)
    chips.show()
    chips.show_counts({"changed": 96, "invariant": 114})

    qtbot.keyClick(chips.chips[1], Qt.Key.Key_Space)

    assert chips.chosen == {"changed"}
    assert chips.chips[1].accessibleName() == "changed: 96"
