"""Values with intervals: rows of dots, one panel beside the other, one scale for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from core.figures.canvas import FULL_WIDTH, SMALL, TEXT, TINY, TITLE, Sheet, drawn, shortened, width_of
from core.figures.look import Look, Sign
from core.figures.wording import is_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARGIN, HEAD, LEGEND, FOOT, GAP = 3.0, 9.0, 6.0, 10.0, 5.0
EDGE, MANY_ROWS = 0.7, 12


@dataclass(frozen=True)
class Panels:
    """What to draw.

    Attributes
    ----------
    data : DataFrame
        Columns panel, row, series, value, low, high; one row a dot. An undefined value is not drawn; a row
        of a panel without any says so.
    panels : mapping
        Title of a panel by its key, in order.
    rows : sequence of tuple
        Key and words of each row, in order; the key "" is a heading.
    series : mapping
        Sign by series, in the order in which they lie within a row.
    measure : str
        What the axis says.
    reference : float, optional
        A value to be seen as a line: no change, for instance.
    words : mapping
        What the legend says of a series, where not its name.
    """

    data: pd.DataFrame
    panels: Mapping[str, str]
    rows: Sequence[tuple[str, str]]
    series: Mapping[str, Sign]
    measure: str
    reference: float | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    note: str = "bars: 95 % interval"


@drawn
def draw_panels(what: Panels, look: Look, width: float = FULL_WIDTH) -> Figure:
    """Draw them.

    Parameters
    ----------
    what : Panels
    look : Look
    width : float
        Of the figure, in mm.

    Returns
    -------
    Figure
    """
    is_tall = len(what.rows) > MANY_ROWS
    heights = [_row_height(key, len(what.series), is_tall) for key, _ in what.rows]
    name_width = min(max((_name_width(*row) for row in what.rows), default=0) + 3, 0.32 * width)
    legend = _legend_lines(what, width)
    top = MARGIN + LEGEND * len(legend) + HEAD - 3
    sheet = Sheet(width, top + sum(heights) + FOOT, look)
    _draw_legend(sheet, legend, what)
    _draw_names(sheet, what.rows, heights, top, name_width)
    each = (width - 2 * MARGIN - name_width - GAP * (len(what.panels) - 1)) / max(len(what.panels), 1)
    ends, ticks = scale_of(what.data, what.reference, most=4 if each < 30 else 6)
    dots = _dots(what.data)
    for number, (key, title) in enumerate(what.panels.items()):
        left = MARGIN + name_width + number * (each + GAP)
        axes = sheet.axes(left, top, each, sum(heights))
        sheet.say(shortened(title, each, TITLE), left, top - 3, TITLE, bold=True)
        _draw_panel(axes, key, what, heights, look, dots)
        axes.set_xlim(*ends)
        axes.set_xticks(ticks)
        axes.set_xticklabels([_tick_words(tick) for tick in ticks])
        sheet.say(what.measure, left + each / 2, sheet.height - 3, SMALL, look.muted, across="center")
    return sheet.figure


def scale_of(
    data: pd.DataFrame, reference: float | None, most: int
) -> tuple[tuple[float, float], list[float]]:
    """Ends of the axis and its ticks: all values, intervals and the reference are on it.

    Examples
    --------
    >>> frame = pd.DataFrame({"value": [0.2, 0.61], "low": [0.1, 0.5], "high": [0.3, 0.7]})
    >>> scale_of(frame, None, 6)[1]
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    """
    from matplotlib.ticker import MaxNLocator

    every = pd.concat([data[name] for name in ("value", "low", "high")]).astype(float).dropna()
    low = min([*every, *([] if reference is None else [reference])], default=0.0)
    high = max([*every, *([] if reference is None else [reference])], default=1.0)
    if low == high:
        low, high = low - 0.05, high + 0.05
    room = 0.04 * (high - low)
    ticks = [
        float(round(tick, 10)) for tick in MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    ]
    inside = [tick for tick in ticks if low - 1e-9 <= tick <= high + 1e-9] or ticks
    return (min(low, inside[0]) - room, max(high, inside[-1]) + room), inside


def _tick_words(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _row_height(key: str, series: int, is_tall: bool) -> float:
    """Height of a row or heading in mm; a figure of many rows must still fit on a page."""
    if not key:
        return 4.6 if is_tall else 5.0
    return (1.35 if series <= 3 else 1.05) * series + 2 * EDGE if is_tall else 1.9 * series + 2 * EDGE


def _name_width(key: str, words: str) -> float:
    return width_of([words], TEXT, bold=not key) + (2.0 if key else 0.0)


def _legend_lines(what: Panels, width: float) -> list[list[tuple[str, float]]]:
    """Which series stands where, line by line; "" is the note on the intervals."""
    lines: list[list[tuple[str, float]]] = [[]]
    left = MARGIN
    for key in [*what.series, ""]:
        words = what.words.get(key, key) if key else what.note
        takes = width_of([words]) + (6.5 if key else 0) + 4
        if lines[-1] and left + takes > width - MARGIN:
            lines.append([])
            left = MARGIN
        lines[-1].append((key, left))
        left += takes
    return lines


def _draw_legend(sheet: Sheet, lines: Sequence[Sequence[tuple[str, float]]], what: Panels) -> None:
    for number, line in enumerate(lines):
        top = MARGIN + LEGEND * number + 1.5
        for key, left in line:
            if not key:
                sheet.say(what.note, left, top, colour=sheet.look.muted)
                continue
            sign = what.series[key]
            sheet.sign(sign.marker, sign.colour, left + 2, top)
            sheet.say(what.words.get(key, key), left + 5.5, top)


def _draw_names(
    sheet: Sheet, rows: Sequence[tuple[str, str]], heights: Sequence[float], top: float, width: float
) -> None:
    for (key, words), height in zip(rows, heights, strict=True):
        left = MARGIN + (2.0 if key else 0.0)
        sheet.say(shortened(words, width - 1, TEXT), left, top + height / 2, bold=not key)
        top += height


Dots = Mapping[tuple[str, str, str], tuple[float | None, float | None, float | None]]


def _dots(data: pd.DataFrame) -> Dots:
    columns = ["panel", "row", "series", "value", "low", "high"]
    return {
        (str(panel), str(row), str(series)): (_known(value), _known(low), _known(high))
        for panel, row, series, value, low, high in data[columns].itertuples(index=False, name=None)
    }


def _known(value: object) -> float | None:
    return float(value) if is_number(value) else None


def _draw_panel(
    axes: Axes, panel: str, what: Panels, heights: Sequence[float], look: Look, dots: Dots
) -> None:
    total, top = sum(heights), 0.0
    axes.set_ylim(total, 0)
    axes.set_yticks([])
    axes.grid(axis="x", color=look.line, linewidth=0.5)
    axes.set_axisbelow(True)
    if what.reference is not None:
        axes.axvline(what.reference, color=look.edge, linewidth=0.8, zorder=1)
    for (key, _), height in zip(what.rows, heights, strict=True):
        if key:
            _draw_row(axes, panel, key, what, (top, height), look, dots)
        if top:
            axes.axhline(top, color=look.line, linewidth=0.5, zorder=0.5)
        top += height


def _draw_row(
    axes: Axes,
    panel: str,
    row: str,
    what: Panels,
    place: tuple[float, float],
    look: Look,
    dots: Dots,
) -> None:
    top, height = place
    is_empty = True
    step = (height - 2 * EDGE) / len(what.series)
    for number, (series, sign) in enumerate(what.series.items()):
        value, low, high = dots.get((panel, row, series), (None, None, None))
        if value is None:
            continue
        is_empty = False
        middle = top + EDGE + (number + 0.5) * step
        if low is not None and high is not None:
            axes.plot([low, high], [middle, middle], color=sign.colour, linewidth=1.1, solid_capstyle="butt")
        draw_sign(axes, value, middle, sign, look)
    if is_empty:
        say: dict[str, Any] = {"color": look.muted, "va": "center", "fontsize": TINY}
        axes.text(0.015, top + height / 2, "undefined", transform=axes.get_yaxis_transform(), **say)


def draw_sign(axes: Axes, x: float, y: float, sign: Sign, look: Look) -> None:
    """One marker with a thin rim of the ground, so that it stands out from its interval."""
    is_thin = sign.marker == "x"
    is_letter = sign.marker.startswith("$")
    if is_letter:
        axes.plot([x], [y], marker="o", color=look.surface, markersize=6, linestyle="none", zorder=2.9)
    size = 5.4 if sign.marker in ("*", "P") or is_letter else 4.4
    axes.plot(
        [x],
        [y],
        marker=sign.marker,
        color=sign.colour,
        markersize=size,
        markeredgecolor=sign.colour if is_thin or is_letter else look.surface,
        markeredgewidth=1.1 if is_thin else 0.4,
        linestyle="none",
        zorder=3,
    )
