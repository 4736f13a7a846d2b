"""Figures as files: PNG, SVG, PDF at print size, and their data as CSV; the same bytes every time."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.figures.canvas import our_style, visible, with_caption
from core.figures.drawing import Drawing
from core.figures.letters import boxes_sentence, boxes_without_warnings, families_for
from core.figures.look import LIGHT, Look
from core.jobs import Job, Progress
from core.table_files import write_table
from core.whole_files import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("png", "svg", "pdf")
DOTS_PER_INCH = 300


def figure_bytes(
    drawing: Drawing, kind: str, *, look: Look = LIGHT, caption: bool = True, dpi: int = DOTS_PER_INCH
) -> bytes:
    """One figure as the content of a file.

    Parameters
    ----------
    drawing : Drawing
    kind : {"png", "svg", "pdf"}
    look : Look
    caption : bool
        Whether the caption stands below, inside the file.
    dpi : int
        Dots an inch of a PNG, and of scatters within the others.

    Returns
    -------
    bytes
        The same for the same drawing and version of matplotlib.

    Raises
    ------
    BadInput
        Another kind.
    """
    if kind not in KINDS:
        raise BadInput(f"There is no kind of figure {kind!r}.", f"Use {', '.join(KINDS)}.")
    figure = drawing.draw(look)
    _write_all_letters(figure)
    if caption:
        figure = with_caption(figure, caption_of(drawing), look)
    buffer = io.BytesIO()
    with our_style(), boxes_without_warnings():
        figure.savefig(
            buffer,
            format=kind,
            dpi=dpi,
            facecolor=look.surface,
            metadata=_metadata(drawing, kind),
        )
    return buffer.getvalue()


def caption_of(drawing: Drawing) -> str:
    """A figure's caption, and which letters stay boxes for want of a font."""
    return " ".join(filter(None, (drawing.caption, boxes_sentence(drawing.title, drawing.data))))


def _write_all_letters(figure: Figure) -> None:
    """Labels of axes and the like may hold letters that the first font lacks."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        if not text.get_text().isascii():
            text.set_fontfamily(families_for(text.get_text()))


def _metadata(drawing: Drawing, kind: str) -> dict[str, str | None]:
    """Title and caption; nothing that changes from one day to the next."""
    title, caption = visible(drawing.title), visible(caption_of(drawing))
    if kind == "png":
        return {"Title": title, "Description": caption, "Software": None}
    if kind == "svg":
        return {"Title": title, "Description": caption, "Date": None, "Creator": None}
    return {"Title": title, "Subject": caption, "CreationDate": None, "Creator": None}


def write_figure(drawing: Drawing, path: Path) -> Path:
    """Write one figure by the ending of a path, whole or not at all.

    Raises
    ------
    BadInput
        An ending that is none of PNG, SVG, PDF, or a place that cannot be written.
    """
    data = figure_bytes(drawing, path.suffix.lower().lstrip("."))
    try:
        return write_whole(path, lambda place: place.write_bytes(data))
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}.") from error


def write_with_data(drawing: Drawing, path: Path) -> list[Path]:
    """Write one figure, and the table it was drawn from beside it as CSV; both paths.

    The table keeps the whole name of the picture: `role.png` and `role.pdf` have one each.

    Raises
    ------
    BadInput
        As `write_figure`.
    """
    written = write_figure(drawing, path)
    return [written, write_table(drawing.data, path.with_name(f"{path.name}.csv"), "csv")]


def write_drawings(
    drawings: Sequence[Drawing], folder: Path | str, kinds: Sequence[str] = KINDS
) -> Job[list[Path]]:
    """Write figures in all kinds, their data, and `captions.csv`; one step a figure.

    Raises
    ------
    BadInput
        Another kind, or a folder that cannot be written.
    """
    import pandas as pd

    place = Path(folder)
    written: list[Path] = []
    try:
        place.mkdir(parents=True, exist_ok=True)
        for done, drawing in enumerate(drawings):
            yield Progress(done, len(drawings), drawing.title)
            written += [write_figure(drawing, place / f"{drawing.name}.{kind}") for kind in kinds]
            written.append(write_table(drawing.data, place / f"{drawing.name}.csv", "csv"))
        words = [(one.name, one.title, caption_of(one), one.alt) for one in drawings]
        captions = pd.DataFrame(words, columns=["figure", "title", "caption", "alternative_text"])
        written.append(write_table(captions, place / "captions.csv", "csv"))
    except OSError as error:
        raise BadInput(f"The figures cannot be written to {place}: {error.strerror or error}.") from error
    yield Progress(len(drawings), len(drawings), "figures")
    return written
