"""From numbers to the long table of labels: one row per image × dimension × label.

Every distinct (dimension, label, status) is a value with a number, as in `reading_value`; the 2.6 million
rows of a paper-sized study stay two columns of numbers until the words are put on as categories.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.records import UNKNOWN
from core.schema import Schema

Numbers = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
"""Positions of rows: half as wide as numbers, for there may be tens of millions."""


def label_frame(
    images: pd.DataFrame, image: Places, value: Places, values: pd.DataFrame, schema: Schema
) -> pd.DataFrame:
    """The table of labels, ordered by image and then by the schema's dimensions.

    Parameters
    ----------
    images : DataFrame
        One row an image, with `record_status`; its other columns are repeated for every label.
    image, value : array of int
        For each label that was read: row of its image in `images`, ascending, and row of its value in
        `values`, in the order in which it was said.
    values : DataFrame
        Columns dimension, label, status.
    schema : Schema
        Gives the cohorts and the order. An image whose `record_status` is not ok gets one row a
        dimension with the label '' and that status.
    """
    status = images["record_status"].to_numpy(dtype=object)
    failed = np.flatnonzero(status != "ok")
    kinds, kind = np.unique(status[failed].astype(str), return_inverse=True)
    if failed.size:
        size = len(schema.dimensions)
        at = np.repeat(np.searchsorted(image, failed, side="right"), size)
        first = len(values) + kind * size  # where a kind of failure begins among the values
        image = np.insert(image, at, np.repeat(failed, size))
        value = np.insert(value, at, (first[:, None] + np.arange(size)).ravel())
    words = _words(pd.concat([values, *(_failure(kind, schema) for kind in kinds)]), schema)
    image, value = _by_dimension(image, value, words["dimension"].cat.codes.to_numpy())
    where = {name: images[name].array.take(image) for name in images if name != "record_status"}
    return pd.DataFrame(where | {name: words[name].array.take(value) for name in words}, copy=False)


def _by_dimension(image: Places, value: Places, codes: npt.NDArray[Any]) -> tuple[Places, Places]:
    """The labels of each image in the order of their dimensions, as they stand where they are so already."""
    dimension = codes[value]
    is_later = (image[1:] == image[:-1]) & (dimension[1:] < dimension[:-1])
    if not is_later.any():
        return image, value
    # Stable, so that the labels of a list stay in the order in which they were said.
    order = np.argsort(image.astype(np.int64) * (int(codes.max()) + 1) + dimension, kind="stable")
    return image[order], value[order]


def _failure(kind: str, schema: Schema) -> pd.DataFrame:
    return pd.DataFrame({"dimension": list(schema.dimension_ids), "label": "", "status": kind})


def _words(values: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    """Values with their cohort, as categories in the order of the schema."""
    others = sorted(set(values["dimension"]) - set(schema.dimension_ids))
    cohorts = {dimension.id: dimension.cohort for dimension in schema.dimensions}
    label = values["label"].mask(values["status"] == UNKNOWN, UNKNOWN)
    names = [*dict.fromkeys(cohorts.values()), *([""] if others else [])]
    cohort = [cohorts.get(dimension, "") for dimension in values["dimension"]]
    return pd.DataFrame(
        {
            "cohort": pd.Categorical(cohort, categories=names),
            "dimension": pd.Categorical(values["dimension"], categories=[*cohorts, *others]),
            "label": label.astype("category"),
            "status": values["status"].astype("category"),
        }
    )
