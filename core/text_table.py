"""Tables for a terminal: columns lined up, numbers to the right, undefined as a dash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

UNDEFINED = "–"


def text_table(rows: Sequence[Mapping[Any, Any]], columns: Sequence[str]) -> str:
    """Lay out rows under a header.

    Parameters
    ----------
    rows : sequence of mapping
        One mapping a row; what a column lacks, None and NaN are undefined.
    columns : sequence of str
        Which columns, in order; their names are the header.

    Examples
    --------
    >>> print(text_table([{"question": "mood", "raw": 0.5}, {"question": "pose"}], ["question", "raw"]))
    question    raw
    mood      0.500
    pose          –
    """
    cells = [[in_words(row.get(name)) for name in columns] for row in rows]
    numeric = [all(_is_number(row.get(name)) for row in rows) for name in columns]
    widths = [max(len(line[place]) for line in [list(columns), *cells]) for place in range(len(columns))]
    lines = [_line(list(columns), widths, numeric), *(_line(line, widths, numeric) for line in cells)]
    return "\n".join(lines)


def in_words(value: Any) -> str:
    """A value as a cell shows it: three decimals, a dash for what is undefined."""
    if value is None or value != value:
        return UNDEFINED
    return f"{value + 0.0 if abs(value) >= 0.0005 else 0.0:.3f}" if isinstance(value, float) else str(value)


def _is_number(value: Any) -> bool:
    return value is None or isinstance(value, int | float)


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    placed = [
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(cells, widths, numeric, strict=True)
    ]
    return "  ".join(placed).rstrip()
