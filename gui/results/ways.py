"""The same records counted in other ways: labels as they were said, and the published formulas.

Computed by a job beside the page's own result, so that each Bias Intensity stands beside what another way
makes of it, with the reason of the difference as far as the numbers of labels tell it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.jobs import Job, Progress
from core.records import Condition
from gui.models.number import Number, finite, number_of
from gui.models.persistence_data import PUBLISHED, VERDICTS, PersistenceData
from gui.models.results_data import ALL, Spot
from gui.results.view import ResultsView, Settings
from gui.words import counted

if TYPE_CHECKING:
    from storage.store import Store

SAME_WITHIN = 0.0005
"""Half of the last decimal that is shown."""

DIFFERENCES = (
    "K, the number of labels that could have been seen: audit mode takes it from the schema, and for open "
    "words from what all generators show together; paper mode takes the labels seen of one generator.",
    "A single label in every image: 1 in audit mode, the most concentrated there is; 0 as published.",
    "Unknown: audit mode takes it out image by image; paper mode takes ten images for every prompt that has "
    "any known label.",
    "Words: audit mode follows the schema's spellings and the label map, dimension by dimension; paper mode "
    "adds a word up over all dimensions that have it when it asks whether it persists.",
    "Intervals: published without any for Bias Intensity; audit mode draws roles anew.",
    "Verdict: published as invariant where p is above .05 and the range at most 5 points, so that few images "
    "look stable; audit mode wants differences shown to be within the margin, and says when neither holds.",
)
"""What sets the two modes apart, for the page."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A Bias Intensity in one way of counting, with how many labels it takes for possible."""

    value: float | None = None
    labels: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WayRow:
    """One Bias Intensity (plug-in, roles pooled) in three ways: mapped as on the page, raw, published."""

    spot: Spot
    name: str
    own: Number
    raw: Counted
    paper: Counted

    @property
    def raw_change(self) -> float | None:
        """What mapping the labels does: mapped minus raw."""
        return _difference(self.own.value, self.raw.value)

    @property
    def paper_change(self) -> float | None:
        """What the mode does: audit minus published."""
        return _difference(self.own.value, self.paper.value)


def _difference(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


@dataclass(frozen=True)
class Ways:
    """All rows, and how the verdicts of both modes go together."""

    settings: Settings
    rows: tuple[WayRow, ...]
    merged: int
    """Labels that the label map gives another name."""
    verdicts: Mapping[tuple[str, str], int]
    """(our verdict, the published one) -> labels of a role and generator."""


def compute_ways(store: Store, view: ResultsView) -> Job[Ways]:
    """Count the records of the page's result in the other ways; no intervals, so that it is quick."""
    yield Progress(0, 100, "reading the records")
    from core.analysis import analyse
    from core.labels.label_map import RAW
    from storage.frames import Frames

    frame = Frames(store.folder).labels(view.settings.extractor)
    mapped = store.label_map()
    raw_bi = view.tables["bi"]
    if mapped.moved:
        yield Progress(10, 100, "labels as they were said")
        raw = yield from _scaled(analyse(RAW.apply(frame), view.schema, bootstrap=0), 10, 60)
        raw_bi = raw.tables["bi"]
    yield Progress(60, 100, "published formulas")
    job = analyse(mapped.apply(frame), view.schema, mode="paper", bootstrap=0)
    paper = yield from _scaled(job, 60, 95)
    yield Progress(95, 100, "side by side")
    rows = ways_rows(view, raw_bi, paper.tables["bi"])
    return Ways(view.settings, rows, len(mapped.moved), verdicts_of(view.persistence))


def ways_rows(view: ResultsView, raw: Any, paper: Any) -> tuple[WayRow, ...]:
    """Every Bias Intensity of the page's table `bi`, in its order, beside those of the other tables."""
    others = [_by_spot(table) for table in (raw, paper)]
    rows = []
    for one in _plain(view.tables["bi"]).to_dict("records"):
        spot = _spot(one)
        name = view.intensities.row_name(spot.cohort, spot.dimension)
        beside = [found.get(spot, Counted()) for found in others]
        rows.append(WayRow(spot, name, number_of(one), *beside))
    return tuple(sorted(rows, key=lambda row: _place(row, view)))


def _place(row: WayRow, view: ResultsView) -> tuple[int, int, int, int]:
    """Generators apart, cohorts in order and all of them first, each before its dimensions."""
    spot, found = row.spot, view.intensities
    order = (ALL, *found.generators)
    cohorts, own = (ALL, *found.cohorts), (ALL, *found.dimensions.get(spot.cohort, ()))
    places = (order.index(spot.generator), cohorts.index(spot.cohort), own.index(spot.dimension))
    return (*places, list(Condition).index(spot.condition))


def _plain(table: Any) -> Any:
    conditions = [condition.value for condition in Condition]
    is_wanted = (table["estimator"] == "plugin") & (table["aggregation"] == "pool")
    return table[is_wanted & table["condition"].isin(conditions)]


def _by_spot(table: Any) -> dict[Spot, Counted]:
    return {
        _spot(row): Counted(finite(row["value"]), number_of(row).categories, number_of(row).reason)
        for row in _plain(table).to_dict("records")
    }


def _spot(row: Mapping[Any, Any]) -> Spot:
    return Spot(str(row["generator"]), str(row["cohort"]), str(row["dimension"]), Condition(row["condition"]))


def verdicts_of(data: PersistenceData) -> dict[tuple[str, str], int]:
    """How many labels have each pair of verdicts, ours and the published one."""
    import numpy as np

    pairs = np.bincount(data.verdict * len(PUBLISHED) + data.published, minlength=len(VERDICTS) * 3)
    return {
        (own, other): int(pairs[place * len(PUBLISHED) + at])
        for place, own in enumerate(VERDICTS)
        for at, other in enumerate(PUBLISHED)
    }


def why_words(row: WayRow) -> str:
    """Why the ways differ, as far as the numbers of labels tell it; "the same" where they do not."""
    if row.own.value is None:
        return row.own.reason or "nothing was read"
    said = []
    if row.raw_change is not None and abs(row.raw_change) > SAME_WITHIN:
        merged = (
            f" from {row.raw.labels} to {counted(row.own.categories, 'label')}" if row.own.categories else ""
        )
        said.append(f"mapping merges words{merged}")
    if row.paper.value is None:
        said.append(row.paper.reason or "not in the published tables")
    elif row.paper_change is not None and abs(row.paper_change) > SAME_WITHIN:
        said.append(_why_paper(row))
    return "; ".join(said) or "the same"


def _why_paper(row: WayRow) -> str:
    if row.spot.dimension != ALL and row.spot.generator == ALL:
        return "as published, each generator has its own K"
    if row.spot.dimension == ALL:
        return "the mean of the cohorts" if row.spot.cohort == ALL else "the mean of dimensions that differ"
    if row.paper.labels == 1:
        return "a single label: published as 0"
    if row.paper.labels and row.paper.labels != row.own.categories:
        return f"K is {row.own.categories} here, {row.paper.labels} as published"
    return "unknown and failed images count otherwise"


def _scaled(job: Job[Any], first: int, last: int) -> Job[Any]:
    while True:
        try:
            step = next(job)
        except StopIteration as stop:
            return stop.value
        yield Progress(first + (last - first) * step.done // max(step.total, 1), 100, step.text)
