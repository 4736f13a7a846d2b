"""Tables as files: CSV and Parquet, whole or not at all, and no text that a spreadsheet would run.

A text that starts like a formula gets an apostrophe in front when it is written, and loses it when it is
read. Words are read as they stand: `none` and `NA` are no gaps.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.errors import BadInput, MissingPart
from core.whole_files import write_whole

WORD_COLUMNS = (
    "generator", "model", "role", "occupation", "condition", "context", "prompt", "image", "cohort",
    "dimension", "label", "status", "annotator", "image_set", "question", "marks", "repeat_of",
)  # fmt: skip
"""Columns that hold words even where they look like numbers."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
FORMULA_MARKS = ("'", *FORMULA_STARTS)

_LINES_AT_ONCE = 40_000
_WRITERS = 2


def read_table(path: Path) -> pd.DataFrame:
    """A table from disk, CSV (also .csv.gz) or Parquet by its ending; BadInput when it is none."""
    frame = _parquet(path) if path.suffix == ".parquet" else _csv(path)
    for column in frame.columns:
        if isinstance(frame[column].dtype, pd.CategoricalDtype):
            frame[column] = _changed(frame[column], _without_apostrophe)
    return frame


def _csv(path: Path) -> pd.DataFrame:
    arrow, csv = _arrow("pyarrow"), _arrow("pyarrow.csv")
    word = arrow.dictionary(arrow.int32(), arrow.string())
    options = csv.ConvertOptions(column_types=dict.fromkeys(WORD_COLUMNS, word), strings_can_be_null=False)

    def read(newlines_in_values: bool) -> pd.DataFrame:
        parsing = csv.ParseOptions(newlines_in_values=newlines_in_values)
        with arrow.input_stream(str(path), compression="detect") as stream:
            table = csv.read_csv(stream, parse_options=parsing, convert_options=options)
        frame: pd.DataFrame = table.to_pandas()
        return frame

    try:
        try:
            return read(False)
        except arrow.ArrowInvalid:  # a line end within quotes needs the slower way
            return read(True)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error
    except (arrow.ArrowInvalid, UnicodeDecodeError) as error:
        raise BadInput(f"{path.name} is not a UTF-8 CSV table: {error}.", "Save it as UTF-8 CSV.") from error


def _parquet(path: Path) -> pd.DataFrame:
    """Column by column, so that only one is in memory at its full width."""
    arrow, parquet = _arrow("pyarrow"), _arrow("pyarrow.parquet")
    try:
        names = parquet.read_schema(path).names
        words = [name for name in WORD_COLUMNS if name in names]
        with parquet.ParquetFile(path, read_dictionary=words, pre_buffer=False) as file:
            columns = {
                name: file.read(columns=[name], use_threads=False).column(name).to_pandas()
                for name in names
                if not name.startswith("__index_level_")
            }
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error
    except arrow.ArrowInvalid as error:
        raise BadInput(f"{path.name} is not a Parquet table: {error}.") from error
    return pd.DataFrame(columns, copy=False)


def _arrow(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingPart("Reading tables needs pyarrow.", "Run: pip install pyarrow") from error


def _with_apostrophe(text: str) -> str:
    return f"'{text}" if text.lstrip("'").startswith(FORMULA_STARTS) else text


def _without_apostrophe(text: str) -> str:
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(FORMULA_STARTS) else text


def _changed(column: pd.Series[Any], change: Callable[[str], str]) -> pd.Series[Any]:
    """A column of words with each distinct word changed; the same column when none is."""
    is_coded = isinstance(column.dtype, pd.CategoricalDtype)
    words = column.cat.categories.tolist() if is_coded else column.unique().tolist()
    texts = [word for word in words if isinstance(word, str) and word.startswith(FORMULA_MARKS)]
    new = {word: other for word in texts if (other := change(word)) != word}
    if not new:
        return column
    return column.astype(object).map(lambda word: new.get(word, word) if isinstance(word, str) else word)


def write_table(frame: pd.DataFrame, place: Path, file_format: str) -> Path:
    """Write one table as "csv" or "parquet"; an undefined number is an empty cell."""
    if file_format == "parquet":
        return write_whole(place, lambda temporary: frame.to_parquet(temporary, index=False))
    return write_whole(place, lambda temporary: _write_csv(frame, temporary))


def _write_csv(frame: pd.DataFrame, place: Path) -> None:
    """UTF-8, quotes only where needed, an undefined value as an empty cell, every digit of a number.

    Blocks of lines are made by two threads and written in their order.
    """
    arrow, compute = _arrow("pyarrow"), _arrow("pyarrow.compute")
    last = frame.shape[1] - 1
    columns = [
        _Texts(frame[name], "\n" if number == last else "", arrow, compute)
        for number, name in enumerate(frame.columns)
    ]
    parts = _merged(columns)

    def lines(start: int) -> Any:
        rows = slice(start, start + _LINES_AT_ONCE)
        texts = [part if isinstance(part, str) else part.block(rows) for part in parts]
        return compute.binary_join_element_wise(*texts, ",").buffers()[2]

    with place.open("wb") as file, ThreadPoolExecutor(_WRITERS) as pool:
        file.write((",".join(_quoted(str(name)) for name in frame.columns) + "\n").encode())
        starts = range(0, len(frame), _LINES_AT_ONCE)
        for first in range(0, len(starts), _WRITERS):  # no more blocks in memory than are being made
            for block in pool.map(lines, starts[first : first + _WRITERS]):
                file.write(block)


class _Texts:
    """The cells of a column as Arrow text, ready to stand between commas, each with `end` behind it.

    Results repeat themselves (a share of so many images has few values), and making text of a number is
    what costs most: each distinct value is written once a block. `constant` is the text of every cell of a
    column that has but one, None otherwise.
    """

    def __init__(self, column: pd.Series[Any], end: str, arrow: Any, compute: Any) -> None:
        self._end, self._arrow, self._compute = end, arrow, compute
        self.constant: str | None = None
        self._cells: list[str] = []
        if pd.api.types.is_numeric_dtype(column.dtype):  # yes/no columns among them
            self._column = column
            if column.isna().all():
                self.constant = end
            return
        self._column = column.astype("category")
        words = self._column.cat.categories
        self._cells = ["" if pd.isna(word) else _quoted(_with_apostrophe(str(word))) for word in words]
        self._cells = [cell + end for cell in (*self._cells, "")]  # the last one for a gap
        self._words = arrow.array(self._cells, arrow.string())
        codes = self._column.cat.codes.to_numpy()
        if codes.size and codes.min() == codes.max():
            self.constant = self._cells[codes[0]]

    def block(self, rows: slice) -> Any:
        """The texts of some rows."""
        part = self._column.iloc[rows]
        if self._cells:
            codes = part.cat.codes.to_numpy()
            return self._words.take(self._arrow.array(np.where(codes < 0, len(self._cells) - 1, codes)))
        encoded = self._arrow.array(part, from_pandas=True).dictionary_encode()
        texts = encoded.dictionary.cast("string").take(encoded.indices).fill_null("")
        return self._compute.binary_join_element_wise(texts, self._end, "") if self._end else texts


def _merged(columns: list[_Texts]) -> list[_Texts | str]:
    """Columns in order, neighbours whose cells are all the same put together as one text."""
    parts: list[_Texts | str] = []
    if all(column.constant is not None for column in columns):
        return [*columns]
    for column in columns:
        if column.constant is None:
            parts.append(column)
        elif parts and isinstance(parts[-1], str):
            parts[-1] = f"{parts[-1]},{column.constant}"
        else:
            parts.append(column.constant)
    return parts


def _quoted(text: str) -> str:
    if any(mark in text for mark in ',"\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text
