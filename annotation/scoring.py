"""From scopes to rows: values, intervals over image sets, and in each row what was used and left out.

Every statistic is a function of sums over image sets, so the replicates of all questions are one matrix
product each. A draw is of whole image sets (or of whole clusters of them): the answers to different
questions on one set are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from annotation.coding import Coded, Codes, Counts
from annotation.scopes import PIPELINE, Scope
from core.statistics.bca import bca_intervals
from core.statistics.ratings import NO_SHARED_UNIT, shared_units, why_undefined
from core.statistics.resampling import FEW_CLUSTERS, FEWEST_CLUSTERS, NO_BOOTSTRAP
from core.statistics.unit_sums import UnitSums, mean_of_defined

MINUS = " minus "
"""In the scope of a difference, whose ends know no bounds."""

BOUNDS = {
    "raw_agreement": (0.0, 1.0),
    "within_one": (0.0, 1.0),
    "mean_absolute_error": (0.0, math.inf),
    "bias": (-math.inf, math.inf),
}
"""Where a statistic can be; the coefficients are at most 1."""

SMALL_CHANCE = 0.1
"""With less chance agreement than this a coefficient says hardly more than raw agreement."""

ALL = "ALL"
POOLED = "POOLED"
KAPPAS = ("cohen_kappa", "cohen_kappa_mean", "fleiss_kappa", "conger_kappa", "krippendorff_alpha")
NO_SHARED_COUNT = "no count shared: fewer than two set a count for the same label"
FEW_COUNTS = "no two share counts of two image sets"
FEW_COMPLETE = "fewer than two image sets on which everybody counted the same label"
EQUAL_COUNTS = "every count is the same, so there is no variance to share"


@dataclass(frozen=True)
class Draws:
    """The bootstrap: weights of clusters, one row a replicate, and the cluster of each image set."""

    weights: Counts
    cluster_of: Codes
    clusters: int

    @property
    def reason(self) -> str:
        """Why there are no intervals; empty when there are."""
        if self.weights.shape[0] == 0:
            return NO_BOOTSTRAP
        return FEW_CLUSTERS if self.clusters < FEWEST_CLUSTERS else ""


NOTHING: Counts = np.zeros(0)


NO_SUMS = UnitSums(np.zeros((0, 0)), lambda features: features[:, 0])
"""Of a mean over rows, which has no sums of its own."""


@dataclass
class Row:
    """One line of the agreement table, with its replicates until the intervals are made.

    `sums` is the statistic by cluster; `features` are its features of all image sets, under each draw and
    without each cluster, which the pooled row adds up.
    """

    question: str
    scope: str
    statistic: str
    level: str
    value: float
    annotators: int
    replicates: Counts = field(default_factory=lambda: NOTHING)
    jackknife: Counts = field(default_factory=lambda: NOTHING)
    units: int = 0
    excluded: int = 0
    categories: int | None = None
    notes: list[str] = field(default_factory=list)
    features: tuple[Counts, ...] = ()
    sums: UnitSums = NO_SUMS
    low: float | None = None
    high: float | None = None

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Which line of the table it is."""
        return self.question, self.scope, self.statistic, self.level

    @property
    def is_defined(self) -> bool:
        """Whether there is a value."""
        return bool(np.isfinite(self.value))


def score(scope: Scope, questions: Sequence[Coded], draws: Draws) -> list[Row]:
    """Rows of one scope: every question, then all questions pooled; labels, then sliders."""
    labels = [_label_rows(scope, coded, draws) for coded in questions]
    sliders = [_slider_rows(scope, coded, draws) for coded in questions if coded.places is None]
    rows = [row for block in (*labels, *sliders) for row in block]
    _replicate(rows, draws)
    return [*rows, *_pooled(labels), *_pooled(sliders)]


def _label_rows(scope: Scope, coded: Coded, draws: Draws) -> list[Row]:
    codes, size = scope.codes(coded), len(coded.labels)
    clusters = draws.cluster_of if coded.places is None else draws.cluster_of[coded.places]
    excluded = scope.left_out(coded).total()
    rows = []
    for statistic, sums in scope.of_labels(codes, size).items():
        row = _row(scope, coded.question, statistic, sums, clusters, draws)
        row.units, row.excluded, row.categories = len(codes) - excluded, excluded, size
        why = "" if row.is_defined else _unmeasured(scope, coded) or _why(codes, size)
        row.notes = _notes(why, coded.note)
        rows.append(row)
    return rows


def _slider_rows(scope: Scope, coded: Coded, draws: Draws) -> list[Row]:
    sliders, sets = _by_label(scope.codes(coded), scope.sliders(coded))
    rows = []
    for statistic, sums in scope.of_sliders(sliders).items():
        row = _row(scope, coded.question, statistic, sums, draws.cluster_of[sets], draws, level="interval")
        used = np.any(sums.terms != 0.0, axis=1)
        row.units, row.excluded = int(used.sum()), len(draws.cluster_of) - len(set(sets[used].tolist()))
        why = "" if row.is_defined else _unmeasured(scope, coded) or _why_no_count(statistic, sliders)
        row.notes = _notes(why)
        rows.append(row)
    return rows


def _by_label(codes: Codes, sliders: Counts) -> tuple[Counts, Codes]:
    """Sliders by the label they count: one row an image set and label, and the place of its image set."""
    blocks, places = [np.zeros((0, sliders.shape[1]))], [np.zeros(0, dtype=np.int64)]
    for label in np.unique(codes[codes >= 0]):
        counted = np.where(codes == label, sliders, np.nan)
        used = np.isfinite(counted).any(axis=1)
        blocks.append(counted[used])
        places.append(np.flatnonzero(used))
    return np.concatenate(blocks), np.concatenate(places)


def _row(
    scope: Scope,
    question: str,
    statistic: str,
    sums: UnitSums,
    clusters: Codes,
    draws: Draws,
    level: str = "nominal",
) -> Row:
    grouped = sums.grouped(clusters, draws.clusters)
    return Row(
        *(question, scope.name, statistic, level, grouped.value()),
        annotators=scope.annotators,
        sums=grouped,
    )


def _replicate(rows: Sequence[Row], draws: Draws) -> None:
    """Replicates and jackknife of all rows of a scope: their terms side by side are one matrix product."""
    terms = np.concatenate([row.sums.terms for row in rows], axis=1)
    drawn, without, column = draws.weights @ terms, terms.sum(axis=0) - terms, 0
    for row in rows:
        part = slice(column, column := column + row.sums.terms.shape[1])
        features = [row.sums.features(sums[:, part]) for sums in (drawn, without)]
        row.features = (row.sums.features_of_all(), *features)
        row.replicates, row.jackknife = (row.sums.of(found) for found in features)


def _pooled(blocks: Sequence[Sequence[Row]]) -> Iterator[Row]:
    """All questions as one table; a label belongs to its question, so labels never meet across questions."""
    raw = float("nan")
    for parts in zip(*blocks, strict=True):
        first = parts[0]
        totals = [sum(row.features[k] for row in parts) for k in range(3)]
        value, replicates, jackknife = (first.sums.of(np.asarray(total)) for total in totals)
        pooled = replace(
            first, question=POOLED, value=float(value[0]), replicates=replicates, jackknife=jackknife
        )
        pooled.units, pooled.excluded = sum(row.units for row in parts), sum(row.excluded for row in parts)
        if first.categories is not None:
            pooled.categories = sum(row.categories or 0 for row in parts)
        raw = pooled.value if first.statistic == "raw_agreement" else raw
        reason = "; ".join(sorted({row.notes[0] for row in parts if not row.is_defined}))
        pooled.notes = _notes("" if pooled.is_defined else reason, _pooled_note(pooled, raw, len(parts)))
        yield pooled


def _pooled_note(row: Row, raw: float, questions: int) -> str:
    note = f"{questions} question{'s' if questions > 1 else ''} in one table"
    if row.statistic not in KAPPAS or row.level != "nominal" or not row.is_defined or row.value >= 1.0:
        return note
    chance = max((raw - row.value) / (1.0 - row.value), 0.0)
    if chance > SMALL_CHANCE:
        return f"{note}: chance agreement is {chance:.3f}"
    return f"{note}: chance agreement is only {chance:.3f}, so the value is close to raw agreement"


def mean_of_scopes(name: str, scopes: Sequence[Sequence[Row]]) -> list[Row]:
    """The mean over persons of the rows of their scopes."""
    rows = []
    for parts in zip(*scopes, strict=True):
        there = [row for row in parts if row.is_defined]
        mean = replace(parts[0], scope=name, notes=list(parts[0].notes))
        mean.value = float(np.mean([row.value for row in there or parts]))
        mean.replicates = mean_of_defined(np.stack([row.replicates for row in there or parts]))
        mean.jackknife = mean_of_defined(np.stack([row.jackknife for row in there or parts]))
        mean.units, mean.excluded = max(row.units for row in parts), min(row.excluded for row in parts)
        if there:
            mean.notes = [f"mean over {len(there)} of {len(parts)} persons"]
        rows.append(mean)
    return rows


def difference_of_scopes(name: str, ones: Sequence[Row], others: Sequence[Row]) -> list[Row]:
    """One scope minus another, replicate by replicate."""
    rows = []
    for one, other in zip(ones, others, strict=True):
        row = replace(one, scope=name, value=one.value - other.value, notes=[])
        row.replicates, row.jackknife = one.replicates - other.replicates, one.jackknife - other.jackknife
        if not row.is_defined:
            row.notes = list(dict.fromkeys(note for part in (one, other) for note in part.notes))
        rows.append(row)
    return rows


def finished(rows: Sequence[Row], draws: Draws) -> list[Row]:
    """Rows of one scope with the means over questions and the intervals, ready for the table."""
    whole = [*rows, *means_over_questions(rows)]
    add_intervals(whole, draws)
    return [replace(row, replicates=NOTHING, jackknife=NOTHING, features=(), sums=NO_SUMS) for row in whole]


def means_over_questions(rows: Sequence[Row]) -> Iterator[Row]:
    """The mean over questions of each statistic, of those questions where it is defined."""
    parts: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.question != POOLED:
            parts.setdefault((row.statistic, row.level), []).append(row)
    for (statistic, level), each in parts.items():
        there = [row for row in each if row.is_defined]
        used = there or each[:1]
        yield Row(
            *(ALL, each[0].scope, statistic, level, float(np.mean([row.value for row in used]))),
            annotators=each[0].annotators,
            replicates=mean_of_defined(np.stack([row.replicates for row in used])),
            jackknife=mean_of_defined(np.stack([row.jackknife for row in used])),
            units=sum(row.units for row in there),
            excluded=sum(row.excluded for row in there),
            notes=[_mean_note(each, there)],
        )


def _mean_note(each: Sequence[Row], there: Sequence[Row]) -> str:
    undefined = [row.question for row in each if not row.is_defined]
    left_out = f"undefined and left out: {', '.join(undefined)}" if undefined else "none left out"
    if not there:
        many = "the one question" if len(each) == 1 else f"any of {len(each)} questions"
        return f"no value for {many}: {left_out}"
    values = sorted((row.value, row.question) for row in there)
    (low, lowest), (high, highest) = values[0], values[-1]
    middle = float(np.median([value for value, _ in values]))
    spread = f"median {middle:.2f}, from {low:.2f} ({lowest}) to {high:.2f} ({highest})"
    return f"mean of {len(there)} of {len(each)} questions; {spread}; {left_out}"


def add_intervals(rows: Sequence[Row], draws: Draws) -> None:
    """Fill in the ends of the intervals, or the reason why a row has none."""
    defined = [row for row in rows if row.is_defined]
    if not defined:
        return
    if draws.reason:
        for row in defined:
            row.notes.append(draws.reason)
        return
    found = bca_intervals(
        np.stack([row.replicates for row in defined], axis=1),
        np.array([row.value for row in defined]),
        np.stack([row.jackknife for row in defined], axis=1),
    )
    for position, row in enumerate(defined):
        interval = found.interval(position)
        row.low, row.high = _within(row, interval.low), _within(row, interval.high)
        share = float(np.isnan(row.replicates).mean())
        if share > 0:
            row.notes.append(f"undefined in {share:.1%} of replicates")
        if interval.reason:
            row.notes.append(interval.reason)


def _within(row: Row, end: float | None) -> float | None:
    """An end of an interval, kept where the statistic can be: a jackknife interval knows no bounds."""
    if end is None or MINUS in row.scope:
        return end
    low, high = BOUNDS.get(row.statistic, (-math.inf, 1.0))
    return min(max(end, low), high)


def _unmeasured(scope: Scope, coded: Coded) -> str:
    """Why there is nothing to compare with a pipeline that does not measure the question; "" otherwise."""
    return coded.not_measured if scope.name == PIPELINE or scope.kind else ""


def _why(codes: Codes, size: int) -> str:
    if size == 0:
        return NO_SHARED_UNIT
    reason = why_undefined(codes, size)
    shared = codes[(codes >= 0).sum(axis=1) >= 2]
    if shared_units(codes) and np.unique(shared[shared >= 0]).size > 1:
        return "every pair of raters that share an image set gave one category"
    return reason


def _why_no_count(statistic: str, sliders: Counts) -> str:
    """Why a measure of counts has no value: nothing shared, too little of it, or no variance in it."""
    there = np.isfinite(sliders)
    shared = [int((there[:, a] & there[:, b]).sum()) for a, b in combinations(range(there.shape[1]), 2)]
    if max(shared, default=0) == 0:
        return NO_SHARED_COUNT
    if statistic == "icc_2_1" and int(there.all(axis=1).sum()) < 2:
        return FEW_COMPLETE
    return FEW_COUNTS if max(shared) < 2 else EQUAL_COUNTS


def _notes(*texts: str) -> list[str]:
    return [text for text in texts if text]
