"""Key maps: what is bound to what, and that no key has two meanings."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings

from core.errors import BadInput
from gui.annotate import key_settings
from gui.annotate.cheat_sheet import rows_of
from gui.annotate.keys import PRESETS, Command, KeyMap, key_map

SETTINGS = (
    *(QSettings.Format.IniFormat, QSettings.Scope.UserScope),
    *("ContextBias Studio", "ContextBias Studio"),
)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_binds_ten_images_ten_options_and_every_command(name: str) -> None:
    keys = PRESETS[name]

    assert {keys.command_of(key) for key in keys.images} == {(Command.MARK, i) for i in range(10)}
    assert {keys.command_of(key) for key in "1234567890"} == {(Command.CHOOSE, i) for i in range(10)}
    for command in set(Command) - {Command.CHOOSE, Command.MARK}:
        assert keys.command_of(keys.cap(command)) == (command, 0)


def test_a_key_with_two_meanings_is_refused() -> None:
    with pytest.raises(BadInput, match=r"gives Q to “image 1” and to “flag this question”"):
        key_map("QWERTY", {"flag": "Q"})


def test_an_image_key_equal_to_a_command_is_refused() -> None:
    with pytest.raises(BadInput, match="gives U to"):
        key_map("QWERTY", {"image 3": "U"})


def test_a_key_equal_to_an_option_is_refused() -> None:
    with pytest.raises(BadInput, match="option 4"):
        key_map("QWERTY", {"comment": "4"})


@pytest.mark.parametrize("key", ["Tab", "Left", "Alt+F4", "Ctrl+C", "F1"])
def test_keys_of_the_system_and_of_focused_controls_are_refused(key: str) -> None:
    with pytest.raises(BadInput, match="belongs to the focused control or the system"):
        key_map("QWERTY", {"zoom": key})


def test_a_command_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="no act"):
        key_map("QWERTY", {"delete everything": "K"})


def test_a_preset_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="There is no key map"):
        key_map("DVORAK-7")


def test_nine_image_keys_are_refused() -> None:
    with pytest.raises(BadInput, match="9 image keys instead of 10"):
        KeyMap(images=tuple("QWERTASDF"))


def test_own_keys_take_effect() -> None:
    keys = key_map("QWERTY", {"flag": "K", "image 10": "B"})

    assert keys.command_of("K") == (Command.FLAG, 0)
    assert keys.command_of("B") == (Command.MARK, 9)
    assert keys.command_of("M") is None
    assert keys.command_of("G") is None


def test_the_sheet_shows_every_command() -> None:
    for keys in PRESETS.values():
        shown = {cap for _, rows in rows_of(keys) for caps, _ in rows for cap in caps}

        assert set(keys.images) <= shown
        for command in set(Command) - {Command.CHOOSE, Command.MARK}:
            assert keys.cap(command) in shown or set(keys.cap(command).split("+")) <= shown


def test_the_sheet_counts_the_images_of_the_set() -> None:
    def marks(images: int, **how: bool) -> tuple[str, list[str]]:
        title, rows = rows_of(PRESETS["QWERTY"], images=images, **how)[1]
        return title, [words for _, words in rows[:-1]]

    assert marks(8) == (
        "Mark the 8 images",
        ["first row, images 1 to 5", "second row, images 6 to 8", "mark all 8", "none of the 8"],
    )
    assert marks(4)[1] == ["first row, images 1 to 4", "mark all 4", "none of the 4"]
    assert marks(6, is_slider_only=True)[1][1] == "count 6"
    assert marks(10)[1][1:] == ["second row, images 6 to 10", "mark all ten", "none of the ten"]


def test_a_preset_is_remembered() -> None:
    key_settings.remember_preset("AZERTY")

    assert key_settings.chosen_keys().name == "AZERTY"


def test_kept_keys_that_conflict_give_way_to_the_preset() -> None:
    key_settings.remember_preset("QWERTZ")
    file = QSettings(*SETTINGS)
    file.setValue("annotate/keys/flag", "Q")
    file.sync()

    keys = key_settings.chosen_keys()

    assert keys.name == "QWERTZ"
    assert keys.command_of("Q") == (Command.MARK, 0)


def test_own_keys_are_kept_between_sittings() -> None:
    file = QSettings(*SETTINGS)
    file.setValue("annotate/keys/flag", "K")
    file.setValue("annotate/keys/image_10", "B")
    file.sync()

    keys = key_settings.chosen_keys()

    assert keys.cap(Command.FLAG) == "K"
    assert keys.images[9] == "B"
