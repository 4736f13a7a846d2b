"""What became of every image that was read, and how far the failures could move a prevalence.

A refusal is not "unknown" and not "the label is not there". Where records failed, the share of images with a
label is known only within bounds: at least what it is if none of the failed ones shows it, at most what it is
if all do.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.records import Status
from core.schema import Schema

WHERE = ["generator", "role", "condition"]
FAILED = tuple(status.value for status in Status if status not in (Status.OK, Status.UNKNOWN))
CLASSES = (Status.OK.value, Status.UNKNOWN.value, *FAILED)

RECORD = "ALL"
"""In place of a dimension: the record as a whole, which is never `unknown`."""


def outcome_table(labels: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    """Images by class of outcome, for every generator, role, condition and dimension.

    Parameters
    ----------
    labels : DataFrame
        A label table: one row per image × dimension × label, with `status`.
    schema : Schema
        Gives the order of the dimensions.

    Returns
    -------
    DataFrame
        Columns generator, role, condition, dimension, images, and one for each class. The dimension `ALL`
        is the record as a whole: ok when any dimension of it was read or unknown, else the class that all
        of it has.
    """
    each = _per_image(labels)
    record = each.groupby([*WHERE, "image"], observed=True)["rank"].min().reset_index()
    record["status"] = np.array(CLASSES)[record["rank"]]
    record["status"] = record["status"].mask(record["status"] == Status.UNKNOWN.value, Status.OK.value)
    record["dimension"] = RECORD
    long = pd.concat([record, each], ignore_index=True)
    counts = long.groupby([*WHERE, "dimension", "status"], observed=True).size().unstack(fill_value=0)
    counts = counts.reindex(columns=list(CLASSES), fill_value=0)
    counts.columns.name = None
    counts.insert(0, "images", counts.sum(axis="columns"))
    order = {name: place for place, name in enumerate([RECORD, *schema.dimension_ids])}
    table = counts.reset_index()
    table["_order"] = table["dimension"].map(order).fillna(len(order))
    return table.sort_values([*WHERE, "_order"], kind="stable").drop(columns="_order").reset_index(drop=True)


def bounds_table(labels: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    """Prevalence of every label with its bounds.

    Returns
    -------
    DataFrame
        Columns generator, role, condition, dimension, label, x (images with it), n (images with a known
        value), failed, unknown, prevalence (x / n), low and high (none or all of the failed ones have it),
        low_unknown and high_unknown (the same with the unknown ones), reason. Shares are 0 to 1, and empty
        with a reason where n is 0.

    Notes
    -----
    The bounds are x / (n + f) and (x + f) / (n + f) for f images without a value: the worst case without any
    assumption about why they have none (Manski, 1989).
    """
    each = _per_image(labels)
    sizes = each.groupby([*WHERE, "dimension", "status"], observed=True).size().unstack(fill_value=0)
    sizes = sizes.reindex(columns=list(CLASSES), fill_value=0)
    totals = pd.DataFrame(
        {
            "n": sizes[Status.OK.value],
            "failed": sizes[list(FAILED)].sum(axis="columns"),
            "unknown": sizes[Status.UNKNOWN.value],
        }
    )
    said = labels[labels["status"].astype(str) == Status.OK.value]
    said = said[said["label"].astype(str) != ""].assign(label=_canonical(said, schema))
    said = said[said["label"].notna()].drop_duplicates([*WHERE, "image", "dimension", "label"])
    has = said.groupby([*WHERE, "dimension", "label"], observed=True).size().rename("x").reset_index()
    sizes_of = totals.reset_index().astype(dict.fromkeys([*WHERE, "dimension"], str))
    table = _with_zeros(has, totals).merge(sizes_of, on=[*WHERE, "dimension"], how="left")
    known = table["n"].where(table["n"] > 0)
    table["prevalence"] = table["x"] / known
    for names, extra in (
        (("low", "high"), table["failed"]),
        (("low_unknown", "high_unknown"), table["failed"] + table["unknown"]),
    ):
        all_of_them = (table["n"] + extra).where(table["n"] + extra > 0)
        table[names[0]] = table["x"] / all_of_them
        table[names[1]] = (table["x"] + extra) / all_of_them
    table["reason"] = np.where(table["n"] > 0, "", "no image with a known value")
    columns = ["x", "n", "failed", "unknown", "prevalence", "low", "high", "low_unknown", "high_unknown"]
    return table[[*WHERE, "dimension", "label", *columns, "reason"]]


def _per_image(labels: pd.DataFrame) -> pd.DataFrame:
    """One row per image and dimension with its status; a dimension with a label is ok."""
    plain = labels[[*WHERE, "image", "dimension"]].assign(
        rank=labels["status"].astype(str).map({name: place for place, name in enumerate(CLASSES)})
    )
    each = plain.groupby([*WHERE, "image", "dimension"], observed=True)["rank"].min().reset_index()
    return each.assign(status=np.array(CLASSES)[each["rank"].to_numpy(dtype=np.int64)])


def _canonical(said: pd.DataFrame, schema: Schema) -> pd.Series:
    pairs = said[["dimension", "label"]].astype(str).drop_duplicates()
    meant = {
        (dimension, label): schema.canonical(dimension, label) if schema.has(dimension) else None
        for dimension, label in pairs.itertuples(index=False)
    }
    found = [
        meant[pair] for pair in zip(said["dimension"].astype(str), said["label"].astype(str), strict=True)
    ]
    return pd.Series(found, index=said.index, dtype=object)


def _with_zeros(has: pd.DataFrame, totals: pd.DataFrame) -> pd.DataFrame:
    """A row of 0 for every label of a generator and role in the conditions in which nothing showed it."""
    columns = [*WHERE, "dimension", "label"]
    cells = totals.index.to_frame(index=False).astype(str)
    plain = has.astype(dict.fromkeys(columns, str))
    labels = plain[["generator", "role", "dimension", "label"]].drop_duplicates()
    table = cells.merge(labels, on=["generator", "role", "dimension"]).merge(plain, on=columns, how="left")
    table["x"] = table["x"].fillna(0).astype(np.int64)
    return table.sort_values(columns, kind="stable").reset_index(drop=True)
