"""Tables in and out: label tables, tables of counts, answers; results as CSV or Parquet with `run.json`.

Words are read as they stand: `none`, `NA` and `null` are labels, only an empty cell is missing. On the way
out a text that a spreadsheet would run as a formula gets an apostrophe in front, which reading takes off
again. An undefined number is an empty cell, and the row has a reason.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.audit.columns import coded_words
from core.coded_rows import condition_of
from core.errors import BadInput
from core.label_form import word_of
from core.records import IMAGES_PER_SET, UNKNOWN, Status
from core.table_files import read_table, write_table
from core.whole_files import make_folder, write_whole

PUBLISHED_NAMES = {"model": "generator", "context": "condition", "occupation": "role"}
"""Column names of the published tables, accepted as they are."""

LABEL_COLUMNS = ("generator", "role", "condition", "prompt", "image", "dimension", "label")
COUNT_COLUMNS = ("generator", "role", "condition", "prompt", "dimension", "label", "count")
ANSWER_COLUMNS = ("annotator", "image_set", "question", "label", "slider")


FORMATS = ("csv", "parquet")


MISSING = "missing"
"""Status of an answer that was not given: neither a label nor "unknown"."""


def read_labels(path: Path | str) -> pd.DataFrame:
    """A label table: one row per image × dimension × label.

    Columns generator, role, condition, prompt, image, cohort, dimension, label, status (default ok), and
    where known seed: without it prompts are taken as independent. The published names `model`, `context` and
    `occupation` are accepted. Further columns are kept.

    Raises
    ------
    BadInput
        The file cannot be read, is not a table, or lacks a column.
    """
    frame = _read(Path(path), LABEL_COLUMNS)
    if "status" not in frame.columns:
        frame["status"] = coded_words(np.zeros(len(frame), dtype=np.int8), [Status.OK.value])
    return frame


def read_counts(path: Path | str) -> pd.DataFrame:
    """A table of counts: one row per prompt × dimension × label; or the published folder tree.

    Columns generator, role, condition, prompt, cohort, dimension, label, count and, where known, images.
    A folder is searched for `<generator>/<condition>/<role>/[<kind>/]<prompt>/frequency/frequencies.csv`.

    Raises
    ------
    BadInput
        The file cannot be read or lacks a column, or the folder holds no such files.
    """
    place = Path(path)
    return _read_tree(place) if place.is_dir() else _read(place, COUNT_COLUMNS)


def read_answers(path: Path | str) -> pd.DataFrame:
    """Answers of annotators: one row per annotator × image set × question.

    Columns annotator, image_set, question, label, slider (0–10, empty is missing), status, marks,
    is_simulated, repeat_of (the image set that this one shows again; empty for a first showing).
    `status` is ok, unknown or missing; the label `unknown` means status unknown and becomes
    empty. Further columns are kept.

    Raises
    ------
    BadInput
        The file cannot be read, lacks a column, or holds a slider that is not a whole number from 0 to 10.
    """
    frame = _read(Path(path), ANSWER_COLUMNS)
    for column in ("annotator", "image_set", "question"):
        _refuse_empty(frame, column)
    frame["slider"] = _sliders(frame["slider"])
    label = frame["label"].astype(object).map(word_of)
    said = label.str.strip().str.casefold()
    stated = frame["status"].astype(object) if "status" in frame.columns else pd.Series("", index=frame.index)
    unknown = (said == UNKNOWN) | (stated == UNKNOWN)
    _check_answer_statuses(stated)
    frame["label"] = label.where(~unknown, "")
    frame["status"] = np.select([unknown, said == ""], [UNKNOWN, MISSING], "ok")
    for column, default in (("marks", ""), ("is_simulated", False)):
        if column not in frame.columns:
            frame[column] = default
    return frame


def write_tables(
    tables: Mapping[str, pd.DataFrame],
    out_dir: Path | str,
    run: Mapping[str, Any],
    *,
    file_format: str = "csv",
) -> list[Path]:
    """Write each table to `<name>.csv` (or `.parquet`) and the record to `run.json`; the paths written.

    A file appears whole or not at all. The same tables give the same bytes.

    Raises
    ------
    BadInput
        An unknown format, or a folder that cannot be written.
    """
    if file_format not in FORMATS:
        raise BadInput(f"There is no table format {file_format!r}.", f"Use {' or '.join(FORMATS)}.")
    folder = Path(out_dir)
    try:
        make_folder(folder)
        written = [
            write_table(frame, folder / f"{name}.{file_format}", file_format)
            for name, frame in tables.items()
        ]
        text = json.dumps(run, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        record = folder / "run.json"
        written.append(
            write_whole(record, lambda place: place.write_text(text, encoding="utf-8", newline="\n"))
        )
    except (FileExistsError, NotADirectoryError) as error:
        raise BadInput(f"{folder} is a file, so no tables fit in it.", "Name a folder.") from error
    except OSError as error:
        why = error.strerror or "the disk does not answer"
        raise BadInput(f"The tables cannot be written to {folder}: {why}.") from error
    return written


def _read(path: Path, needed: tuple[str, ...]) -> pd.DataFrame:
    """A table from disk, words as categories, known columns under our names, rows as they stand."""
    if path.exists() and not path.is_file():
        raise BadInput(f"{path} is not a file.", "Name a CSV or Parquet file.")
    frame = read_table(path)
    names = {old: new for old, new in PUBLISHED_NAMES.items() if new not in frame.columns}
    frame = frame.rename(columns=names)
    missing = [column for column in needed if column not in frame.columns]
    if missing:
        raise BadInput(
            f"{path.name} has no column {missing[0]}.",
            f"It needs {', '.join(needed)}; it has {', '.join(map(str, frame.columns))}.",
        )
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    frame.attrs["input"] = {"file": path.name, "sha256": digest, "rows": len(frame)}
    return frame


def _read_tree(folder: Path) -> pd.DataFrame:
    """The published folder tree as one table of counts; the folders say what each file is about."""
    files = sorted(folder.rglob("frequencies.csv"))
    if not files:
        raise BadInput(f"{folder} holds no frequencies.csv.", "Give the folder above the generators.")
    parts = []
    digest = hashlib.sha256()
    for file in files:
        *above, _ = file.relative_to(folder).parts
        place = next((at for at, part in enumerate(above) if condition_of(part)), None)
        if place is None or place + 1 >= len(above):
            raise BadInput(
                f"{file.relative_to(folder)}: no folder names a condition and a role.",
                "The tree is <generator>/<condition>/<role>/<prompt>/frequency/frequencies.csv.",
            )
        frame = read_table(file)
        frame["generator"] = above[place - 1] if place else folder.name
        frame["condition"], frame["role"] = above[place], above[place + 1]
        frame["prompt"] = "/".join(part for part in above[place + 2 :] if part != "frequency")
        parts.append(frame)
        digest.update(file.read_bytes())
    whole = pd.concat([part.astype(object) for part in parts], ignore_index=True)
    missing = [column for column in COUNT_COLUMNS if column not in whole.columns]
    if missing:
        raise BadInput(f"The files of {folder} have no column {missing[0]}.")
    whole.attrs["input"] = {"file": folder.name, "sha256": digest.hexdigest(), "rows": len(whole)}
    return whole


def _refuse_empty(frame: pd.DataFrame, column: str) -> None:
    empty = (frame[column].isna() | (frame[column].astype(object).map(str).str.strip() == "")).to_numpy()
    if empty.any():
        row = int(np.flatnonzero(empty)[0]) + 2
        raise BadInput(f"Line {row} names no {column}.", f"Every answer needs a {column}.")


def _sliders(column: pd.Series[Any]) -> pd.Series[Any]:
    text = column.astype(object).map(lambda value: "" if pd.isna(value) else str(value).strip())
    numbers = pd.to_numeric(text.where(text != ""), errors="coerce")
    wrong = (text != "") & ~(numbers.between(0, IMAGES_PER_SET) & (numbers % 1 == 0))
    if wrong.any():
        row = int(np.flatnonzero(wrong.to_numpy())[0])
        raise BadInput(
            f"Line {row + 2}: the slider is {text.iloc[row]!r}.",
            f"Give a whole number from 0 to {IMAGES_PER_SET}, or nothing.",
        )
    return numbers.astype(np.float64)


def _check_answer_statuses(stated: pd.Series[Any]) -> None:
    allowed = {"", "ok", UNKNOWN, MISSING}
    strange = sorted({str(word) for word in stated if not pd.isna(word)} - allowed)
    if strange:
        raise BadInput(f"An answer cannot have the status {strange[0]!r}.", "Use ok, unknown or missing.")
