"""Every colour of the application, by role, light and dark; the only file with hex values.

Colour belongs to the data: the window is neutral grey, one accent (petrol) means "act here, chosen,
focus, moving", and everything else with a hue is a condition, a generator, the pipeline, a warning or a
failure. Widgets ask `palette()` while they paint and never keep a colour, so a theme change is a repaint.
The colours are shared `QColor`s: copy one (`QColor(palette().text)`) before setting its alpha.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from PySide6.QtGui import QColor

from core.records import Condition


@dataclass(frozen=True, slots=True, eq=False)
class Marker:
    """How a condition or a generator is drawn: colour, shape and the matplotlib sign of that shape.

    Shapes: circle, square, triangle up, hexagon, triangle down, plus, star, diamond, cross.
    """

    colour: QColor
    shape: str
    sign: str


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """One set of roles; `conditions` is keyed by condition name, `generators` by generator family."""

    name: str
    window: QColor
    surface: QColor
    raised: QColor
    sunken: QColor
    stage: QColor
    hover: QColor
    line: QColor
    edge: QColor
    text: QColor
    muted: QColor
    faint: QColor
    accent: QColor
    on_accent: QColor
    accent_over: QColor
    accent_soft: QColor
    accent_line: QColor
    mark: QColor
    on_mark: QColor
    focus: QColor
    danger: QColor
    danger_soft: QColor
    warn: QColor
    warn_soft: QColor
    human: QColor
    pipeline: QColor
    coverage: tuple[QColor, ...]
    conditions: Mapping[str, Marker]
    generators: Mapping[str, Marker]

    @property
    def is_dark(self) -> bool:
        """Whether this is the dark set."""
        return self.name == "dark"

    def role(self, name: str) -> QColor:
        """The colour of one role by its name, for icons and style sheets."""
        colour = getattr(self, name)
        if not isinstance(colour, QColor):
            raise KeyError(name)
        return colour

    def roles(self) -> dict[str, QColor]:
        """All single colours by role name, coverage steps as `coverage_0` … `coverage_5`."""
        single = {field.name: getattr(self, field.name) for field in fields(self)}
        colours = {name: value for name, value in single.items() if isinstance(value, QColor)}
        return colours | {f"coverage_{step}": colour for step, colour in enumerate(self.coverage)}

    def condition(self, condition: Condition | str | None) -> Marker:
        """Marker of a condition; an unstated condition is a faint circle."""
        if condition is None:
            return Marker(self.faint, "circle", "o")
        return self.conditions[str(condition)]

    def generator(self, name: str) -> Marker:
        """Marker of a generator by its name; a name of no known family is an own folder."""
        marker, letter = self.generators[family_of(name)], letter_of(name)
        return Marker(marker.colour, f"{LETTER}{letter}", f"${letter}$") if letter else marker


_FAMILIES = (
    ("sdxl", ("sdxl", "stable-diffusion-xl")),
    ("sd3.5", ("sd3", "sd35", "stable-diffusion-3")),
    ("flux", ("flux",)),
    ("qwen", ("qwen",)),
    ("drawn", ("drawn", "phantom")),
)


LETTER = "letter "
"""How the shape of a marker begins that is a letter; the letter follows."""


def letter_of(generator: str) -> str:
    """The letter that stands for a built-in generator beside the first of its family, else "".

    >>> letter_of("drawn-a"), letter_of("drawn-b"), letter_of("phantom"), letter_of("sdxl")
    ('', 'b', 'p', '')
    """
    name = generator.lower()
    if name.startswith("phantom"):
        return "p"
    last = name.removeprefix("drawn-")
    return last if last != name and len(last) == 1 and last != "a" else ""


def family_of(generator: str) -> str:
    """Family of a generator name: sdxl, sd3.5, flux, qwen, drawn, else own."""
    name = generator.lower().replace(" ", "").replace("_", "-")
    for family, beginnings in _FAMILIES:
        if name.startswith(beginnings):
            return family
    return "own"


def _conditions(cf: str, ca_r: str, ca_u: str) -> dict[str, Marker]:
    return {
        "CF": Marker(QColor(cf), "circle", "o"),
        "CA-R": Marker(QColor(ca_r), "square", "s"),
        "CA-U": Marker(QColor(ca_u), "triangle up", "^"),
    }


def _generators(sdxl: str, sd35: str, flux: str, qwen: str, own: str, drawn: str) -> dict[str, Marker]:
    return {
        "sdxl": Marker(QColor(sdxl), "hexagon", "h"),
        "sd3.5": Marker(QColor(sd35), "triangle down", "v"),
        "flux": Marker(QColor(flux), "plus", "P"),
        "qwen": Marker(QColor(qwen), "star", "*"),
        "own": Marker(QColor(own), "diamond", "d"),
        "drawn": Marker(QColor(drawn), "cross", "x"),
    }


def _steps(*values: str) -> tuple[QColor, ...]:
    return tuple(QColor(value) for value in values)


LIGHT = Palette(
    name="light",
    window=QColor("#F3F3F3"),
    surface=QColor("#FFFFFF"),
    raised=QColor("#FFFFFF"),
    sunken=QColor("#E9E9E9"),
    stage=QColor("#DEDEDE"),
    hover=QColor("#EAEAEA"),
    line=QColor("#D4D4D4"),
    edge=QColor("#7A7A7A"),
    text=QColor("#1B1B1B"),
    muted=QColor("#595959"),
    faint=QColor("#696969"),
    accent=QColor("#0B6E75"),
    on_accent=QColor("#FFFFFF"),
    accent_over=QColor("#095C62"),
    accent_soft=QColor("#DDEEEF"),
    accent_line=QColor("#7FB5B9"),
    mark=QColor("#1B1B1B"),
    on_mark=QColor("#FFFFFF"),
    focus=QColor("#1B1B1B"),
    danger=QColor("#B3261E"),
    danger_soft=QColor("#FBE9E7"),
    warn=QColor("#805300"),
    warn_soft=QColor("#FFF1CF"),
    human=QColor("#1B1B1B"),
    pipeline=QColor("#7B4FA8"),
    coverage=_steps("#FFFFFF", "#E6F1F1", "#D2E6E7", "#BDDADC", "#A8CED1", "#93C2C5"),
    conditions=_conditions("#595959", "#0072B2", "#D55E00"),
    generators=_generators("#2F97C4", "#A8325E", "#A88A2A", "#2B1B82", "#5A1E0C", "#7A8494"),
)

DARK = Palette(
    name="dark",
    window=QColor("#1C1C1C"),
    surface=QColor("#252525"),
    raised=QColor("#2E2E2E"),
    sunken=QColor("#161616"),
    stage=QColor("#121212"),
    hover=QColor("#343434"),
    line=QColor("#3C3C3C"),
    edge=QColor("#858585"),
    text=QColor("#ECECEC"),
    muted=QColor("#B4B4B4"),
    faint=QColor("#979797"),
    accent=QColor("#4CC3C9"),
    on_accent=QColor("#071C1D"),
    accent_over=QColor("#6AD2D7"),
    accent_soft=QColor("#173A3C"),
    accent_line=QColor("#2C7377"),
    mark=QColor("#F2F2F2"),
    on_mark=QColor("#141414"),
    focus=QColor("#FFFFFF"),
    danger=QColor("#FF8A80"),
    danger_soft=QColor("#452220"),
    warn=QColor("#E6B54A"),
    warn_soft=QColor("#3A2E14"),
    human=QColor("#ECECEC"),
    pipeline=QColor("#C39BE8"),
    coverage=_steps("#252525", "#233133", "#233D3F", "#24494C", "#255659", "#276468"),
    conditions=_conditions("#BDBDBD", "#56B4E9", "#F0883A"),
    generators=_generators("#5FD6EE", "#E8789A", "#E6D654", "#8F86F5", "#C05A2C", "#6F7680"),
)

_current = LIGHT


def palette() -> Palette:
    """The palette in use now; ask while painting, never keep it."""
    return _current


def use(new: Palette) -> None:
    """Make a palette the current one; only `gui.theme` calls this."""
    global _current
    _current = new
