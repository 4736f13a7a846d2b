"""Contact sheets of the phantom to look at: a row a role and condition, pictures in twice their size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.jobs import Job, Progress
from core.phantom.measuring import Asked, picture_maker
from core.phantom.pictures import SIDE

if TYPE_CHECKING:
    from PIL import Image

_ZOOM, _LINE = 2, 18


def draw_sheets(
    model: Path, out: Path, asked: Sequence[Asked], per_row: int, rows: int, steps: int, guidance: float
) -> Job[int]:
    """Make the pictures in their order and write them as `sheet_01.png` and so on, prompts above.

    Parameters
    ----------
    model : Path
        Pipeline folder.
    out : Path
        Folder of the sheets.
    asked : sequence of Asked
    per_row, rows : int
        Pictures beside each other, and rows of a sheet.
    steps, guidance
        Of sampling.

    Returns
    -------
    int
        How many sheets there are.
    """
    out.mkdir(parents=True, exist_ok=True)
    make, size = picture_maker(model, steps, guidance), per_row * rows
    for at in range(0, len(asked), size):
        part = asked[at : at + size]
        pictures = [each for row in range(0, len(part), per_row) for each in make(part[row : row + per_row])]
        path = out / f"sheet_{at // size + 1:02d}.png"
        _sheet(part, pictures, per_row, at).save(path)
        yield Progress(at + len(part), len(asked), path.name)
    return -(-len(asked) // size)


def _sheet(asked: Sequence[Asked], pictures: Sequence[Any], per_row: int, first: int) -> Image.Image:
    from PIL import Image, ImageDraw

    side = SIDE * _ZOOM
    down = -(-len(asked) // per_row)
    sheet = Image.new("RGB", (per_row * side, down * (side + _LINE)), "white")
    pen = ImageDraw.Draw(sheet)
    for number, (each, picture) in enumerate(zip(asked, pictures, strict=True)):
        left, top = number % per_row * side, number // per_row * (side + _LINE)
        pen.text((left + 3, top + 3), f"{first + number + 1}  {each.text}"[:44], fill="black")
        large = Image.fromarray(picture).resize((side, side), Image.Resampling.BICUBIC)
        sheet.paste(large, (left, top + _LINE))
    return sheet
