"""Planted beside measured: the table that comes with the phantom, and how far the two are apart."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.generation.drawn.planted import Planted
from core.phantom.captions import FOLDER, PLANTED, roles
from core.records import UNKNOWN, Condition
from core.statistics.proportion import wilson

MEASURED = FOLDER / "measured.json"

DIMENSIONS = (
    "gender_presentation", "eyewear_type", "facial_hair_style", "clothing_garment", "head_covering_type",
    "skin_tone", "age_range", "hair_style", "hair_color", "expression",
)  # fmt: skip
"""Dimensions whose shares are planted and measured."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One label of one role and condition.

    Attributes
    ----------
    planted : float
        P(label | role, condition) in the training pictures, among those that show the dimension.
    measured, low, high : float
        Share in the phantom's own pictures with its 95 % Wilson interval.
    n : int
        Pictures in which the dimension was read.
    """

    role: str
    condition: str
    dimension: str
    label: str
    planted: float
    measured: float
    low: float
    high: float
    n: int


def planted_share(role: str, condition: Condition, dimension: str) -> dict[str, float]:
    """P(label | role, condition) that the phantom was trained on, exactly.

    >>> shares = planted_share("nurse", Condition.CA_U, "gender_presentation")
    >>> {label: round(share, 2) for label, share in shares.items()}
    {'female': 0.92, 'male': 0.08}
    """
    return _planted(role, condition, dimension)


def shown_share(role: str, condition: Condition, dimension: str) -> float:
    """Share of the training pictures of a role and condition that show a dimension at all, exactly."""
    return 1 - Planted(str(PLANTED)).unknown_share(role, condition, dimension)


@cache
def _planted(role: str, condition: Condition, dimension: str) -> dict[str, float]:
    return Planted(str(PLANTED)).distribution(role, condition, dimension)


def counts(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts of labels by role, condition and dimension, `n` the pictures in which it was read."""
    found: dict[str, Any] = {}
    for row in rows:
        if row["stated"] or not row["condition"]:
            continue
        cell = found.setdefault(row["role"], {}).setdefault(row["condition"], {})
        for dimension in DIMENSIONS:
            said = row["labels"][dimension]
            labels = said if isinstance(said, list) else [said] if said != UNKNOWN else []
            if labels:
                entry = cell.setdefault(dimension, {"n": 0, "labels": Counter()})
                entry["n"] += 1
                entry["labels"].update(labels)
    return found


def cells(measured: Mapping[str, Any]) -> Iterator[Cell]:
    """Every label that is planted or was read, from the counts of `counts`."""
    for role, conditions in measured.items():
        for condition, dimensions in conditions.items():
            for dimension, entry in dimensions.items():
                planted = planted_share(role, Condition(condition), dimension)
                for label in sorted({*planted, *entry["labels"]}):
                    found = wilson(entry["labels"].get(label, 0), entry["n"])
                    assert found.value is not None
                    assert found.low is not None
                    assert found.high is not None
                    yield Cell(
                        role, condition, dimension, label, planted.get(label, 0.0), found.value, found.low,
                        found.high, entry["n"],
                    )  # fmt: skip


def closeness(found: Sequence[Cell]) -> list[dict[str, Any]]:
    """Correlation over roles and mean absolute error of planted and measured, by dimension and condition.

    Of a dimension with two labels one is taken (the first), else every label that is planted somewhere.
    """
    import numpy as np

    rows = []
    for dimension in DIMENSIONS:
        for condition in (*Condition, None):
            some = [
                each
                for each in found
                if each.dimension == dimension
                and (condition is None or each.condition == condition.value)
                and each.label in _compared(dimension, found)
            ]
            if len(some) < 3:
                continue
            planted = np.array([each.planted for each in some])
            measured = np.array([each.measured for each in some])
            varies = planted.std() > 0 and measured.std() > 0
            rows.append(
                {
                    "dimension": dimension,
                    "condition": condition.value if condition else "all",
                    "r": float(np.corrcoef(planted, measured)[0, 1]) if varies else None,
                    "mean_absolute_error": float(np.abs(planted - measured).mean()),
                    "cells": len(some),
                }
            )
    return rows


def _compared(dimension: str, found: Sequence[Cell]) -> list[str]:
    planted = sorted({each.label for each in found if each.dimension == dimension and each.planted > 0})
    return planted[:1] if len(planted) == 2 else planted


def followed(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """How often what a prompt states is read: place, gender presentation, eyewear, beard; with intervals."""
    hits: dict[str, list[int]] = {}
    for row in rows:
        if row["scene"]:
            hits.setdefault("place", []).append(row["labels"]["scene"] == row["scene"])
        for name, label in row["stated"].items():
            hits.setdefault(f"{name} {label}", []).append(row["labels"][name] == label)
    result = {}
    for name, each in hits.items():
        found = wilson(sum(each), len(each))
        result[name] = {"share": found.value, "low": found.low, "high": found.high, "n": len(each)}
    return result


def load_measured(path: Path = MEASURED) -> dict[str, Any]:
    """The measured truth that comes with the phantom."""
    if not path.is_file():
        raise BadInput("The phantom's own rates have not been measured.", "Run `main.py phantom measure`.")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def known_roles() -> tuple[str, ...]:
    """Names of the roles that the phantom knows."""
    return tuple(role.name for role in roles())
