"""What every engine promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.generation.generator import Generator
from core.generation.reports import Reports, Task


class Engine(Protocol):
    """Carries out tasks of a generator."""

    def run(self, generator: Generator, tasks: Sequence[Task]) -> Reports:
        """Reports as the work goes on; exactly one image or `NotMade` for every task, in any order.

        An error that concerns all tasks, such as memory that does not suffice, is raised; what was
        reported before stays valid. Closing stops the work within one step.
        """
