"""What goes with every image beside its settings: libraries, device, driver, threads, how it went."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from core.generation.diffusers.devices import Device, Offload

LIBRARIES = (
    "torch",
    "diffusers",
    "transformers",
    "accelerate",
    "peft",
    "safetensors",
    "tokenizers",
    "numpy",
    "pillow",
)


@cache
def libraries() -> Mapping[str, str]:
    """Version of each library that takes part in making an image, and of Python."""
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def made_on(device: Device, offload: Offload, pipe: Any) -> dict[str, Any]:
    """Device, driver and what of the loaded pipeline the settings do not say."""
    import torch

    return {
        "device": {"name": device.name, "title": device.title, "driver": device.driver},
        "offload": offload,
        "threads": torch.get_num_threads(),
        "libraries": dict(libraries()),
        "classes": {name: type(part).__name__ for name, part in pipe.components.items() if part is not None},
        "scheduler": {
            name: _in_json(value)
            for name, value in pipe.scheduler.config.items()
            if isinstance(value, str | int | float | bool) or value is None
        },
    }


def _in_json(value: str | int | float | bool | None) -> str | int | float | bool | None:
    """The value, but an endless number as a word: JSON has none, and some readers refuse it."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
