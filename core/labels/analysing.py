"""Results with a label map, without one, or both side by side; and how far failures could move them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from core.analysis import Analysis, analyse
from core.extraction.outcomes import bounds_table, outcome_table
from core.jobs import Job
from core.labels.files import map_from
from core.labels.label_map import RAW, LabelMap
from core.schema import Schema

STUDY, RAW_LABELS, BOTH = "study", "raw", "both"
BESIDE = ["generator", "condition", "cohort", "dimension", "aggregation", "estimator"]


def analyse_mapped(
    labels: pd.DataFrame,
    schema: Schema,
    own_map: LabelMap,
    *,
    mapping: str = STUDY,
    bounds: bool = False,
    **options: Any,
) -> Job[Analysis]:
    """All result tables, as `core.analysis.analyse`, with labels mapped first.

    Parameters
    ----------
    labels : DataFrame
        A label table or a table of counts.
    schema : Schema
        Dimensions, vocabularies and other spellings.
    own_map : LabelMap
        The study's; an empty one maps nothing.
    mapping : str
        "study" for `own_map`, "raw" for none, "both" for tables of either kind (the raw ones with the ending
        `_raw`) and `bi_by_map` side by side, else the path of a map as CSV.
    bounds : bool
        Add `outcomes` and `prevalence_bounds`; not for tables of counts, which hold no failures.
    **options
        For `analyse`.
    """
    chosen = own_map if mapping in (STUDY, BOTH) else RAW
    if mapping not in (STUDY, RAW_LABELS, BOTH):
        chosen = map_from(Path(mapping), schema)
    mapped = chosen.apply(labels)
    result = yield from analyse(mapped, schema, **options)
    tables = dict(result.tables)
    run = dict(result.run)
    if mapping == BOTH:
        raw = yield from analyse(RAW.apply(labels), schema, **options)
        tables |= {f"{name}_raw": table for name, table in raw.tables.items()}
        tables["bi_by_map"] = _side_by_side(raw.tables["bi"], result.tables["bi"])
        run["raw"] = raw.run
    if bounds and "count" not in labels.columns:
        tables["outcomes"] = outcome_table(mapped, schema)
        tables["prevalence_bounds"] = bounds_table(mapped, schema)
    run["table_rows"] = {name: len(table) for name, table in tables.items()}
    return Analysis(tables, run)


def _side_by_side(raw: pd.DataFrame, mapped: pd.DataFrame) -> pd.DataFrame:
    keys = [name for name in BESIDE if name in raw.columns]
    values = [name for name in ("value", "k", "reason") if name in raw.columns]
    both = raw[keys + values].merge(mapped[keys + values], on=keys, suffixes=("_raw", "_mapped"), how="outer")
    return both.sort_values(keys, kind="stable").reset_index(drop=True)
