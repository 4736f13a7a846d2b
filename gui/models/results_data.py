"""What the Results page shows, in plain values: Bias Intensity by panel and row, and what is behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.records import Condition
from gui.models.number import NO_VALUE, NO_WIDTH, Number, decimals, interval
from gui.words import counted

ALL = "ALL"

ESTIMATOR_NAMES = {
    "matched": "matched",
    "chao_shen": "Chao–Shen",
    "miller_madow": "Miller–Madow",
    "plugin": "plug-in",
}
AGGREGATION_NAMES = {"pool": "pooled over roles", "role": "mean of roles"}


@dataclass(frozen=True, slots=True)
class Kind:
    """How Bias Intensity is estimated."""

    estimator: str
    aggregation: str

    @property
    def in_words(self) -> str:
        """ "matched support, pooled over roles"."""
        estimator = ESTIMATOR_NAMES.get(self.estimator, self.estimator)
        return f"{estimator}, {AGGREGATION_NAMES.get(self.aggregation, self.aggregation)}"


@dataclass(frozen=True, slots=True)
class Spot:
    """One place of the chart: generator (`ALL` for the mean), cohort, dimension (`ALL` for the cohort)."""

    generator: str
    cohort: str
    dimension: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class Intensity:
    """A Bias Intensity with what it rests on.

    `truth` is the planted one of a sample study, `as_read` what its reader makes of that on average. Of the
    phantom, `truth` was planted in training and `own` measured on `own_of` of its pictures.
    """

    number: Number
    label_space: str = ""
    effective_labels: float | None = None
    truth: float | None = None
    as_read: float | None = None
    own: float | None = None
    own_of: int = 0


@dataclass(frozen=True)
class BiasIntensities:
    """All values of the tables `bi` and `bi_change`."""

    generators: tuple[str, ...]
    cohorts: tuple[str, ...]
    dimensions: Mapping[str, tuple[str, ...]]
    """Dimension ids by cohort."""
    names: Mapping[str, str]
    kinds: tuple[Kind, ...]
    values: Mapping[tuple[Kind, Spot], Intensity] = field(default_factory=dict)
    changes: Mapping[tuple[Kind, str, str, str, str], Number] = field(default_factory=dict)
    """By kind, generator, cohort, dimension and comparison ("CA-U - CF")."""

    def at(self, kind: Kind, spot: Spot) -> Intensity | None:
        """The value of a spot, None where there is none."""
        return self.values.get((kind, spot))

    def row_name(self, cohort: str, dimension: str) -> str:
        """A row as it is read."""
        if dimension != ALL:
            return self.names.get(dimension, dimension)
        return "all cohorts" if cohort == ALL else cohort

    @property
    def has_truth(self) -> bool:
        """Whether planted values are known."""
        return any(one.truth is not None for one in self.values.values())


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row of the chart: a cohort, one of its dimensions, or all cohorts."""

    cohort: str
    dimension: str
    name: str

    @property
    def is_cohort(self) -> bool:
        """Whether it is a cohort or all cohorts, rather than one dimension."""
        return self.dimension == ALL


def chart_rows(found: BiasIntensities, expanded: frozenset[str]) -> tuple[ChartRow, ...]:
    """Cohorts in order, the dimensions of the expanded ones below them, all cohorts last."""
    rows: list[ChartRow] = []
    for cohort in found.cohorts:
        rows.append(ChartRow(cohort, ALL, found.row_name(cohort, ALL)))
        if cohort in expanded:
            dimensions: Sequence[str] = found.dimensions.get(cohort, ())
            rows += [ChartRow(cohort, one, found.row_name(cohort, one)) for one in dimensions]
    if len(found.cohorts) > 1:
        rows.append(ChartRow(ALL, ALL, found.row_name(ALL, ALL)))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn: panels (generators, `ALL` first) by rows, for one kind, on one scale."""

    found: BiasIntensities
    kind: Kind
    rows: tuple[ChartRow, ...]
    panels: tuple[str, ...]
    conditions: tuple[Condition, ...]

    def at(self, panel: int, row: int, condition: Condition) -> Intensity | None:
        """The value of one place."""
        return self.found.at(self.kind, self.spot(panel, row, condition))

    def spot(self, panel: int, row: int, condition: Condition) -> Spot:
        """One place as a key."""
        one = self.rows[row]
        return Spot(self.panels[panel], one.cohort, one.dimension, condition)

    def panel_title(self, panel: int) -> str:
        """ "mean of 4 generators", or the generator's name."""
        name = self.panels[panel]
        return f"mean of {len(self.found.generators)} generators" if name == ALL else name

    @property
    def drawn(self) -> tuple[Intensity, ...]:
        """The values that stand somewhere in this chart."""
        places = (
            self.at(panel, row, condition)
            for panel in range(len(self.panels))
            for row in range(len(self.rows))
            for condition in self.conditions
        )
        return tuple(one for one in places if one is not None and one.number.value is not None)

    @property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest thing drawn, intervals and planted values included."""
        ends = [
            end
            for found in self.drawn
            for end in (found.number.value, found.number.low, found.number.high, found.truth, found.own)
            if end is not None
        ]
        return (min(ends), max(ends)) if ends else (0.0, 1.0)


def make_chart(found: BiasIntensities, kind: Kind, expanded: frozenset[str]) -> Chart:
    """The chart of one kind; a mean panel where there are several generators."""
    several = len(found.generators) > 1
    panels = ((ALL,) if several else ()) + found.generators
    seen = {spot.condition for _, spot in found.values}
    conditions = tuple(condition for condition in Condition if condition in seen)
    return Chart(found, kind, chart_rows(found, expanded), panels, conditions)


def intensity_sentence(chart: Chart, panel: int, row: int, condition: Condition) -> str:
    """One place in words, for tooltips and screen readers."""
    found = chart.at(panel, row, condition)
    where = f"{chart.panel_title(panel)}, {chart.rows[row].name}, {condition.value} {condition.in_words}"
    if found is None:
        return f"{where}: no images"
    said = f"{where}: {_value_words(found)}"
    if found.truth is None:
        return said
    read = f", {decimals(found.as_read)} as the reader reads it" if found.as_read is not None else ""
    own = (
        f", measured on {found.own_of} of its pictures {decimals(found.own)}" if found.own is not None else ""
    )
    return f"{said}; planted truth {decimals(found.truth)}{read}{own}"


def _value_words(found: Intensity) -> str:
    number = found.number
    if number.value is None:
        return f"{NO_VALUE} because: {number.reason or 'not computed'}"
    parts = [f"BI {decimals(number.value)}", interval(number), NO_WIDTH if number.has_no_width else ""]
    if number.units:
        parts.append(counted(number.units, "image"))
    return ", ".join(part for part in parts if part)
