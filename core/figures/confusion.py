"""Confusion: what the pipeline says where people agree on something, one grid a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from core.figures.canvas import FULL_WIDTH, TEXT, TINY, Sheet, drawn, shortened, visible, width_of
from core.figures.drawing import Drawing
from core.figures.look import Look
from core.figures.wording import counted, number, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LABELS, OTHERS = 7, "all others"
MARGIN, ACROSS, CELL, GAP, HEAD, UPRIGHT = 3.0, 4, 2.9, 4.0, 5.0, 11.0


@dataclass(frozen=True)
class _Grid:
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: np.ndarray


def confusion(
    table: pd.DataFrame, questions: Sequence[str] = (), *, names: Mapping[str, str] | None = None
) -> Drawing:
    """Consensus of people (rows) against the pipeline (columns), a grid a question.

    Parameters
    ----------
    table : DataFrame
        The table `confusion`.
    questions : sequence of str
        Which, in order; all of them when empty.
    names : mapping, optional
        How questions are called.
    """
    asked = list(questions) or list(dict.fromkeys(table["question"].astype(str)))
    data = table[table["question"].isin(asked)].reset_index(drop=True)
    grids = [_grid_of(table[table["question"] == one], plain(one, names)) for one in asked]
    total = int(data["count"].sum())
    caption = (
        "Consensus of people (rows) against the pipeline (columns) by question, numbers of image sets; grey: "
        "both say the same. Labels in parentheses say why there is none; beyond the "
        f"{MOST_LABELS} most frequent labels of a question, the others are added up. "
        f"n = {counted(total, 'answer')} on {counted(len(asked), 'question')}."
    )
    name = "confusion" if len(asked) != 1 else f"confusion_{asked[0]}"
    return Drawing(
        name, "People against the pipeline", caption, _alt(grids), data, lambda look: _draw(grids, look)
    )


def _grid_of(table: pd.DataFrame, title: str) -> _Grid:
    """Counts of a question; rare labels become one, a state stands only where it occurs."""
    sides = [_amounts(table, column) for column in ("human", "pipeline")]
    both = {label: sum(side.get(label, 0) for side in sides) for side in sides for label in side}
    labels = [one for one in both if not _is_state(one)]
    common = sorted(sorted(labels, key=lambda one: (-both[one], one))[:MOST_LABELS])
    rest = [OTHERS] if len(labels) > len(common) else []
    rows, columns = ((*common, *rest, *sorted(one for one in side if _is_state(one))) for side in sides)
    places = [{label: number for number, label in enumerate(side)} for side in (rows, columns)]
    counts = np.zeros((len(rows), len(columns)), dtype=np.int64)
    for human, pipeline, count in table[["human", "pipeline", "count"]].itertuples(index=False, name=None):
        row, column = (
            place.get(str(label), place.get(OTHERS, 0))
            for place, label in zip(places, (human, pipeline), strict=True)
        )
        counts[row, column] += count
    return _Grid(title, rows, columns, counts)


def _amounts(table: pd.DataFrame, column: str) -> dict[str, int]:
    return {str(label): int(count) for label, count in table.groupby(column)["count"].sum().items()}


def _is_state(label: str) -> bool:
    """Whether it says why there is no label."""
    return label.startswith("(")


def _is_agreement(row: str, column: str) -> bool:
    return row == column and row != OTHERS and not _is_state(row)


def _agreeing(grid: _Grid) -> int:
    return sum(
        int(grid.counts[row, column])
        for row, column in np.ndindex(grid.counts.shape)
        if _is_agreement(grid.rows[row], grid.columns[column])
    )


def _alt(grids: Sequence[_Grid]) -> str:
    said = []
    for grid in grids:
        same, total = _agreeing(grid), int(grid.counts.sum())
        share = number(100 * same / total, 0) if total else "–"
        said.append(f"{grid.title}: {same} of {total} the same ({share} %)")
    return f"A grid of counts a question. {'; '.join(said)}."


@drawn
def _draw(grids: Sequence[_Grid], look: Look) -> Figure:
    across = min(ACROSS, max(len(grids), 1))
    each = (FULL_WIDTH - 2 * MARGIN - GAP * (ACROSS - 1)) / ACROSS
    lines = [grids[start : start + across] for start in range(0, len(grids), across)]
    room = each - CELL * (MOST_LABELS + 2)
    heights = [HEAD + UPRIGHT + 4 + max(CELL * len(grid.rows) for grid in line) for line in lines]
    sheet = Sheet(FULL_WIDTH, sum(heights) + 2, look)
    top = 0.0
    for line, height in zip(lines, heights, strict=True):
        for column, grid in enumerate(line):
            _draw_grid(sheet, grid, MARGIN + column * (each + GAP), top, room)
        top += height
    return sheet.figure


def _draw_grid(sheet: Sheet, grid: _Grid, left: float, top: float, room: float) -> None:
    names = min(width_of(grid.rows, TINY) + 2, room)
    sheet.say(shortened(grid.title, room + CELL * 8, TEXT), left, top + 3, TEXT, bold=True)
    top += HEAD + UPRIGHT
    axes = sheet.axes(left + names, top, CELL * len(grid.columns), CELL * len(grid.rows))
    axes.spines["bottom"].set_visible(False)
    axes.set_xlim(0, len(grid.columns))
    axes.set_ylim(len(grid.rows), 0)
    axes.set_xticks([])
    axes.set_yticks([])
    for place, label in enumerate(grid.rows):
        words, middle = shortened(label, names - 1, TINY), top + CELL * (place + 0.5)
        sheet.say(words, left + names - 1, middle, TINY, sheet.look.muted, across="right")
    for place, label in enumerate(grid.columns):
        _say_upright(axes, place, shortened(label, UPRIGHT - 1, TINY), sheet.look)
    _fill(axes, grid, sheet.look)


def _say_upright(axes: Axes, place: int, words: str, look: Look) -> None:
    more: dict[str, Any] = {
        "rotation": 90,
        "ha": "center",
        "va": "bottom",
        "fontsize": TINY,
        "color": look.muted,
    }
    axes.text(place + 0.5, -0.25, visible(words), parse_math=False, **more)


def _fill(axes: Axes, grid: _Grid, look: Look) -> None:
    """Cells: grey where both say the same, else darker with the count, so that disagreement is seen."""
    from matplotlib.patches import Rectangle

    places = list(np.ndindex(grid.counts.shape))
    same = {place for place in places if _is_agreement(grid.rows[place[0]], grid.columns[place[1]])}
    most = max((int(grid.counts[place]) for place in places if place not in same), default=1)
    for row, column in places:
        count = int(grid.counts[row, column])
        step = 1 + min(int(4 * count / most), 4) if count and (row, column) not in same else 0
        ground = look.sunken if (row, column) in same else look.coverage[step]
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=ground, edgecolor=look.line, linewidth=0.4))
        if count:
            more: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": TINY}
            axes.text(column + 0.5, row + 0.5, str(count), color=look.text, **more)
