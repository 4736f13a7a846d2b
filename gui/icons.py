"""Icons: our own SVG line drawings, rendered in a role's colour at the screen's pixel ratio, and kept."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from core.paths import RESOURCES
from gui.fonts import px
from gui.palette import palette

ICONS = RESOURCES / "icons"
OF_APPLICATION = RESOURCES / "desktop" / "contextbias-studio.svg"
GRID = 20


def names() -> tuple[str, ...]:
    """Names of all icons there are."""
    return tuple(sorted(path.stem for path in ICONS.glob("*.svg")))


def icon(name: str, role: str = "text", size: float = GRID) -> QIcon:
    """An icon in a palette role, `size` px at 100 %; its disabled form is faint.

    The colour is that of the current palette: a widget that keeps the icon asks again after a theme
    change (`gui.widgets.button.Button` does).
    """
    made = QIcon()
    for ratio in _ratios():
        made.addPixmap(pixmap(name, role, size, ratio))
        made.addPixmap(pixmap(name, "faint", size, ratio), QIcon.Mode.Disabled)
    return made


def pixmap(name: str, role: str = "text", size: float = GRID, ratio: float = 1.0) -> QPixmap:
    """One icon as a pixmap of `size` px at the current scale and the given device pixel ratio."""
    return _rendered(name, palette().role(role).name(), px(size), ratio)


def coloured(name: str, colour: QColor) -> str:
    """The SVG text of an icon in a colour."""
    return _source(name).replace("currentColor", colour.name())


def draw_icon(painter: QPainter, name: str, role: str, place: QRectF) -> None:
    """Paint an icon centred in a rectangle, as large as its shorter side allows, sharp at any ratio."""
    side = min(place.width(), place.height())
    ratio = painter.device().devicePixelRatioF()
    drawn = _rendered(name, palette().role(role).name(), round(side), ratio)
    painter.drawPixmap(round(place.center().x() - side / 2), round(place.center().y() - side / 2), drawn)


def _ratios() -> tuple[float, ...]:
    screens = {screen.devicePixelRatio() for screen in QGuiApplication.screens()}
    return tuple(sorted(screens | {1.0}))


@lru_cache(maxsize=1024)
def _rendered(name: str, colour: str, side: int, ratio: float) -> QPixmap:
    drawing = QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))
    made = QPixmap(round(side * ratio), round(side * ratio))
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    drawing.render(painter, QRectF(0, 0, made.width(), made.height()))
    painter.end()
    made.setDevicePixelRatio(ratio)
    return made


@lru_cache(maxsize=128)
def _source(name: str) -> str:
    path: Path = ICONS / f"{name}.svg"
    return path.read_text(encoding="utf-8")
