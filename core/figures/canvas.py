"""The sheet that figures are drawn on: print sizes in millimetres, one style, nothing left behind.

matplotlib's settings are global. Drawing happens under one lock, with the settings of the library itself
plus ours, whatever a person's own style file says; afterwards they are as before. So the same data give
the same bytes on every machine that has the same matplotlib.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from core.figures.letters import FONT, boxes_without_warnings, families_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from core.figures.look import Look

FULL_WIDTH = 183.0
"""Width of a figure over two columns of a journal's page, in mm."""

TEXT, SMALL, TINY, TITLE = 7.0, 6.5, 5.5, 8.0
"""Sizes of letters in points at print size."""

_MM = 25.4
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LOCK = threading.RLock()

P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def our_style() -> Iterator[None]:
    """matplotlib's own settings with ours on top, for this thread alone, and back again."""
    import matplotlib

    untouched = ("backend", "backend_fallback", "interactive", "toolbar", "timezone", "webagg", "datapath")
    with _LOCK, matplotlib.rc_context():
        # Every figure starts from the library's defaults, not from a style somebody has set.
        for name, value in matplotlib.rcParamsDefault.items():
            if not name.startswith(untouched):
                matplotlib.rcParams[name] = value
        matplotlib.rcParams.update(
            {
                "font.family": FONT,
                "font.size": TEXT,
                "mathtext.default": "regular",
                "svg.hashsalt": "contextbias",
                "svg.fonttype": "path",
                "pdf.fonttype": 42,
                "axes.linewidth": 0.6,
                "lines.linewidth": 1.1,
                "hatch.linewidth": 0.5,
            }
        )
        yield


def drawn(draw: Callable[P, R]) -> Callable[P, R]:
    """Let a function draw in our style."""

    @functools.wraps(draw)
    def within(*args: P.args, **kwargs: P.kwargs) -> R:
        with our_style():
            return draw(*args, **kwargs)

    return within


class Sheet:
    """A figure of stated size on which parts are placed in mm from the top left.

    Parameters
    ----------
    width, height : float
        In mm.
    look : Look
    """

    def __init__(self, width: float, height: float, look: Look) -> None:
        from matplotlib.figure import Figure

        self.width, self.height, self.look = width, height, look
        self.figure: Figure = Figure(figsize=(width / _MM, height / _MM), facecolor=look.surface)

    def axes(self, left: float, top: float, width: float, height: float, **more: Any) -> Axes:
        """Axes without a frame, ticks in the colours of the look."""
        place = (
            left / self.width,
            1 - (top + height) / self.height,
            width / self.width,
            height / self.height,
        )
        axes: Axes = self.figure.add_axes(place, facecolor=self.look.surface, **more)
        for side in ("left", "right", "top"):
            axes.spines[side].set_visible(False)
        axes.spines["bottom"].set_color(self.look.edge)
        axes.tick_params(
            colors=self.look.muted, which="both", labelsize=SMALL, length=2.2, width=0.6, color=self.look.edge
        )
        return axes

    def say(
        self,
        words: str,
        left: float,
        top: float,
        size: float = TEXT,
        colour: str = "",
        bold: bool = False,
        across: str = "left",
    ) -> None:
        """Write words at a place; `top` is the middle of the line."""
        self.figure.text(
            left / self.width,
            1 - top / self.height,
            visible(words),
            fontsize=size,
            color=colour or self.look.text,
            fontweight="bold" if bold else "normal",
            ha=across,
            va="center_baseline",
            parse_math=False,
            fontfamily=families_for(words),
        )

    def band(self, left: float, top: float, width: float, height: float, colour: str) -> None:
        """Fill a rectangle; `top` is its upper edge."""
        from matplotlib.patches import Rectangle

        place = (left / self.width, 1 - (top + height) / self.height)
        self.figure.add_artist(
            Rectangle(place, width / self.width, height / self.height, color=colour, linewidth=0)
        )

    def rule(self, left: float, top: float, width: float, colour: str, thick: float = 0.6) -> None:
        """Draw a horizontal line."""
        from matplotlib.lines import Line2D

        ends = [left / self.width, (left + width) / self.width]
        level = 1 - top / self.height
        self.figure.add_artist(Line2D(ends, [level, level], color=colour, linewidth=thick))

    def sign(self, marker: str, colour: str, left: float, top: float, hollow: bool = False) -> None:
        """Draw one marker at a place."""
        from matplotlib.lines import Line2D

        self.figure.add_artist(
            Line2D(
                [left / self.width],
                [1 - top / self.height],
                marker=marker,
                color=colour,
                markersize=4.6,
                markerfacecolor=self.look.surface if hollow else colour,
                markeredgewidth=0.9 if marker == "x" or hollow else 0.4 if marker.startswith("$") else 0.0,
                linestyle="none",
            )
        )


def visible(words: str) -> str:
    """Words without control characters, for which no font has a sign and which an SVG may not hold.

    >>> visible("a" + chr(27) + "b")
    'ab'
    """
    return _CONTROL.sub("", words)


def width_of(words: Sequence[str], size: float = TEXT, bold: bool = False) -> float:
    """Width in mm of the widest of some words at a size in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    measure = TextToPath().get_text_width_height_descent
    weight = "bold" if bold else "normal"
    with boxes_without_warnings():
        points = [
            measure(one, FontProperties(family=families_for(one), size=size, weight=weight), ismath=False)[0]
            for one in map(visible, words)
            if one
        ]
    return max(points, default=0.0) / 72 * _MM


def wrapped(words: str, width: float, size: float = TEXT) -> list[str]:
    """Words broken into lines of at most `width` mm."""
    lines: list[str] = []
    for paragraph in visible(words).split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}".strip()
            if line and width_of([longer], size) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines


def shortened(words: str, width: float, size: float = TEXT) -> str:
    """Words cut with an ellipsis so that they take at most `width` mm."""
    if width_of([words], size) <= width:
        return words
    kept = words
    while kept and width_of([kept + "…"], size) > width:
        kept = kept[:-1]
    return kept.rstrip() + "…"


@drawn
def with_caption(figure: Figure, caption: str, look: Look) -> Figure:
    """The figure with its caption below: higher by the lines it takes, everything else where it was."""
    width, height = (float(inches) * _MM for inches in figure.get_size_inches())
    lines = wrapped(caption, width - 6, SMALL)
    more = 3.3 * len(lines) + 3
    share = height / (height + more)
    for axes in figure.axes:
        left, bottom, wide, high = axes.get_position(original=True).bounds
        axes.set_position((left, 1 - (1 - bottom) * share, wide, high * share))
    for text in figure.texts:
        text.set_y(1 - (1 - text.get_position()[1]) * share)
    for artist in figure.artists:
        _move(artist, share)
    figure.set_size_inches(width / _MM, (height + more) / _MM)
    for number, line in enumerate(lines):
        top = height + 3.3 * number + 1.8
        figure.text(
            3 / width,
            1 - top / (height + more),
            line,
            fontsize=SMALL,
            color=look.muted,
            va="center_baseline",
            parse_math=False,
            fontfamily=families_for(line),
        )
    return figure


def _move(artist: Any, share: float) -> None:
    """Move what stands on the sheet itself: a line, a marker or a band."""
    if hasattr(artist, "get_ydata"):
        artist.set_ydata([1 - (1 - float(y)) * share for y in artist.get_ydata()])
    else:
        artist.set_y(1 - (1 - artist.get_y()) * share)
        artist.set_height(artist.get_height() * share)
