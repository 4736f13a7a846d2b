"""Tables 1 and 7 hold accuracy with its interval, on both sides of the stereotype."""

from __future__ import annotations

import pandas as pd

from core.latex.checks import validation_latex
from core.schema import Schema


def table(first: str, keys: list[str]) -> pd.DataFrame:
    measures = {"precision": 0.88, "recall": 0.86, "f1": 0.87, "failed": 0}
    rows = [
        {
            **{first: key, "side": side, "images": 40 - 10 * number, **measures},
            **{"accuracy": 0.9 - 0.2 * number, "low": 0.8 - 0.2 * number, "high": 0.95 - 0.2 * number},
        }
        for key in keys
        for number, side in enumerate(("ALL", "stereotypical", "counter-stereotypical", "without"))
    ]
    return pd.DataFrame(rows)


def test_rows_are_generators_and_dimensions_with_both_sides(schema: Schema):
    tables = {
        "validation": table("generator", ["SDXL", "ALL"]),
        "validation_dimensions": table("dimension", ["hair_color"]),
    }

    first, seventh = validation_latex(tables, schema)

    assert [row.cells[0] for row in first.rows] == ["SDXL", "", "", "All", "", ""]
    assert first.rows[0].cells[1:5] == ["all", "40", "0.90", "[0.80, 0.95]"]
    assert "n = 40 images" in first.caption
    assert [row.cells[1] for row in seventh.rows] == ["all", "stereotypical", "counter-stereotypical"]
    assert seventh.rows[0].cells[0] == "hair colour"
    assert seventh.text().count(r"\\") >= 4
