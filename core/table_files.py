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
from core.file_words import unreadable_table
from core.held_files import refuse_held
from core.large_arrays import keep_memory
from core.unpacking import Unpacked
from core.whole_files import force, write_whole

WORD_COLUMNS = (
    "generator", "model", "role", "occupation", "condition", "context", "prompt", "image", "cohort",
    "dimension", "label", "status", "seed", "annotator", "image_set", "question", "marks", "repeat_of",
)  # fmt: skip
"""Columns that hold words even where they look like numbers."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
FORMULA_MARKS = ("'", *FORMULA_STARTS)

_LINES_UNSYNCED = 100_000
_MANY_ROWS = 5_000_000
MOST_ROWS = 200_000_000
"""Of a Parquet table, whose rows may take no room in the file; ten times the paper has 27 million."""


def read_table(path: Path) -> pd.DataFrame:
    """A table from disk, CSV (also .csv.gz) or Parquet by its ending; BadInput when it is none."""
    try:
        refuse_held(path)  # Arrow opens files past Python
    except OSError as error:
        raise unreadable_table(path, error) from error
    frame = _parquet(path) if path.suffix == ".parquet" else _csv(path)
    if not frame.columns.is_unique:
        twice = str(frame.columns[frame.columns.duplicated()][0])[:60]
        raise BadInput(f"{path.name} has two columns called {twice!r}.", "Give each its own name.")
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
        with Unpacked(path) if path.suffix == ".gz" else arrow.input_stream(str(path), None) as stream:
            table = csv.read_csv(stream, parse_options=parsing, convert_options=options)
        frame: pd.DataFrame = table.to_pandas()
        return frame

    try:
        try:
            return read(False)
        except arrow.ArrowInvalid:  # a line end within quotes needs the slower way
            return read(True)
    except OSError as error:
        raise unreadable_table(path, error) from error
    except (arrow.ArrowInvalid, UnicodeDecodeError) as error:
        raise BadInput(f"{path.name} is not a UTF-8 CSV table: {error}.", "Save it as UTF-8 CSV.") from error


def _parquet(path: Path) -> pd.DataFrame:
    """Column by column, so that only one is in memory at its full width; its two halves side by side."""
    arrow, parquet = _arrow("pyarrow"), _arrow("pyarrow.parquet")
    try:
        names = parquet.read_schema(path).names
        words = [name for name in WORD_COLUMNS if name in names]
        with (
            parquet.ParquetFile(path, read_dictionary=words, pre_buffer=False) as first,
            parquet.ParquetFile(path, read_dictionary=words, pre_buffer=False) as second,
            ThreadPoolExecutor(1) as beside,
        ):
            if first.metadata.num_rows > MOST_ROWS:
                raise BadInput(f"{path.name} says that it has {first.metadata.num_rows} rows, too many.")
            if first.metadata.num_rows > _MANY_ROWS:
                keep_memory()
            groups = range(first.num_row_groups)
            half = len(groups) // 2

            def column(name: str) -> Any:
                later = beside.submit(second.read_row_groups, groups[half:], [name], use_threads=False)
                parts = [first.read_row_groups(groups[:half], [name], use_threads=False)] if half else []
                return arrow.concat_tables([*parts, later.result()]).column(name).to_pandas()

            columns = {name: column(name) for name in names if not name.startswith("__index_level_")}
    except OSError as error:
        raise unreadable_table(path, error) from error
    except arrow.ArrowInvalid as error:
        raise BadInput(f"{path.name} is not a Parquet table: {error}.") from error
    return pd.DataFrame(columns, copy=False)


def _arrow(name: str) -> Any:
    """A module of pyarrow; its own store of memory keeps what was used once, the system's gives it back."""
    try:
        arrow = importlib.import_module("pyarrow")
        arrow.set_memory_pool(arrow.system_memory_pool())
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
    words = pd.Series(column.cat.categories if is_coded else column.unique())
    if words.dtype == "str":  # hundreds of thousands of images are named: one look at all of them
        words = words[words.str.startswith(FORMULA_MARKS).to_numpy(dtype=np.bool_)]
    texts = [word for word in words.tolist() if isinstance(word, str)]
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
    _arrow("pyarrow")
    from core.csv_lines import lines_of

    # What was written goes to the disk while further lines are made: at the end there is little to wait for.
    with place.open("wb") as file, ThreadPoolExecutor(1) as disk:
        syncing = None
        for block in lines_of(frame, _with_apostrophe):
            file.write(block)
            if len(frame) > _LINES_UNSYNCED and (syncing is None or syncing.done()):
                file.flush()
                syncing = disk.submit(force, file.fileno())
