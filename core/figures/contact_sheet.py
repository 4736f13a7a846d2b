"""Contact sheets (published figures 9 and 10): pictures of one role, by condition or prompt, and generator.

Which pictures are shown is chosen by hand or drawn with a seed from all that can be used; the caption says
which, and the list of pictures is written beside the sheet.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.decoding import FORMATS
from core.errors import BadInput
from core.figures.canvas import FULL_WIDTH, SMALL, TEXT, TITLE, Sheet, drawn, shortened, wrapped
from core.figures.drawing import Drawing
from core.figures.look import Look
from core.figures.wording import counted, listed, plain
from core.records import Condition, ImageStatus, StoredImage
from core.regular_files import read_regular

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BY = ("condition", "prompt")
MARGIN, GAP, CELL_GAP, HEAD, NAMES = 3.0, 0.8, 3.0, 8.0, 30.0
DOTS_PER_MM = 300 / 25.4
NOT_PEOPLE = "All pictures are made by generators; the people in them do not exist."

Places = Mapping[tuple[str, str], Sequence[StoredImage]]


@dataclass(frozen=True)
class Choice:
    """Which pictures: a role, what the rows are, how many a cell, and how they are chosen.

    `by_hand` are image ids; where there are any, nothing is drawn.
    """

    role: str
    by: str = "condition"
    generators: Sequence[str] = ()
    each: int = 3
    seed: int = 0
    by_hand: Sequence[int] = ()


def contact_sheet(
    images: Sequence[StoredImage], choice: Choice, folder: Path, unknown: Collection[str] = ()
) -> Drawing:
    """A sheet of pictures of one role.

    Parameters
    ----------
    images : sequence of StoredImage
        All images of the study; what is not of the role, or cannot be used, is left out.
    choice : Choice
    folder : Path
        The study's folder, where the pictures lie.
    unknown : collection of str
        Names of generators whose pictures were imported from nobody knows where.

    Raises
    ------
    BadInput
        Nothing to show, an image id that is none of these, or a number that makes no sheet.
    """
    if choice.by not in BY:
        raise BadInput(f"A sheet can be by {' or by '.join(BY)}, not by {choice.by!r}.")
    usable = _usable(images, choice)
    shown = _by_hand(usable, choice) if choice.by_hand else usable
    rows = _rows(shown, choice.by)
    columns = list(choice.generators) or sorted({one.generator for one in shown})
    places = {
        (row, column): _drawn(
            [one for one in shown if _row_of(one, choice.by) == row and one.generator == column], choice
        )
        for row in rows
        for column in columns
    }
    columns_of = ("condition", "generator", "image", "path", "sha256", "prompt", "seed")
    data = pd.DataFrame(
        [
            (
                str(one.condition or ""),
                one.generator,
                one.image_id,
                one.path,
                one.sha256,
                one.prompt,
                one.seed,
            )
            for cell in places.values()
            for one in cell
        ],
        columns=list(columns_of),
    )
    how = "chosen by hand" if choice.by_hand else f"drawn with seed {choice.seed}"
    caption = (
        f"{plain(choice.role).capitalize()} by {choice.by} and generator ({listed(columns)}): "
        f"{counted(len(data), 'picture')}, {how} from {len(usable)} that can be used. "
        f"{_whose(columns, unknown)}"
    )
    said = listed([_row_words(row, choice.by) for row in rows])
    alt = f"Grid of pictures: rows {said}; columns {listed(columns)}."
    return Drawing(
        f"sheet_{choice.role}_by_{choice.by}",
        f"Pictures of a {plain(choice.role)} by {choice.by}",
        caption,
        alt,
        data,
        lambda look: _draw(places, rows, columns, choice, folder, look),
    )


def _whose(shown: Sequence[str], unknown: Collection[str]) -> str:
    """Whether the people in the pictures exist, as far as the study knows."""
    imported = [name for name in shown if name in unknown]
    if not imported:
        return NOT_PEOPLE
    return f"The pictures of {listed(imported)} were imported; how they were made is not known."


def _usable(images: Sequence[StoredImage], choice: Choice) -> list[StoredImage]:
    mine = [one for one in images if one.role == choice.role and one.status is ImageStatus.OK]
    if choice.generators:
        mine = [one for one in mine if one.generator in choice.generators]
    if choice.by == "condition":
        mine = [one for one in mine if one.condition is not None]
    if not mine:
        roles = sorted({one.role for one in images})
        others = roles if choice.role not in roles else []
        there = f"There are {', '.join(others[:12])}{' …' if len(others) > 12 else ''}." if others else ""
        raise BadInput(f"There is no picture of the role {choice.role!r} that can be used.", there)
    if choice.each < 1:
        raise BadInput("A sheet needs at least one picture a cell.")
    return mine


def _by_hand(usable: Sequence[StoredImage], choice: Choice) -> list[StoredImage]:
    known = {one.image_id: one for one in usable}
    missing = [number for number in choice.by_hand if number not in known]
    if missing:
        raise BadInput(f"Image {missing[0]} is no usable picture of the role {choice.role!r}.")
    return [known[number] for number in choice.by_hand]


def _row_of(image: StoredImage, by: str) -> str:
    return str(image.condition or "") if by == "condition" else image.prompt


def _rows(images: Sequence[StoredImage], by: str) -> list[str]:
    """Conditions in their order; prompts by condition and words."""
    order = {str(condition): place for place, condition in enumerate(Condition)}
    if by == "condition":
        return sorted({str(one.condition) for one in images}, key=lambda one: order[one])
    keys = {(order.get(str(one.condition), 9), one.prompt) for one in images}
    return [prompt for _, prompt in sorted(keys)]


def _row_words(row: str, by: str) -> str:
    return f"{row} {Condition(row).in_words}" if by == "condition" else row


def _drawn(images: Sequence[StoredImage], choice: Choice) -> list[StoredImage]:
    """So many of them by the seed, whatever order they come in; by hand, all in the order given."""
    if choice.by_hand:
        return list(images)
    ordered = sorted(images, key=lambda one: (one.sha256, one.image_id))
    if not ordered:
        return []
    rng = np.random.default_rng([choice.seed, *(int(one.sha256[-8:], 16) for one in ordered[:1])])
    kept = sorted(rng.permutation(len(ordered))[: choice.each].tolist())
    return [ordered[place] for place in kept]


@drawn
def _draw(
    places: Places, rows: Sequence[str], columns: Sequence[str], choice: Choice, folder: Path, look: Look
) -> Figure:
    most = max(len(cell) for cell in places.values())
    wide = (FULL_WIDTH - 2 * MARGIN - NAMES - CELL_GAP * (len(columns) - 1)) / len(columns)
    side = min((wide - GAP * (most - 1)) / most, 30.0)
    sheet = Sheet(FULL_WIDTH, MARGIN + HEAD + len(rows) * (side + CELL_GAP), look)
    for place, name in enumerate(columns):
        left = MARGIN + NAMES + place * (wide + CELL_GAP)
        sheet.say(shortened(name, wide, TITLE), left, MARGIN + 3, TITLE, bold=True)
    for line, row in enumerate(rows):
        top = MARGIN + HEAD + line * (side + CELL_GAP)
        _say_row(sheet, row, choice.by, top, side)
        for place, name in enumerate(columns):
            left = MARGIN + NAMES + place * (wide + CELL_GAP)
            for number, image in enumerate(places[row, name]):
                _show(sheet, folder / image.thumbnail, left + number * (side + GAP), top, side)
    return sheet.figure


def _say_row(sheet: Sheet, row: str, by: str, top: float, side: float) -> None:
    if by == "condition":
        sign = sheet.look.condition(row)
        sheet.sign(sign.marker, sign.colour, MARGIN + 1.5, top + 3)
        sheet.say(row, MARGIN + 4.5, top + 3, TEXT, bold=True)
        row, top = Condition(row).in_words, top + 4
    for number, line in enumerate(wrapped(row, NAMES - 3, SMALL)[: max(int((side - 1) / 3.2), 1)]):
        sheet.say(line, MARGIN, top + 2.5 + 3.2 * number, SMALL, sheet.look.muted)


def _show(sheet: Sheet, path: Path, left: float, top: float, side: float) -> None:
    """One picture, whole, in the middle of its square; a file that is gone is said to be."""
    from PIL import Image, ImageOps

    axes = sheet.axes(left, top, side, side)
    axes.set_axis_off()
    dots = round(side * DOTS_PER_MM)
    try:
        with Image.open(io.BytesIO(read_regular(path)), formats=FORMATS) as image:
            pixels = np.asarray(
                ImageOps.contain(image.convert("RGB"), (dots, dots), Image.Resampling.LANCZOS)
            )
    except OSError:
        axes.text(0.5, 0.5, "file missing", ha="center", va="center", fontsize=SMALL, color=sheet.look.muted)
        return
    axes.imshow(pixels, interpolation="none")
