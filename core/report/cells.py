"""Cells of a table in a report: what is seen, and the exact value behind it."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Any

from core.figures.wording import DASH, number, thousands
from core.report.blocks import Table, printable

P_COLUMNS = ("p", "p_exact", "p_adjusted")
SMALLEST_P = 0.001
"""Smaller p are said to be smaller, and no more."""


def exact(value: Any) -> str:
    """A value as the CSV writes it; "" for what is undefined.

    >>> exact(0.1), exact(3), exact(float("nan")), exact(True)
    ('0.1', '3', '', 'true')
    """
    if value is None or (str(value) in ("<NA>", "nan", "NaT") and not isinstance(value, str)):
        return ""
    if str(value) in ("True", "False"):
        return str(value).lower()
    if isinstance(value, str):
        return value
    return (
        str(int(value)) if float(value).is_integer() and not isinstance(value, float) else repr(float(value))
    )


def shown(value: Any, digits: int) -> str:
    """A value as it is read.

    >>> shown(0.123456, 3), shown(12000, 2), shown(None, 2), shown("baker", 2)
    ('0.123', '12\u202f000', '–', 'baker')
    """
    text = exact(value)
    if isinstance(value, str):
        return printable(value)
    if not text:
        return DASH
    if text in ("true", "false"):
        return {"true": "yes", "false": "no"}[text]
    return thousands(int(value)) if not isinstance(value, float) else number(float(value), digits)


def cell(table: Table, column: str, value: Any) -> str:
    """A value of a table as it is read: with names for ids, and no p of 0.

    >>> import pandas as pd
    >>> table = Table("t", "", pd.DataFrame(), words={"role": str.upper}, column_digits={"n": 0})
    >>> cell(table, "role", "baker"), cell(table, "p_adjusted", 0.0001), cell(table, "n", 90.9)
    ('BAKER', '< 0.001', '91')
    """
    if isinstance(value, str):
        return printable(table.words[column](value) if column in table.words and value else value)
    if column in P_COLUMNS and isinstance(value, float) and value < SMALLEST_P:
        return f"< {SMALLEST_P:g}"
    return shown(value, table.column_digits.get(column, table.digits))


def is_numeric(column: Any) -> bool:
    """Whether a column holds numbers, which stand to the right."""
    return str(column.dtype).lower().startswith(("float", "int", "uint"))


def with_notes(names: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[list[str]], dict[str, str]]:
    """Rows whose reasons are letters, and the reasons by letter, to stand once below the table.

    >>> with_notes(["value", "reason"], [["1", "too few"], ["2", ""], ["3", "too few"]])
    ([['1', 'a'], ['2', ''], ['3', 'a']], {'a': 'too few'})
    """
    made = [list(row) for row in rows]
    if "reason" not in names:
        return made, {}
    place = names.index("reason")
    words = list(dict.fromkeys(row[place] for row in made if row[place] not in ("", DASH)))
    if len(words) > len(ascii_lowercase):
        return made, {}
    letter = dict(zip(words, ascii_lowercase, strict=False))
    for row in made:
        row[place] = letter.get(row[place], row[place])
    return made, {letter[one]: one for one in words}
