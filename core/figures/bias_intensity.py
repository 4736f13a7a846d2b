"""Bias Intensity: by cohort and condition (published figure 3), by dimension (figure 4), and its change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from core.figures.drawing import Drawing
from core.figures.interval_panels import Panels, draw_panels
from core.figures.look import Look, Sign
from core.figures.wording import COMPARISONS, counted, interval, is_number, listed, number, plain, thousands
from core.schema import COHORTS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALL = "ALL"
CONDITIONS = ("CF", "CA-R", "CA-U")
CONDITION_WORDS = {"CF": "CF context-free", "CA-R": "CA-R related", "CA-U": "CA-U unrelated"}
ESTIMATORS = {
    "plugin": "plug-in estimator",
    "miller_madow": "Miller–Madow estimator",
    "chao_shen": "Chao–Shen estimator",
    "matched": "matched numbers of images",
}
OVER_ROLES = "over roles"
AGGREGATIONS = {"pool": "roles pooled", "role": "mean over roles"}


def bias_by_cohort(
    bi: pd.DataFrame,
    *,
    estimator: str = "plugin",
    aggregation: str = "pool",
    draws: int = 0,
    over: str = OVER_ROLES,
) -> Drawing:
    """BI of each cohort by condition: a panel a generator, the mean of the generators first.

    Parameters
    ----------
    bi : DataFrame
        The table `bi`.
    estimator, aggregation : str
        Which of its rows.
    draws : int
        Bootstrap draws behind the intervals, for the caption.
    over : str
        What is drawn, for the caption.
    """
    table = _of(bi, estimator, aggregation)
    table = table[(table["dimension"] == ALL) & table["condition"].isin(CONDITIONS)]
    data = _dots(table, "generator", "cohort", "condition")
    generators = _generators(table)
    rows = _cohort_rows(table)
    images = images_by_condition(bi)
    caption = (
        f"Bias Intensity (0: labels spread evenly, 1: one label alone) of each cohort by condition, "
        f"{_kind(estimator, aggregation)}. A cohort is the mean of its dimensions. "
        f"{_bars(data, draws, over)} n: {_images_words(images)}."
    )
    return Drawing(
        "bi_by_cohort",
        "Bias Intensity by cohort and condition",
        caption,
        _alt(data, rows, "condition"),
        data,
        lambda look: _draw(data, _panel_titles(generators), rows, _condition_signs(data, look), look),
    )


def bias_by_dimension(
    bi: pd.DataFrame,
    *,
    estimator: str = "plugin",
    aggregation: str = "pool",
    draws: int = 0,
    over: str = OVER_ROLES,
    names: Mapping[str, str] | None = None,
) -> Drawing:
    """BI of each dimension: by condition as the mean over generators, or, with conditions pooled (paper
    mode), by generator.

    Parameters
    ----------
    bi, estimator, aggregation, draws, over
        As in `bias_by_cohort`.
    names : mapping, optional
        How dimensions are called.
    """
    table = _of(bi, estimator, aggregation)
    table = table[table["dimension"] != ALL]
    is_pooled = bool((table["condition"] == ALL).any())
    if is_pooled:
        table = table[table["condition"] == ALL]
        data = _dots(table.assign(panel="conditions pooled"), "panel", "dimension", "generator")
    else:
        data = _dots(table[table["generator"] == ALL], "generator", "dimension", "condition")
    rows = _dimension_rows(table, data, names)
    generators = [name for name in _generators(table) if name != ALL]
    by = f"by generator, with their mean ({ALL})" if is_pooled else "by condition, mean over generators"
    caption = (
        f"Bias Intensity of each dimension {by}, {_kind(estimator, aggregation)}; within a cohort, "
        f"the most concentrated first. {_bars(data, draws, over)} "
        f"n: {_images_words(images_by_condition(bi))} from {counted(len(generators), 'generator')}."
    )
    titles = {"conditions pooled": "conditions pooled"} if is_pooled else {ALL: "mean over generators"}

    def draw(look: Look) -> Figure:
        signs = _generator_signs(data, look) if is_pooled else _condition_signs(data, look)
        return _draw(data, titles, rows, signs, look)

    return Drawing(
        "bi_by_dimension",
        "Bias Intensity by dimension",
        caption,
        _alt(data, rows, "generator" if is_pooled else "condition"),
        data,
        draw,
    )


def bias_change(
    change: pd.DataFrame,
    bi: pd.DataFrame,
    *,
    estimator: str = "plugin",
    aggregation: str = "pool",
    draws: int = 0,
    over: str = OVER_ROLES,
) -> Drawing:
    """Change of BI between conditions, by cohort and generator (published tables 8 and 9).

    Parameters
    ----------
    change : DataFrame
        The table `bi_change`.
    bi : DataFrame
        The table `bi`, which knows the numbers of images.
    estimator, aggregation, draws, over
        As in `bias_by_cohort`.
    """
    table = _of(change, estimator, aggregation)
    table = table[(table["dimension"] == ALL) & table["comparison"].isin(list(COMPARISONS))]
    data = _dots(table, "comparison", "cohort", "generator")
    rows = _cohort_rows(table)
    caption = (
        "Change of Bias Intensity between conditions, by cohort and generator; right of the line: labels "
        f"are more concentrated in the condition named first. {_kind(estimator, aggregation).capitalize()}. "
        f"{_bars(data, draws, _method_words(table, over))} n: {_images_words(images_by_condition(bi))}."
    )

    def draw(look: Look) -> Figure:
        signs = _generator_signs(data, look)
        return _draw(data, COMPARISONS, rows, signs, look, "change of Bias Intensity", 0.0)

    return Drawing(
        "bi_change",
        "Change of Bias Intensity between conditions",
        caption,
        _alt(data, rows, "generator"),
        data,
        draw,
    )


def images_by_condition(bi: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Fewest and most images of a generator in each condition, over generators (largest dimension each)."""
    own = bi[(bi["dimension"] != ALL) & (bi["generator"] != ALL) & bi["condition"].isin(CONDITIONS)]
    most = own.groupby(["condition", "generator"], observed=True)["images"].max().dropna()
    found: dict[str, tuple[int, int]] = {}
    for condition in CONDITIONS:
        if condition in most.index.get_level_values(0):
            images = most.loc[condition]
            found[condition] = int(images.min()), int(images.max())
    return found


def _images_words(images: Mapping[str, tuple[int, int]]) -> str:
    """ "360 images a generator and condition"; by condition where they differ."""
    if not images:
        return "no image"
    ranges = set(images.values())
    if len(ranges) == 1 and next(iter(ranges))[0] == next(iter(ranges))[1]:
        return f"{counted(next(iter(ranges))[0], 'image')} a generator and condition"
    parts = [
        f"{thousands(high)} {name}" if low == high else f"{thousands(low)} to {thousands(high)} {name}"
        for name, (low, high) in images.items()
    ]
    return f"images a generator: {', '.join(parts)}"


def _of(table: pd.DataFrame, estimator: str, aggregation: str) -> pd.DataFrame:
    found = table[(table["estimator"] == estimator) & (table["aggregation"] == aggregation)]
    words = [name for name in found.columns if isinstance(found[name].dtype, pd.CategoricalDtype)]
    return found.astype(dict.fromkeys(words, object))


def _dots(table: pd.DataFrame, panel: str, row: str, series: str) -> pd.DataFrame:
    found = pd.DataFrame({"panel": table[panel], "row": table[row], "series": table[series]}).astype(str)
    for name in ("value", "low", "high"):
        found[name] = pd.to_numeric(table[name], errors="coerce").astype(float)
    found["reason"] = table["reason"].astype(object).where(table["reason"].notna(), "")
    return found.reset_index(drop=True)


def _generators(table: pd.DataFrame) -> list[str]:
    """All of them, the mean first where there are several."""
    names = [str(name) for name in dict.fromkeys(table["generator"]) if name != ALL]
    return [*([ALL] if len(names) != 1 and ALL in set(table["generator"]) else []), *names]


def _panel_titles(generators: Sequence[str]) -> dict[str, str]:
    mean = f"mean of {len(generators) - 1}"
    return {name: mean if name == ALL else name for name in generators}


def _cohort_rows(table: pd.DataFrame) -> list[tuple[str, str]]:
    there = set(table["cohort"])
    rows = [(name, name) for name in COHORTS if name in there]
    return [*rows, *([(ALL, "all cohorts")] if ALL in there and len(rows) > 1 else [])]


def _dimension_rows(
    table: pd.DataFrame, data: pd.DataFrame, names: Mapping[str, str] | None
) -> list[tuple[str, str]]:
    cohort = dict(zip(table["dimension"].astype(str), table["cohort"].astype(str), strict=True))
    level = data.groupby("row")["value"].mean()
    rows: list[tuple[str, str]] = []
    for name in (*COHORTS, *sorted(set(cohort.values()) - set(COHORTS))):
        mine = [dimension for dimension in cohort if cohort[dimension] == name]
        mine.sort(key=lambda one: (not is_number(level.get(one)), -float(level.get(one) or 0), one))
        if mine:
            rows += [("", name), *((one, plain(one, names)) for one in mine)]
    return rows


def _condition_signs(data: pd.DataFrame, look: Look) -> dict[str, Sign]:
    return {name: look.condition(name) for name in CONDITIONS if name in set(data["series"])}


def _generator_signs(data: pd.DataFrame, look: Look) -> dict[str, Sign]:
    names = [name for name in dict.fromkeys(data["series"]) if name != ALL]
    mean = {ALL: Sign(look.text, "D")} if ALL in set(data["series"]) and len(names) > 1 else {}
    return {**look.signs_of(names), **mean}


def _draw(
    data: pd.DataFrame,
    panels: Mapping[str, str],
    rows: Sequence[tuple[str, str]],
    signs: Mapping[str, Sign],
    look: Look,
    measure: str = "Bias Intensity",
    reference: float | None = None,
) -> Figure:
    words = {**CONDITION_WORDS, ALL: "mean over generators"}
    has_bars = bool(data["low"].notna().any())
    note = "bars: 95 % interval" if has_bars else "no intervals"
    return draw_panels(Panels(data, panels, rows, signs, measure, reference, words, note), look)


def _kind(estimator: str, aggregation: str) -> str:
    return f"{ESTIMATORS.get(estimator, estimator)}, {AGGREGATIONS.get(aggregation, aggregation)}"


def _bars(data: pd.DataFrame, draws: int, how: str) -> str:
    if not data["low"].notna().any():
        return "No intervals are stated."
    return f"Bars: 95 % interval {how}{f', {thousands(draws)} draws' if draws else ''}."


def _method_words(table: pd.DataFrame, over: str) -> str:
    """How the intervals of a change came about."""
    used = [str(word) for word in dict.fromkeys(table["method"]) if isinstance(word, str) and word]
    if any("drawn anew" in word for word in used):
        return f"({listed(sorted(used))})"
    return f"{over}, the same draws for all conditions ({listed(sorted(used))})"


def _alt(data: pd.DataFrame, rows: Sequence[tuple[str, str]], series: str) -> str:
    """The dots of the first panel in words: at most the first twelve rows."""
    panels = set(data["panel"])
    first = ALL if ALL in panels else data["panel"].iloc[0] if len(data) else ""
    said = []
    for key, words in rows[:13]:
        mine = data[(data["panel"] == first) & (data["row"] == key)] if key else data[:0]
        parts = [
            f"{row.series} {number(row.value)} ({interval(row.low, row.high) or 'no interval'})"
            for row in mine.itertuples()
            if is_number(row.value)
        ]
        if parts:
            said.append(f"{words}: {', '.join(parts)}")
    panel = "mean over generators" if first == ALL else first
    return f"Dots with intervals by {series}. {panel}: {'; '.join(said) or 'nothing is defined'}."
