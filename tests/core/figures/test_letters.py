"""Letters that matplotlib's own font lacks: an installed font writes them, or the caption says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib.font_manager import fontManager

from core.figures import letters
from core.figures.canvas import Sheet, drawn, width_of
from core.figures.drawing import Drawing
from core.figures.letters import FONT, families_for, without_letters
from core.figures.writing import caption_of, figure_bytes

HAN, OTHER = "\u4e2d", "\u6587"


@pytest.fixture
def one_han_font(tmp_path: Path) -> Iterator[str]:
    """A font with one Chinese letter is all that is installed beside matplotlib's own."""
    pen = TTGlyphPen(None)
    for at, point in enumerate(((0, 0), (700, 0), (700, 700), (0, 700))):
        (pen.lineTo if at else pen.moveTo)(point)
    pen.closePath()
    made = FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder([".notdef", "han"])
    made.setupCharacterMap({ord(HAN): "han"})
    made.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "han": pen.glyph()})
    made.setupHorizontalMetrics({".notdef": (500, 0), "han": (2000, 0)})
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupNameTable({"familyName": "One Han", "styleName": "Regular"})
    made.setupOS2()
    made.setupPost()
    made.save(tmp_path / "han.ttf")
    before = list(fontManager.ttflist)
    fontManager.ttflist[:] = [one for one in before if one.name.startswith("DejaVu")]
    fontManager.addfont(tmp_path / "han.ttf")
    letters._further.cache_clear()
    yield "One Han"
    fontManager.ttflist[:] = before
    letters._further.cache_clear()
    letters._charmap_of.cache_clear()


def a_drawing(role: str) -> Drawing:
    @drawn
    def draw(look):
        sheet = Sheet(60, 20, look)
        sheet.say(role, 5, 10)
        return sheet.figure

    return Drawing("roles", "Roles", "Which roles.", "", pd.DataFrame({"role": [role]}), draw)


def test_an_installed_font_writes_what_the_first_lacks_and_a_caption_tells_of_boxes(
    one_han_font: str,
):
    assert families_for("plain é – −") == [FONT]
    assert families_for(f"a {HAN}") == [FONT, one_han_font]
    assert width_of([HAN]) > 2 * width_of(["o"])
    assert without_letters([f"{HAN}{OTHER}"]) == OTHER

    assert caption_of(a_drawing(HAN)) == "Which roles."
    told = caption_of(a_drawing(f"{HAN}{OTHER}"))
    assert told == "Which roles. No font of this machine has U+6587: boxes stand for what it lacks."
    for kind in ("svg", "pdf", "png"):
        assert figure_bytes(a_drawing(f"{HAN}{OTHER}"), kind), "drawn, and without a warning"
    assert figure_bytes(a_drawing(HAN), "svg") != figure_bytes(a_drawing(OTHER), "svg")
