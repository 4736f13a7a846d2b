"""Tables of Bias Intensity and its change, by the estimator that the window shows."""

from __future__ import annotations

import pandas as pd

from core.figures.bias_intensity import ALL, CONDITIONS
from core.figures.wording import COMPARISONS
from core.report.blocks import Table
from core.report.material import Material
from core.report.naming import naming

MATCHED, PLUG_IN = "matched", "plugin"
WORDS = {MATCHED: "matched", PLUG_IN: "plug-in"}
KEYS = ["generator", "condition", "cohort", "dimension"]


def estimator_of(material: Material) -> str:
    """Matched, which compares conditions fairly and is what the window shows; else plug-in."""
    table = material.tables["bi"]
    has_matched = ((table["estimator"] == MATCHED) & table["value"].notna()).any()
    return MATCHED if has_matched else PLUG_IN


def rows_of(table: pd.DataFrame, estimator: str) -> pd.DataFrame:
    """The rows of one estimator, roles pooled."""
    return table[(table["estimator"] == estimator) & (table["aggregation"] == "pool")]


def bi_table(material: Material) -> Table:
    """Bias Intensity of each cohort, beside that of the images as counted."""
    estimator, table = estimator_of(material), material.tables["bi"]
    used = rows_of(table, estimator)
    used = used[(used["dimension"] == ALL) & used["condition"].isin(CONDITIONS)]
    shown = ["generator", "condition", "cohort", "value", "low", "high"]
    data = used[[*shown, "reason"]]
    note = "Dimensions and the other estimators are in bi.csv."
    if estimator == MATCHED:
        counted = rows_of(table, PLUG_IN).set_index(KEYS)["value"]
        data = data.assign(plugin=counted.reindex(pd.MultiIndex.from_frame(used[KEYS])).to_numpy())
        data = data[[*shown, "plugin", "reason"]]
        note = (
            "Value: matched, every condition with as many images as the smallest, so that conditions can be "
            f"compared. Plug-in: the images as counted, whose level is that of the whole study. {note}"
        )
    return Table(
        "bi",
        f"Bias Intensity of each cohort, {WORDS[estimator]}, roles pooled, labels by {material.extractor}",
        data,
        {"low": "from", "high": "to", "plugin": "plug-in"},
        3,
        note,
        naming(material),
    )


def change_table(material: Material) -> Table:
    """Change of Bias Intensity between conditions."""
    estimator, table = estimator_of(material), material.tables["bi_change"]
    used = rows_of(table, estimator)
    used = used[(used["dimension"] == ALL) & used["comparison"].isin(list(COMPARISONS))]
    return Table(
        "bi_change",
        f"Change of Bias Intensity between conditions, {WORDS[estimator]}, labels by {material.extractor}",
        used[["generator", "comparison", "cohort", "value", "low", "high", "method", "reason"]],
        {"low": "from", "high": "to"},
        3,
        words=naming(material),
    )
