"""Tables as files: CSV and Parquet, whole or not at all, and no text that a spreadsheet would run.

A text that starts like a formula gets an apostrophe in front when it is written, and loses it when it is
read. Words are read as they stand: `none` and `NA` are no gaps.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.errors import BadInput, MissingPart

WORD_COLUMNS = (
    "generator", "model", "role", "occupation", "condition", "context", "prompt", "image", "cohort",
    "dimension", "label", "status", "annotator", "image_set", "question", "marks", "repeat_of",
)  # fmt: skip
"""Columns that hold words even where they look like numbers."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

_LINES_AT_ONCE = 50_000


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
    arrow, parquet = _arrow("pyarrow"), _arrow("pyarrow.parquet")
    try:
        frame: pd.DataFrame = parquet.read_table(path, read_dictionary=list(WORD_COLUMNS)).to_pandas()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error
    except arrow.ArrowInvalid as error:
        raise BadInput(f"{path.name} is not a Parquet table: {error}.") from error
    return frame


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
    new = {word: change(word) for word in words if isinstance(word, str) and change(word) != word}
    if not new:
        return column
    return column.astype(object).map(lambda word: new.get(word, word) if isinstance(word, str) else word)


def write_table(frame: pd.DataFrame, place: Path, file_format: str) -> Path:
    """Write one table as "csv" or "parquet"; an undefined number is an empty cell."""
    if file_format == "parquet":
        return replace(place, lambda temporary: frame.to_parquet(temporary, index=False))
    return replace(place, lambda temporary: _write_csv(frame, temporary))


def _write_csv(frame: pd.DataFrame, place: Path) -> None:
    """UTF-8, quotes only where needed, an undefined value as an empty cell, every digit of a number."""
    arrow, compute = _arrow("pyarrow"), _arrow("pyarrow.compute")
    columns = [_texts(frame[name], arrow, compute) for name in frame.columns]
    with place.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(_quoted(str(name)) for name in frame.columns) + "\n")
        for start in range(0, len(frame), _LINES_AT_ONCE):
            part = [column.slice(start, _LINES_AT_ONCE) for column in columns]
            lines = compute.binary_join_element_wise(*part, ",")
            file.write("\n".join(lines.to_pylist()) + "\n")


def _texts(column: pd.Series[Any], arrow: Any, compute: Any) -> Any:
    """A column as Arrow text, ready to stand between commas."""
    if pd.api.types.is_numeric_dtype(column.dtype):  # yes/no columns among them
        text = compute.cast(arrow.array(column, from_pandas=True), arrow.string())
        return compute.fill_null(text, "")
    coded = column.astype("category").cat
    words = ["" if pd.isna(word) else _quoted(_with_apostrophe(str(word))) for word in coded.categories]
    codes = coded.codes.to_numpy()
    return compute.take(
        arrow.array([*words, ""], arrow.string()), arrow.array(np.where(codes < 0, len(words), codes))
    )


def _quoted(text: str) -> str:
    if any(mark in text for mark in ',"\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text


def replace(place: Path, write: Callable[[Path], object]) -> Path:
    """Write to a temporary file, then put it in its place: a file is whole or not there."""
    temporary = place.with_name(f".{place.name}.part")
    try:
        write(temporary)
        os.replace(temporary, place)
    finally:
        temporary.unlink(missing_ok=True)
    return place
