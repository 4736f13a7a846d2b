"""Counts by generator, prompt and label: everything that audit mode computes starts from this cube.

Words are coded as whole numbers once, in alphabetical order (labels and dimensions: schema order of the
dimension, then the label), so that the order of the rows in a table can change nothing. Images are kept
per generator × prompt × dimension; counts only where they are not zero. A prompt belongs to one role and
one condition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.records import Condition
from core.schema import Dimension, Schema
from core.shared_seeds import NOTHING_KNOWN, SharedSeeds, Sharing
from core.statistics.arrays import Codes, Ints

CONDITIONS = (Condition.CF, Condition.CA_R, Condition.CA_U)


@dataclass(frozen=True, slots=True)
class Stage:
    """One step from rows to results: what came in is what was used plus what was left out, by reason."""

    name: str
    rows_in: int
    used: int
    left_out: Mapping[str, int]

    def check(self) -> None:
        """Raise AssertionError unless in = used + left out (a fault of ours)."""
        total = self.used + sum(self.left_out.values())
        if self.rows_in != total:
            raise AssertionError(f"{self.name}: {self.rows_in} came in, {total} accounted for")


@dataclass(frozen=True, slots=True)
class LabelSpace:
    """The labels that a dimension could have shown: how many, and where that number comes from."""

    k: int
    words: str


@dataclass(frozen=True)
class RoleCounts:
    """One role: counts of its prompts, dense. P prompts, L labels seen in this role.

    `x` has shape (G, P, L), `n` (G, P, D); `labels` are positions in `Cube.labels`, `prompts` in
    `Cube.prompts`, `condition` is the condition of each prompt.
    """

    role: int
    prompts: Ints
    condition: Ints
    labels: Ints
    x: Ints
    n: Ints


@dataclass(frozen=True)
class Cube:
    """Counts of images.

    G generators, P prompts (sorted by role, condition, text), D dimensions, L labels seen.

    `images[g, p, d]` are images with a usable record; `set_aside[reason][g, p, d]` the others. The
    entries (`entry_generator`, `entry_prompt`, `entry_label`, `entry_count`) are the counts above zero,
    sorted by prompt, generator and label. `stages` say what became of every row; `seeds` what is
    known of the seeds of the images.
    """

    generators: tuple[str, ...]
    roles: tuple[str, ...]
    prompts: tuple[str, ...]
    prompt_role: Ints
    prompt_condition: Ints
    dimensions: tuple[Dimension, ...]
    labels: tuple[str, ...]
    label_dimension: Ints
    images: Ints
    set_aside: Mapping[str, Ints]
    entry_generator: Ints
    entry_prompt: Ints
    entry_label: Ints
    entry_count: Ints
    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    seeds: Sharing = NOTHING_KNOWN

    @property
    def shared_seeds(self) -> SharedSeeds | None:
        """The images whose seed another prompt of their generator has too; None without any."""
        return self.seeds.shared

    @cached_property
    def images_by_role(self) -> Ints:
        """Usable images by generator, condition, role and dimension: shape (G, C, R, D)."""
        shape = (len(self.generators), len(CONDITIONS), len(self.roles), len(self.dimensions))
        total = np.zeros(shape, dtype=np.int64)
        for prompt, (role, condition) in enumerate(zip(self.prompt_role, self.prompt_condition, strict=True)):
            total[:, condition, role, :] += self.images[:, prompt, :]
        return total

    def counts_by_role(self, dimension: int) -> Ints:
        """Counts of the labels of one dimension: shape (G, C, R, labels seen in that dimension)."""
        first, last = np.searchsorted(self.label_dimension, [dimension, dimension + 1])
        shape = (len(self.generators), len(CONDITIONS), len(self.roles), int(last - first))
        order, ends = self._entries_by_dimension
        mine = order[ends[dimension] : ends[dimension + 1]]
        prompt = self.entry_prompt[mine]
        place = (
            self.entry_generator[mine],
            self.prompt_condition[prompt],
            self.prompt_role[prompt],
            self.entry_label[mine] - first,
        )
        flat = np.ravel_multi_index(place, shape) if mine.size else np.zeros(0, dtype=np.int64)
        counts = np.bincount(flat, weights=self.entry_count[mine], minlength=int(np.prod(shape)))
        return np.rint(counts).astype(np.int64).reshape(shape)

    def counts_by_prompt(self, dimension: int) -> Codes:
        """Counts of the labels of one dimension: shape (G, P, labels seen in that dimension)."""
        first, last = np.searchsorted(self.label_dimension, [dimension, dimension + 1])
        order, ends = self._entries_by_dimension
        mine = order[ends[dimension] : ends[dimension + 1]]
        shape = (len(self.generators), len(self.prompts), int(last - first))
        counts = np.zeros(shape, dtype=np.int32)
        counts[self.entry_generator[mine], self.entry_prompt[mine], self.entry_label[mine] - first] = (
            self.entry_count[mine]
        )
        return counts

    @cached_property
    def _entries_by_dimension(self) -> tuple[Ints, Ints]:
        """The entries in order of their dimension, and where each dimension begins in that order."""
        dimension = self.label_dimension[self.entry_label].astype(np.int16)
        sizes = np.bincount(dimension, minlength=len(self.dimensions))
        return np.argsort(dimension, kind="stable"), np.concatenate([[0], np.cumsum(sizes)])

    def of_role(self, role: int) -> RoleCounts:
        """The counts of one role, prompt by prompt."""
        first, last = np.searchsorted(self.prompt_role, [role, role + 1])
        start, stop = np.searchsorted(self.entry_prompt, [first, last])
        labels, place = np.unique(self.entry_label[start:stop], return_inverse=True)
        x = np.zeros((len(self.generators), int(last - first), labels.size), dtype=np.int64)
        where = (self.entry_generator[start:stop], self.entry_prompt[start:stop] - first, place.ravel())
        x[where] = self.entry_count[start:stop]
        return RoleCounts(
            role=role,
            prompts=np.arange(first, last),
            condition=self.prompt_condition[first:last],
            labels=labels,
            x=x,
            n=self.images[:, first:last, :],
        )

    def label_spaces(self, schema: Schema) -> tuple[LabelSpace, ...]:
        """The label space of each dimension, one for all generators and conditions.

        A closed dimension has the vocabulary of the schema; an open one the labels seen anywhere in the
        study, so that its BI can be compared between conditions but not between studies.
        """
        seen = np.bincount(self.label_dimension, minlength=len(self.dimensions))
        spaces = []
        for position, dimension in enumerate(self.dimensions):
            if dimension.is_closed:
                k = len(dimension.label_ids)
                spaces.append(LabelSpace(k, f"schema {schema.version}: {k} labels"))
            else:
                k = int(seen[position])
                spaces.append(LabelSpace(k, f"study: {k} labels seen over all generators and conditions"))
        return tuple(spaces)
