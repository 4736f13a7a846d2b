"""Rows of result tables: those with a value, and those without one by reason; nothing undefined goes unsaid.

What became of the rows that came in stands in the stages of a run; this is the other end, table by table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd

WITHOUT_TOLD = "(no reason)"

MEASURED = {
    "bi": "value",
    "bi_change": "value",
    "prevalence": "prevalence",
    "persistence": "ccs",
    "ccs_mean": "ccs",
    "robustness": "largest_move",
    "coverage": "unknown_share",
    "role_contrast": "chi2",
    "role_bias": "chi2",
    "agreement": "value",
    "consensus": "label",
}
"""The column of each table that a row is there for; its rows without it have a reason."""

REASONS = {"consensus": "how"}
"""Where the reason is not in the column `reason`."""


def table_accounts(tables: Mapping[str, pd.DataFrame]) -> dict[str, dict[str, Any]]:
    """What the rows of each table come to.

    Parameters
    ----------
    tables : mapping of name to DataFrame
        Result tables. Of those that are not in `MEASURED` only the number of rows is told.

    Returns
    -------
    dict
        Per table: `rows`, and for a measured one `with_value` and `without`, the number by reason.

    Raises
    ------
    AssertionError
        A row without a value and without a reason, or rows that do not add up: a fault of ours.

    Examples
    --------
    >>> table = pd.DataFrame({"value": [0.5, None], "reason": ["", "no usable image"]})
    >>> table_accounts({"bi": table})["bi"]
    {'rows': 2, 'with_value': 1, 'without': {'no usable image': 1}}
    """
    return {name: _account(name, frame) for name, frame in tables.items()}


def _account(name: str, frame: pd.DataFrame) -> dict[str, Any]:
    column = MEASURED.get(name)
    if column is None or column not in frame.columns:
        return {"rows": len(frame)}
    missing = frame[column].isna().to_numpy()
    if not pd.api.types.is_numeric_dtype(frame[column].dtype):
        missing = missing | (frame[column].astype(object) == "").to_numpy()
    without = _by_reason(frame.loc[missing, REASONS.get(name, "reason")])
    with_value = len(frame) - int(missing.sum())
    if WITHOUT_TOLD in without:
        raise AssertionError(f"{name}: {without[WITHOUT_TOLD]} rows have neither a value nor a reason")
    if len(frame) != with_value + sum(without.values()):
        raise AssertionError(f"{name}: {len(frame)} rows, {with_value} with a value, {without} without")
    return {"rows": len(frame), "with_value": with_value, "without": without}


def _by_reason(said: pd.Series[Any]) -> dict[str, int]:
    """How many rows have each reason, up to its first colon or semicolon; each distinct text is read once."""
    found: Counter[str] = Counter()
    for text, count in said.value_counts(dropna=False, sort=False).items():
        found[str(text).split(";")[0].split(":")[0] or WITHOUT_TOLD] += int(count)
    return {reason: count for reason, count in sorted(found.items()) if count}
