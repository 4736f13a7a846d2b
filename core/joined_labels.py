"""Which spellings were read as one label: told beside the results, so that no joining goes unseen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from core.label_form import how_joined, word_of
from core.statistics.arrays import added_up, combined, looked_up

COLUMNS = ("dimension", "label", "said", "rows", "how")

Meaning = Callable[[str, str], str | None]
"""From dimension and word to the label it is read as; None or "" where it is not a label."""


def joined_labels(frame: pd.DataFrame, meaning: Meaning, *, of: str = "dimension") -> pd.DataFrame:
    """Labels that were said in a spelling other than their own.

    Parameters
    ----------
    frame : DataFrame
        Columns `label`, the one named by `of`, and perhaps status: only rows whose status is ok count.
    meaning : callable
        What a word means; asked once for each distinct pair.
    of : str
        The column that says what the label is about: dimension or question.

    Returns
    -------
    DataFrame
        Columns dimension (or question), label, said, rows, how: every spelling of each label that has one
        beside its own, sorted. `said` is as it stands in the table, blanks included.

    Examples
    --------
    >>> said = pd.DataFrame({"dimension": "items", "label": ["Book", "book", "pen"]})
    >>> joined_labels(said, lambda dimension, word: word.lower())["said"].tolist()
    ['Book', 'book']
    """
    about, word = (frame[name].astype("category").array for name in (of, "label"))
    about_codes, word_codes = about.codes, word.codes
    kept = (about_codes >= 0) & (word_codes >= 0)
    if "status" in frame.columns:
        status = frame["status"].astype("category").array
        is_ok = np.array([*(word_of(one).strip() in ("", "ok") for one in status.categories), True])
        kept &= looked_up(is_ok, status.codes)
    width = max(len(word.categories), 1)
    kinds, counts = added_up(combined(about_codes[kept], word_codes[kept], width))
    names = [word_of(one).strip() for one in about.categories]
    words = [word_of(one) for one in word.categories]
    totals: dict[tuple[str, str, str], int] = {}
    for kind, count in zip(kinds.tolist(), counts.tolist(), strict=True):
        name, said = names[kind // width], words[kind % width]
        label = meaning(name, said)
        if label:
            totals[name, label, said] = totals.get((name, label, said), 0) + count
    other = {(name, label) for name, label, said in totals if said != label}
    rows = [
        (name, label, said, count, how_joined(said, label) if said != label else "")
        for (name, label, said), count in sorted(totals.items())
        if (name, label) in other
    ]
    return pd.DataFrame(rows, columns=[of, *COLUMNS[1:]]).astype({"rows": np.int64})


def joined_account(table: pd.DataFrame) -> dict[str, Any]:
    """How much was joined, for the record of a run."""
    is_other = table["how"] != ""
    return {
        "labels": int(table.iloc[:, :2].drop_duplicates().shape[0]),
        "spellings": int(is_other.sum()),
        "rows": int(table.loc[is_other, "rows"].sum()),
    }
