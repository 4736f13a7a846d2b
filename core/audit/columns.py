"""Columns of the result tables: words as categories, whole numbers with gaps, reasons put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.audit.cells import Cells
from core.cube import Cube
from core.schema import COHORTS
from core.statistics.arrays import Bools, Ints


@dataclass(frozen=True)
class TableWords:
    """The words of a cube as tables write them; a label that two dimensions share is one word."""

    generators: tuple[str, ...]
    roles: tuple[str, ...]
    dimensions: tuple[str, ...]
    cohorts: tuple[str, ...]
    cohort_of: Ints
    names: tuple[str, ...]
    name_of: Ints


def words_of(cube: Cube) -> TableWords:
    """The words of a cube."""
    names = tuple(sorted(set(cube.labels)))
    rank = {name: place for place, name in enumerate(names)}
    return TableWords(
        generators=cube.generators,
        roles=cube.roles,
        dimensions=tuple(dimension.id for dimension in cube.dimensions),
        cohorts=COHORTS,
        cohort_of=np.array([COHORTS.index(one.cohort) for one in cube.dimensions], dtype=np.int64),
        names=names,
        name_of=np.array([rank[label] for label in cube.labels], dtype=np.int64),
    )


def coded_words(codes: npt.NDArray[np.integer], words: Sequence[str]) -> pd.Categorical:
    """A column of words from their positions; two positions may have the same word, and -1 has none.

    Examples
    --------
    >>> list(coded_words(np.array([1, 0]), ["a", "b"])), list(coded_words(np.array([1, 0]), ["a", "a"]))
    (['b', 'a'], ['a', 'a'])
    """
    unique = list(dict.fromkeys(words))
    if len(unique) < len(words):  # in paper mode a dimension named in two cohorts is two
        rank = {word: place for place, word in enumerate(unique)}
        codes = np.array([*(rank[word] for word in words), -1], dtype=np.int64)[codes]
    return pd.Categorical.from_codes(codes, categories=pd.Index(unique, dtype=object))


def whole(numbers: npt.NDArray[np.generic]) -> pd.arrays.IntegerArray:
    """Whole numbers with gaps: nan and negative numbers are missing.

    Examples
    --------
    >>> whole(np.array([2.0, np.nan, -1.0])).tolist()
    [2, <NA>, <NA>]
    """
    flat = np.asarray(numbers, dtype=np.float64).ravel()
    gap = np.isnan(flat) | (flat < 0)
    return pd.arrays.IntegerArray(np.where(gap, 0, flat).astype(np.int64), gap)


def joined(parts: Sequence[tuple[Ints, Sequence[str]]]) -> pd.Categorical:
    """Several reasons a row in one column, those that are there separated by semicolons.

    Examples
    --------
    >>> list(joined([(np.array([0, 1]), ["", "a"]), (np.array([1, 1]), ["", "b"])]))
    ['b', 'a; b']
    """
    key = np.zeros(len(parts[0][0]), dtype=np.int64)
    for codes, words in parts:
        key = key * len(words) + codes
    kinds, place = np.unique(key, return_inverse=True)
    texts = []
    for kind in kinds.tolist():
        said = []
        for _, words in reversed(parts):
            kind, code = divmod(kind, len(words))
            said.append(words[code])
        texts.append("; ".join(part for part in reversed(said) if part))
    unique = sorted(set(texts))
    rank = np.array([unique.index(text) for text in texts], dtype=np.int64)
    return coded_words(rank[place.ravel()] if rank.size else place.ravel(), unique)


def cell_keys(cube: Cube, cells: Cells) -> dict[str, pd.Categorical]:
    """The columns that say which cell a row is about."""
    words = words_of(cube)
    return {
        "generator": coded_words(cells.generator, words.generators),
        "role": coded_words(cells.role, words.roles),
        "dimension": coded_words(cells.dimension, words.dimensions),
        "label": coded_words(words.name_of[cells.label], words.names),
    }


def yes_no(values: Bools, defined: Bools) -> pd.arrays.BooleanArray:
    """Yes or no, missing where it is not defined."""
    return pd.arrays.BooleanArray(values & defined, ~defined)
