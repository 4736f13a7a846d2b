"""From the command line: figures, LaTeX, the report, contact sheets, the folder for release."""

from __future__ import annotations

from pathlib import Path

import pytest

import main
from core.table_files import write_table
from tests.core.conftest import make_labels


@pytest.fixture
def empty_study(tmp_path: Path) -> Path:
    """A study with prompts and nothing else."""
    assert (
        main.main(["new", str(tmp_path / "study"), "--roles", "baker,doctor", "--generators", "drawn-a"]) == 0
    )
    return tmp_path / "study"


def test_analyse_writes_figures_and_latex_beside_its_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("core.figures.writing.figure_bytes", lambda drawing, kind: kind.encode())
    labels = write_table(make_labels(roles=2, prompts=2), tmp_path / "labels.csv", "csv")
    command = ["analyse", "--labels", str(labels), "--bootstrap", "0", "--out", str(tmp_path / "out")]

    assert main.main([*command, "--figures", "svg,pdf", "--latex"]) == 0

    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert {"bi_by_cohort.svg", "bi_by_cohort.pdf", "bi_by_cohort.csv", "captions.csv"} <= figures
    assert not [name for name in figures if name.endswith(".png")]
    assert (tmp_path / "out" / "latex" / "tables.tex").exists()
    assert "Bias Intensity of each cohort" in capsys.readouterr().out


def test_without_being_asked_no_figure_is_written(tmp_path: Path):
    labels = write_table(make_labels(roles=2, prompts=2), tmp_path / "labels.csv", "csv")
    command = ["analyse", "--labels", str(labels), "--bootstrap", "0", "--out", str(tmp_path / "out")]

    assert main.main(command) == 0

    assert not (tmp_path / "out" / "figures").exists()
    assert not (tmp_path / "out" / "latex").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["report", "--out", "r.html"],
            "No extractor has read this study's images. Run `main.py extract` first.",
        ),
        (["sheet", "--role", "baker", "--out", "s.png"], "no picture of the role 'baker' that can be used"),
    ],
)
def test_what_is_missing_is_one_sentence(
    empty_study: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
):
    name, *rest = words

    assert main.main([name, str(empty_study), *rest]) == 1

    complaint = capsys.readouterr().err
    assert said in complaint
    assert complaint.count("\n") == 1


def test_pictures_made_here_are_shown_released_and_taken_back(
    empty_study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main.main(["generate", str(empty_study), "--generator", "drawn-a", "--limit", "6"]) == 0

    assert main.main(["sheet", str(empty_study), "--role", "baker", "--out", str(tmp_path / "s.svg")]) == 0
    assert (
        main.main(["export", str(empty_study), "--format", "imagefolder", "--out", str(tmp_path / "f")]) == 0
    )
    assert "6 images asked: 6 done, 0 failed, 0 skipped" in capsys.readouterr().out

    assert main.main(["new", str(tmp_path / "other"), "--roles", "baker,doctor"]) == 0
    taken = [
        "import-images",
        str(tmp_path / "other"),
        str(tmp_path / "f"),
        "--map",
        str(tmp_path / "f" / "metadata.csv"),
    ]
    assert main.main(taken) == 0
    assert "6 done" in capsys.readouterr().out
