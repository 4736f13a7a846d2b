"""A report as one HTML file: nothing is loaded when it is opened, nothing in it runs.

Every text is escaped where it enters the page. A policy in the head forbids whatever could be loaded, so
that even a fault of ours could not reach the network.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Iterator, Sequence

import pandas as pd

from core.figures.drawing import Drawing
from core.figures.look import DARK, LIGHT, Look
from core.figures.writing import caption_of, figure_bytes
from core.paths import RESOURCES
from core.report.blocks import Block, Code, Facts, Paragraph, Picture, Points, Section, Table, printable
from core.report.cells import cell, exact, is_numeric, with_notes

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"

DrawnAs = Callable[[Drawing, Look], str]


def escaped(text: str) -> str:
    """A text that a browser prints and does not read as HTML.

    >>> escaped('<img src=x onerror=alert(1)> & "so"')
    '&lt;img src=x onerror=alert(1)&gt; &amp; &quot;so&quot;'
    """
    return html.escape(printable(text), quote=True)


def as_data_uri(drawing: Drawing, look: Look) -> str:
    """A figure as an SVG within an address."""
    data = base64.b64encode(figure_bytes(drawing, "svg", look=look, caption=False)).decode("ascii")
    return f"data:image/svg+xml;base64,{data}"


def html_page(
    title: str, subtitle: str, sections: Sequence[Section], drawn_as: DrawnAs = as_data_uri
) -> Iterator[str]:
    """The page in parts, one a section, so that a job can step through it.

    Parameters
    ----------
    title, subtitle : str
    sections : sequence of Section
    drawn_as : callable
        Turns a figure and a look into the address of an image.
    """
    style = (RESOURCES / "report.css").read_text(encoding="utf-8")
    yield (
        '<!DOCTYPE html>\n<html lang="en-GB">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escaped(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="generator" content="ContextBias Studio">\n'
        f"<title>{escaped(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#content">Skip to the content</a>\n'
        f'<header>\n<h1>{escaped(title)}</h1>\n<p class="subtitle">{escaped(subtitle)}</p>\n</header>\n'
        f'<nav aria-label="Contents">\n{_contents(sections)}</nav>\n<main id="content">\n'
    )
    for section in sections:
        yield _section(section, 2, drawn_as)
    yield "</main>\n</body>\n</html>\n"


def _contents(sections: Sequence[Section]) -> str:
    items = "".join(f'<li><a href="#{one.anchor}">{escaped(one.title)}</a></li>\n' for one in sections)
    return f"<ol>\n{items}</ol>\n"


def _section(section: Section, level: int, drawn_as: DrawnAs) -> str:
    inside = "".join(_block(block, drawn_as) for block in section.blocks)
    inside += "".join(_section(part, level + 1, drawn_as) for part in section.parts)
    heading = f'<h{level} id="{section.anchor}">{escaped(section.title)}</h{level}>\n'
    return f'<section aria-labelledby="{section.anchor}">\n{heading}{inside}</section>\n'


def _block(block: Block, drawn_as: DrawnAs) -> str:
    if isinstance(block, Picture):
        return _picture(block.drawing, drawn_as)
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Paragraph):
        role = f' class="{block.kind}" role="note"' if block.kind else ""
        return f"<p{role}>{escaped(block.text)}</p>\n" if block.text else ""
    if isinstance(block, Points):
        return "<ul>\n" + "".join(f"<li>{escaped(one)}</li>\n" for one in block.items) + "</ul>\n"
    if isinstance(block, Code):
        return f"<pre><code>{html.escape(block.text)}</code></pre>\n"
    return _facts(block)


def _facts(block: Facts) -> str:
    rows = "".join(f"<dt>{escaped(term)}</dt><dd>{escaped(text)}</dd>\n" for term, text in block.rows)
    return f"<dl>\n{rows}</dl>\n"


def _picture(drawing: Drawing, drawn_as: DrawnAs) -> str:
    """Both looks in one place: the dark one only where the reader's screen is dark, never on paper."""
    dark = f'<source media="screen and (prefers-color-scheme: dark)" srcset="{drawn_as(drawing, DARK)}">'
    light = f'<img src="{drawn_as(drawing, LIGHT)}" alt="{escaped(drawing.alt)}">'
    caption = (
        f"<figcaption><strong>{escaped(drawing.title)}.</strong> {escaped(caption_of(drawing))}</figcaption>"
    )
    return f'<figure id="figure-{drawing.name}">\n<picture>{dark}{light}</picture>\n{caption}\n</figure>\n'


def _table(table: Table) -> str:
    names = [str(name) for name in table.data.columns]
    numeric = [is_numeric(table.data[name]) for name in names]
    head = "".join(
        f'<th scope="col"{_side(right)}>{escaped(table.header.get(name, name.replace("_", " ")))}</th>'
        for name, right in zip(names, numeric, strict=True)
    )
    values = list(_rows(table.data))
    seen, reasons = with_notes(
        names, [[cell(table, *one) for one in zip(names, row, strict=True)] for row in values]
    )
    named = [name in table.words and name not in ("reason", "method") for name in names]
    body = "".join(_row(row, words, numeric, named) for row, words in zip(values, seen, strict=True))
    lines = [*(f"<b>{letter}</b> {escaped(words)}" for letter, words in reasons.items())]
    lines += [escaped(table.note)] if table.note else []
    note = f'<p class="note">{"<br>".join(lines)}</p>\n' if lines else ""
    if not len(table.data):
        body = f'<tr><td colspan="{len(names)}">No rows.</td></tr>\n'
    return (
        f'<div class="table" role="region" tabindex="0" aria-label="{escaped(table.caption)}">\n'
        f'<table data-table="{escaped(table.name)}" data-columns="{escaped(" ".join(names))}">\n'
        f"<caption>{escaped(table.caption)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}</tbody>\n</table>\n</div>\n{note}"
    )


def _rows(data: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    yield from data.astype(object).itertuples(index=False, name=None)


def _side(right: bool) -> str:
    return ' class="number"' if right else ""


def _row(
    values: Sequence[object], seen: Sequence[str], numeric: Sequence[bool], named: Sequence[bool]
) -> str:
    cells = []
    for value, words, right, has_id in zip(values, seen, numeric, named, strict=True):
        kept = f' data-value="{escaped(exact(value))}"' if right else ""
        kept += f' data-id="{escaped(exact(value))}"' if has_id and words != exact(value) else ""
        cells.append(f"<td{_side(right)}{kept}>{escaped(words)}</td>")
    return f"<tr>{''.join(cells)}</tr>\n"
