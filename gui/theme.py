"""The theme: Fusion everywhere, our palette, one style sheet, the system's light or dark, and the scale.

`Theme` is made once by `gui.app`. It follows the system's colour scheme while nothing is pinned, and says
`changed` after every switch; widgets that paint themselves are repainted by Qt, those that keep an image
(charts, icons) listen to the signal.
"""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTemporaryDir, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory, QWidget

from core.paths import RESOURCES
from gui import fonts, icons, palette

STYLE_SHEET = RESOURCES / "style.qss"


class Theme(QObject):
    """The one place that changes palette, style sheet and scale.

    Parameters
    ----------
    application : QApplication
    pinned : str or None
        "light" or "dark" to ignore the system's scheme, None to follow it.
    scale : float
        Size of all text and lengths, 0.8 to 2.
    """

    changed = Signal()

    def __init__(self, application: QApplication, pinned: str | None = None, scale: float = 1.0) -> None:
        super().__init__(application)
        self._application = application
        self._pinned = None
        self._drawings = QTemporaryDir()
        fonts.set_scale(scale)
        fonts.adopt_system_font(application.font())
        application.setStyle(QStyleFactory.create("Fusion"))
        application.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)
        self._apply()
        self.pin(pinned)

    @property
    def name(self) -> str:
        """ "light" or "dark", as stored with each sitting (the surround is part of the stimulus)."""
        return palette.palette().name

    @property
    def pinned(self) -> str | None:
        """The pinned scheme, None while the system's is followed."""
        return self._pinned

    @property
    def scale(self) -> float:
        """Scale of text and lengths."""
        return fonts.scale()

    def pin(self, scheme: str | None) -> None:
        """Hold "light" or "dark" whatever the system says; None follows the system again."""
        if scheme == self._pinned:
            return
        self._pinned = scheme
        hints = self._application.styleHints()
        if scheme is None:
            hints.unsetColorScheme()
        else:  # the frame of the window, which the system draws, is to match
            hints.setColorScheme(Qt.ColorScheme.Dark if scheme == "dark" else Qt.ColorScheme.Light)
        self._apply()

    def set_scale(self, scale: float) -> None:
        """Change the size of all text and lengths; kept within 80–200 %."""
        before = fonts.scale()
        fonts.set_scale(scale)
        if fonts.scale() != before:
            self._apply()

    def _wanted(self) -> palette.Palette:
        name = self._pinned or ("dark" if self.is_system_dark() else "light")
        return palette.DARK if name == "dark" else palette.LIGHT

    def is_system_dark(self) -> bool:
        """Whether the system asks for dark windows."""
        return self._application.styleHints().colorScheme() is Qt.ColorScheme.Dark

    def _apply(self) -> None:
        chosen = self._wanted()
        palette.use(chosen)
        self._application.setFont(fonts.font())
        self._application.setPalette(qt_palette(chosen))
        self._application.setStyleSheet(style_sheet(chosen, Path(self._drawings.path())))
        self.changed.emit()

    def _on_scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        if self._wanted() is not palette.palette():
            self._apply()


_ROLE_OF_QT = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "window",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "danger",
    QPalette.ColorRole.PlaceholderText: "faint",
    QPalette.ColorRole.Light: "surface",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "line",
    QPalette.ColorRole.Dark: "edge",
    QPalette.ColorRole.Shadow: "edge",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.HighlightedText: "on_accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
}

_FAINT_WHEN_DISABLED = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
)


def qt_palette(roles: palette.Palette) -> QPalette:
    """Our roles as the palette that Qt's own widgets paint with."""
    made = QPalette()
    for qt_role, name in _ROLE_OF_QT.items():
        made.setColor(qt_role, roles.role(name))
    for qt_role in _FAINT_WHEN_DISABLED:
        made.setColor(QPalette.ColorGroup.Disabled, qt_role, roles.faint)
    return made


def style_sheet(roles: palette.Palette, drawings: Path) -> str:
    """The style sheet filled in: `@role` is a colour, `28u` a length, `@icon(down,muted)` a drawing's file.

    A style sheet can show a drawing only from a file, so the few that Qt's own parts need are written in
    their colour into the folder `drawings`.
    """
    text = STYLE_SHEET.read_text(encoding="utf-8")
    colours: dict[str, QColor] = roles.roles()

    def drawn(found: re.Match[str]) -> str:
        name, role = found[1], found[2]
        file = drawings / f"{name}-{role}-{roles.name}.svg"
        file.write_text(icons.coloured(name, colours[role]), encoding="utf-8", newline="\n")
        return f'url("{file.as_posix()}")'

    text = re.sub(r"@icon\(([a-z-]+),([a-z_]+)\)", drawn, text)
    text = re.sub(r"@([a-z_0-9]+)", lambda found: colours[found[1]].name(), text)
    return re.sub(
        r"\b(\d+)u(?:-(\d+))?\b",
        lambda found: f"{fonts.px(int(found[1])) - int(found[2] or 0)}px",
        text,
    )


def set_kind(widget: QWidget, kind: str) -> None:
    """Give a widget its `kind` (primary, quiet, danger, seg, card …) and restyle it if it is shown."""
    widget.setProperty("kind", kind)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def is_restyle(event: QEvent) -> bool:
    """Whether a change event means that colours or scale are new, for widgets that keep images."""
    return event.type() in (QEvent.Type.StyleChange, QEvent.Type.PaletteChange)
