"""`main.py generate`: what is said before images are made."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from core.generation.diffusers.pickled import WARNING
from core.generation.findings import can_run
from core.generation.preflight import lines, preflight
from core.generation.registry import by_name


def look_over(study: Any, measured: Any, chosen: Namespace) -> tuple[list[str], bool]:
    """What a run would need, in lines, and whether it can begin; `measured` is of earlier runs."""
    devices = tuple(chosen.device.split(",")) if chosen.device else ()
    found = preflight(study, chosen.generator, measured, chosen.limit, devices)
    return list(lines(found)), can_run(found)


def pickled_lines(name: str) -> Iterator[str]:
    """That a generator's own entry allows what could run a stranger's commands, if it does."""
    parts = by_name(name).settings.get("pickled_weights")
    if parts:
        yield f"{name}: {', '.join(parts)} as its entry allows: {WARNING}."
