"""What a page shows is what the command line writes: the same functions, the same draws, the same numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import main
from core.command_line import parser
from core.draws import OF_AGREEMENT, OF_RESULTS
from core.jobs import run_here
from core.records import Condition
from core.tables import read_answers
from gui.agreement import reading as agreement_reading
from gui.agreement.view import AgreementView
from gui.agreement.view import Settings as AgreementSettings
from gui.models.number import Number
from gui.models.results_data import Kind, Spot
from gui.results import reading as results_reading
from gui.results.view import ResultsView, Settings
from storage.store import Store
from tests.gui.pages.audited import READER, make_audited

DRAWS = 25


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_audited(tmp_path_factory.mktemp("same") / "study")


@pytest.fixture(scope="module")
def tables(study: Path) -> Path:
    """What `analyse` and `agreement` write."""
    out = study.parent / "tables"
    for command in ("analyse", "agreement"):
        options = [str(study), "--out", str(out), "--bootstrap", str(DRAWS), "--extractor", READER]
        assert main.main([command, *options]) == 0
    return out


@pytest.fixture(scope="module")
def results(study: Path) -> ResultsView:
    with pytest.MonkeyPatch.context() as patch, Store.open(study) as store:
        patch.setattr(results_reading, "BOOTSTRAP", DRAWS)
        return run_here(results_reading.compute(store, Settings(READER)))


@pytest.fixture(scope="module")
def agreement(study: Path) -> AgreementView:
    with pytest.MonkeyPatch.context() as patch, Store.open(study) as store:
        patch.setattr(agreement_reading, "BOOTSTRAP", DRAWS)
        round_id = store.rounds()[-1].round_id
        return run_here(agreement_reading.compute(store, AgreementSettings(round_id, "label", READER)))


def written(tables: Path, name: str) -> list[dict[str, Any]]:
    return pd.read_csv(tables / f"{name}.csv", keep_default_na=False, na_values=[""]).to_dict("records")


def same(shown: Number, row: dict[str, Any]) -> bool:
    """Whether value and ends are those of the row to the last digit, or undefined in both."""
    pairs = ((shown.value, row["value"]), (shown.low, row["low"]), (shown.high, row["high"]))
    return all(pd.isna(there) if one is None else one == there for one, there in pairs)


def test_bias_intensity_is_that_of_the_tables(results: ResultsView, tables: Path) -> None:
    rows = written(tables, "bi")
    for row in rows:
        kind = Kind(row["estimator"], row["aggregation"])
        spot = Spot(row["generator"], row["cohort"], row["dimension"], Condition(row["condition"]))
        assert same(results.intensities.values[kind, spot].number, row), row
    assert len(rows) == len(results.intensities.values) > 100


def test_changes_are_those_of_the_tables(results: ResultsView, tables: Path) -> None:
    rows = written(tables, "bi_change")
    for row in rows:
        kind = Kind(row["estimator"], row["aggregation"])
        key = (kind, row["generator"], row["cohort"], row["dimension"], row["comparison"])
        assert same(results.intensities.changes[key], row), row
    assert len(rows) == len(results.intensities.changes) > 100


def test_persistence_is_that_of_the_tables(results: ResultsView, tables: Path) -> None:
    rows, data = written(tables, "persistence"), results.persistence
    assert len(rows) == data.size > 20
    for row in rows:
        at = data.find(row["generator"], row["role"], row["dimension"], str(row["label"]))
        assert data.x[at].tolist() == [row["x_cf"], row["x_car"], row["x_cau"]]
        assert data.n[at].tolist() == [row["n_cf"], row["n_car"], row["n_cau"]]
        for name in ("prevalence", "range_pp", "p_adjusted", "ccs", "ccs_low", "ccs_high", "ccs_if_stable"):
            shown, there = float(getattr(data, name)[at]), float(row[name])
            assert shown == there or (pd.isna(shown) and pd.isna(there)), (name, row)


def test_agreement_is_that_of_the_tables(agreement: AgreementView, tables: Path) -> None:
    rows = written(tables, "agreement")
    for row in rows:
        key = (row["question"], row["scope"], row["statistic"], row["level"])
        assert same(agreement.numbers[key], row), row
    assert len(rows) == len(agreement.numbers) > 100


def test_the_grid_shows_the_numbers_of_the_tables(agreement: AgreementView, tables: Path) -> None:
    """The rows as the page has them, and not only the table behind them."""
    by_key = {
        (row["question"], row["statistic"]): row
        for row in written(tables, "agreement")
        if row["scope"] == "annotators" and row["level"] == "nominal"
    }
    shown = [(row, name) for row in next(iter(agreement.rows.values())) for name in row.numbers]
    matched = [
        (row.numbers[name], by_key[row.question, name])
        for row, name in shown
        if (row.question, name) in by_key
    ]

    assert len(matched) > 20
    for number, row in matched:
        assert same(number, row), row


def test_an_export_of_the_page_is_the_table_of_the_command_line(
    results: ResultsView, tables: Path, tmp_path: Path
) -> None:
    from core.tables import write_tables

    write_tables(results.tables, tmp_path, dict(results.run))

    for name in ("bi", "bi_change", "persistence", "ccs_mean", "prevalence", "robustness", "joined_labels"):
        assert (tmp_path / f"{name}.csv").read_bytes() == (tables / f"{name}.csv").read_bytes(), name


def test_pages_and_commands_draw_as_often_when_nobody_says() -> None:
    chosen = {
        name: parser().parse_args([name, "x", "--out", "y"]).bootstrap for name in ("analyse", "agreement")
    }

    assert chosen == {"analyse": None, "agreement": agreement_reading.BOOTSTRAP}
    assert OF_RESULTS["audit"] == results_reading.BOOTSTRAP
    assert agreement_reading.BOOTSTRAP == OF_AGREEMENT


def test_answers_exported_and_read_again_give_the_same_agreement(
    study: Path, tables: Path, tmp_path: Path
) -> None:
    from storage.frames import Frames

    with Store.open(study) as store:
        answers = Frames(store.folder).answers(store.rounds()[-1].round_id)
    path = tmp_path / "answers.csv"
    answers[["annotator", "image_set", "question", "label", "slider", "status", "marks"]].to_csv(
        path, index=False
    )
    out = tmp_path / "again"
    assert main.main(["agreement", "--answers", str(path), "--out", str(out), "--bootstrap", str(DRAWS)]) == 0
    assert len(read_answers(path)) == len(answers)

    mine = {
        (row["question"], row["scope"], row["statistic"], row["level"]): row
        for row in written(out, "agreement")
    }
    for row in written(tables, "agreement"):
        key = (row["question"], row["scope"], row["statistic"], row["level"])
        if row["scope"] == "annotators" and row["question"] not in ("ALL", "POOLED"):
            assert mine[key]["value"] == row["value"] or (
                pd.isna(mine[key]["value"]) and pd.isna(row["value"])
            )
