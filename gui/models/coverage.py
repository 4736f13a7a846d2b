"""The coverage grid as plain values: for each role × generator × condition how much is there of how much."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from core.records import Condition

if TYPE_CHECKING:
    from storage.study import Coverage


class Layer(StrEnum):
    """What the grid counts."""

    PROMPTS = "prompts"
    IMAGES = "images"
    RECORDS = "records"
    ANSWERS = "answers"


@dataclass(frozen=True, slots=True)
class Key:
    """One cell: a role, a generator (None while there is none), a condition (None: unstated)."""

    role: str
    generator: str | None
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class Cell:
    """How much is done of what is wanted, and how much failed."""

    done: int = 0
    whole: int = 0
    failed: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing; a cell that wants nothing is not complete but empty."""
        return self.whole > 0 and self.done >= self.whole

    @property
    def step(self) -> int:
        """Coverage step 0 (nothing) to 5 (all); rounded down, so that 5 means all."""
        if self.whole <= 0 or self.done <= 0:
            return 0
        return 5 if self.is_complete else min(1 + self.done * 4 // self.whole, 4)


@dataclass(frozen=True, slots=True)
class CoverageTable:
    """All cells of a study.

    `answers_wanted` and `failed_records` are by cell: image sets × questions × annotators, and images
    whose record came back without labels. Of `imported` generators nothing is expected: what is there is all.
    """

    rows: dict[Key, Coverage]
    images_per_prompt: int
    roles: tuple[str, ...]
    generators: tuple[str | None, ...]
    conditions: tuple[Condition | None, ...]
    answers_wanted: Mapping[Key, int] = field(default_factory=dict)
    failed_records: Mapping[Key, int] = field(default_factory=dict)
    imported: frozenset[str] = frozenset()

    def images_wanted(self, key: Key) -> int:
        """Images that the plan asks for in a cell."""
        row = self.rows[key]
        return 0 if key.generator in self.imported else row.prompts * self.images_per_prompt

    def cell(self, layer: Layer, key: Key) -> Cell:
        """One cell in one layer."""
        row = self.rows.get(key)
        if row is None:
            return Cell()
        images = self.images_wanted(key)
        match layer:
            case Layer.PROMPTS:
                return Cell(row.prompts, row.prompts)
            case Layer.IMAGES:
                wanted = max(images, row.images + row.images_left_out)
                return Cell(row.images, wanted, row.images_left_out)
            case Layer.RECORDS:
                failed = self.failed_records.get(key, 0)
                return Cell(row.records, max(self._to_read(key, row), row.records), failed)
        return Cell(row.answers, max(self.answers_wanted.get(key, 0), row.answers))

    def _to_read(self, key: Key, row: Coverage) -> int:
        return row.images if key.generator in self.imported else self.images_wanted(key)

    def total(self, layer: Layer, generator: str | None) -> Cell:
        """The sum over roles and conditions for one generator."""
        return _sum(self.cell(layer, key) for key in self.rows if key.generator == generator)

    def sum(self, layer: Layer) -> Cell:
        """The sum over everything; prompts are the same for every generator and count once."""
        if layer is Layer.PROMPTS:
            return self.total(layer, self.generators[0]) if self.generators else Cell()
        return _sum(self.cell(layer, key) for key in self.rows)

    def largest(self, layer: Layer) -> int:
        """What the fullest cell wants, for the legend."""
        return max((self.cell(layer, key).whole for key in self.rows), default=0)

    def is_in_human_study(self, role: str) -> bool:
        """Whether any image set shows this role."""
        return any(row.image_sets > 0 for key, row in self.rows.items() if key.role == role)

    def unfinished(self, layer: Layer) -> tuple[str, ...]:
        """Roles of which something is missing in this layer."""
        return tuple(role for role in self.roles if not self._is_finished(layer, role))

    def _is_finished(self, layer: Layer, role: str) -> bool:
        cells = [
            self.cell(layer, Key(role, generator, condition))
            for generator in self.generators
            for condition in self.conditions
        ]
        return all(cell.done >= cell.whole for cell in cells)

    def as_rows(self) -> list[dict[str, object]]:
        """The grid for export: one row a cell, all layers side by side."""
        return [
            {
                "role": key.role,
                "condition": key.condition.value if key.condition else "",
                "generator": key.generator or "",
                "prompts": row.prompts,
                "images": row.images,
                "images_wanted": self.images_wanted(key),
                "images_left_out": row.images_left_out,
                "records": row.records,
                "records_failed": self.failed_records.get(key, 0),
                "image_sets": row.image_sets,
                "answers": row.answers,
                "answers_wanted": self.answers_wanted.get(key, 0),
            }
            for key, row in self.rows.items()
        ]


def coverage_table(
    rows: Iterable[Coverage],
    images_per_prompt: int,
    answers_wanted: Mapping[Key, int] | None = None,
    failed_records: Mapping[Key, int] | None = None,
    imported: frozenset[str] = frozenset(),
) -> CoverageTable:
    """Arrange what the store counts; roles by name, generators and conditions in the order they come."""
    by_key = {Key(row.role, row.generator, row.condition): row for row in rows}
    conditions = {key.condition for key in by_key}
    ordered: list[Condition | None] = [condition for condition in Condition if condition in conditions]
    if None in conditions:
        ordered.append(None)
    return CoverageTable(
        rows=by_key,
        images_per_prompt=images_per_prompt,
        roles=tuple(sorted({key.role for key in by_key})),
        generators=_in_order(key.generator for key in by_key),
        conditions=tuple(ordered),
        answers_wanted=answers_wanted or {},
        failed_records=failed_records or {},
        imported=imported,
    )


def _sum(cells: Iterable[Cell]) -> Cell:
    done = whole = failed = 0
    for cell in cells:
        done, whole, failed = done + cell.done, whole + cell.whole, failed + cell.failed
    return Cell(done, whole, failed)


def _in_order(names: Iterable[str | None]) -> tuple[str | None, ...]:
    """Each name once, as first met; None only where there is nothing else."""
    met = tuple(dict.fromkeys(names))
    named = tuple(name for name in met if name is not None)
    return named or met


def matching(roles: Sequence[str], text: str) -> tuple[str, ...]:
    """Roles whose name holds the text, written with spaces or not."""
    wanted = text.strip().lower().replace("_", " ")
    return tuple(role for role in roles if wanted in in_words(role).lower())


def in_words(role: str) -> str:
    """A role's id as it is read: `bus_driver` is "bus driver"."""
    return role.replace("_", " ")


def labels_words(labels: Sequence[str], names: Mapping[str, str]) -> str:
    """Labels as they are read: by their names, open words as they stand.

    >>> labels_words(["middle_aged", "chef_hat"], {"middle_aged": "middle-aged"})
    'middle-aged, chef hat'
    """
    return ", ".join(names.get(label, in_words(label)) for label in labels)
