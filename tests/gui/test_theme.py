"""Light and dark, pinned or as the system, and every length a multiple of one scale."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.paths import RESOURCES
from gui import fonts, icons
from gui.palette import DARK, LIGHT, palette
from gui.theme import STYLE_SHEET, Theme, qt_palette, style_sheet
from gui.widgets.button import Button

NEEDED_ICONS = (
    "study prompts generate extract annotate team agreement results check x dash pause play undo redo flag "
    "comment help warn lock clock cup export filter search down right info chip folder eye-off zoom retry "
    "more sort keyboard"
)


def test_pinning_dark_changes_everything_at_once(theme: Theme, qapp: QApplication, qtbot: QtBot):
    with qtbot.waitSignal(theme.changed):
        theme.pin("dark")

    assert palette() is DARK
    assert theme.name == "dark"
    assert qapp.palette().color(QPalette.ColorRole.Window) == DARK.window
    assert DARK.surface.name() in qapp.styleSheet()


def test_the_theme_follows_the_system_until_one_is_pinned(
    theme: Theme, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
):
    theme.pin(None)
    monkeypatch.setattr(theme, "is_system_dark", lambda: True)  # offscreen has no system to ask
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert palette() is DARK

    theme.pin("light")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert palette() is LIGHT


def test_qt_paints_with_our_roles():
    made = qt_palette(LIGHT)

    assert made.color(QPalette.ColorRole.Highlight) == LIGHT.accent
    assert made.color(QPalette.ColorRole.PlaceholderText) == LIGHT.faint
    assert made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text) == LIGHT.faint


@pytest.mark.parametrize("roles", [LIGHT, DARK])
def test_the_style_sheet_is_filled_to_the_last_place(roles, tmp_path: Path, theme: Theme):
    text = re.sub(r"/\*.*?\*/", "", style_sheet(roles, tmp_path), flags=re.DOTALL)

    assert "@" not in text
    assert re.search(r"\d+u\b", text) is None
    assert re.search(r"\dpx-", text) is None
    assert all(Path(path).exists() for path in re.findall(r'url\("([^"]+)"\)', text))


def test_the_style_sheet_stays_short_and_uses_no_property_of_qwidget():
    lines = STYLE_SHEET.read_text(encoding="utf-8").splitlines()

    assert len(lines) < 80
    assert not re.search(r"\[(pos|size)=", "".join(lines))


@pytest.mark.parametrize(("asked", "given"), [(1.5, 1.5), (0.1, 0.8), (9, 2.0)])
def test_text_and_lengths_follow_the_scale_within_its_bounds(theme: Theme, qapp, asked, given):
    theme.set_scale(asked)

    assert fonts.px(100) == round(100 * given)
    assert qapp.font().pixelSize() == round(13 * given)
    assert f"min-height: {round(28 * given)}px" in qapp.styleSheet()


def test_digits_are_tabular_and_weights_are_two(theme: Theme):
    assert fonts.font(13).featureValue(QFont.Tag("tnum")) == 1
    assert fonts.font(13).weight() == QFont.Weight.Normal
    assert fonts.font(13, True).weight() == QFont.Weight.DemiBold


def test_every_icon_of_the_design_is_there():
    assert set(NEEDED_ICONS.split()) <= set(icons.names())


@pytest.mark.parametrize("name", icons.names())
def test_an_icon_is_drawn_by_the_rules(name: str):
    source = (RESOURCES / "icons" / f"{name}.svg").read_text(encoding="utf-8")

    assert 'viewBox="0 0 20 20"' in source
    assert 'stroke="currentColor" stroke-width="1.6" stroke-linecap="round"' in source
    assert 'fill="none"' in source


def test_icons_are_sharp_at_any_ratio_and_kept(theme: Theme):
    one = icons.pixmap("check", "text", 20, 2.0)

    assert one.width() == 40
    assert one.devicePixelRatio() == 2.0
    assert icons.pixmap("check", "text", 20, 2.0).cacheKey() == one.cacheKey()


def test_icons_take_the_colour_of_their_role(theme: Theme):
    image = icons.pixmap("study", "accent", 40).toImage()
    colours = [image.pixelColor(x, y) for x in range(40) for y in range(40)]
    seen = {colour.name() for colour in colours if colour.alpha() == 255}

    assert seen == {LIGHT.accent.name()}


def test_a_button_draws_its_icon_anew_in_another_theme(theme: Theme, qtbot: QtBot):
    button = Button("Export", icon="export")
    qtbot.addWidget(button)
    button.show()
    before = button.icon().cacheKey()

    theme.pin("dark")
    qtbot.waitUntil(lambda: button.icon().cacheKey() != before)
