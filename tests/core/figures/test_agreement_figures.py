"""Agreement, confusion, counts: the numbers in the figures are those of the tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from core.figures.agreement_grid import agreement_grid
from core.figures.bland_altman import bland_altman_figure
from core.figures.confusion import OTHERS, _grid_of, confusion
from core.figures.look import LIGHT


def test_the_grid_holds_the_numbers_and_a_dash_for_what_is_undefined(agreed: pd.DataFrame):
    figure = agreement_grid(agreed, groups=[("People", ["pose", "hat"])], draws=100).draw(LIGHT)
    words = [text.get_text() for text in figure.texts]

    assert words.index("People") < words.index("pose") < words.index("hat")
    assert "0.75" in words
    assert "0.69–0.81" in words
    after_hat = words[words.index("hat") + 1 :][:4]
    assert after_hat[0] == "1.00"
    assert "–" in after_hat


def test_intervals_below_zero_do_not_meet_the_next_column(agreed: pd.DataFrame):
    low = agreed.assign(value=-0.17, low=-0.55, high=-0.05)
    figure = agreement_grid(low).draw(LIGHT)
    pen = FigureCanvasAgg(figure).get_renderer()
    boxes = [text.get_window_extent(pen) for text in figure.texts]
    pairs = [(a, b) for place, a in enumerate(boxes) for b in boxes[place + 1 :]]

    assert not any(a.overlaps(b) for a, b in pairs)
    assert max(box.x1 for box in boxes) <= figure.bbox.x1


def test_the_axis_holds_person_and_pipeline(agreed: pd.DataFrame):
    (axes,) = agreement_grid(agreed).draw(LIGHT).axes
    diamonds = sorted(float(line.get_xdata()[0]) for line in axes.lines if line.get_marker() == "D")
    people = sorted({float(line.get_xdata()[0]) for line in axes.lines if line.get_color() == LIGHT.human})

    assert diamonds == [0.375, 0.375]
    assert people == [0.5]
    assert len(axes.patches) == 2


def test_without_a_pipeline_there_is_no_axis_and_no_word_of_it(agreed: pd.DataFrame):
    drawing = agreement_grid(agreed[agreed["scope"] == "annotators"])

    assert drawing.draw(LIGHT).axes == []
    assert "pipeline" not in drawing.caption


def test_n_of_the_grid_is_image_sets_and_annotators(agreed: pd.DataFrame):
    assert "n: 40 image sets a question, 3 annotators" in agreement_grid(agreed).caption


def confusion_table() -> pd.DataFrame:
    labels = [f"label {letter}" for letter in "abcdefghij"]
    rows = [("items", label, label, 10 - number) for number, label in enumerate(labels)]
    rows += [("items", "label a", "(mixed)", 4), ("items", "(unresolved)", "label b", 2)]
    return pd.DataFrame(rows, columns=["question", "human", "pipeline", "count"])


def test_a_confusion_keeps_every_answer_also_of_rare_labels():
    table = confusion_table()
    grid = _grid_of(table, "items")

    assert grid.counts.sum() == table["count"].sum()
    assert grid.counts[grid.rows.index(OTHERS), grid.columns.index(OTHERS)] == 3 + 2 + 1
    assert "(mixed)" in grid.columns
    assert "(mixed)" not in grid.rows


def test_only_the_same_label_counts_as_the_same():
    drawing = confusion(confusion_table())

    assert "49 of 61 the same" in drawing.alt  # 10+9+8+7+6+5+4: neither a state nor "all others"
    assert "n = 61 answers on 1 question" in drawing.caption
    (axes,) = drawing.draw(LIGHT).axes
    assert sum(int(text.get_text()) for text in axes.texts if text.get_text().isdigit()) == 61


def counts_table() -> pd.DataFrame:
    first, second = [2.0, 4.0, 6.0, 8.0], [3.0, 4.0, 5.0, 10.0]
    return pd.DataFrame(
        {
            "question": "pose",
            "scope": "pipeline",
            "image_set": list("abcd"),
            "label": "x",
            "first": first,
            "second": second,
        }
    )


def test_bias_and_limits_are_drawn_where_they_are():
    drawing = bland_altman_figure(counts_table(), "pipeline")
    difference = np.array([1.0, 0.0, -1.0, 2.0])
    half = 1.959963984540054 * difference.std(ddof=1)
    figure = drawing.draw(LIGHT)
    levels = sorted(line.get_ydata()[0] for line in figure.axes[0].lines if line.get_zorder() == 4)

    assert levels == pytest.approx([0.5 - half, 0.5, 0.5 + half])
    assert "bias 0.50" in drawing.caption
    assert "n = 4 pairs" in drawing.caption
    assert drawing.data["difference"].tolist() == difference.tolist()


def test_an_order_of_sides_is_said_in_words():
    pair = counts_table().assign(scope="Ada and Ben")

    assert bland_altman_figure(pair, "Ada and Ben").title.endswith("Ben minus Ada")


def test_one_pair_of_counts_has_no_limits_and_is_drawn():
    drawing = bland_altman_figure(counts_table().head(1), "pipeline")

    assert "n = 1 pair" in drawing.caption
    assert len(drawing.draw(LIGHT).axes) == 2
