"""The PDF report: the same sections, bookmarks, words for figures, the same bytes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from core.errors import BadInput
from core.jobs import run_here
from core.report.blocks import Facts, Paragraph, Points, Section, Table
from core.report.material import Material
from core.report.pdf import PdfReport
from core.report.results import summary_section
from core.report.writing import write_report


@pytest.fixture
def small_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A grey rectangle for each figure: drawing is tested where figures are."""
    buffer = io.BytesIO()
    Image.new("L", (40, 20), 128).save(buffer, "PNG")
    monkeypatch.setattr("core.report.pdf.figure_bytes", lambda drawing, kind, **more: buffer.getvalue())


def document(material: Material) -> bytes:
    report = PdfReport("Bias <of> bakers", "test", material.as_of)
    report.add(summary_section(material))
    table = Table(
        "ccs_mean", "Scores", material.tables["ccs_mean"][["role", "dimension", "label", "ccs"]].head(80)
    )
    report.add(Section("Tables", [Facts([("a", "b")]), Points(["one"])], [Section("Scores", [table])]))
    return report.content()


def test_it_has_bookmarks_a_language_a_title_and_no_clock(material: Material):
    data = document(material)

    assert data.startswith(b"%PDF")
    assert b"/Outlines" in data
    assert b"/Lang" in data
    assert b"D:20260203040506" in data
    assert data == document(material)


def test_a_study_whose_time_is_no_date_has_a_report(material: Material):
    assert PdfReport("t", "s", "2026-11-63T10:00:00.000Z").content().startswith(b"%PDF")


def test_a_long_table_runs_over_pages_with_its_head_repeated(material: Material):
    one = PdfReport("t", "s", material.as_of).content()

    assert document(material).count(b"/Type /Page\n") > one.count(b"/Type /Page\n") == 1


def test_signs_of_every_kind_are_written(material: Material):
    report = PdfReport("κ ≤ α − χ²", "„“ – …", material.as_of)
    report.add(Section("Ünïcode 厨师", [Paragraph("left\u202eright <b>bold</b>", "warning")]))

    assert report.content().startswith(b"%PDF")


@pytest.mark.usefixtures("small_figures")
def test_the_ending_says_which_kind_and_figures_have_their_words(material: Material, tmp_path: Path):
    (only,) = run_here(write_report(material, tmp_path / "report.pdf"))

    data = only.read_bytes()
    assert data.startswith(b"%PDF")
    assert data.count(b"/Alt") >= 8


def test_a_place_that_cannot_be_written_is_one_sentence(
    material: Material, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("core.report.html.figure_bytes", lambda drawing, kind, **more: b"")
    (tmp_path / "file").write_text("")

    with pytest.raises(BadInput, match="cannot be written"):
        run_here(write_report(material, tmp_path / "file" / "report.html"))
