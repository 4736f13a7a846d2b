"""A report as PDF, from the same sections as the HTML: headings as bookmarks, figures with their words."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.decoding import FORMATS
from core.errors import MissingPart
from core.figures.look import LIGHT
from core.figures.writing import caption_of, figure_bytes
from core.report.blocks import Block, Code, Facts, Paragraph, Picture, Points, Section, Table, printable
from core.report.cells import cell, is_numeric, with_notes

if TYPE_CHECKING:
    from fpdf import FPDF

FONT, FIXED = "DejaVu", "DejaVuMono"
SIZES = {1: 18.0, 2: 14.0, 3: 11.0}
TEXT, SMALL = 9.0, 7.5
LINE = 4.6
DOTS_PER_INCH = 200
GREY = (89, 89, 89)


class PdfReport:
    """A document that sections are written into, one after the other.

    Parameters
    ----------
    title, subtitle : str
    as_of : str
        ISO 8601; dates the document, so that the same report is the same bytes.
    """

    def __init__(self, title: str, subtitle: str, as_of: str) -> None:
        self._pdf = _document(title, as_of)
        self._drawn: dict[int, tuple[bytes, float]] = {}
        self._pdf.add_page()
        self._heading(title, 1)
        self._words(subtitle, colour=GREY)
        self._has_contents = False

    def add(self, section: Section, level: int = 2) -> None:
        """Write one section with its parts; before the first, room for the contents on the first page."""
        if not self._has_contents:
            self._pdf.insert_toc_placeholder(_contents)
            self._has_contents = True
        self._heading(section.title, level, self._first_height(section))
        for block in section.blocks:
            self._block(block)
        for part in section.parts:
            self.add(part, level + 1)

    def content(self) -> bytes:
        """The finished document."""
        return bytes(self._pdf.output())

    def _first_height(self, section: Section) -> float:
        """Height in mm of what must stand on one page with the heading."""
        if section.blocks:
            first = section.blocks[0]
            return self._size(first)[1] + 10 if isinstance(first, Picture) else 12.0
        return 10.0 + (self._first_height(section.parts[0]) if section.parts else 0.0)

    def _heading(self, words: str, level: int, follows: float = 12.0) -> None:
        pdf = self._pdf
        if pdf.will_page_break(min(14 + follows, pdf.eph - 1)):
            pdf.add_page()
        pdf.ln(7 if level == 2 else 3.5)
        if level > 1:
            pdf.start_section(printable(words), level=level - 2)
        pdf.set_font(FONT, "B", SIZES[min(level, 3)])
        pdf.multi_cell(
            0, SIZES[min(level, 3)] * 0.5, printable(words), align="L", new_x="LMARGIN", new_y="NEXT"
        )
        pdf.ln(1.5)

    def _words(
        self, text: str, size: float = TEXT, colour: tuple[int, int, int] = (27, 27, 27), font: str = FONT
    ) -> None:
        if text:
            self._pdf.set_font(font, "", size)
            self._pdf.set_text_color(*colour)
            self._pdf.multi_cell(
                0, LINE * size / TEXT, printable(text), align="L", new_x="LMARGIN", new_y="NEXT"
            )
            self._pdf.set_text_color(27, 27, 27)
            self._pdf.ln(1.2)

    def _block(self, block: Block) -> None:
        if isinstance(block, Picture):
            self._picture(block)
        elif isinstance(block, Table):
            self._table(block)
        elif isinstance(block, Paragraph):
            self._paragraph(block)
        elif isinstance(block, Points):
            for item in block.items:
                self._words(f"•  {item}")
        elif isinstance(block, Code):
            for line in block.text.splitlines():
                self._pdf.set_font(FIXED, "", SMALL)
                self._pdf.cell(0, 3.6, printable(line) or " ", new_x="LMARGIN", new_y="NEXT")
            self._pdf.ln(1.5)
        else:
            self._facts(block)

    def _paragraph(self, block: Paragraph) -> None:
        if not block.kind:
            self._words(block.text)
            return
        self._pdf.set_font(FONT, "", TEXT)
        self._pdf.set_fill_color(255, 241, 207)
        self._pdf.multi_cell(
            0,
            LINE,
            printable(block.text),
            border=1,
            fill=True,
            align="L",
            padding=2,
            new_x="LMARGIN",
            new_y="NEXT",
        )
        self._pdf.set_fill_color(255, 255, 255)
        self._pdf.ln(2)

    def _facts(self, block: Facts) -> None:
        pdf = self._pdf
        pdf.set_font(FONT, "", SMALL)
        with pdf.table(
            col_widths=(30, 70),
            line_height=3.7,
            borders_layout="NONE",
            first_row_as_headings=False,
            text_align=("LEFT", "LEFT"),
            padding=(0.5, 1, 0.5, 0),
        ) as table:
            for term, text in block.rows:
                table.row([printable(term), printable(text)])
        pdf.ln(1.5)

    def _size(self, block: Picture) -> tuple[float, float]:
        """Width and height in mm: as wide as the page, less for what would be higher than it."""
        _, ratio = self._image(block)
        wide, most = self._pdf.epw, self._pdf.eph - 36
        return (wide, wide * ratio) if wide * ratio <= most else (most / ratio, most)

    def _image(self, block: Picture) -> tuple[bytes, float]:
        """A figure as PNG, drawn once, and its height as a share of its width."""
        from PIL import Image

        found = self._drawn.get(id(block))
        if found is None:
            data = figure_bytes(block.drawing, "png", look=LIGHT, caption=False, dpi=DOTS_PER_INCH)
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                found = self._drawn[id(block)] = data, image.height / image.width
        return found

    def _picture(self, block: Picture) -> None:
        pdf, drawing = self._pdf, block.drawing
        width, height = self._size(block)
        if pdf.will_page_break(min(height + 10, pdf.eph - 1)):
            pdf.add_page()
        data = io.BytesIO(self._image(block)[0])
        pdf.image(data, w=width, alt_text=printable(drawing.alt), title=printable(drawing.title))
        pdf.ln(1)
        self._words(f"{drawing.title}. {caption_of(drawing)}", SMALL, GREY)

    def _table(self, table: Table) -> None:
        from fpdf.fonts import FontFace

        pdf, names = self._pdf, [str(name) for name in table.data.columns]
        numeric = [is_numeric(table.data[name]) for name in names]
        header = [table.header.get(name, name.replace("_", " ")) for name in names]
        rows = [
            [cell(table, name, value) for name, value in zip(names, values, strict=True)]
            for values in table.data.astype(object).itertuples(index=False, name=None)
        ]
        rows, notes = with_notes(names, rows)
        pdf.set_font(FONT, "B", SMALL)
        if pdf.will_page_break(18):
            pdf.add_page()
        pdf.multi_cell(0, 4, printable(table.caption), align="L", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font(FONT, "", SMALL - 0.7)
        with pdf.table(
            col_widths=_widths(header, rows),
            line_height=3.4,
            borders_layout="SINGLE_TOP_LINE",
            text_align=tuple("RIGHT" if right else "LEFT" for right in numeric),
            headings_style=FontFace(emphasis="", color=GREY),
            padding=(0.35, 1, 0.35, 0.5),
        ) as drawn:
            drawn.row(header)
            for row in rows or [["No rows.", *[""] * (len(names) - 1)]]:
                drawn.row(row)
        pdf.ln(1)
        for letter, words in notes.items():
            self._words(f"{letter}  {words}", SMALL, GREY)
        self._words(table.note, SMALL, GREY)


def _contents(pdf: Any, outline: Sequence[Any]) -> None:
    """Headings of two levels with their pages, each leading there."""
    pdf.ln(4)
    for entry in outline:
        if entry.level > 1:
            continue
        pdf.set_font(FONT, "" if entry.level else "B", TEXT)
        link, indent = pdf.add_link(page=entry.page_number), 6.0 * entry.level
        pdf.set_x(pdf.l_margin + indent)
        pdf.cell(pdf.epw - indent - 12, LINE, entry.name, link=link)
        pdf.cell(12, LINE, str(entry.page_number), align="R", link=link, new_x="LMARGIN", new_y="NEXT")


def _widths(header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[float, ...]:
    """Shares of the width by what columns hold; a long text wraps instead of squeezing the numbers."""
    widths = []
    for place, words in enumerate(header):
        longest = max([len(words), *(len(row[place]) for row in rows)])
        widths.append(float(min(max(longest, 5), 30)) + 1.5)
    return tuple(widths)


def _document(title: str, as_of: str) -> FPDF:
    try:
        from fpdf import FPDF
    except ImportError as error:
        raise MissingPart("A PDF needs the package fpdf2.", "Run: pip install fpdf2") from error
    pdf = FPDF(format="A4")
    pdf.set_margins(15, 16, 15)
    pdf.set_auto_page_break(True, margin=18)
    for name, style, file in (
        (FONT, "", "DejaVuSans.ttf"),
        (FONT, "B", "DejaVuSans-Bold.ttf"),
        (FIXED, "", "DejaVuSansMono.ttf"),
    ):
        pdf.add_font(name, style, _font_folder() / file)
    pdf.set_title(printable(title))
    pdf.set_lang("en-GB")
    pdf.set_creator("ContextBias Studio")
    pdf.set_creation_date(_date_of(as_of))
    _with_page_numbers(pdf)
    return pdf


def _date_of(as_of: str) -> datetime:
    """The date of a study's newest act; what is no date, as a foreign study may say, is the year 1970."""
    try:
        return datetime.fromisoformat(as_of.replace("Z", "+00:00"))
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


def _font_folder() -> Path:
    """matplotlib brings a font with all signs that we use, so that no machine lacks it."""
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf"


def _with_page_numbers(pdf: Any) -> None:
    def footer() -> None:
        pdf.set_y(-12)
        pdf.set_font(FONT, "", SMALL)
        pdf.set_text_color(*GREY)
        pdf.cell(0, 5, str(pdf.page_no()), align="C")
        pdf.set_text_color(27, 27, 27)

    pdf.footer = footer
