"""Everything is inside the window and nothing is cut, at every size and scale that is allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui import fonts
from gui.annotate.screen import AnnotateScreen
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.widgets.count_slider import CountSlider
from gui.widgets.count_value import CountValue
from gui.widgets.key_button import KeyButton
from gui.widgets.option_button import OptionButton
from tests.gui.annotate.conftest import MakeScreen, go_to, press

SIZES = [(1280, 720), (1366, 768), (1920, 1080), (2560, 1440), (3840, 2160)]


def place_in(parent: QWidget, widget: QWidget, part: QRect | None = None) -> QRect:
    """Where a widget, or a part of it, is in a parent."""
    inside = part or widget.rect()
    return QRect(widget.mapTo(parent, inside.topLeft()), inside.size())


def shown_parts(screen: AnnotateScreen) -> list[QWidget]:
    """The parts of the bar that must not touch each other."""
    bar = screen.parts.bar
    options = [*bar.options.options, bar.options.unknown]
    if bar.options.has_box:
        options.append(bar.options.box)
    return [*options, bar.caption, bar.slider, bar.value, *bar.buttons]


def look(screen: AnnotateScreen, size: tuple[int, int], question: str) -> str:
    """Give the screen a size and a question; returns both in words, for failures."""
    screen.resize(*size)
    QApplication.processEvents()
    go_to(screen, question)
    return f"{question} at {size[0]} × {size[1]}"


@pytest.mark.parametrize("scale", [0.8, 1.0, 1.25, 1.5, 2.0])
def test_nothing_overlaps_and_nothing_is_cut(make_screen: MakeScreen, theme: Theme, scale: float) -> None:
    theme.set_scale(scale)
    screen = make_screen(sets=1)

    for size in SIZES:
        for question in ("mood", "dominant_colors", "items", "gender_presentation"):
            where = look(screen, size, question)
            assert cut_parts(screen) == [], where
            assert overlaps(screen) == [], where


def cut_parts(screen: AnnotateScreen) -> list[str]:
    """Parts that are not wholly in the bar, or narrower than what they say."""
    bar = screen.parts.bar
    found = []
    for part in shown_parts(screen):
        is_narrow = part.width() < part.sizeHint().width() and isinstance(
            part, OptionButton | KeyButton | CountSlider | CountValue
        )
        if is_narrow or not bar.rect().contains(place_in(bar, part)):
            found.append(part.accessibleName())
    return found


def overlaps(screen: AnnotateScreen) -> list[tuple[str, str]]:
    """Pairs of parts that touch each other."""
    bar = screen.parts.bar
    parts = shown_parts(screen)
    return [
        (one.accessibleName(), other.accessibleName())
        for index, one in enumerate(parts)
        for other in parts[:index]
        if place_in(bar, one).intersects(place_in(bar, other))
    ]


@pytest.mark.parametrize("scale", [0.8, 1.0, 1.5, 2.0])
def test_all_ten_are_on_the_stage(make_screen: MakeScreen, theme: Theme, scale: float) -> None:
    theme.set_scale(scale)
    screen = make_screen(sets=1)

    for size in SIZES:
        where = look(screen, size, "mood")
        stage = screen.parts.stage
        bodies = [place_in(screen, tile, tile.body) for tile in screen.parts.grid.shown]
        assert all(stage.contains(body) for body in bodies), where
        for index, body in enumerate(bodies):
            assert not any(body.intersects(other) for other in bodies[:index]), where


@pytest.mark.parametrize(
    ("size", "side"),
    [((1280, 720), 220), ((1366, 768), 244), ((1440, 900), 271), ((1920, 1080), 367), ((2560, 1440), 495)],
)
def test_pictures_are_as_large_as_the_design_measured(
    make_screen: MakeScreen, size: tuple[int, int], side: int
) -> None:
    screen = make_screen(sets=1, size=size)
    go_to(screen, "gender_presentation")

    assert abs(screen.parts.grid.side - side) <= 2


def test_nothing_moves_when_an_answer_is_given(make_screen: MakeScreen) -> None:
    screen = make_screen(sets=1)
    before = {part: part.geometry() for part in shown_parts(screen)}
    grid = screen.parts.grid.geometry()

    for keys in (("3",), ("Q", "W"), ("U",), ("4",), ("=",)):
        press(*keys)
        assert {part: part.geometry() for part in shown_parts(screen)} == before
        assert screen.parts.grid.geometry() == grid


def test_bar_heights_are_those_of_the_design(make_screen: MakeScreen) -> None:
    narrow, wide = make_screen(sets=1), make_screen(sets=1, size=(1920, 1080))
    for screen in (narrow, wide):
        go_to(screen, "gender_presentation")

    assert narrow.parts.top.height() == wide.parts.top.height() == 44
    assert 143 <= narrow.parts.area.height() <= 150
    assert 148 <= wide.parts.area.height() <= 156


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_targets_are_at_least_32_px_high(make_screen: MakeScreen, theme: Theme, scale: float) -> None:
    theme.set_scale(scale)
    screen = make_screen(sets=1, size=(1920, 1080))

    for widget in [*shown_parts(screen), *screen.parts.top.icons, screen.parts.bar.hint]:
        assert widget.height() >= min(fonts.px(32), 32), widget.accessibleName()


def test_a_tile_repaints_alone(
    make_screen: MakeScreen, seen: Callable[[AnnotateScreen], None], qtbot: QtBot, runner: TaskRunner
) -> None:
    class Paints(QObject):
        seen: list[int]

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() is QEvent.Type.Paint:
                self.seen.append(watched.property("place"))
            return False

    screen = make_screen(sets=1, size=(1920, 1080))
    seen(screen)
    qtbot.waitUntil(lambda: runner.is_idle)
    QApplication.processEvents()
    paints = Paints()
    paints.seen = []
    for tile in screen.parts.grid.tiles:
        tile.setProperty("place", tile.position)
        tile.installEventFilter(paints)

    press("E")
    QApplication.processEvents()

    assert 2 in paints.seen
    assert set(paints.seen) <= {1, 2, 3, 6, 7, 8}  # neighbours share the margin where the rings are
    assert {0, 4, 5, 9}.isdisjoint(paints.seen)
