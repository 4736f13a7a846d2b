"""Persistence: prevalence of each label against how far it moves between conditions, with the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from core.figures.canvas import FULL_WIDTH, SMALL, TEXT, TITLE, Sheet, drawn, shortened, width_of
from core.figures.drawing import Drawing
from core.figures.look import Look
from core.figures.wording import counted, is_number, number, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INVARIANT, CHANGED, UNDECIDED = "invariant", "changed", "not enough data"
VERDICTS = (UNDECIDED, CHANGED, INVARIANT)
"""In the order in which they are drawn: what is decided lies on top."""

PAPER_WORDS = {INVARIANT: "consistent (p > .05, range ≤ 5)", CHANGED: "not consistent", UNDECIDED: ""}
PAPER_RANGE = 5.0
ACROSS = {1: 1, 2: 2, 4: 2}
"""Panels side by side by their number; three otherwise."""

MARGIN, GAP, BELOW = 3.0, 6.0, 15.0


def persistence(table: pd.DataFrame, *, margin_pp: float | None = None) -> Drawing:
    """One dot a generator, role, dimension and label: prevalence against range, with its verdict.

    Parameters
    ----------
    table : DataFrame
        The table `persistence`, of either mode.
    margin_pp : float, optional
        Equivalence margin of the verdicts, in percentage points; drawn as a line.
    """
    is_paper = not table["verdict"].astype(object).isin(VERDICTS).any()
    seen = table[table["range_pp"].notna() & (table["prevalence"] > 0)]
    data = pd.DataFrame(
        {
            "generator": seen["generator"].astype(str),
            "role": seen["role"].astype(str),
            "dimension": seen["dimension"].astype(str),
            "label": seen["label"].astype(str),
            "prevalence_percent": 100 * seen["prevalence"].astype(float),
            "range_pp": seen["range_pp"].astype(float),
            "verdict": _verdicts(seen, is_paper),
            "images": seen[["n_cf", "n_car", "n_cau"]].sum(axis=1).astype("int64"),
        }
    ).reset_index(drop=True)
    words = PAPER_WORDS if is_paper else dict(zip(VERDICTS, VERDICTS, strict=True))
    limit = PAPER_RANGE if is_paper else margin_pp
    amounts = data["verdict"].value_counts()
    said = "; ".join(
        f"{thousands(int(amounts.get(one, 0)))} {words[one]}" for one in VERDICTS[::-1] if words[one]
    )
    line = (
        "" if limit is None else f" Line: {'the published rule' if is_paper else 'margin'}, {limit:g} points."
    )
    caption = (
        "How far the prevalence of a label moves between the three conditions, against its prevalence over "
        f"all of them; one mark a role, dimension and label that was seen.{line} "
        f"n = {counted(len(data), 'mark')} ({said}){_images_words(data['images'])}."
    )
    what = _What(data, words, limit)
    alt = f"Scatter of prevalence against range by generator. {_alt(data, words)}"
    return Drawing("persistence", "Persistence of labels", caption, alt, data, lambda look: _draw(what, look))


@dataclass(frozen=True)
class _What:
    data: pd.DataFrame
    words: Mapping[str, str]
    limit: float | None


def _verdicts(table: pd.DataFrame, is_paper: bool) -> pd.Series:
    if is_paper:
        return table["invariant_paper"].astype(bool).map({True: INVARIANT, False: CHANGED})
    return table["verdict"].astype(object).where(table["verdict"].astype(object).isin(VERDICTS), UNDECIDED)


def _images_words(images: pd.Series) -> str:
    if not len(images):
        return ""
    low, high = int(images.min()), int(images.max())
    most = f" to {thousands(high)}" if high > low else ""
    return f", each from {thousands(low)}{most} images over all conditions"


def _alt(data: pd.DataFrame, words: Mapping[str, str]) -> str:
    said = []
    for generator, mine in data.groupby("generator", sort=False):
        parts = [
            f"{int((mine['verdict'] == one).sum())} {words[one]}" for one in VERDICTS[::-1] if words[one]
        ]
        middle = float(mine["range_pp"].median())
        said.append(f"{generator}: {', '.join(parts)}; median range {number(middle, 1)} points")
    return "; ".join(said) or "Nothing was seen."


@drawn
def _draw(what: _What, look: Look) -> Figure:
    generators = list(dict.fromkeys(what.data["generator"])) or [""]
    across = ACROSS.get(len(generators), 3)
    each = min((FULL_WIDTH - 2 * MARGIN - 11 - GAP * (across - 1)) / across, 80.0)
    high, head = each * 0.8, 15.0
    lines = -(-len(generators) // across)
    sheet = Sheet(FULL_WIDTH, head + lines * (high + BELOW) - 4, look)
    _draw_legend(sheet, what.words)
    top_range = max([float(what.data["range_pp"].max()) if len(what.data) else 0.0, what.limit or 0.0, 10.0])
    for place, name in enumerate(generators):
        line, column = divmod(place, across)
        left, top = MARGIN + 11 + column * (each + GAP), head + line * (high + BELOW)
        axes = sheet.axes(left, top, each, high)
        sheet.say(shortened(name, each, TITLE), left, top - 3, TITLE, bold=True)
        _draw_panel(axes, what.data[what.data["generator"] == name], what.limit, look)
        axes.set_xlim(-2, 102)
        axes.set_ylim(-0.02 * top_range, 1.04 * top_range)
        sheet.say("prevalence, %", left + each / 2, top + high + 8, SMALL, look.muted, across="center")
        if not column:
            axes.set_ylabel("range over conditions, points", fontsize=SMALL, color=look.muted)
        else:
            axes.set_yticklabels([])
    return sheet.figure


def _style_of(verdict: str, look: Look) -> dict[str, Any]:
    """Filled, outlined, or small and faint: told apart without colour."""
    if verdict == INVARIANT:
        return {"marker": "s", "s": 9.0, "facecolor": look.mark, "edgecolor": look.surface, "linewidth": 0.3}
    if verdict == CHANGED:
        return {"marker": "^", "s": 13.0, "facecolor": look.surface, "edgecolor": look.text, "linewidth": 0.7}
    return {"marker": ".", "s": 7.0, "facecolor": look.edge, "edgecolor": "none", "alpha": 0.55}


def _draw_panel(axes: Axes, data: pd.DataFrame, limit: float | None, look: Look) -> None:
    axes.grid(color=look.line, linewidth=0.5)
    axes.set_axisbelow(True)
    if limit is not None:
        axes.axhline(limit, color=look.text, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
    for number_, verdict in enumerate(VERDICTS):
        mine = data[data["verdict"] == verdict]
        # As one picture within an SVG or PDF: tens of thousands of paths open in no reader.
        axes.scatter(
            mine["prevalence_percent"].to_numpy(),
            mine["range_pp"].to_numpy(),
            zorder=2 + number_,
            rasterized=True,
            **_style_of(verdict, look),
        )


def _draw_legend(sheet: Sheet, words: Mapping[str, str]) -> None:
    left = MARGIN
    look = sheet.look
    for verdict in VERDICTS[::-1]:
        if not words[verdict]:
            continue
        if verdict == INVARIANT:
            sheet.sign("s", look.mark, left + 2, 4.5)
        elif verdict == CHANGED:
            sheet.sign("^", look.text, left + 2, 4.5, hollow=True)
        else:
            sheet.sign(".", look.edge, left + 2, 4.5)
        sheet.say(words[verdict], left + 5.5, 4.5)
        left += width_of([words[verdict]], TEXT) + 10.5


def largest_ranges(table: pd.DataFrame, number_of_rows: int = 10) -> Sequence[Mapping[str, object]]:
    """The labels whose verdict is *changed* that move most, for text beside the figure."""
    moved = table[table["verdict"].astype(object) == CHANGED]
    # As an array: an empty list would choose no columns instead of no rows.
    moved = moved[np.array([is_number(value) for value in moved["range_pp"]], dtype=bool)]
    ordered = moved.sort_values(
        ["range_pp", "generator", "role", "label"], ascending=[False, True, True, True]
    )
    return [
        {str(name): value for name, value in row.items()}
        for row in ordered.head(number_of_rows).to_dict("records")
    ]
