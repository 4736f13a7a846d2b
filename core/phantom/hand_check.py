"""The reader held against the eye: pictures of the phantom that were looked at, one by one, on sheets.

`hand_checked.csv` says of each picture (prompt and seed, which make it again) what is seen in each
dimension. The pictures are among those that are measured.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.phantom.captions import FOLDER
from core.records import UNKNOWN
from core.statistics.proportion import wilson

HAND_CHECKED = FOLDER / "hand_checked.csv"
COLUMNS = ("prompt", "seed", "dimension", "seen")


def load_hand_checked(path: Path = HAND_CHECKED) -> list[dict[str, str]]:
    """Rows of the file: prompt, seed, dimension, what is seen (`unknown` where it cannot be told)."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    if not rows or tuple(rows[0]) != COLUMNS:
        raise BadInput(f"{path.name} must have the columns {', '.join(COLUMNS)}.")
    return rows


def against_hand(
    rows: Sequence[Mapping[str, Any]], checked: Sequence[Mapping[str, str]]
) -> dict[str, dict[str, Any]]:
    """How often the reader says what was seen by eye.

    Parameters
    ----------
    rows : sequence of mapping
        Of `measuring.measure`.
    checked : sequence of mapping
        Of `load_hand_checked`. A picture that was not measured is left out.

    Returns
    -------
    dict
        Dimension -> pictures in which it can be told by eye (`n`), share of them that the reader reads
        (`read`), share of those that it reads as it was seen (`accuracy`, with its Wilson interval), and what
        is confused.
    """
    known = {(row["text"], str(row["seed"])): row["labels"] for row in rows}
    pairs: dict[str, list[tuple[str, str]]] = {}
    for each in checked:
        labels = known.get((each["prompt"], each["seed"]))
        if labels is not None and each["seen"] != UNKNOWN:
            pairs.setdefault(each["dimension"], []).append((each["seen"], labels[each["dimension"]]))
    return {dimension: _of(some) for dimension, some in pairs.items()}


def _of(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    read = [(seen, label) for seen, label in pairs if label != UNKNOWN]
    found = wilson(sum(seen == label for seen, label in read), len(read))
    wrong = Counter(f"{seen} as {label}" for seen, label in read if seen != label)
    return {
        "n": len(pairs),
        "read": len(read) / len(pairs),
        "accuracy": found.value,
        "low": found.low,
        "high": found.high,
        "confusions": dict(wrong.most_common()),
    }
