"""A table as the lines of a CSV file, block by block.

Results repeat themselves: a share of so many images has few values, and most labels of a grid are not
shown. Making text of a number is what costs most, so what rows have in common is made once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow
from pyarrow import compute

LINES_AT_ONCE = 50_000
_WRITERS = 2
_MIXER = np.uint64(0x9E3779B97F4A7C15)

Where = slice | npt.NDArray[np.int64]


def lines_of(frame: pd.DataFrame, safe: Callable[[str], str]) -> Iterator[Any]:
    """The lines as UTF-8, header first: quotes only where needed, undefined values empty, every digit.

    Parameters
    ----------
    frame : DataFrame
        Columns of words, numbers or yes/no.
    safe : callable
        What a word is written as, before quotes.

    Yields
    ------
    bytes-like
        Blocks of lines, made by two threads, in their order.
    """
    last = frame.shape[1] - 1
    columns = [
        _Column(frame[name], "\n" if number == last else "", safe)
        for number, name in enumerate(frame.columns)
    ]
    parts = _parted(columns)
    yield (",".join(quoted(str(name)) for name in frame.columns) + "\n").encode()

    def block(start: int) -> Any:
        rows = slice(start, min(start + LINES_AT_ONCE, len(frame)))
        return _joined([part.text(rows) for part in parts]).buffers()[2]

    with ThreadPoolExecutor(_WRITERS) as pool:
        starts = range(0, len(frame), LINES_AT_ONCE)
        for first in range(0, len(starts), _WRITERS):  # no more blocks in memory than are being made
            yield from pool.map(block, starts[first : first + _WRITERS])


class _Column:
    """The cells of a column as Arrow text with `end` behind each.

    `constant` is the text of every cell of a column that has but one, None otherwise.
    """

    def __init__(self, column: pd.Series[Any], end: str, safe: Callable[[str], str]) -> None:
        self._end, self._column = end, column
        self.constant: str | None = None
        self.is_number = pd.api.types.is_numeric_dtype(column.dtype)  # yes/no columns among them
        self._values = column.to_numpy() if isinstance(column.dtype, np.dtype) else None
        if self.is_number:
            if column.isna().all():
                self.constant = end
            return
        self._column = column.astype("category")
        words = self._column.cat.categories
        cells = ["" if pd.isna(word) else quoted(safe(str(word))) for word in words]
        cells = [cell + end for cell in (*cells, "")]  # the last one for a gap
        self._cells = pyarrow.array(cells, pyarrow.string())
        self._codes = self._column.cat.codes.to_numpy()
        if self._codes.size and self._codes.min() == self._codes.max():
            self.constant = cells[self._codes[0]]

    def text(self, where: Where) -> Any:
        """The texts of some rows."""
        if not self.is_number:
            codes = self._codes[where]
            return self._cells.take(pyarrow.array(np.where(codes < 0, len(self._cells) - 1, codes)))
        part = self._column.iloc[where] if self._values is None else self._values[where]
        encoded = pyarrow.array(part, from_pandas=True).dictionary_encode()
        texts = encoded.dictionary.cast("string").take(encoded.indices).fill_null("")
        return compute.binary_join_element_wise(texts, self._end, "") if self._end else texts

    def bits(self, rows: slice) -> list[npt.NDArray[np.uint64]]:
        """Whole numbers that are equal where, and only where, the cells are the same to the last bit."""
        if not self.is_number:
            return [self._codes[rows].astype(np.int64).view(np.uint64)]
        if self._values is not None:
            wide = np.float64 if self._values.dtype.kind == "f" else np.int64
            return [np.ascontiguousarray(self._values[rows], dtype=wide).view(np.uint64)]
        part = self._column.iloc[rows]
        known = (part.fillna(False) if part.dtype == "boolean" else part.fillna(0)).to_numpy()
        return [known.astype(np.int64).view(np.uint64), part.isna().to_numpy().astype(np.uint64)]


class _Part:
    """Neighbouring columns, whose texts stand together."""

    def __init__(self, columns: Sequence[_Column]) -> None:
        self._columns = columns
        self._varying = [column for column in columns if column.constant is None]

    def text(self, rows: slice) -> Any:
        """The text of some rows, commas included; made once for rows that are alike, where many are."""
        alike = (
            _alike([bits for column in self._varying for bits in column.bits(rows)]) if self._pays else None
        )
        if alike is None:
            return self._plain(rows)
        first, place = alike
        return self._plain(rows.start + first).take(place)

    @property
    def _pays(self) -> bool:
        return len(self._varying) > 1 or any(column.is_number for column in self._varying)

    def _plain(self, where: Where) -> Any:
        return _joined(
            [column.text(where) if column.constant is None else column.constant for column in self._columns]
        )


def _joined(texts: list[Any]) -> Any:
    if all(isinstance(text, str) for text in texts):
        return ",".join(texts)
    return texts[0] if len(texts) == 1 else compute.binary_join_element_wise(*texts, ",")


def _parted(columns: list[_Column]) -> list[_Part]:
    """The words that change most from row to row by themselves, what is before them and what is behind."""
    varying = [number for number, column in enumerate(columns) if column.constant is None]
    if not varying:
        columns[0].constant = None  # a table needs one column that says how many rows there are
        varying = [0]
    numbers = [number for number in varying if columns[number].is_number]
    words = [number for number in varying if number < min(numbers, default=len(columns))]
    at = words[-1] if words else 0
    parts = (columns[:at], columns[at : at + 1], columns[at + 1 :])
    return [_Part(part) for part in parts if part]


def _alike(keys: Sequence[npt.NDArray[np.uint64]]) -> tuple[npt.NDArray[np.int64], Any] | None:
    """The first row of each kind, and the kind of every row; None unless most rows repeat others.

    Rows are told apart by a number mixed from their keys, and then compared: two kinds with the same number
    are no kinds.
    """
    mixed = np.zeros(keys[0].size, dtype=np.uint64)
    for key in keys:
        mixed ^= key
        mixed *= _MIXER
        mixed ^= mixed >> np.uint64(29)
    encoded = pyarrow.array(mixed).dictionary_encode()
    if 2 * len(encoded.dictionary) > mixed.size:
        return None
    place = encoded.indices.to_numpy()
    first = np.empty(len(encoded.dictionary), dtype=np.int64)
    first[place[::-1]] = np.arange(place.size - 1, -1, -1)
    if any(not np.array_equal(key[first][place], key) for key in keys):
        return None
    return first, encoded.indices


def quoted(text: str) -> str:
    """A cell in quotes where it needs them.

    >>> quoted("a"), quoted('a "b", c')
    ('a', '"a ""b"", c"')
    """
    if any(mark in text for mark in ',"\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text
