"""One table as LaTeX: booktabs rules, a caption above, notes below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.figures.wording import is_number
from core.latex.escaping import escaped

LONG = 45
"""A table of more rows runs over pages (LaTeX has to be run twice for its columns)."""

MANY = 14
"""A table of more columns is written smaller."""

DASH = "--"


@dataclass(frozen=True)
class Row:
    """One line: cells that are LaTeX already. `is_apart` puts a thin rule above it."""

    cells: Sequence[str]
    is_apart: bool = False


@dataclass(frozen=True)
class LatexTable:
    """What a table holds.

    Attributes
    ----------
    name : str
        Of the file and the label `tab:<name>`.
    caption : str
        Plain text; escaped when written.
    alignment : str
        One letter a column: l, c or r.
    spans : sequence of (str, int)
        Upper header: LaTeX and the number of columns each takes; () for none.
    header : sequence of str
        LaTeX, one a column.
    rows : sequence of Row
    note : str
        Plain text below.
    """

    name: str
    caption: str
    alignment: str
    header: Sequence[str]
    rows: Sequence[Row]
    spans: Sequence[tuple[str, int]] = field(default_factory=tuple)
    note: str = ""

    def text(self) -> str:
        """The whole environment.

        Raises
        ------
        ValueError
            A row or header that has not one cell a column (a fault of ours).
        """
        self._check()
        return self._long() if len(self.rows) > LONG else self._short()

    def _check(self) -> None:
        columns = len(self.alignment)
        lengths = {len(self.header), *(len(row.cells) for row in self.rows)}
        lengths |= {sum(width for _, width in self.spans)} if self.spans else set()
        if lengths != {columns}:
            raise ValueError(f"table {self.name}: rows of {sorted(lengths)} cells in {columns} columns")

    def _head(self) -> list[str]:
        lines = [r"\toprule"]
        if self.spans:
            cells, rules, start = [], [], 1
            for words, width in self.spans:
                cells.append(rf"\multicolumn{{{width}}}{{c}}{{{words}}}" if width > 1 or words else "")
                rules.append(rf"\cmidrule(lr){{{start}-{start + width - 1}}}" if words and width > 1 else "")
                start += width
            lines += [" & ".join(cells) + r" \\", "".join(rules)]
        return [line for line in [*lines, " & ".join(self.header) + r" \\", r"\midrule"] if line]

    def _body(self) -> list[str]:
        lines: list[str] = []
        for row in self.rows:
            lines += [r"\addlinespace"] if row.is_apart and lines else []
            lines.append(" & ".join(row.cells) + r" \\")
        return lines

    def _short(self) -> str:
        note = [rf"\par\smallskip{{\footnotesize {escaped(self.note)}\par}}"] if self.note else []
        return "\n".join(
            [
                r"\begin{table}[tbp]",
                rf"\centering{self._size()}\setlength{{\tabcolsep}}{{3.5pt}}",
                rf"\caption{{{escaped(self.caption)}}}",
                rf"\label{{tab:{self.name}}}",
                rf"\begin{{tabular}}{{{self.alignment}}}",
                *self._head(),
                *self._body(),
                r"\bottomrule",
                r"\end{tabular}",
                *note,
                r"\end{table}",
                "",
            ]
        )

    def _long(self) -> str:
        note = [rf"{{\noindent\footnotesize {escaped(self.note)}\par}}"] if self.note else []
        return "\n".join(
            [
                rf"{{{self._size()}\setlength{{\tabcolsep}}{{3.5pt}}\setlength{{\LTcapwidth}}{{\linewidth}}",
                rf"\begin{{longtable}}{{{self.alignment}}}",
                rf"\caption{{{escaped(self.caption)}}}\label{{tab:{self.name}}}\\",
                *self._head(),
                r"\endfirsthead",
                *self._head(),
                r"\endhead",
                r"\bottomrule",
                r"\endlastfoot",
                *self._body(),
                r"\end{longtable}}",
                *note,
                "",
            ]
        )

    def _size(self) -> str:
        """Many columns are written small, so that they fit on a page."""
        return r"\scriptsize" if len(self.alignment) > MANY else r"\small"


def figures(value: object, digits: int = 2) -> str:
    """A number as LaTeX, a dash for what is undefined.

    Examples
    --------
    >>> figures(-0.5), figures(None), figures(-0.001)
    ('$-0.50$', '--', '0.00')
    """
    if not is_number(value):
        return DASH
    text = f"{float(value):.{digits}f}"
    if not text.startswith("-"):
        return text
    return text[1:] if not float(text) else f"${text}$"


def between(low: object, high: object, digits: int = 2) -> str:
    """An interval in brackets, "" for none.

    Examples
    --------
    >>> between(-0.1, 0.2)
    '[$-0.10$, 0.20]'
    """
    if not (is_number(low) and is_number(high)):
        return ""
    return f"[{figures(low, digits)}, {figures(high, digits)}]"


def probability(value: object) -> str:
    """A p value without its leading zero.

    Examples
    --------
    >>> probability(0.0321), probability(0.0001), probability(1.0)
    ('.032', '$<$.001', '1.000')
    """
    if not is_number(value):
        return DASH
    p = float(value)
    return "$<$.001" if p < 0.0005 else f"{p:.3f}".removeprefix("0")
