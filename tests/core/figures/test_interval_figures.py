"""What stands in the figures of Bias Intensity is what stands in the tables."""

from __future__ import annotations

import pandas as pd
import pytest

from core.analysis import Analysis
from core.figures.bias_intensity import bias_by_cohort, bias_by_dimension, bias_change, images_by_condition
from core.figures.interval_panels import Panels, draw_panels, scale_of
from core.figures.look import DARK, LIGHT, Look


def drawn_values(figure) -> list[float]:
    """Positions of all single markers, bars left out."""
    lines = [line for axes in figure.axes for line in axes.lines]
    marks = [line for line in lines if line.get_marker() not in ("None", "") and line.get_zorder() == 3]
    return sorted(float(line.get_xdata()[0]) for line in marks)


def drawn_bars(figure) -> list[tuple[float, float]]:
    lines = [line for axes in figure.axes for line in axes.lines]
    bars = [line for line in lines if line.get_marker() == "None" and line.get_zorder() == 2]
    return sorted((float(line.get_xdata()[0]), float(line.get_xdata()[1])) for line in bars)


def words_of(figure) -> str:
    return "\n".join(text.get_text() for text in [*figure.texts, *(t for a in figure.axes for t in a.texts)])


def test_every_cohort_value_of_the_table_is_a_marker_and_every_interval_a_bar(analysis: Analysis):
    table = analysis.tables["bi"]
    shown = table[(table.estimator == "plugin") & (table.aggregation == "pool") & (table.dimension == "ALL")]
    figure = bias_by_cohort(table).draw(LIGHT)

    assert drawn_values(figure) == pytest.approx(sorted(shown["value"].dropna()))
    ends = shown[["low", "high"]].dropna().to_numpy().tolist()
    assert len(ends) > 10
    assert drawn_bars(figure) == sorted(map(tuple, ends))


def test_n_is_in_the_caption(analysis: Analysis):
    drawing = bias_by_cohort(analysis.tables["bi"], draws=40)

    assert images_by_condition(analysis.tables["bi"]) == dict.fromkeys(("CF", "CA-R", "CA-U"), (144, 144))
    assert "n: 144 images a generator and condition" in drawing.caption
    assert "40 draws" in drawing.caption


def test_a_cohort_that_was_not_observed_is_no_row(analysis: Analysis):
    words = words_of(bias_by_cohort(analysis.tables["bi"]).draw(LIGHT))

    assert "People" in words
    assert "mood" not in words


def test_dimensions_are_under_their_cohort_with_the_most_concentrated_first(analysis: Analysis):
    table = analysis.tables["bi"]
    drawing = bias_by_dimension(table, names={"framing": "how it is framed"})
    mine = table[(table.generator == "ALL") & (table.estimator == "plugin") & (table.aggregation == "pool")]
    level = mine[mine.dimension != "ALL"].groupby("dimension", observed=True)["value"].mean()
    names = [text.get_text() for text in drawing.draw(LIGHT).texts]

    assert names.index("Camera") < names.index("how it is framed") < names.index("Objects")
    people = sorted(("gender_presentation", "accessories"), key=lambda one: -level[one])
    assert names.index(people[0].replace("_", " ")) < names.index(people[1].replace("_", " "))


def test_paper_mode_has_a_marker_a_generator_and_says_that_there_are_no_intervals(paper: Analysis):
    table = paper.tables["bi"]
    shown = table[(table.condition == "ALL") & (table.dimension != "ALL")]
    drawing = bias_by_dimension(table)

    assert set(drawing.data["series"]) == {"gen-0", "gen-1", "ALL"}
    assert drawn_values(drawing.draw(LIGHT)) == pytest.approx(sorted(shown["value"].dropna()))
    assert "No intervals are stated" in drawing.caption


def test_the_change_has_a_line_at_no_change_and_all_three_comparisons(analysis: Analysis):
    figure = bias_change(analysis.tables["bi_change"], analysis.tables["bi"]).draw(LIGHT)

    assert [axes.get_lines()[0].get_xdata()[0] for axes in figure.axes] == [0.0, 0.0, 0.0]
    for title in ("CA-U − CF", "CA-R − CF", "CA-U − CA-R"):
        assert title in words_of(figure)


def test_the_caption_of_a_change_says_how_roles_were_drawn(analysis: Analysis, paper: Analysis):
    audit = bias_change(analysis.tables["bi_change"], analysis.tables["bi"]).caption
    published = bias_change(paper.tables["bi_change"], paper.tables["bi"]).caption

    assert "the same draws for all conditions" in audit
    assert "drawn anew for each condition" in published


def test_an_undefined_row_says_so_and_draws_nothing():
    nothing = {"panel": "a", "row": "mood", "series": "CF", "value": None, "low": None, "high": None}
    data = pd.DataFrame([nothing]).astype({"value": float, "low": float, "high": float})
    panels = Panels(data, {"a": "a"}, [("mood", "mood")], {"CF": LIGHT.condition("CF")}, "BI")

    figure = draw_panels(panels, LIGHT)

    assert drawn_values(figure) == []
    assert "undefined" in words_of(figure)


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_every_series_has_a_shape_of_its_own_so_that_grey_paper_is_enough(look: Look):
    conditions = [look.condition(name).marker for name in ("CF", "CA-R", "CA-U")]
    generators = ["SDXL", "SD 3.5", "FLUX.1", "Qwen-Image", "mine", "other", "drawn-a", "drawn-b"]
    shapes = [sign.marker for sign in look.signs_of(generators).values()]

    assert len(set(conditions)) == 3
    assert len(set(shapes)) == len(generators)
    assert not set(conditions) & set(shapes)


def test_the_scale_holds_every_interval_and_the_line_of_no_change():
    data = pd.DataFrame({"value": [0.3], "low": [0.21], "high": [0.41]})

    (low, high), ticks = scale_of(data, 0.0, 6)

    assert low < 0 < 0.41 < high
    assert ticks[0] == 0


def test_the_words_for_who_does_not_see_it_hold_the_numbers(analysis: Analysis):
    table = analysis.tables["bi"]
    people = table[(table.generator == "ALL") & (table.condition == "CF") & (table.cohort == "People")]
    value = people[(people.dimension == "ALL") & (people.estimator == "plugin")]["value"].iloc[0]

    assert f"CF {value:.2f}" in bias_by_cohort(table).alt
