"""The jobs of the Generate page, and how a task is told by the generator it runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.jobs import Job, Outcome
from gui.tasks import Task

if TYPE_CHECKING:
    from storage.store import Store

LANE = "generators"
"""Generators and imports run one after the other."""


def making_images(store: Store, name: str) -> Job[Outcome]:
    """Make every missing image; also what has to be read before the first one happens off the GUI thread."""
    from core.running import generate_in

    return (yield from generate_in(store, name))


def task_of(tasks: Iterable[Task], generator: str) -> Task | None:
    """The task that makes a generator's images, running or waiting."""
    return next((task for task in tasks if task.property("generator") == generator), None)
