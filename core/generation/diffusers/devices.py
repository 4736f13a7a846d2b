"""Where a model can run: devices with their memory, what a model needs, and which off-load makes it fit.

Off-load moves parts between main memory and the device: `none` keeps all there, `model` one component at
a time, `sequential` one layer at a time. It changes seconds, never pixels.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from core.errors import BadInput
from core.generation.entry import Entry

Offload: TypeAlias = Literal["none", "model", "sequential"]
OFFLOADS: tuple[Offload, ...] = ("none", "model", "sequential")

DTYPE_BYTES: Mapping[str, int] = {"float32": 4, "float16": 2, "bfloat16": 2}
WORKING_BYTES_A_PIXEL = 3000
"""What decoding an image takes beside the weights, at 16 bits a number; an estimate on the safe side."""

ROOM = 1.05
"""Free memory must be this much more than needed."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device and its memory in bytes; `title` is what it is, such as the name of a graphics card."""

    name: str
    title: str
    total: int
    free: int
    driver: str = ""

    @property
    def is_processor(self) -> bool:
        """Whether it is the main processor, where there is nothing to off-load from."""
        return self.name.startswith("cpu")


def devices() -> tuple[Device, ...]:
    """All devices, the best first; the processor is always the last."""
    import torch

    found = (
        [_cuda(number) for number in range(torch.cuda.device_count())] if torch.cuda.is_available() else []
    )
    if torch.backends.mps.is_available():
        limit = torch.mps.recommended_max_memory()
        found.append(Device("mps", "Apple graphics", limit, limit - torch.mps.driver_allocated_memory()))
    return (*found, processor())


def _cuda(number: int) -> Device:
    import torch

    free, total = torch.cuda.mem_get_info(number)
    driver = ", ".join(part for part in (f"CUDA {torch.version.cuda}", _nvidia_driver()) if part)
    return Device(f"cuda:{number}", torch.cuda.get_device_name(number), total, free, driver)


def _nvidia_driver() -> str:
    """The kernel's driver and its version, "" where the system does not say."""
    try:
        first = Path("/proc/driver/nvidia/version").read_text(encoding="utf-8").splitlines()[0]
    except (OSError, IndexError):
        return ""
    found = re.search(r"\d+\.\d+(\.\d+)?", first)
    return f"driver {found[0]}" if found else ""


def processor() -> Device:
    """The main processor with the machine's memory."""
    import psutil

    memory = psutil.virtual_memory()
    return Device("cpu", _processor_name(), memory.total, memory.available)


def _processor_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def device_called(name: str) -> Device:
    """The device of this name ("cuda" is the first of them); BadInput when there is none."""
    found = devices()
    for device in found:
        if device.name == name or device.name == f"{name}:0":
            return device
    raise BadInput(f"There is no device {name!r} here.", f"Use {', '.join(one.name for one in found)}.")


def weights_in_memory(entry: Entry, numbers: Mapping[str, int]) -> dict[str, int]:
    """Component -> bytes in memory, at the entry's kinds of number."""
    kinds = {name: entry.vae_dtype if name == "vae" and entry.vae_dtype else entry.dtype for name in numbers}
    return {name: held * DTYPE_BYTES[kinds[name]] for name, held in numbers.items()}


def needs(entry: Entry, weights: Mapping[str, int]) -> dict[Offload, int]:
    """Bytes of device memory that each off-load needs, by estimate."""
    width = DTYPE_BYTES[entry.vae_dtype or entry.dtype] // 2
    working = entry.width * entry.height * WORKING_BYTES_A_PIXEL * max(width, 1)
    largest = max(weights.values(), default=0)
    return {
        "none": sum(weights.values()) + working,
        "model": largest + working,
        "sequential": largest // 16 + working,
    }


def choose(device: Device, needed: Mapping[Offload, int]) -> Offload | None:
    """The first off-load that fits; None when none does. A processor has none to choose."""
    kinds: tuple[Offload, ...] = ("none",) if device.is_processor else OFFLOADS
    return next((kind for kind in kinds if needed[kind] * ROOM <= device.free), None)


def next_offload(device: str, offload: Offload) -> Offload | None:
    """What to try when memory ran out; None when nothing is left."""
    at = OFFLOADS.index(offload) + 1
    return None if device.startswith("cpu") or at == len(OFFLOADS) else OFFLOADS[at]
