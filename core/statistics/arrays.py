"""The array types of this package, and the check that counts are counts."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Kind = TypeVar("Kind", bound=np.generic)
Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Codes: TypeAlias = npt.NDArray[np.signedinteger]
"""Positions, in as few bytes as they were stored in: make keys of them with `joint_key`."""


def counts_array(counts: npt.ArrayLike) -> Floats:
    """Counts as floats, refused unless every one is finite and not negative.

    Raises
    ------
    ValueError
        A negative, infinite or missing count.

    Examples
    --------
    >>> counts_array([3, 1]).tolist()
    [3.0, 1.0]
    """
    array = np.asarray(counts, dtype=np.float64)
    if not np.all(np.isfinite(array)) or np.any(array < 0):
        raise ValueError("counts must be finite and not negative")
    return array


def condition_counts(x: npt.ArrayLike, n: npt.ArrayLike) -> tuple[Ints, Ints]:
    """Images that show a label and images looked at, one pair a condition, as whole numbers.

    Raises
    ------
    ValueError
        Shapes differ, a number is not whole, or x is not within 0 … n.

    Examples
    --------
    >>> condition_counts([19, 50], [20, 50])[0].tolist()
    [19, 50]
    """
    shown, images = counts_array(x), counts_array(n)
    if shown.shape != images.shape:
        raise ValueError(f"x has shape {shown.shape}, n has {images.shape}")
    if np.any(shown != np.rint(shown)) or np.any(images != np.rint(images)):
        raise ValueError("x and n must be whole numbers")
    if np.any(shown > images):
        raise ValueError("x must not exceed n: more images with the label than images")
    return shown.astype(np.int64), images.astype(np.int64)


_MOST_FLAGS = 4_000_000
_MOST_KEY = 2**62
_ROWS_AT_ONCE = 1 << 18


def looked_up(table: npt.NDArray[Kind], codes: npt.NDArray[np.integer]) -> npt.NDArray[Kind]:
    """`table[codes]`, some rows at a time: what is made in between stays small, however many there are.

    Examples
    --------
    >>> looked_up(np.array([7, 9]), np.array([1, 0, -1])).tolist()
    [9, 7, 9]
    """
    found = np.empty(codes.size, dtype=table.dtype)
    for start in range(0, codes.size, _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        found[rows] = table[codes[rows]]
    return found


def ranked(key: Codes) -> tuple[Ints, Codes]:
    """Distinct keys ascending, and which of them each row has; `distinct` says where each is first too.

    Examples
    --------
    >>> [part.tolist() for part in ranked(np.array([5, 2, 5]))]
    [[2, 5], [1, 0, 1]]
    """
    top = int(key.max(initial=-1)) + 1
    if top > min(max(_MOST_FLAGS, 2 * key.size), 2**31 - 1):
        kinds, place, _ = _distinct_by_sorting(key, top)
        return kinds, place
    seen = marked(key, top)
    rank = np.empty(top, dtype=np.int32)
    before = -1
    for start in range(0, top, _ROWS_AT_ONCE):  # in parts, because numpy lets no other thread work meanwhile
        part = rank[start : start + _ROWS_AT_ONCE]
        np.cumsum(seen[start : start + _ROWS_AT_ONCE], out=part)
        part += before
        before = int(part[-1])
    return np.flatnonzero(seen).astype(np.int64), looked_up(rank, key)


def marked(codes: Codes, size: int) -> Bools:
    """Which of the numbers below `size` occur among some codes.

    Examples
    --------
    >>> marked(np.array([2, 0, 2]), 3).tolist()
    [True, False, True]
    """
    seen = np.zeros(size, dtype=np.bool_)
    for start in range(0, codes.size, _ROWS_AT_ONCE):
        seen[codes[start : start + _ROWS_AT_ONCE]] = True
    return seen


def counted(codes: Codes, size: int) -> Codes:
    """How often each of the numbers below `size` occurs among some codes.

    Examples
    --------
    >>> counted(np.array([2, 0, 2]), 3).tolist()
    [1, 0, 2]
    """
    total: Codes = np.zeros(size, dtype=np.int32 if codes.size < 2**31 else np.int64)
    for start in range(0, codes.size, _ROWS_AT_ONCE):
        part = codes[start : start + _ROWS_AT_ONCE]
        least = int(part.min())
        some = np.bincount(part - least)
        total[least : least + some.size] += some.astype(total.dtype)
    return total


def positions(mask: Bools) -> Codes:
    """Where a mask is true, in half the bytes that numpy takes.

    Examples
    --------
    >>> positions(np.array([True, False, True])).tolist()
    [0, 2]
    """
    where = np.flatnonzero(mask)
    return where.astype(np.int32) if mask.size < 2**31 else where


def combined(major: Codes, minor: Codes, width: int) -> Codes:
    """`major * width + minor`, in as few bytes as hold it; `minor` is below `width`.

    Examples
    --------
    >>> combined(np.array([0, 2], dtype=np.int8), np.array([1, 0]), 100).tolist()
    [1, 200]
    """
    is_small = (int(major.max(initial=0)) + 1) * width < 2**31
    key: Codes = major.astype(np.int32 if is_small else np.int64)
    key *= width
    np.add(key, minor, out=key, casting="same_kind")
    return key


def distinct(key: Codes) -> tuple[Ints, Codes, Codes]:
    """Distinct keys ascending, which of them each row has, and the first row of each.

    Keys are 0 or more. As `np.unique`, but without sorting the rows where the keys are small numbers.

    Examples
    --------
    >>> [part.tolist() for part in distinct(np.array([5, 2, 5]))]
    [[2, 5], [1, 0, 1], [1, 0]]
    """
    top = int(key.max(initial=-1)) + 1
    if top > min(max(_MOST_FLAGS, 2 * key.size), 2**31 - 1) or key.size >= 2**31:
        return _distinct_by_sorting(key, top)
    kinds, place = ranked(key)
    first = np.empty(kinds.size, dtype=np.int32)
    for start in reversed(range(0, key.size, _ROWS_AT_ONCE)):  # the last that is written is the first row
        stop = min(start + _ROWS_AT_ONCE, key.size)
        first[place[start:stop][::-1]] = np.arange(stop - 1, start - 1, -1)
    return kinds, place, first


def _distinct_by_sorting(key: Codes, top: int) -> tuple[Ints, Ints, Ints]:
    """As `distinct`: sorts the keys with their rows in the lower digits, which numpy does fastest."""
    digits = max(key.size - 1, 0).bit_length()
    if top > _MOST_KEY >> digits:
        kinds, first, place = np.unique(key, return_index=True, return_inverse=True)
        return kinds.astype(np.int64), place.ravel().astype(np.int64), first.astype(np.int64)
    packed = (key.astype(np.int64) << digits) | np.arange(key.size)
    packed.sort()
    ordered = packed >> digits
    packed &= (1 << digits) - 1  # the row of each key, in the order of the keys
    is_new = np.ones(key.size, dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    place = np.empty(key.size, dtype=np.int64)
    place[packed] = np.cumsum(is_new) - 1
    return ordered[is_new], place, packed[is_new]


def joint_key(*columns: Codes) -> Ints:
    """One number a row for several columns of codes from 0; equal where, and only where, all are equal.

    Examples
    --------
    >>> joint_key(np.array([0, 1, 1]), np.array([2, 0, 2])).tolist()
    [2, 3, 5]
    """
    key, size = np.zeros(columns[0].shape, dtype=np.int64), 1
    for codes in columns:
        top = int(codes.max(initial=0)) + 1
        if size * top >= _MOST_KEY:
            key = ranked(key)[1].astype(np.int64)
            size = int(key.max(initial=0)) + 1
        key *= top
        key += codes
        size *= top
    return key


def is_repeated(key: Ints) -> Bools:
    """Rows whose key an earlier row has.

    Examples
    --------
    >>> is_repeated(np.array([7, 3, 7])).tolist()
    [False, False, True]
    """
    again = np.zeros(key.shape, dtype=np.bool_)
    ordered = np.sort(key)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    del ordered
    if twice.size:
        rows = _that_may_be_among(key, twice)
        again[rows] = True
        again[rows[distinct(ranked(key[rows])[1])[2]]] = False
    return again


def _that_may_be_among(key: Ints, some: Ints) -> Ints:
    """Rows whose key is one of some keys, and a few rows whose lowest digits are the same."""
    digits = (1 << 22) - 1
    may_be = marked(some & digits, digits + 1)
    parts = range(0, key.size, _ROWS_AT_ONCE)
    found = [np.flatnonzero(may_be[key[start : start + _ROWS_AT_ONCE] & digits]) + start for start in parts]
    return np.concatenate(found)


def added_up(key: Codes, amount: Ints | None = None) -> tuple[Ints, Ints]:
    """Distinct keys ascending, and the sum of the amounts of each (how many rows, without amounts).

    Examples
    --------
    >>> [part.tolist() for part in added_up(np.array([5, 2, 5]), np.array([1, 4, 2]))]
    [[2, 5], [4, 3]]
    """
    top = int(key.max(initial=-1)) + 1
    if amount is None and top <= max(_MOST_FLAGS, key.size):
        total = counted(key, top)
        kinds = np.flatnonzero(total)
        return kinds.astype(np.int64), total[kinds].astype(np.int64)
    if amount is None:
        narrow = np.int32 if top <= 2**31 else np.int64  # half as wide sorts twice as fast
        kinds, total = np.unique(key.astype(narrow), return_counts=True)
        return kinds.astype(np.int64), total.astype(np.int64)
    kinds, place = ranked(key)
    return kinds, np.rint(np.bincount(place, weights=amount, minlength=kinds.size)).astype(np.int64)
