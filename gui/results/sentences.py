"""Sentences of the Results drawer: what a number rests on, what it means, what moves it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gui.models.number import Number, decimals, interval, percent
from gui.models.persistence_table import PersistenceRow
from gui.models.results_data import ALL, Intensity, Kind, Spot
from gui.words import counted, thousands

if TYPE_CHECKING:
    from gui.results.view import ResultsView

CONDITION_NAMES = ("CF", "CA-R", "CA-U")


def row_facts(view: ResultsView, row: PersistenceRow) -> str:
    """ "SDXL, 180 images, records by qwen2.5-vl"."""
    reader = f"{view.settings.extractor} (simulated)" if view.is_simulated else view.settings.extractor
    return f"{row.generator}, {counted(sum(row.images), 'image')}, records by {reader}"


def spot_facts(view: ResultsView, spot: Spot) -> str:
    """ "context-free, records by qwen2.5-vl"."""
    reader = f"{view.settings.extractor} (simulated)" if view.is_simulated else view.settings.extractor
    return f"{spot.condition.in_words}, records by {reader}"


def verdict_words(view: ResultsView, row: PersistenceRow) -> str:
    """ "range 21 points, margin 15 points"."""
    points = f"range {decimals(row.range_pp, 0)} points" if row.range_pp is not None else "no range"
    return f"{points}, margin {view.margin_pp:g} points"


def verdict_meaning(view: ResultsView, row: PersistenceRow) -> str:
    """Why the verdict is what it is."""
    margin = f"{view.margin_pp:g} points"
    return {
        "invariant": f"Every difference between two conditions is shown to be smaller than {margin}.",
        "changed": "At least one difference between two conditions is shown to be other than 0.",
        "not enough data": (
            f"Neither a difference below {margin} nor one other than 0 is shown with these numbers of images."
        ),
    }[row.verdict]


def ccs_words(row: PersistenceRow) -> str:
    """The CCS beside what a stable label would get."""
    if row.ccs.value is None:
        return ""
    said = f"CCS {decimals(row.ccs.value, 1)}"
    if row.ccs.has_interval:
        said += f", {interval(row.ccs, 1)}"
    if row.ccs_if_stable is None:
        return f"{said}."
    stable = decimals(row.ccs_if_stable, 1)
    return f"{said}; a label that does not change would get about {stable} with these numbers of images."


def prompt_words(row: PersistenceRow) -> str:
    """Leave one prompt out, in a sentence."""
    if row.move is None or not row.prompt:
        return ""
    points = decimals(abs(row.move) * 100, 1)
    return f"Leave one prompt out: the largest move is {points} points, without “{row.prompt}”."


def condition_words(shown: int, images: int) -> str:
    """ "20 of 60"."""
    return f"{thousands(shown)} of {thousands(images)}"


def spot_title(view: ResultsView, spot: Spot) -> str:
    """A place of the chart as a title."""
    found = view.intensities
    many = len(found.generators)
    generator = f"mean of {many} generators" if spot.generator == ALL else spot.generator
    return f"{found.row_name(spot.cohort, spot.dimension)}, {generator}, {spot.condition.value}"


def spot_rests_on(spot: Spot, kind: Kind, found: Intensity) -> str:
    """What a Bias Intensity rests on."""
    parts = [kind.in_words]
    if found.number.units and spot.dimension != ALL:
        parts.append(counted(found.number.units, "image"))
    if found.label_space:
        parts.append(f"label space {found.label_space}")
    return ", ".join(parts) + "."


def spot_meaning(spot: Spot, found: Intensity) -> str:
    """What the value means, with its numbers where they come out."""
    if spot.generator == ALL:
        return "The mean of the generators below."
    if spot.dimension == ALL:
        return "The mean of the cohorts below." if spot.cohort == ALL else "The mean of the dimensions below."
    general = "1 − H / log K: 0 when all labels are equally frequent, 1 when every image has the same one."
    return f"{general} {_formula(found.number, found.effective_labels)}".strip()


def _formula(number: Number, effective: float | None) -> str:
    size = number.categories
    if number.value is None or effective is None or effective <= 0 or size < 2:
        return ""
    if abs(1 - math.log(effective) / math.log(size) - number.value) > 0.001:
        return ""
    return (
        f"Here as even as {decimals(effective, 1)} equally frequent labels: "
        f"1 − log {decimals(effective, 1)} / log {size} = {decimals(number.value)}."
    )


def truth_words(found: Intensity) -> str:
    """The planted value of a sample study, or the phantom's planted and measured ones."""
    if found.truth is None:
        return ""
    planted = decimals(found.truth)
    if found.own is not None:
        return (
            f"Planted in training: {planted}. The model's own, measured on {found.own_of} of its pictures: "
            f"{decimals(found.own)}; hold the estimate against this one. Diffusion models shrink or "
            "exaggerate what they learn."
        )
    if found.as_read is None:
        return f"Planted truth of the drawn pictures: {planted}."
    read = decimals(found.as_read)
    return f"Planted truth of the drawn pictures: {planted}; with the errors stated for the reader: {read}."


def no_truth_words(view: ResultsView, spot: Spot) -> str:
    """Why a mean has no planted value in a study where others have one."""
    if spot.dimension != ALL or not view.intensities.has_truth:
        return ""
    return "No planted truth: some of its dimensions are not planted (dominant colours, for instance)."


def share_words(number: int, images: int) -> str:
    """A label's share with its numbers."""
    share = number / images if images else None
    return f"{percent(share)}  {condition_words(number, images)}"
