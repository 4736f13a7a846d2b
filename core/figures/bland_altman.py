"""Bland–Altman: difference of two counts against their mean, with bias and limits, a panel a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.figures.canvas import FULL_WIDTH, SMALL, TINY, TITLE, Sheet, drawn, shortened
from core.figures.drawing import Drawing
from core.figures.look import Look
from core.figures.wording import counted, interval, number, plain
from core.records import IMAGES_PER_SET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACROSS, MARGIN, GAP, TOP, HEAD, BELOW = 5, 3.0, 4.0, 6.0, 5.0, 8.5
POOLED = "all questions"


@dataclass(frozen=True)
class _Panel:
    title: str
    mean: np.ndarray
    difference: np.ndarray
    bias: float | None
    ends: tuple[float | None, float | None]
    limits: tuple[float | None, float | None]


def bland_altman_figure(
    counts: pd.DataFrame, scope: str, *, names: Mapping[str, str] | None = None
) -> Drawing:
    """Second count minus first against their mean, all questions together and each by itself.

    Parameters
    ----------
    counts : DataFrame
        The table `counts`: question, scope, image_set, label, first, second (0 to 10).
    scope : str
        Whose counts: "pipeline" (people first, pipeline second) or a pair of people.
    names : mapping, optional
        How questions are called.
    """
    used = counts[counts["scope"] == scope]
    questions = list(dict.fromkeys(used["question"].astype(str)))
    panels = [_panel(used, POOLED)]
    panels += [_panel(used[used["question"] == one], plain(one, names)) for one in questions]
    data = used.assign(mean=(used["first"] + used["second"]) / 2, difference=used["second"] - used["first"])
    who = (
        "pipeline minus people" if scope == "pipeline" else f"{' minus '.join(scope.split(' and ', 1)[::-1])}"
    )
    whole = panels[0]
    said = (
        ""
        if whole.bias is None
        else f" Over all questions: bias {number(whole.bias)} ({interval(*whole.ends)}), "
    )
    said += "" if not said else f"limits {interval(*whole.limits)}."
    caption = (
        f"Counts from 0 to {IMAGES_PER_SET}, {who}, against the mean of both; a dot an image set on which "
        "both chose the same label (larger: several). Solid line: mean difference (bias); broken lines: "
        f"95 % limits of agreement.{said} n = {counted(len(used), 'pair')} of counts."
    )
    alt = f"Differences of counts, {who}. {'; '.join(_alt(panel) for panel in panels[:8])}."
    return Drawing(
        "bland_altman",
        f"Counts compared: {who}",
        caption,
        alt,
        data.reset_index(drop=True),
        lambda look: _draw(panels, who, look),
    )


def _panel(table: pd.DataFrame, title: str) -> _Panel:
    from core.statistics.bland_altman import bland_altman

    first, second = (table[name].to_numpy(dtype=float) for name in ("first", "second"))
    found = bland_altman(second, first)
    bias = found.bias
    return _Panel(
        f"{title} ({len(table)})",
        (first + second) / 2,
        second - first,
        bias.value,
        (bias.low, bias.high),
        (found.lower.value, found.upper.value),
    )


def _alt(panel: _Panel) -> str:
    return f"{panel.title}: bias {number(panel.bias)}, limits {interval(*panel.limits) or 'undefined'}"


@drawn
def _draw(panels: Sequence[_Panel], who: str, look: Look) -> Figure:
    across = min(ACROSS, len(panels))
    each = (FULL_WIDTH - 2 * MARGIN - 9 - GAP * (ACROSS - 1)) / ACROSS
    lines = -(-len(panels) // across)
    high = 0.82 * each
    sheet = Sheet(FULL_WIDTH, TOP + lines * (HEAD + high + BELOW) + 3, look)
    far = max([3.0, *(float(np.abs(panel.difference).max()) for panel in panels if panel.difference.size)])
    for place, panel in enumerate(panels):
        line, column = divmod(place, across)
        left, top = MARGIN + 9 + column * (each + GAP), TOP + HEAD + line * (HEAD + high + BELOW)
        axes = sheet.axes(left, top, each, high)
        sheet.say(shortened(panel.title, each + 2, SMALL), left, top - 2.5, SMALL, bold=True)
        _draw_panel(axes, panel, far, look)
        if column:
            axes.set_yticklabels([])
        else:
            axes.set_ylabel("difference", fontsize=SMALL, color=look.muted)
        if place + across >= len(panels):
            sheet.say("mean of both", left + each / 2, top + high + 7.5, SMALL, look.muted, across="center")
    sheet.say(who, MARGIN, 3.5, TITLE, bold=True)
    return sheet.figure


def _draw_panel(axes: Axes, panel: _Panel, far: float, look: Look) -> None:
    axes.set_xlim(-0.6, IMAGES_PER_SET + 0.6)
    axes.set_ylim(-far - 0.6, far + 0.6)
    axes.set_xticks([0, 5, 10])
    axes.grid(color=look.line, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.axhline(0, color=look.edge, linewidth=0.6, zorder=1)
    if panel.bias is not None:
        axes.axhline(panel.bias, color=look.text, linewidth=1.1, zorder=4)
    for limit in panel.limits:
        if limit is not None:
            axes.axhline(limit, color=look.text, linewidth=0.8, linestyle=(0, (3, 2)), zorder=4)
    if not panel.mean.size:
        axes.text(5, 0.3, "no shared count", ha="center", fontsize=TINY, color=look.muted)
        return
    points, amounts = np.unique(np.stack([panel.mean, panel.difference]), axis=1, return_counts=True)
    sizes = 3.0 + 22.0 * np.sqrt(amounts / amounts.max())
    axes.scatter(points[0], points[1], s=sizes, color=look.pipeline, alpha=0.65, linewidth=0, zorder=3)
