"""Published tables 1 and 7: extraction against prompts whose attribute is stated.

The published F1 takes precision for 1, since every stated attribute is there by construction; ours takes
what was said as it was said, so a label said too often costs precision. Both sides of the stereotype stand
beside the whole: an extractor that answers from what is usual for a role fails on one of them.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from core.figures.wording import counted, plain, thousands
from core.latex.escaping import escaped
from core.latex.table import LatexTable, Row, between, figures
from core.schema import Schema

ALL = "ALL"
SIDES = {ALL: "all", "stereotypical": "stereotypical", "counter-stereotypical": "counter-stereotypical"}
HEADER = ["n", "Acc.", "95\\% interval", "Prec.", "Recall", "F1"]


def validation_latex(tables: Mapping[str, pd.DataFrame], schema: Schema) -> list[LatexTable]:
    """Tables 1 (by generator) and 7 (by dimension).

    Parameters
    ----------
    tables : mapping
        `validation` and `validation_dimensions`, of `core.validation.tables`.
    schema : Schema
        Names of dimensions.
    """
    names = {one.id: one.name for one in schema.dimensions}
    whole, by_dimension = tables["validation"], tables["validation_dimensions"]
    return [
        _table("table_1_validation", "generator", whole, {ALL: "All"}),
        _table("table_7_validation_by_dimension", "dimension", by_dimension, names),
    ]


def _table(name: str, first: str, table: pd.DataFrame, names: Mapping[str, str]) -> LatexTable:
    shown = table[table["side"].isin(list(SIDES))].astype({first: object, "side": object})
    total = shown.loc[shown["side"] == ALL]
    total = total[total[first] == ALL] if (total[first] == ALL).any() else total
    rows, before = [], ""
    for row in shown.to_dict("records"):
        key = str(row[first])
        lead = escaped(plain(key, names)) if key != before else ""
        cells = [thousands(int(row["images"])), figures(row["accuracy"]), between(row["low"], row["high"])]
        cells += [figures(row[one]) for one in ("precision", "recall", "f1")]
        rows.append(Row([lead, escaped(SIDES[str(row["side"])]), *cells], is_apart=key != before))
        before = key
    return LatexTable(
        name,
        f"Extraction against prompts whose attribute is stated, by {first} and side of the stereotype. "
        f"n = {counted(int(total['images'].sum()), 'image')} with a record or a failure.",
        "llrrlrrr",
        [first.capitalize(), "Prompts", *HEADER],
        rows,
        note="Intervals: Wilson. Precision and recall: means over stated labels.",
    )
