"""What every engine promises."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, runtime_checkable

from core.generation.generator import Generator
from core.generation.reports import Reports, Task


class Engine(Protocol):
    """Carries out tasks of a generator."""

    def run(self, generator: Generator, tasks: Sequence[Task]) -> Reports:
        """Reports as the work goes on; exactly one image or `NotMade` for every task, in any order.

        An error that concerns all tasks, such as memory that does not suffice, is raised; what was
        reported before stays valid. Closing stops the work within one step.
        """


@runtime_checkable
class KnowsKinds(Protocol):
    """An engine whose workers may run on devices of several kinds, which only they can tell."""

    def on_each_kind(self, known: Collection[str]) -> Engine:
        """An engine that makes every task once on each kind of device that is not among `known`.

        With nothing known and workers of one kind only, it makes nothing: there is nothing to compare.
        """
