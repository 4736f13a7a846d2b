"""What is odd about a table and was counted all the same: told beside the results, in grammatical numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.schema import Dimension
from core.statistics.arrays import Codes, looked_up


def label_notes(dimensions: Sequence[Dimension], shown: Codes, dimension: Codes) -> tuple[str, ...]:
    """Images that have more labels in a dimension than it takes.

    Parameters
    ----------
    dimensions : sequence of Dimension
    shown : ndarray of int, shape (N,)
        How many labels each image × dimension has that are counted.
    dimension : ndarray of int, shape (N,)
        Position of its dimension.
    """
    most = np.array([_most(one) for one in dimensions], dtype=np.float32)
    over = np.flatnonzero(shown > looked_up(most, dimension))
    single = most[dimension[over]] == 1
    several, many = int(np.count_nonzero(single)), int(np.count_nonzero(~single))
    return tuple(
        note
        for note in (
            _note(
                several,
                "image × dimension has several labels although the dimension takes one; each counts",
                "images × dimensions have several labels although the dimension takes one; each counts",
            ),
            _note(
                many,
                "image × dimension has a longer list of labels than the dimension takes; each counts",
                "images × dimensions have longer lists of labels than the dimension takes; each counts",
            ),
        )
        if note
    )


def count_notes(over: int, crowded: int) -> tuple[str, ...]:
    """Counts above the number of images, and dimensions of one label whose counts add up to more.

    >>> count_notes(1, 0)
    ('1 count is above the number of images and is taken as that number',)
    >>> count_notes(2, 0)
    ('2 counts are above the number of images and are taken as that number',)
    """
    notes = (
        _note(
            over,
            "count is above the number of images and is taken as that number",
            "counts are above the number of images and are taken as that number",
        ),
        _note(
            crowded,
            "prompt × dimension has more labels than images although the dimension takes one an image; "
            "each counts",
            "prompts × dimensions have more labels than images although the dimension takes one an image; "
            "each counts",
        ),
    )
    return tuple(note for note in notes if note)


def _most(dimension: Dimension) -> float:
    if not dimension.is_list:
        return 1.0
    return float("inf") if dimension.max_labels is None else float(dimension.max_labels)


def _note(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""
