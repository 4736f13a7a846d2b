"""Where the ten pictures stand: as large as the window allows, five to a row, the block centred."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

COLUMNS = 5
LEAST_GAP = 14
"""Room for a focus ring round a marked picture and half of its neighbour's mark ring."""
WIDEST_GAP = 24
DEEPEST_GAP = 20
SMALLEST_SIDE = 48


@dataclass(frozen=True, slots=True)
class GridGeometry:
    """Side of a picture and the top left corner of each, by position; the strip lies below a picture."""

    side: int
    strip: int
    corners: tuple[tuple[int, int], ...]


def grid_geometry(width: int, height: int, count: int, strip: int) -> GridGeometry:
    """Lay out `count` pictures with a strip below each in a stage of `width` × `height` pixels.

    >>> grid_geometry(1280, 530, 10, 24).side, grid_geometry(1920, 885, 10, 28).side
    (220, 367)
    """
    rows = max(1, ceil(count / COLUMNS))
    columns = COLUMNS
    across = (width - (columns + 1) * LEAST_GAP) // columns
    down = (height - rows * strip - (rows + 1) * LEAST_GAP) // rows
    side = max(SMALLEST_SIDE, min(across, down))
    gap_across = max(8, min(WIDEST_GAP, (width - columns * side) // (columns + 1)))
    gap_down = max(8, min(DEEPEST_GAP, (height - rows * (side + strip)) // (rows + 1)))
    in_widest_row = min(count, columns) if rows == 1 else columns
    left = (width - in_widest_row * side - (in_widest_row - 1) * gap_across) // 2
    top = (height - rows * (side + strip) - (rows - 1) * gap_down) // 2
    corners = tuple(
        (left + (i % columns) * (side + gap_across), top + (i // columns) * (side + strip + gap_down))
        for i in range(count)
    )
    return GridGeometry(side, strip, corners)
