"""Files: print size, the same bytes every time, whole or not at all, nothing left in matplotlib."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pandas as pd
import pytest
from matplotlib.figure import Figure
from PIL import Image

from core.analysis import Analysis
from core.errors import BadInput
from core.figures.bias_intensity import bias_by_cohort
from core.figures.canvas import Sheet, width_of
from core.figures.catalogue import analysis_drawings
from core.figures.drawing import Drawing
from core.figures.look import Look
from core.figures.persistence import persistence
from core.figures.writing import figure_bytes, write_drawings, write_figure
from core.jobs import run_here
from core.schema import Schema
from core.table_files import read_table


@pytest.fixture(scope="module")
def drawing(analysis: Analysis) -> Drawing:
    return bias_by_cohort(analysis.tables["bi"])


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_same_figure_is_the_same_bytes_whatever_style_somebody_has_set(drawing: Drawing, kind: str):
    before = figure_bytes(drawing, kind)
    with matplotlib.rc_context(
        {"font.size": 30, "axes.grid": True, "lines.linewidth": 9, "font.family": "serif"}
    ):
        again = figure_bytes(drawing, kind)

    assert again == before


def test_a_scatter_within_a_vector_file_is_the_same_bytes_too(analysis: Analysis):
    drawing = persistence(analysis.tables["persistence"])

    assert figure_bytes(drawing, "svg") == figure_bytes(drawing, "svg")


def test_drawing_leaves_no_setting_behind(drawing: Drawing):
    before = dict(matplotlib.rcParams)

    figure_bytes(drawing, "png")

    assert dict(matplotlib.rcParams) == before


def test_a_png_is_as_wide_as_two_columns_at_300_dots_an_inch(drawing: Drawing):
    with Image.open(io.BytesIO(figure_bytes(drawing, "png"))) as image:
        assert image.width == int(183 / 25.4 * 300)
        assert image.info["Title"] == "Bias Intensity by cohort and condition"
        assert image.info["dpi"][0] == pytest.approx(300, abs=0.1)


def test_the_caption_makes_the_file_higher_and_moves_nothing_into_it(drawing: Drawing):
    bare = Image.open(io.BytesIO(figure_bytes(drawing, "png", caption=False))).convert("L")
    whole = Image.open(io.BytesIO(figure_bytes(drawing, "png"))).convert("L")
    upper = (0, 0, bare.width, bare.height // 2)
    ink, again = (sum(each.crop(upper).histogram()[:128]) for each in (bare, whole))

    assert whole.height > bare.height
    assert ink > 1000
    assert again == pytest.approx(ink, rel=0.02)


def test_a_pdf_holds_no_date(drawing: Drawing):
    data = figure_bytes(drawing, "pdf")

    assert b"CreationDate" not in data
    assert data.startswith(b"%PDF")


def test_all_figures_of_an_analysis_are_written_with_data_and_captions(
    analysis: Analysis, schema: Schema, tmp_path: Path
):
    drawings = analysis_drawings(analysis.tables, analysis.run, schema)

    written = run_here(write_drawings(drawings, tmp_path, ["svg"]))

    names = ["bi_by_cohort", "bi_by_dimension", "bi_change", "persistence", "robustness"]
    assert [one.name for one in drawings] == names
    assert {path.name for path in written} == {
        "captions.csv",
        *(f"{name}.{ending}" for name in names for ending in ("svg", "csv")),
    }
    assert len(read_table(tmp_path / "persistence.csv")) == len(drawings[3].data)


def test_a_figure_of_simulated_records_says_so(analysis: Analysis, schema: Schema):
    run = {**analysis.run, "extractor": {"name": "drawn-truth", "is_simulated": True}}

    for drawing in analysis_drawings(analysis.tables, run, schema):
        assert drawing.caption.endswith("Contains simulated records.")
    for drawing in analysis_drawings(analysis.tables, analysis.run, schema):
        assert "simulated" not in drawing.caption


def test_an_unknown_ending_is_one_sentence_and_no_file(drawing: Drawing, tmp_path: Path):
    with pytest.raises(BadInput, match="no kind of figure 'gif'"):
        write_figure(drawing, tmp_path / "a.gif")

    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_one_sentence(drawing: Drawing, tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        write_figure(drawing, tmp_path / "file" / "a.svg")


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_control_character_of_a_label_is_left_out_without_a_warning(kind: str) -> None:
    def draw(look: Look) -> Figure:
        sheet = Sheet(80.0, 20.0, look)
        assert width_of(["a\x1bb"]) == width_of(["ab"])
        sheet.say("a\x1bb\x85", 2.0, 5.0)
        return sheet.figure

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = figure_bytes(Drawing("odd", "a\x1b", "b\x1b c", "", pd.DataFrame(), draw), kind)
    if kind == "svg":
        ElementTree.fromstring(data)
