"""Tables in the paper's shape hold the numbers of the result tables, and LaTeX can read them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from core.analysis import Analysis
from core.errors import BadInput
from core.latex.table import LONG, LatexTable, Row, between, figures, probability
from core.latex.writing import analysis_tables, write_latex
from core.schema import Schema

NAMES = [
    "table_2_closed_labels",
    "table_3_robustness",
    "table_8_bi_change_by_cohort",
    "table_9_bi_change_by_generator",
    "table_10_bi_by_estimator",
    "table_11_open_labels",
]


def named(result: Analysis, schema: Schema) -> dict[str, LatexTable]:
    return {table.name: table for table in analysis_tables(result.tables, result.run, schema)}


def test_the_tables_are_those_of_the_paper_in_both_modes(result: Analysis, schema: Schema):
    assert list(named(result, schema)) == NAMES


def test_every_environment_is_closed_and_every_line_has_its_cells(result: Analysis, schema: Schema):
    for table in named(result, schema).values():
        text = table.text()
        assert re.findall(r"\\begin\{(\w+)\}", text) == re.findall(r"\\end\{(\w+)\}", text)[::-1]
        assert text.count(r"\toprule") == text.count(r"\midrule") >= 1
        body = text.split(r"\midrule")[-1].split(r"\bottomrule")[0]
        lines = [line for line in body.splitlines() if line.endswith(r"\\") and "multicolumn" not in line]
        assert len(lines) == len(table.rows) > 0
        assert {len(re.findall(r"(?<!\\)&", line)) for line in lines} == {len(table.alignment) - 1}


def test_a_change_in_table_8_is_that_of_the_csv(analysis: Analysis, schema: Schema):
    change = analysis.tables["bi_change"]
    people = change[
        (change.generator == "ALL")
        & (change.cohort == "People")
        & (change.dimension == "ALL")
        & (change.estimator == "plugin")
        & (change.aggregation == "pool")
        & (change.comparison == "CA-U - CF")
    ].iloc[0]
    rows = {row.cells[0]: row.cells for row in named(analysis, schema)["table_8_bi_change_by_cohort"].rows}

    assert rows["People"][1:3] == [figures(people["value"], 3), between(people["low"], people["high"], 3)]


def test_table_9_has_every_generator_once_and_every_cohort_for_each(analysis: Analysis, schema: Schema):
    rows = named(analysis, schema)["table_9_bi_change_by_generator"].rows

    assert [row.cells[0] for row in rows if row.cells[0]] == ["gen-0", "gen-1"]
    assert [row.cells[1] for row in rows[: len(rows) // 2]] == ["Camera", "Objects", "People", "All cohorts"]


def test_table_2_holds_closed_and_table_11_open_labels_highest_first(analysis: Analysis, schema: Schema):
    tables = named(analysis, schema)
    closed = tables["table_2_closed_labels"].rows
    scores = [float(row.cells[-2]) for row in closed]

    assert {row.cells[1] for row in closed} <= {"framing", "gender presentation", "accessories"}
    assert {row.cells[1] for row in tables["table_11_open_labels"].rows} == {"items"}
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(
        analysis.tables["ccs_mean"].query("dimension != 'items'")["ccs"].max(), abs=0.05
    )


def test_n_and_mode_are_in_the_captions(result: Analysis, schema: Schema):
    mode = "paper mode" if result.run["mode"] == "paper" else "Audit mode"
    for table in named(result, schema).values():
        assert mode in table.caption
        assert "n" in re.findall(r"\bn\b", table.caption)


def test_a_table_of_simulated_records_says_so(analysis: Analysis, schema: Schema):
    run = {**analysis.run, "extractor": {"name": "drawn-truth", "is_simulated": True}}

    for table in analysis_tables(analysis.tables, run, schema):
        assert "Contains simulated records." in table.text()


def test_a_hostile_label_cannot_leave_its_cell(analysis: Analysis, schema: Schema):
    tables = dict(analysis.tables)
    for name in ("ccs_mean", "persistence"):
        label = tables[name]["label"].astype(object)
        tables[name] = tables[name].assign(label=label.where(label != "female", r"\end{tabular} & \input{x}"))

    text = named(Analysis(tables, analysis.run), schema)["table_2_closed_labels"].text()

    assert text.count(r"\end{tabular}") == 1
    assert r"\input" not in text


def test_a_long_table_runs_over_pages_with_its_head_repeated():
    rows = [Row(["a", "1"])] * (LONG + 1)
    text = LatexTable("long", "50 %", "lr", ["x", "y"], rows, note="n").text()

    assert text.startswith(r"{\small")
    assert text.count(r"\toprule") == 2
    assert text.index(r"\endlastfoot") < text.index(r"\end{longtable}") < text.index("footnotesize n")
    assert r"50 \%" in text


def test_a_row_of_the_wrong_length_is_a_fault():
    with pytest.raises(ValueError, match="cells in 2 columns"):
        LatexTable("t", "c", "lr", ["x", "y"], [Row(["only one"])]).text()


@pytest.mark.parametrize(("p", "right"), [(0.04, ".040"), (0.00049, "$<$.001"), (1.0, "1.000"), (None, "--")])
def test_p_values_are_written_without_their_zero(p: float | None, right: str):
    assert probability(p) == right


def test_a_place_that_cannot_be_written_is_one_sentence(analysis: Analysis, schema: Schema, tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        write_latex(list(named(analysis, schema).values()), tmp_path / "file")


def test_the_document_shows_every_table_and_is_the_same_bytes_again(
    result: Analysis, schema: Schema, tmp_path: Path
):
    tables = list(named(result, schema).values())
    first = {path.name: path.read_bytes() for path in write_latex(tables, tmp_path / "a")}
    again = {path.name: path.read_bytes() for path in write_latex(tables, tmp_path / "b")}

    assert first == again
    assert re.findall(r"\\input\{(\w+)\}", first["tables.tex"].decode()) == NAMES


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX on this machine")
def test_tex_compiles_the_document(result: Analysis, schema: Schema, tmp_path: Path):
    write_latex(list(named(result, schema).values()), tmp_path)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "tables.tex"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "tables.pdf").read_bytes().startswith(b"%PDF")
