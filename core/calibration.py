"""How the printed numbers stand to the planted truth of drawn pictures: is it inside their intervals?

The planted shares are exact (`core.generation.drawn.planted`), so a study of drawn pictures has a known
right answer for every Bias Intensity and every prevalence. Two are given for each: `planted` is what the
pictures show; `as_read` is what an extractor with stated errors reads of them on average.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import pandas as pd

from core.generation.drawn.planted import Planted, planted
from core.records import UNKNOWN, Condition, Prompt
from core.statistics.bias_intensity import bias_intensity

ALL = "ALL"
"""Stands for every dimension of a cohort."""

Row = Mapping[str, float]
RowOf = Callable[[str, str], Row]
"""Dimension and true label -> what it is read as, with which probability."""


@dataclass(frozen=True)
class PlantedCell:
    """Shares of labels in one generator × role × condition × dimension.

    `known` is the share of images that show the dimension; `shares` are among those.
    """

    known: float
    shares: Mapping[str, float]


class PlantedStudy:
    """The right answers of a study of drawn pictures.

    Parameters
    ----------
    prompts : sequence of Prompt
        All prompts of the study.
    read_as : callable, optional
        Stated errors of the extractor; without it, it reads what is shown.
    """

    def __init__(self, prompts: Sequence[Prompt], read_as: RowOf | None = None) -> None:
        self._read_as = read_as
        self._prompts: dict[tuple[str, Condition | None], list[Prompt]] = {}
        for prompt in prompts:
            self._prompts.setdefault((prompt.role, prompt.condition), []).append(prompt)
        self.cell = lru_cache(maxsize=None)(self._cell)

    def _cell(self, generator: str, role: str, condition: Condition, dimension: str) -> PlantedCell:
        prompts = tuple(self._prompts.get((role, condition), ()))
        known, shares = _shown(generator, role, condition, dimension, prompts)
        return PlantedCell(known, shares) if self._read_as is None else self._read(known, shares, dimension)

    def _read(self, known: float, shares: Row, dimension: str) -> PlantedCell:
        """The cell after reading; in a list, two labels read as one are counted twice (a rare thing)."""
        assert self._read_as is not None
        read: dict[str, float] = {}
        for true, share in shares.items():
            for label, chance in self._read_as(dimension, true).items():
                read[label] = read.get(label, 0.0) + share * chance
        lost = min(read.pop(UNKNOWN, 0.0), 1.0) if abs(sum(shares.values()) - 1.0) < 1e-9 else 0.0
        read.pop(UNKNOWN, None)
        return PlantedCell(known * (1 - lost), {label: share / (1 - lost) for label, share in read.items()})

    def pooled(
        self, generator: str, roles: Sequence[str], condition: Condition, dimension: str
    ) -> dict[str, float]:
        """Distribution of labels over all images of the roles, each role with equally many images."""
        total: dict[str, float] = {}
        for role in roles:
            cell = self.cell(generator, role, condition, dimension)
            for label, share in cell.shares.items():
                total[label] = total.get(label, 0.0) + cell.known * share
        whole = sum(total.values())
        return {label: share / whole for label, share in total.items()}


@cache
def _depends_on_prompt(generator: str, dimension: str) -> bool:
    return planted(generator).depends_on_prompt(dimension)


@cache
def _shown(
    generator: str, role: str, condition: Condition, dimension: str, prompts: tuple[Prompt, ...]
) -> tuple[float, Row]:
    """Share of images that show the dimension, and the shares of labels among those."""
    source = planted(generator)
    asked = prompts if _depends_on_prompt(generator, dimension) else None
    shares = source.distribution(role, condition, dimension, asked)
    return 1.0 - source.unknown_share(role, condition, dimension, asked), shares


def planted_tables(
    tables: Mapping[str, pd.DataFrame], prompts: Sequence[Prompt], read_as: RowOf | None = None
) -> dict[str, pd.DataFrame]:
    """Tables `planted_bi` and `planted_prevalence`: the right answer beside each printed number.

    Parameters
    ----------
    tables : mapping
        `bi` and `prevalence` of `core.analysis`, of drawn generators only.
    prompts : sequence of Prompt
    read_as : callable, optional

    Returns
    -------
    dict
        Each with columns `planted`, `as_read`, `value`, `low`, `high`, and `is_inside` (whether
        `planted` lies in the interval).
    """
    shown, read = PlantedStudy(prompts), PlantedStudy(prompts, read_as)
    return {
        "planted_bi": pd.DataFrame(_bi_rows(tables["bi"], shown, read, prompts)),
        "planted_prevalence": pd.DataFrame(_prevalence_rows(tables["prevalence"], shown, read)),
    }


def _bi_rows(
    bi: pd.DataFrame, shown: PlantedStudy, read: PlantedStudy, prompts: Sequence[Prompt]
) -> list[dict[str, Any]]:
    roles = sorted({prompt.role for prompt in prompts})
    printed = bi[(bi["aggregation"] == "pool") & (bi["estimator"] == "plugin") & bi["value"].notna()]
    single = printed[printed["dimension"] != ALL]
    rows = []
    for row in single.to_dict("records"):
        if _planted_in(str(row["generator"]), str(row["dimension"])) is None:
            continue
        where = (str(row["generator"]), roles, Condition(row["condition"]), str(row["dimension"]))
        right = _bi(shown.pooled(*where), int(row["k"]))
        seen = _bi(read.pooled(*where), int(row["k"]))
        rows.append(_named(row) | _compared(right, seen, row["value"], row))
    measured = single.groupby(["generator", "condition", "cohort"], observed=True).size().to_dict()
    return rows + _cohort_rows(printed[printed["dimension"] == ALL], pd.DataFrame(rows), measured)


def _cohort_rows(
    printed: pd.DataFrame, rows: pd.DataFrame, measured: Mapping[Any, int]
) -> list[dict[str, Any]]:
    """A cohort's BI is the mean over its dimensions, and so is the right answer.

    There is none where a dimension was measured that has nothing planted (dominant colours).
    """
    if rows.empty:
        return []
    means = rows.groupby(["generator", "condition", "cohort"])[["planted", "as_read"]].mean()
    sizes = rows.groupby(["generator", "condition", "cohort"]).size()
    found = []
    for row in printed.to_dict("records"):
        key = (row["generator"], row["condition"], row["cohort"])
        if key in means.index and sizes[key] == measured.get(key, 0):
            right, seen = means.loc[key, "planted"], means.loc[key, "as_read"]
            found.append(_named(row) | _compared(right, seen, row["value"], row))
        elif key[0] in set(rows["generator"]) and row["cohort"] != ALL:
            found.append(_named(row) | _compared(None, None, row["value"], row))
    return found


def _named(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {key: row[key] for key in ("generator", "condition", "cohort", "dimension")}


def _bi(shares: Row, k: int) -> float | None:
    """BI of a planted distribution; in an open dimension it may hold labels that no image shows."""
    return bias_intensity(list(shares.values()), max(k, len(shares))).value


def _prevalence_rows(
    prevalence: pd.DataFrame, shown: PlantedStudy, read: PlantedStudy
) -> list[dict[str, Any]]:
    rows = []
    for row in prevalence.to_dict("records"):
        if _planted_in(str(row["generator"]), str(row["dimension"])) is None or pd.isna(row["prevalence"]):
            continue
        where = (str(row["generator"]), str(row["role"]), Condition(row["condition"]), str(row["dimension"]))
        right = shown.cell(*where).shares.get(str(row["label"]), 0.0)
        seen = read.cell(*where).shares.get(str(row["label"]), 0.0)
        names = ("generator", "role", "condition", "dimension", "label", "n")
        rows.append({key: row[key] for key in names} | _compared(right, seen, row["prevalence"], row))
    return rows


def _planted_in(generator: str, dimension: str) -> Planted | None:
    if not generator.startswith("drawn-"):
        return None
    source = planted(generator)
    return source if dimension in source.dimensions else None


def _compared(
    right: float | None, seen: float | None, value: float, row: Mapping[Any, Any]
) -> dict[str, Any]:
    low, high = row["low"], row["high"]
    is_inside = None if right is None or pd.isna(low) else bool(low - 1e-9 <= right <= high + 1e-9)
    return {
        "planted": right,
        "as_read": seen,
        "value": value,
        "low": low,
        "high": high,
        "is_inside": is_inside,
    }
