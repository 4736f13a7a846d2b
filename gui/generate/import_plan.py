"""What an import dialog asks for and shows: the wish, its plan as rows, and the job that carries it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.importing.plan import ImportPlan, Pending, Stated
from core.jobs import Failure, Job, Outcome, recorded
from core.records import Condition
from gui.models.coverage import in_words
from gui.models.rows import Column

if TYPE_CHECKING:
    from core.importing.rehearsal import Rehearsed
    from storage.store import Store

LONGEST = 42


@dataclass(frozen=True, slots=True)
class Wish:
    """A folder, a map if there is one, and what holds for pictures about which nothing else is said."""

    folder: Path
    map_file: Path | None = None
    said: Stated = field(default_factory=Stated)


def plan_of(wish: Wish, is_wanted: Callable[[], bool] = lambda: True) -> ImportPlan:
    """Look through the folder while it is wanted; BadInput says what is wrong with it or with the map."""
    from core.importing.scan import scan

    return scan(wish.folder, wish.map_file, wish.said, is_wanted)


def rehearsing(store: Store, plan: ImportPlan) -> Job[Rehearsed]:
    """Decode every picture of the plan, as the import will, without taking any."""
    from core.importing.rehearsal import rehearse

    return (yield from rehearse(plan, store))


def importing(store: Store, plan: ImportPlan) -> Job[Outcome]:
    """The import as a job that is kept in the study's book."""
    from core.importing.job import import_images

    settings = {"folder": plan.root.name}
    return (yield from recorded(import_images(plan, store), store, "import", plan.asked, settings))


def columns_for(root: Path) -> tuple[Column, ...]:
    """Columns of the pictures that would be taken."""

    def file(pending: Pending) -> str:
        return pending.path.relative_to(root).as_posix()

    def condition(pending: Pending) -> Condition | None:
        return pending.stated.condition

    def seed(pending: Pending) -> str:
        return "" if pending.stated.seed is None else str(pending.stated.seed)

    return (
        Column("file", lambda one: _end_of(file(one)), file, tip=file),
        Column("role", lambda one: in_words(one.stated.role or "")),
        Column("condition", lambda one: condition(one) or "not stated", marker=condition),
        Column("generator", lambda one: one.stated.generator or "", marker=lambda one: one.stated.generator),
        Column("seed", seed, sort_key=lambda one: one.stated.seed or 0, is_number=True),
        Column("prompt", lambda one: one.stated.prompt or "not stated", tip=lambda one: one.stated.prompt),
    )


def _end_of(path: str) -> str:
    """The end of a long path tells pictures apart, its beginning does not."""
    return path if len(path) <= LONGEST else f"…{path[-LONGEST:]}"


def _item(failure: Failure) -> str:
    return failure.item


REFUSED = (
    Column("file", _item, tip=_item),
    Column("class", lambda one: one.kind),
    Column("reason", lambda one: one.reason, tip=lambda one: one.reason),
)
"""Columns of the files that would not be taken."""
