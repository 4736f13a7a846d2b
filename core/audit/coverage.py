"""The table `coverage`: how many images could be used, and what became of the others."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.audit.columns import coded_words, words_of
from core.cube import CONDITIONS, Cube
from core.records import UNKNOWN


def coverage_frame(cube: Cube) -> pd.DataFrame:
    """Images per generator, condition and dimension: usable, unknown, and left out for another reason."""
    words = words_of(cube)
    images = _by_condition(cube, cube.images)
    none = np.zeros_like(cube.images)
    unknown = _by_condition(cube, cube.set_aside.get(UNKNOWN, none))
    others = [amount for reason, amount in cube.set_aside.items() if reason != UNKNOWN]
    left_out = _by_condition(cube, sum(others, none))
    shape = images.shape
    place = np.indices(shape).reshape(3, -1)
    total = (images + unknown + left_out).ravel()
    with np.errstate(divide="ignore", invalid="ignore"):
        share = unknown.ravel() / total
    return pd.DataFrame(
        {
            "generator": coded_words(place[0], words.generators),
            "condition": coded_words(place[1], [condition.value for condition in CONDITIONS]),
            "cohort": coded_words(words.cohort_of[place[2]], words.cohorts),
            "dimension": coded_words(place[2], words.dimensions),
            "images": total,
            "usable": images.ravel(),
            "unknown": unknown.ravel(),
            "left_out": left_out.ravel(),
            "unknown_share": share,
            "reason": coded_words((total == 0).astype(np.int64), ["", "no image"]),
        }
    )


def _by_condition(cube: Cube, amount: np.ndarray) -> np.ndarray:
    return np.stack(
        [amount[:, cube.prompt_condition == code, :].sum(axis=1) for code in range(len(CONDITIONS))], axis=1
    )
