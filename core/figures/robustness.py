"""Robustness: how far the prevalence of a label moves when one prompt is left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.figures.canvas import FULL_WIDTH, SMALL, TITLE, Sheet, drawn, width_of
from core.figures.drawing import Drawing
from core.figures.look import Look
from core.figures.wording import counted, number, thousands
from core.schema import COHORTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUPPORTED = 0.05
"""Labels that hardly ever occur cannot move; only those of at least this prevalence are drawn."""

LINES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
MARGIN, GAP = 3.0, 5.0


def robustness(table: pd.DataFrame, cohort_of: Mapping[str, str], *, move_pp: float = 5.0) -> Drawing:
    """Share of labels that move at most so many points without any one prompt, by cohort and generator.

    Parameters
    ----------
    table : DataFrame
        The table `robustness`.
    cohort_of : mapping
        Cohort by dimension.
    move_pp : float
        The move that still counts as none, in percentage points; drawn as a line.
    """
    used = table[table["largest_move"].notna() & (table["value"] >= SUPPORTED)]
    data = pd.DataFrame(
        {
            "cohort": used["dimension"].astype(str).map(lambda one: cohort_of.get(one, "")),
            "generator": used["generator"].astype(str),
            "role": used["role"].astype(str),
            "dimension": used["dimension"].astype(str),
            "label": used["label"].astype(str),
            "move_pp": 100 * used["largest_move"].astype(float).abs(),
        }
    ).reset_index(drop=True)
    still = float((data["move_pp"] <= move_pp).mean()) if len(data) else float("nan")
    caption = (
        "Largest move of a label's prevalence when one prompt of its role is left out: the share of labels "
        f"(a role and dimension each, prevalence at least {100 * SUPPORTED:.0f} %) that move at most so many "
        f"points. Line: {move_pp:g} points, within which {number(100 * still, 1)} % of them stay. "
        f"n = {counted(len(data), 'label')} ({_amounts(data)})."
    )
    alt = f"Cumulative curves by cohort, a line a generator. {_alt(data, move_pp)}"
    title = "Robustness against single prompts"
    return Drawing("robustness", title, caption, alt, data, lambda look: _draw(data, move_pp, look))


def _cohorts(data: pd.DataFrame) -> list[str]:
    there = set(data["cohort"])
    return [name for name in COHORTS if name in there] + sorted(there - set(COHORTS))


def _amounts(data: pd.DataFrame) -> str:
    return (
        ", ".join(f"{name} {thousands(int((data['cohort'] == name).sum()))}" for name in _cohorts(data))
        or "none"
    )


def _alt(data: pd.DataFrame, move_pp: float) -> str:
    said = []
    for cohort in _cohorts(data):
        mine = data[data["cohort"] == cohort].groupby("generator", sort=False)["move_pp"]
        parts = [f"{name} {number(100 * float((moves <= move_pp).mean()), 0)} %" for name, moves in mine]
        said.append(f"{cohort}, within {move_pp:g} points: {', '.join(parts)}")
    return "; ".join(said) or "Nothing was measured."


@drawn
def _draw(data: pd.DataFrame, move_pp: float, look: Look) -> Figure:
    cohorts = _cohorts(data) or [""]
    generators = list(dict.fromkeys(data["generator"]))
    each = (FULL_WIDTH - 2 * MARGIN - 10 - GAP * (len(cohorts) - 1)) / len(cohorts)
    each = min(each, 70.0)
    high, head = min(each, 42.0), 15.0
    sheet = Sheet(FULL_WIDTH, head + high + 11, look)
    colours = {name: sign.colour for name, sign in look.signs_of(generators).items()}
    styles = {name: LINES[place % len(LINES)] for place, name in enumerate(generators)}
    _draw_legend(sheet, colours, styles)
    end = max(float(np.quantile(data["move_pp"], 0.995)) if len(data) else 0.0, 1.5 * move_pp)
    for place, cohort in enumerate(cohorts):
        left = MARGIN + 10 + place * (each + GAP)
        axes = sheet.axes(left, head, each, high)
        sheet.say(cohort, left, head - 3, TITLE, bold=True)
        _draw_panel(axes, data[data["cohort"] == cohort], colours, styles, move_pp, end, look)
        sheet.say(
            "largest move, points", left + each / 2, head + high + 8, SMALL, look.muted, across="center"
        )
        if place:
            axes.set_yticklabels([])
        else:
            axes.set_ylabel("labels that move no more, %", fontsize=SMALL, color=look.muted)
    return sheet.figure


def _draw_panel(
    axes: Axes,
    data: pd.DataFrame,
    colours: Mapping[str, str],
    styles: Mapping[str, object],
    move_pp: float,
    end: float,
    look: Look,
) -> None:
    axes.grid(color=look.line, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.axvline(move_pp, color=look.text, linewidth=0.8, zorder=1)
    axes.set_xlim(0, end)
    axes.set_ylim(0, 102)
    axes.set_yticks([0, 25, 50, 75, 100])
    for name, colour in colours.items():
        moves = np.sort(data.loc[data["generator"] == name, "move_pp"].to_numpy())
        if moves.size:
            moves, share = _steps(moves, end)
            axes.plot(
                moves, share, color=colour, linestyle=styles[name], linewidth=1.3, drawstyle="steps-post"
            )


def _steps(moves: np.ndarray, end: float) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the steps of a cumulative curve in percent, from 0 to the end of the axis."""
    values, first = np.unique(moves, return_index=True)
    reached = np.append(first[1:], moves.size) / moves.size * 100
    return np.concatenate([[0.0], values, [max(end, values[-1])]]), np.concatenate([[0.0], reached, [100.0]])


def _draw_legend(sheet: Sheet, colours: Mapping[str, str], styles: Mapping[str, object]) -> None:
    from matplotlib.lines import Line2D

    left = MARGIN
    for name, colour in colours.items():
        ends, level = [left / sheet.width, (left + 7) / sheet.width], 1 - 4.5 / sheet.height
        line = Line2D(ends, [level, level], color=colour, linestyle=styles[name], linewidth=1.3)  # type: ignore[arg-type]
        sheet.figure.add_artist(line)
        sheet.say(name, left + 8.5, 4.5)
        left += width_of([name]) + 14
