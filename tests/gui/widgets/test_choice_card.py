"""A card is as high as what it says, whether or not a line of it wraps."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gui.widgets.choice_card import CardState, ChoiceCards


@pytest.mark.parametrize("state", [CardState(status="ready", total=10), CardState(line="it looks at pixels")])
def test_a_card_is_never_flat(state: CardState, qtbot: QtBot) -> None:
    cards = ChoiceCards("Extractors")
    qtbot.addWidget(cards)
    cards.show_states({"one": state, "two": state})
    cards.resize(300, 600)
    with qtbot.waitExposed(cards):
        cards.show()

    qtbot.waitUntil(
        lambda: all(card.height() >= card.sizeHint().height() > 20 for card in cards.cards.values())
    )
