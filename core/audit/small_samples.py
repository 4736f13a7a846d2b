"""A word beside values of BI that few images shift by more than their interval allows for.

The plug-in makes BI too high when images are few, by about what Miller–Madow takes off; where images of a
prompt are alike, as much again is left. In simulated studies of the paper's size the 95 % interval of a mean
over roles held the planted BI in 21 to 60 % (plug-in) and 32 to 93 % (corrected) of the rows that say so; the
coverage of rows without this word stands in `core.statistics`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.audit.concentration import COMPARISONS, Concentration
from core.audit.layout import Layout
from core.cube import CONDITIONS, Cube
from core.statistics.arrays import Bools, Floats
from core.statistics.bias_intensity import Estimator

LEVEL = "few images: too high, by more than the interval allows for"
CHANGE = "images or prompts differ between the conditions: read the matched estimator"

TOLERATED = 0.125
"""Share of half an interval. A shift of half a standard error (a quarter of that half) leaves 92 of 95 %, and
images that are alike by prompt can double what Miller–Madow finds."""

UNEQUAL = 0.1
"""Conditions that differ by more than this share of their prompts are unequal: how alike the images of a
prompt are, and so how much this shifts BI, is not known beforehand."""

Found = dict[tuple[str, Estimator], Concentration]
Kind = tuple[str, Estimator]
Words = npt.NDArray[np.object_]


def level_warnings(
    cube: Cube, layout: Layout, found: Found, kind: Kind, frame: pd.DataFrame, of_seeds: Floats | None = None
) -> Words:
    """`LEVEL` where it is due in a part of the table `bi`."""
    return _worded(_beyond(layout, _shift(found, kind[0], of_seeds), frame), kind, LEVEL)


def change_warnings(
    cube: Cube, layout: Layout, found: Found, kind: Kind, frame: pd.DataFrame, of_seeds: Floats | None = None
) -> Words:
    """`CHANGE` where it is due in a part of the table `bi_change`."""
    shift = _shift(found, kind[0], of_seeds)
    between = np.stack([shift[:, late] - shift[:, early] for _, late, early in COMPARISONS], axis=1)
    due = _beyond(layout, between, frame)
    if kind[0] == "role":
        due |= _in_layout(layout, _unequal_prompts(cube).astype(np.float64)) > 0
    return _worded(due & frame["low"].notna().to_numpy(), kind, CHANGE)


def _shift(found: Found, way: str, of_seeds: Floats | None) -> Floats:
    """What Miller–Madow takes off, (G, C, D); where images share seeds, what these add to it."""
    shift = np.asarray(found[way, "plugin"].value - found[way, "miller_madow"].value, dtype=np.float64)
    return shift if of_seeds is None else shift + of_seeds


def _unequal_prompts(cube: Cube) -> Bools:
    """Comparisons of conditions with unequal numbers of prompts, (G, comparison, D)."""
    used = cube.images > 0
    prompts = [used[:, cube.prompt_condition == code].sum(axis=1) for code in range(len(CONDITIONS))]
    unequal = [
        np.abs(prompts[late] - prompts[early]) > UNEQUAL * np.maximum(prompts[late], prompts[early])
        for _, late, early in COMPARISONS
    ]
    return np.stack(unequal, axis=1)


def _beyond(layout: Layout, shift: Floats, frame: pd.DataFrame) -> Bools:
    half = (frame["high"] - frame["low"]).to_numpy(dtype=np.float64) / 2
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(_in_layout(layout, shift)) > TOLERATED * half, dtype=np.bool_)


def _in_layout(layout: Layout, by_dimension: Floats) -> Floats:
    everything = np.ones(by_dimension.shape[::2], dtype=bool)
    return layout.with_means(by_dimension[..., None], everything).ravel()


def _worded(due: Bools, kind: Kind, word: str) -> Words:
    """The matched estimator has the same number of prompts and images in every condition."""
    return np.where(due & (kind[1] != "matched"), word, "").astype(object)
