"""What the Agreement page shows, in plain values: questions by cohort, their coefficients, their axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from gui.models.columns import GridColumn
from gui.models.number import UNDEFINED, Number

DOMINANT_SHARE = 0.9
"""From here on one label dominates and a kappa is fragile."""

PEOPLE, PIPELINE = "People with people", "People with the pipeline"


class Level(StrEnum):
    """What is compared."""

    CATEGORY = "category"
    COUNT = "count"
    IMAGE = "image"


class RowKind(StrEnum):
    """What a row of the grid is."""

    COHORT = "cohort"
    QUESTION = "question"
    MEAN = "mean"
    POOLED = "pooled"


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A row of the grid; a cohort has only its name.

    `numbers` are by statistic; `ceiling` is one person with the rest, `pipeline` the pipeline with the
    same people, `gap` pipeline minus ceiling.
    """

    kind: RowKind
    question: str
    name: str
    cohort: str = ""
    top_label: str = ""
    top_share: float | None = None
    numbers: Mapping[str, Number] = field(default_factory=dict)
    ceiling: Number = UNDEFINED
    pipeline: Number = UNDEFINED
    gap: Number = UNDEFINED

    @property
    def is_dominated(self) -> bool:
        """Whether one label has nearly all answers, so that kappa is fragile."""
        return self.top_share is not None and self.top_share >= DOMINANT_SHARE

    def number(self, key: str) -> Number | None:
        """The number under a column, None where the column holds none."""
        if key in ("ceiling", "pipeline", "gap"):
            found: Number = getattr(self, key)
            return found
        return self.numbers.get(key)


KAPPA_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

QUESTION, TOP, AXIS, GAP = "question", "top", "axis", "gap"

_FIRST = (
    GridColumn(QUESTION, "question", 100, tip="question"),
    GridColumn(TOP, "top", 55, is_number=True, tip="share of the most frequent label"),
)


def _statistic(key: str, title: str, importance: int, tip: str, *, is_extra: bool = False) -> GridColumn:
    return GridColumn(key, title, importance, is_extra=is_extra, group=PEOPLE, tip=tip)


def _last(measure: str) -> tuple[GridColumn, ...]:
    group = f"{PIPELINE}, {measure}"
    return (
        GridColumn(AXIS, "", 80, stretches=True, group=group, tip="human ceiling and pipeline on one axis"),
        GridColumn(GAP, "gap", 75, is_number=True, tip="pipeline minus human ceiling"),
    )


CATEGORY_COLUMNS = (
    *_FIRST,
    _statistic("raw_agreement", "raw", 70, "raw agreement"),
    _statistic("cohen_kappa_mean", "Cohen", 50, "Cohen κ, mean of pairs"),
    _statistic("fleiss_kappa", "Fleiss", 90, "Fleiss κ"),
    _statistic("krippendorff_alpha", "α nominal", 40, "Krippendorff α, nominal"),
    _statistic("gwet_ac1", "AC1", 60, "Gwet AC1"),
    _statistic("conger_kappa", "Conger", 30, "Conger κ", is_extra=True),
    _statistic("brennan_prediger", "S", 20, "Brennan–Prediger S", is_extra=True),
    *_last("κ"),
)

IMAGE_COLUMNS = tuple(column for column in CATEGORY_COLUMNS if column.key != TOP)
"""As for categories; the most frequent label of single images says nothing, it is shown or not."""

COUNT_COLUMNS = (
    *_FIRST,
    _statistic("icc_2_1", "ICC(2,1)", 90, "intraclass correlation, absolute agreement of one person"),
    _statistic("krippendorff_alpha", "α interval", 40, "Krippendorff α, interval"),
    _statistic("concordance", "CCC", 50, "Lin's concordance, mean of pairs"),
    _statistic("mean_absolute_error", "mean difference", 60, "mean absolute difference, in images"),
    *_last("mean difference"),
)

SHORT_NAMES = {
    "raw_agreement": "raw agreement",
    "cohen_kappa_mean": "Cohen κ",
    "cohen_kappa": "Cohen κ",
    "fleiss_kappa": "Fleiss κ",
    "krippendorff_alpha": "Krippendorff α",
    "gwet_ac1": "AC1",
    "conger_kappa": "Conger κ",
    "brennan_prediger": "S",
    "icc_2_1": "ICC(2,1)",
    "concordance": "concordance",
    "mean_absolute_error": "mean difference",
    "bias": "bias",
}


def with_cohorts(rows: Sequence[AgreementRow]) -> tuple[AgreementRow, ...]:
    """The rows with a row for each cohort before its first question."""
    made: list[AgreementRow] = []
    before = ""
    for row in rows:
        if row.kind is RowKind.QUESTION and row.cohort != before:
            before = row.cohort
            made.append(AgreementRow(RowKind.COHORT, "", row.cohort, row.cohort))
        made.append(row)
    return tuple(made)
