"""Persistence and robustness: every label is drawn once, verdicts and shares are those of the table."""

from __future__ import annotations

import pandas as pd
import pytest

from core.analysis import Analysis
from core.figures.look import LIGHT
from core.figures.persistence import CHANGED, INVARIANT, UNDECIDED, largest_ranges, persistence
from core.figures.robustness import robustness


def test_every_label_that_was_seen_is_one_mark(analysis: Analysis):
    table = analysis.tables["persistence"]
    drawing = persistence(table, margin_pp=15.0)
    seen = table[table["range_pp"].notna() & (table["prevalence"] > 0)]
    figure = drawing.draw(LIGHT)
    marks = sum(len(group.get_offsets()) for axes in figure.axes for group in axes.collections)

    assert marks == len(seen) == len(drawing.data)
    counted = drawing.data["verdict"].value_counts().to_dict()
    assert counted == seen["verdict"].astype(str).value_counts().to_dict()
    assert f"{counted[UNDECIDED]} not enough data" in drawing.caption


def test_verdicts_differ_in_shape_and_in_being_filled(analysis: Analysis):
    figure = persistence(analysis.tables["persistence"]).draw(LIGHT)
    shapes = [group.get_paths()[0].vertices.shape for group in figure.axes[0].collections]
    filled = [
        group.get_facecolor()[0].tolist()[:3]
        for group in figure.axes[0].collections
        if len(group.get_facecolor())
    ]

    assert len(set(shapes)) >= 2
    assert len({tuple(one) for one in filled}) >= 2


def test_paper_mode_draws_the_published_rule(paper: Analysis):
    table = paper.tables["persistence"]
    drawing = persistence(table)
    consistent = int((drawing.data["verdict"] == INVARIANT).sum())

    assert consistent == int(table.loc[table["prevalence"] > 0, "invariant_paper"].sum())
    assert set(drawing.data["verdict"]) <= {INVARIANT, CHANGED}
    assert "the published rule, 5 points" in drawing.caption


def test_the_largest_changes_are_named_first(analysis: Analysis):
    table = analysis.tables["persistence"]
    changed = table[table["verdict"].astype(str) == CHANGED]["range_pp"]

    found = [row["range_pp"] for row in largest_ranges(table, 3)]

    assert found == sorted(changed, reverse=True)[: len(found)]


def test_the_share_of_robust_labels_is_that_of_the_table(analysis: Analysis):
    table = analysis.tables["robustness"]
    used = [
        abs(move) <= 0.05
        for move, value in zip(table["largest_move"], table["value"], strict=True)
        if move == move and value >= 0.05
    ]

    drawing = robustness(table, {"framing": "Camera"})

    assert f"within which {100 * sum(used) / len(used):.1f} % of them stay" in drawing.caption
    assert len(drawing.data) == len(used)


def test_a_curve_ends_at_all_labels_and_passes_through_their_share():
    moves = [0.01, 0.02, 0.02, 0.2]
    table = pd.DataFrame(
        {
            "generator": "SDXL",
            "role": "baker",
            "dimension": "framing",
            "label": ["a", "b", "c", "d"],
            "value": 0.5,
            "largest_move": moves,
        }
    )

    figure = robustness(table, {"framing": "Camera"}).draw(LIGHT)
    curve = max(figure.axes[0].lines, key=lambda line: len(line.get_xdata()))

    assert dict(zip(curve.get_xdata(), curve.get_ydata(), strict=True))[2.0] == pytest.approx(75.0)
    assert curve.get_ydata()[-1] == 100.0
