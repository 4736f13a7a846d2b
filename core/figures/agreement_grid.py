"""Agreement: question × coefficient as numbers, and beside it people and pipeline on one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from core.figures.canvas import FULL_WIDTH, SMALL, TEXT, TINY, TITLE, Sheet, drawn, shortened, width_of
from core.figures.drawing import Drawing
from core.figures.look import Look
from core.figures.wording import DASH, MINUS, counted, is_number, listed, number, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ALL, POOLED = "ALL", "POOLED"
COLUMNS = {
    "raw_agreement": "raw",
    "cohen_kappa_mean": "Cohen κ",
    "fleiss_kappa": "Fleiss κ",
    "krippendorff_alpha": "α",
    "gwet_ac1": "AC1",
}
PEOPLE, MACHINE = "people with the rest", "pipeline with the rest"
MARGIN, ROW, HEAD, FOOT, COLUMN, VALUE, AXIS = 3.0, 5.0, 15.0, 9.0, 19.5, 8.1, 36.0


@dataclass(frozen=True)
class _Grid:
    rows: tuple[tuple[str, str], ...]
    cells: Mapping[tuple[str, str, str], tuple[object, object, object]]
    has_pipeline: bool


def agreement_grid(
    table: pd.DataFrame,
    *,
    groups: Sequence[tuple[str, Sequence[str]]] = (),
    names: Mapping[str, str] | None = None,
    draws: int = 0,
) -> Drawing:
    """One row a question: coefficients of people, then the ceiling and the pipeline.

    Parameters
    ----------
    table : DataFrame
        The table `agreement`.
    groups : sequence of (str, sequence of str)
        Cohort and its questions, in order; questions that are in none come last.
    names : mapping, optional
        How questions are called.
    draws : int
        Bootstrap draws behind the intervals, for the caption.
    """
    used = table[(table["level"] == "nominal") & table["scope"].isin(["annotators", PEOPLE, MACHINE])]
    used = used[used["statistic"].isin(list(COLUMNS))]
    keys = zip(*(used[one].astype(str) for one in ("question", "scope", "statistic")), strict=True)
    values = zip(*(_plain(used[one]) for one in ("value", "low", "high")), strict=True)
    cells = dict(zip(keys, values, strict=True))
    rows = tuple(_rows(list(dict.fromkeys(used["question"].astype(str))), groups, names))
    grid = _Grid(rows, cells, any(scope == MACHINE for _, scope, _ in cells))
    data = used[["question", "scope", "statistic", "value", "low", "high", "units", "annotators", "reason"]]
    people = used[used["scope"] == "annotators"]
    caption = (
        f"Agreement by question: {listed(list(COLUMNS.values()))} of people with each other, with 95 % "
        f"intervals{f' ({draws} draws of image sets)' if draws else ''}"
        + (
            "; right, mean Cohen κ of one person with the others (grey band: its interval, line: value) and "
            "of the pipeline in that person's place (diamond)"
            if grid.has_pipeline
            else ""
        )
        + f". n: {_units_words(people)}. A dash: undefined, for instance because all answers are the same."
    )
    title = "Agreement of people, and of the pipeline with people"
    return Drawing(
        "agreement",
        title if grid.has_pipeline else "Agreement of people",
        caption,
        _alt(grid),
        data.reset_index(drop=True),
        lambda look: _draw(grid, look),
    )


def _plain(column: pd.Series) -> list[object]:
    return [float(value) if is_number(value) else None for value in column.astype(object)]


def _rows(
    questions: Sequence[str], groups: Sequence[tuple[str, Sequence[str]]], names: Mapping[str, str] | None
) -> list[tuple[str, str]]:
    """Keys and words; the key "" is a heading."""
    asked = [one for one in questions if one not in (ALL, POOLED)]
    rows: list[tuple[str, str]] = []
    grouped = {one for _, members in groups for one in members}
    for cohort, members in groups:
        mine = [one for one in members if one in asked]
        rows += [("", cohort), *((one, plain(one, names)) for one in mine)] if mine else []
    rows += [(one, plain(one, names)) for one in asked if one not in grouped]
    rows += [(ALL, f"mean of {counted(len(asked), 'question')}")] if ALL in questions else []
    return [*rows, *([(POOLED, "pooled into one table")] if POOLED in questions else [])]


def _units_words(people: pd.DataFrame) -> str:
    own = people[~people["question"].isin([ALL, POOLED])]
    if not len(own):
        return "nothing"
    low, high, who = int(own["units"].min()), int(own["units"].max()), int(own["annotators"].max())
    sets = f"{low} to {high} image sets" if high > low else counted(high, "image set")
    return f"{sets} a question, {counted(who, 'annotator')}"


def _alt(grid: _Grid) -> str:
    said = []
    for key, words in [row for row in grid.rows if row[0]][-12:]:
        parts = [
            f"{name} {number(grid.cells.get((key, 'annotators', one), (None,))[0])}"
            for one, name in COLUMNS.items()
        ]
        machine = grid.cells.get((key, MACHINE, "cohen_kappa_mean"), (None,))[0]
        parts += [f"pipeline {number(machine)}"] if grid.has_pipeline else []
        said.append(f"{words}: {', '.join(parts)}")
    return f"Table of coefficients by question. {'; '.join(said)}."


@drawn
def _draw(grid: _Grid, look: Look) -> Figure:
    of_value, columns = _column_widths(grid)
    names = min(max(width_of([words], TEXT, bold=not key) for key, words in grid.rows) + 5.5, 42.0)
    if grid.has_pipeline:
        names = min(names, FULL_WIDTH - 2 * MARGIN - 3 - AXIS - sum(columns))
    sheet = Sheet(FULL_WIDTH, HEAD + ROW * len(grid.rows) + FOOT, look)
    lefts = {one: MARGIN + names + sum(columns[:place]) for place, one in enumerate(COLUMNS)}
    _draw_head(sheet, lefts, grid.has_pipeline, MARGIN + names + sum(columns))
    sheet.rule(MARGIN, HEAD - 1, FULL_WIDTH - 2 * MARGIN, look.edge)
    for place, (key, words) in enumerate(grid.rows):
        top = HEAD + ROW * (place + 0.5)
        if place:
            sheet.rule(MARGIN, HEAD + ROW * place, FULL_WIDTH - 2 * MARGIN, look.line, 0.4)
        is_bold = key in ("", ALL, POOLED)
        sheet.say(shortened(words, names - 2), MARGIN + (0 if is_bold else 2), top, bold=is_bold)
        for one, left in lefts.items() if key else ():
            _draw_cell(sheet, grid.cells.get((key, "annotators", one)), left, top, of_value)
    if grid.has_pipeline:
        left = MARGIN + names + sum(columns) + 3
        axes = sheet.axes(left, HEAD, FULL_WIDTH - MARGIN - 3 - left, ROW * len(grid.rows))
        _draw_axis(axes, grid, look)
        middle = left + (FULL_WIDTH - MARGIN - 3 - left) / 2
        sheet.say("mean Cohen κ", middle, sheet.height - 2.5, SMALL, look.muted, across="center")
    return sheet.figure


def _draw_head(sheet: Sheet, lefts: Mapping[str, float], has_pipeline: bool, right: float) -> None:
    look = sheet.look
    first = min(lefts.values())
    sheet.say("People with people", first, 4, TITLE, bold=True)
    for one, left in lefts.items():
        sheet.say(COLUMNS[one], left, HEAD - 4.5, SMALL, look.muted)
    if has_pipeline:
        left = right + 3
        sheet.say("Each with the rest", left, 4, TITLE, bold=True)
        sheet.band(left, HEAD - 6.2, 5, 3.4, look.line)
        sheet.band(left + 2.2, HEAD - 6.2, 0.6, 3.4, look.human)
        sheet.say("one person", left + 6.5, HEAD - 4.5, SMALL, look.muted)
        second = left + 8.5 + width_of(["one person"], SMALL)
        sheet.sign("D", look.pipeline, second + 2, HEAD - 4.5)
        sheet.say("pipeline", second + 5, HEAD - 4.5, SMALL, look.muted)


def _column_widths(grid: _Grid) -> tuple[float, list[float]]:
    """Width in mm of a value, and of each column, so that a long interval does not meet the next column."""
    cells: dict[str, list[tuple[object, object, object]]] = {one: [] for one in COLUMNS}
    for (_, scope, statistic), cell in grid.cells.items():
        if scope == "annotators":
            cells[statistic].append(cell)
    words = [number(cell[0]) for column in cells.values() for cell in column]
    value = max(VALUE, width_of(words, TEXT) + 1.2)
    return value, [max(COLUMN, value + width_of(_all_ends(one), TINY) + 1.2) for one in cells.values()]


def _all_ends(cells: Sequence[tuple[object, object, object]]) -> list[str]:
    return [_ends(low, high) for _, low, high in cells if is_number(low) and is_number(high)]


def _ends(low: object, high: object) -> str:
    """An interval; below zero without the zeros before the point, which there is no room for.

    >>> _ends(0.1, 0.55), _ends(-0.17, 0.55)
    ('0.10–0.55', '−.17–.55')
    """
    ends = f"{number(low)}–{number(high)}"
    return ends.replace("0.", ".") if MINUS in ends else ends


def _draw_cell(
    sheet: Sheet, cell: tuple[object, object, object] | None, left: float, top: float, of_value: float
) -> None:
    value, low, high = cell or (None, None, None)
    sheet.say(number(value) if is_number(value) else DASH, left, top)
    if is_number(low) and is_number(high):
        sheet.say(_ends(low, high), left + of_value, top, TINY, sheet.look.muted)


def _draw_axis(axes: Axes, grid: _Grid, look: Look) -> None:
    axes.set_ylim(len(grid.rows), 0)
    ends = [
        value
        for (_, scope, statistic), cell in grid.cells.items()
        if scope in (PEOPLE, MACHINE) and statistic == "cohen_kappa_mean"
        for value in cell
        if is_number(value)
    ]
    axes.set_xlim(min([0.0, *(float(one) for one in ends)]) - 0.03, 1.03)
    axes.set_yticks([])
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1.0], ["0", "0.25", "0.5", "0.75", "1"])
    axes.grid(axis="x", color=look.line, linewidth=0.5)
    axes.set_axisbelow(True)
    for place, (key, _) in enumerate(grid.rows):
        if key and key != POOLED:
            _draw_pair(axes, place + 0.5, grid, key, look)


def _draw_pair(axes: Axes, middle: float, grid: _Grid, key: str, look: Look) -> None:
    from matplotlib.patches import Rectangle

    nothing = (None, None, None)
    value, low, high = grid.cells.get((key, PEOPLE, "cohen_kappa_mean"), nothing)
    if isinstance(low, float) and isinstance(high, float):
        axes.add_patch(
            Rectangle((low, middle - 0.33), high - low, 0.66, color=look.line, linewidth=0, zorder=2)
        )
    if isinstance(value, float):
        axes.plot([value, value], [middle - 0.36, middle + 0.36], color=look.human, linewidth=1.6, zorder=3)
    value, low, high = grid.cells.get((key, MACHINE, "cohen_kappa_mean"), nothing)
    if isinstance(low, float) and isinstance(high, float):
        axes.plot([low, high], [middle, middle], color=look.pipeline, linewidth=1.1, zorder=4)
    if isinstance(value, float):
        axes.plot(
            [value], [middle], marker="D", color=look.pipeline, markersize=4, linestyle="none", zorder=5
        )
