"""Lines made once for rows that are alike are the lines that each row would get by itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core import csv_lines
from core.csv_lines import lines_of
from core.statistics.arrays import distinct, ranked


def table(rows: int, kinds: int) -> pd.DataFrame:
    rng = np.random.default_rng(rows)
    kind = rng.integers(0, kinds, rows)
    share = np.array([0.1, 1 / 3, np.nan, 0.0, -0.0, 1e-300, 2.0])[kind % 7]
    return pd.DataFrame(
        {
            "mode": pd.Categorical(["paper"] * rows),
            "role": pd.Categorical(np.array(["a", 'b "c", d', "=e"], dtype=object)[np.sort(kind % 3)]),
            "label": [f"label {one}" for one in rng.integers(0, 50, rows)],
            "x": kind.astype(np.int32),
            "share": share,
            "nothing": np.nan,
            "df": pd.arrays.IntegerArray(kind.astype(np.int64), kind % 2 == 0),
            "is": kind % 2 == 0,
            "reason": pd.Categorical(np.where(kind % 3 > 0, "few", "")),
        }
    )


def cell(value: object) -> str:
    """A cell in the most obvious way."""
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.17g}"
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\n') else text


@pytest.mark.parametrize(("rows", "kinds"), [(0, 1), (1, 1), (300, 7), (300, 10_000)])
def test_lines_are_those_of_each_row(monkeypatch: pytest.MonkeyPatch, rows: int, kinds: int) -> None:
    monkeypatch.setattr(csv_lines, "LINES_AT_ONCE", 64)
    frame = table(rows, kinds)

    header, *lines = b"".join(bytes(block) for block in lines_of(frame, str)).decode().splitlines()

    assert header == ",".join(frame.columns)
    assert len(lines) == rows
    for line, row in zip(lines, frame.itertuples(index=False, name=None), strict=True):
        wanted = [cell(value) for value in row]
        share = line.rsplit(",", 5)[1]
        assert ("" if share == "" else f"{float(share):.17g}") == wanted[4]
        assert line.replace(f",{share},", ",S,", 1) == ",".join([*wanted[:4], "S", *wanted[5:]])


def test_kinds_of_rows_with_one_mixed_number_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [np.array([1, 1, 1, 2], dtype=np.uint64), np.array([5, 5, 5, 5], dtype=np.uint64)]
    first, place = csv_lines._alike(keys)
    assert (first.tolist(), place.to_pylist()) == ([0, 3], [0, 0, 0, 1])

    monkeypatch.setattr(csv_lines, "_MIXER", np.uint64(0))  # every row gets the number of every other
    assert csv_lines._alike(keys) is None


def test_small_keys_and_large_ones_are_ranked_alike() -> None:
    for top in (9, 10**7, 2**40):
        key = np.random.default_rng(top).integers(0, top, 200)
        kinds, place, _ = distinct(key)
        assert [part.tolist() for part in ranked(key)] == [kinds.tolist(), place.tolist()]
