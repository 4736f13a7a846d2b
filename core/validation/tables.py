"""Trials as tables: all of them, by dimension, the confusion of stated and said, and each image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.records import DimensionReading, Status
from core.validation.intervals import Bounds
from core.validation.prompts import Side
from core.validation.scoring import NOT_DRAWN, Score, Trial, confusion, score

ALL = "ALL"

DEFINITIONS = {
    "accuracy": "share of the images with a record where the stated label was said; low, high: Wilson",
    "precision": "mean over stated labels of how often the label was stated where it was said",
    "recall": "mean over stated labels of how often the label was said where it was stated",
    "precision_low … f1_high": "95 % BCa intervals of 1000 bootstrap draws of whole prompts",
    "f1": "harmonic mean of precision and recall; published tables have precision 1, so F1 = 2r / (1 + r)",
    "accuracy_if_drawn": "accuracy among the images where the second judge sees the stated label",
    "not_drawn": "neither judge nor extractor sees it: the generator did not draw it; empty without a judge",
    "not_seen": "the judge sees it and the extractor does not: the extractor missed it",
    "side": "where the stated label stands to what is usual for the role in the study that was mined",
}


def validation_tables(trials: Sequence[Trial], generators: Mapping[int, str]) -> dict[str, pd.DataFrame]:
    """The tables.

    Parameters
    ----------
    trials : sequence of Trial
        One an image.
    generators : mapping of image to str
        Which generator made it.

    Returns
    -------
    dict of DataFrame
        `validation` (a generator and side; ALL is all of them: the published Table 1 in its shape),
        `validation_dimensions` (a dimension and side: Table 7), `validation_confusion`, `validation_images`.
    """
    return {
        "validation": _by_generator(trials, generators),
        "validation_dimensions": _by_dimension(trials),
        "validation_confusion": _confusion(trials),
        "validation_images": _images(trials, generators),
    }


def validation_account(extractor: str, judge: str | None) -> dict[str, Any]:
    """What is kept beside the tables: who was validated, who judged (None: nobody), what columns mean."""
    return {"extractor": extractor, "judge": judge or None, "definitions": DEFINITIONS}


def _by_generator(trials: Sequence[Trial], generators: Mapping[int, str]) -> pd.DataFrame:
    names = sorted({generators[one.image] for one in trials})
    rows = []
    for name in [*names, ALL] if len(names) > 1 else names:
        own = [one for one in trials if name in (ALL, generators[one.image])]
        rows += [{"generator": name, "side": side} | _row(score(some)) for side, some in _sides(own)]
    return _frame(rows)


def _by_dimension(trials: Sequence[Trial]) -> pd.DataFrame:
    rows = []
    for dimension in dict.fromkeys(one.stated.dimension for one in trials):
        own = [one for one in trials if one.stated.dimension == dimension]
        rows += [{"dimension": dimension, "side": side} | _row(score(some)) for side, some in _sides(own)]
    return _frame(rows)


def _frame(rows: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows)
    for name in ("not_drawn", "not_seen"):  # counts stay whole numbers beside those that nobody knows
        frame[name] = pd.Series([row[name] for row in rows], dtype=object)
    return frame


def _sides(trials: Sequence[Trial]) -> list[tuple[str, Sequence[Trial]]]:
    own = [(side.value, [one for one in trials if one.stated.side is side]) for side in Side]
    return [(ALL, trials), *((side, some) for side, some in own if some)]


def _row(found: Score) -> dict[str, object]:
    accuracy, drawn = found.accuracy, found.against_judge
    return {
        "images": found.images,
        "failed": found.failed,
        "unknown": found.unknown,
        "accuracy": accuracy.value,
        "low": accuracy.low,
        "high": accuracy.high,
        **_with_bounds("precision", found.precision, found.bounds.precision),
        **_with_bounds("recall", found.recall, found.bounds.recall),
        **_with_bounds("f1", found.f1, found.bounds.f1),
        "accuracy_if_drawn": drawn.value,
        "low_if_drawn": drawn.low,
        "high_if_drawn": drawn.high,
        "not_drawn": found.not_drawn,
        "not_seen": found.not_seen,
        "reason": accuracy.reason or drawn.reason or found.bounds.reason,
    }


def _with_bounds(name: str, value: float | None, bounds: Bounds) -> dict[str, object]:
    return {name: value, f"{name}_low": bounds.low, f"{name}_high": bounds.high}


def _confusion(trials: Sequence[Trial]) -> pd.DataFrame:
    rows = [(*key, count) for key, count in sorted(confusion(trials).items())]
    return pd.DataFrame(rows, columns=["dimension", "stated", "said", "images"])


def _judged(said: DimensionReading | None) -> str:
    """What the judge said; a person may have said only that it is not the stated label."""
    if said is None:
        return ""
    nothing = NOT_DRAWN if said.status is Status.OK else said.status.value
    return "; ".join(said.labels) or nothing


def _images(trials: Sequence[Trial], generators: Mapping[int, str]) -> pd.DataFrame:
    rows = [
        {
            "image": one.image,
            "generator": generators[one.image],
            "role": one.stated.role,
            "dimension": one.stated.dimension,
            "stated": one.stated.label,
            "side": one.stated.side.value,
            "said": "; ".join(one.said.labels) or one.said.status.value,
            "judged": _judged(one.judged),
            "outcome": one.outcome,
            "error_of": one.blame,
        }
        for one in trials
    ]
    return pd.DataFrame(rows)
