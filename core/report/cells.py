"""Cells of a table in a report: what is seen, and the exact value behind it."""

from __future__ import annotations

from typing import Any

from core.figures.wording import DASH, number, thousands
from core.report.blocks import printable


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


def is_numeric(column: Any) -> bool:
    """Whether a column holds numbers, which stand to the right."""
    return str(column.dtype).lower().startswith(("float", "int", "uint"))
