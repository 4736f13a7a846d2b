"""Counts side by side: what two sides counted of the same label, for plots and tables of their differences.

Counts are compared between those who chose the same label; a count of "blue" and a count of "red" are
counts of different things.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd

from annotation.coding import Coded, Codes, Counts, Sheet
from annotation.scopes import PIPELINE

COLUMNS = ("question", "scope", "image_set", "label", "first", "second")

Side = tuple[Codes, Counts]


def count_pairs(sheet: Sheet) -> pd.DataFrame:
    """All pairs of counts of a sheet of image sets.

    Parameters
    ----------
    sheet : Sheet
        From `annotation.coding.code_answers`.

    Returns
    -------
    DataFrame
        Columns question, scope ("A and B"; "pipeline": the people's consensus first, the pipeline second),
        image_set, label, first, second (0 to 10; of the consensus, the mean of those who voted for it).
    """
    rows = [
        (coded.question, scope, sheet.image_sets[place], coded.labels[code], first, second)
        for coded in sheet.questions
        for scope, one, other in _sides(sheet, coded)
        for place, code, first, second in _shared(one, other)
    ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.astype({"first": "float64", "second": "float64"})


def _sides(sheet: Sheet, coded: Coded) -> Iterator[tuple[str, Side, Side]]:
    for a, b in combinations(range(len(sheet.annotators)), 2):
        name = f"{sheet.annotators[a]} and {sheet.annotators[b]}"
        yield name, (coded.ratings[:, a], coded.sliders[:, a]), (coded.ratings[:, b], coded.sliders[:, b])
    if sheet.has_pipeline:
        people, machine = coded.agreed, coded.pipeline
        yield PIPELINE, (people.codes, people.sliders), (machine.codes, machine.sliders)


def _shared(one: Side, other: Side) -> Iterator[tuple[int, int, float, float]]:
    """Place, code and both counts wherever both sides have the same label and a count."""
    (codes, counts), (their_codes, their_counts) = one, other
    same = (codes >= 0) & (codes == their_codes) & np.isfinite(counts) & np.isfinite(their_counts)
    for place in np.flatnonzero(same):
        yield int(place), int(codes[place]), float(counts[place]), float(their_counts[place])
