"""Published tables 8, 9 and 10: the change of Bias Intensity, and BI under each estimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.figures.bias_intensity import AGGREGATIONS, ALL, CONDITIONS, ESTIMATORS, images_by_condition
from core.figures.wording import COMPARISONS, thousands
from core.latex.escaping import escaped
from core.latex.table import LatexTable, Row, between, figures
from core.schema import COHORTS


def change_by_cohort(change: pd.DataFrame, bi: pd.DataFrame, mode: str, draws: int) -> LatexTable:
    """Table 8: change of BI by cohort, mean over generators; all three comparisons."""
    table = _plugin(change)
    table = table[(table["generator"] == _whole(table)) & (table["dimension"] == ALL)]
    found = {(str(row["cohort"]), str(row["comparison"])): row for row in table.to_dict("records")}
    rows = [
        Row([_cohort(cohort), *_cells(found, cohort)], is_apart=cohort == ALL) for cohort in cohorts_of(table)
    ]
    return LatexTable(
        "table_8_bi_change_by_cohort",
        "Change of Bias Intensity between conditions by cohort, mean over generators. "
        f"{_about(bi, mode, draws)}",
        "l" + "rl" * len(COMPARISONS),
        ["Cohort", *["$\\Delta$BI", "95\\% interval"] * len(COMPARISONS)],
        rows,
        [("", 1), *((escaped(words), 2) for words in COMPARISONS.values())],
        _method(table),
    )


def change_by_generator(change: pd.DataFrame, bi: pd.DataFrame, mode: str, draws: int) -> LatexTable:
    """Table 9: the same by generator."""
    table = _plugin(change)
    table = table[(table["generator"] != ALL) & (table["dimension"] == ALL)]
    rows: list[Row] = []
    for generator in dict.fromkeys(table["generator"].astype(str)):
        mine = table[table["generator"] == generator].to_dict("records")
        found = {(str(row["cohort"]), str(row["comparison"])): row for row in mine}
        for number, cohort in enumerate(cohorts_of(table)):
            name = escaped(generator) if not number else ""
            rows.append(Row([name, _cohort(cohort), *_cells(found, cohort)], is_apart=not number))
    return LatexTable(
        "table_9_bi_change_by_generator",
        f"Change of Bias Intensity between conditions by generator and cohort. {_about(bi, mode, draws)}",
        "ll" + "rl" * len(COMPARISONS),
        ["Generator", "Cohort", *["$\\Delta$BI", "95\\% interval"] * len(COMPARISONS)],
        rows,
        [("", 2), *((escaped(words), 2) for words in COMPARISONS.values())],
        _method(table),
    )


def bi_by_estimator(bi: pd.DataFrame, mode: str) -> LatexTable:
    """Table 10: BI by cohort and condition, roles pooled and as mean over roles, under each estimator."""
    table = _objects(bi)
    table = table[(table["generator"] == _whole(table)) & (table["dimension"] == ALL)]
    kinds = [
        (aggregation, estimator)
        for aggregation in AGGREGATIONS
        for estimator in ESTIMATORS
        if ((table["aggregation"] == aggregation) & (table["estimator"] == estimator)).any()
    ]
    keys = ["aggregation", "estimator", "cohort", "condition"]
    value = {tuple(str(row[one]) for one in keys): row["value"] for row in table.to_dict("records")}
    rows: list[Row] = []
    for number, (aggregation, estimator) in enumerate(kinds):
        is_first = not number or kinds[number - 1][0] != aggregation
        name = escaped(ESTIMATORS[estimator].replace(" estimator", ""))
        cells = [
            figures(value.get((aggregation, estimator, cohort, condition)), 3)
            for cohort in cohorts_of(table)
            for condition in CONDITIONS
        ]
        lead = escaped(AGGREGATIONS[aggregation]) if is_first else ""
        rows.append(Row([lead, name, *cells], is_apart=is_first))
    cohorts = cohorts_of(table)
    return LatexTable(
        "table_10_bi_by_estimator",
        "Bias Intensity by cohort and condition under each estimator, mean over generators. "
        f"{_about(bi, mode, None)}",
        "ll" + "r" * (len(cohorts) * len(CONDITIONS)),
        ["Roles", "Estimator", *CONDITIONS * len(cohorts)],
        rows,
        [("", 2), *((_cohort(cohort), len(CONDITIONS)) for cohort in cohorts)],
    )


def cohorts_of(table: pd.DataFrame) -> list[str]:
    """Cohorts that a table has, in order, then ALL."""
    there = set(table["cohort"].astype(str))
    return [name for name in (*COHORTS, ALL) if name in there]


def _cohort(name: str) -> str:
    return "All cohorts" if name == ALL else escaped(name)


def _cells(found: dict[tuple[str, str], dict[Any, Any]], cohort: str) -> list[str]:
    cells: list[str] = []
    for comparison in COMPARISONS:
        row = found.get((cohort, comparison), {})
        cells += [figures(row.get("value"), 3), between(row.get("low"), row.get("high"), 3)]
    return cells


def _objects(table: pd.DataFrame) -> pd.DataFrame:
    coded = [name for name in table.columns if isinstance(table[name].dtype, pd.CategoricalDtype)]
    return table.astype(dict.fromkeys(coded, object))


def _plugin(table: pd.DataFrame) -> pd.DataFrame:
    table = _objects(table)
    return table[(table["estimator"] == "plugin") & (table["aggregation"] == "pool")]


def _whole(table: pd.DataFrame) -> str:
    """The mean over generators, or the only one."""
    names: Sequence[str] = list(dict.fromkeys(table["generator"].astype(str)))
    return ALL if ALL in names else names[0] if names else ALL


def _about(bi: pd.DataFrame, mode: str, draws: int | None) -> str:
    images = images_by_condition(bi)
    parts = [
        f"{thousands(low)} {name}" if low == high else f"{thousands(low)}–{thousands(high)} {name}"
        for name, (low, high) in images.items()
    ]
    drawn = "" if draws is None else f" {thousands(draws)} draws." if draws else " No intervals."
    kind = "Published formulas (paper mode)." if mode == "paper" else "Audit mode, plug-in, roles pooled."
    kind = "Audit mode." if draws is None and mode != "paper" else kind
    return f"{kind}{drawn} n: images a generator {', '.join(parts) or 'none'}."


def _method(table: pd.DataFrame) -> str:
    used = sorted({str(word) for word in table["method"] if isinstance(word, str) and word})
    return f"Intervals: {'; '.join(used)}." if used else ""
