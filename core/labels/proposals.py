"""Proposals for merging labels of open dimensions, the same whatever order the labels come in.

Within a dimension, labels are taken by number of images, the largest first, and alphabetically among equals.
A label joins the first of these reasons that holds: the same words in another spelling; the table of aliases;
a likeness of meaning to a label that joined nothing itself. Nothing is proposed across dimensions, over a
negation, or over a word that says a gender. Vectors are made of the labels in alphabetical order, because the
batch in which a label stands moves its vector by some 1e-7; likeness is rounded beyond that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.jobs import Job, Progress
from core.labels.embedding import CHUNK, Embedder, Vectors
from core.labels.proposal import Neighbour, Proposal
from core.labels.wording import Kind, Wording, alias_of, kind_of, tables_key, wording

LIKE = 0.62
"""Least likeness (cosine) of two labels with the same modifiers."""

LIKE_WITH_MODIFIER = 0.75
"""Least likeness of two labels whose modifiers differ."""

NEIGHBOURS = 5
_MOST_KEPT = 40
"""Neighbours of a label that are looked at; those beyond are less alike than forty others."""

_BLOCK = 512
_DIGITS = 4


def maker_of(embedder: Embedder | None) -> dict[str, Any]:
    """What shapes proposals: word tables, model revision, thresholds."""
    return {
        "wording": tables_key(),
        "model": embedder.revision if embedder is not None else None,
        "like": LIKE,
        "like_with_modifier": LIKE_WITH_MODIFIER,
    }


def propose(counts: Mapping[tuple[str, str], int], embedder: Embedder | None) -> Job[list[Proposal]]:
    """A proposal for every label, by dimension and label.

    Parameters
    ----------
    counts : mapping of (dimension, label) to int
        Images with each label of the open dimensions.
    embedder : Embedder or None
        None proposes by spelling and aliases alone.

    Returns
    -------
    Job of list of Proposal
        One a label, kind `none` where nothing is proposed.
    """
    labels: dict[str, list[str]] = defaultdict(list)
    for dimension, label in sorted(counts):
        labels[dimension].append(label)
    total, done, found = len(counts), 0, []
    for dimension, own in sorted(labels.items()):
        yield Progress(done, total, f"proposing for {dimension}")
        of_dimension = {label: counts[(dimension, label)] for label in own}
        found += yield from _of_dimension(dimension, of_dimension, embedder, done, total)
        done += len(own)
    yield Progress(total, total, "proposing")
    return found


def _of_dimension(
    dimension: str, counts: Mapping[str, int], embedder: Embedder | None, done: int, total: int
) -> Job[list[Proposal]]:
    order = sorted(counts, key=lambda label: (-counts[label], label))
    heads = frozenset(label for label in counts if label.isalpha() and len(label) >= 4)
    words = {label: wording(label, heads) for label in order}
    joined = _by_words(dimension, order, words)
    if embedder is None:
        return [_or_none(dimension, label, joined) for label in sorted(counts)]
    names = sorted(counts)
    vectors = np.zeros((0, 0), dtype=np.float32)
    parts = []
    for start in range(0, len(names), CHUNK):
        parts.append(embedder.encode(names[start : start + CHUNK]))
        yield Progress(done + min(start + CHUNK, len(names)), total, f"reading the words of {dimension}")
    vectors = np.concatenate(parts)
    near: dict[str, tuple[Neighbour, ...]] = {}
    for label, neighbours in _neighbours(names, vectors):
        near[label] = neighbours
        if len(near) % _BLOCK == 0:
            yield Progress(done + len(near), total, f"comparing the words of {dimension}")
    _by_meaning(dimension, order, words, near, joined)
    return [
        replace(_or_none(dimension, label, joined), neighbours=near[label][:NEIGHBOURS]) for label in names
    ]


def _by_words(dimension: str, order: Sequence[str], words: Mapping[str, Wording]) -> dict[str, Proposal]:
    """Spelling, then aliases."""
    first: dict[str, str] = {}
    joined: dict[str, Proposal] = {}
    for label in order:
        leader = first.setdefault(words[label].key, label)
        if leader != label:
            joined[label] = Proposal(dimension, label, leader, "spelling")
    for label in order:
        if label in joined:
            continue
        to = alias_of(dimension, label)
        if to is not None and kind_of(words[label], wording(to)) != "none":
            target = first.get(wording(to).key, to)
            joined[label] = Proposal(dimension, label, target, "alias")
    return joined


def _by_meaning(
    dimension: str,
    order: Sequence[str],
    words: Mapping[str, Wording],
    near: Mapping[str, Sequence[Neighbour]],
    joined: dict[str, Proposal],
) -> None:
    leaders: set[str] = set()
    for label in order:
        if label in joined:
            continue
        best = _best_leader(label, words, near[label], leaders)
        if best is None:
            leaders.add(label)
        else:
            kind, neighbour = best
            joined[label] = Proposal(dimension, label, neighbour.label, kind, neighbour.likeness)


def _best_leader(
    label: str, words: Mapping[str, Wording], neighbours: Sequence[Neighbour], leaders: set[str]
) -> tuple[Kind, Neighbour] | None:
    """The most alike leader that the label may join; one with the same modifiers before one without."""
    for wanted, least in (("meaning", LIKE), ("modifier", LIKE_WITH_MODIFIER)):
        for neighbour in neighbours:
            if neighbour.likeness < least:
                break
            kind = kind_of(words[label], words[neighbour.label])
            if neighbour.label in leaders and kind == wanted:
                return kind, neighbour
    return None


def _neighbours(names: Sequence[str], vectors: Vectors) -> Iterator[tuple[str, tuple[Neighbour, ...]]]:
    """Each label with the labels most like it, the most alike first and alphabetically among equals."""
    most = min(_MOST_KEPT, len(names) - 1)
    for start in range(0, len(names), _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, len(names)))
        likeness = vectors[rows] @ vectors.T
        np.round(likeness, _DIGITS, out=likeness)
        likeness[rows - start, rows] = -2.0
        for at, row in enumerate(rows.tolist()):
            yield names[row], _top(names, likeness[at], most)


def _top(names: Sequence[str], likeness: Vectors, most: int) -> tuple[Neighbour, ...]:
    if most < 1:
        return ()
    least = np.partition(likeness, -most)[-most]
    # All that are at least as alike as the last one taken, so that a tie is settled by the alphabet.
    there = np.flatnonzero(likeness >= least)
    taken = there[np.lexsort((there, -likeness[there]))][:most]
    # Below the least likeness of a merge, only those that a reviewer sees.
    alike = int((likeness[taken] >= LIKE).sum())
    taken = taken[: max(alike, NEIGHBOURS)]
    pairs = zip(taken.tolist(), likeness[taken].tolist(), strict=True)
    return tuple(Neighbour(names[at], round(value, _DIGITS)) for at, value in pairs)


def _or_none(dimension: str, label: str, joined: Mapping[str, Proposal]) -> Proposal:
    return joined.get(label) or Proposal(dimension, label, label, "none")
