"""The engine that the options of the command line name."""

from __future__ import annotations

import argparse

from core.engines.engine import Engine
from core.engines.local import LocalEngine
from core.errors import BadInput
from core.generation.arguments import devices_in


def engine_of(chosen: argparse.Namespace) -> Engine:
    """The engine of `main.py generate`; BadInput for options that do not go together."""
    devices = devices_in(chosen.device)
    if chosen.engine == "local":
        return LocalEngine(devices or None)
    if devices:
        raise BadInput("Devices are named for the local engine only.", "Leave out --device.")
    if chosen.engine == "ray":
        from core.engines.ray_engine import RayEngine

        return RayEngine(chosen.workers, chosen.address)
    raise AssertionError("SLURM has a job of its own")
