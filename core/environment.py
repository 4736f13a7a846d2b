"""What this machine has: Python, packages with their versions, memory, disk; nothing personal."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib import metadata
from pathlib import Path

from core import __version__
from core.log_file import NAME as LOG_NAME
from core.paths import user_logs

PACKAGES = (
    *("PySide6-Essentials", "numpy", "pandas", "scipy", "krippendorff", "statsmodels", "sqlite-utils"),
    *("pillow", "resvg-py", "dicebear-core", "dicebear-styles", "torch", "diffusers", "openai"),
)


def versions() -> dict[str, str]:
    """Version of the application, Python, the system and each package; "" for one that is missing."""
    found = {
        "contextbias-studio": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
    }
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = ""
    return found


def environment_lines() -> list[str]:
    """The environment in lines to read: versions, what is missing, cores and disk."""
    found = versions()
    missing = [name for name, version in found.items() if not version]
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    lines = [f"{name} {version}" for name, version in found.items() if version]
    lines.append(f"{os.cpu_count()} cores, {free:.0f} GB of disk free here")
    place = user_logs()
    lines.append(f"Log: {place / LOG_NAME}" if place else "No log is kept.")
    if missing:
        lines.append(
            f"Not installed: {', '.join(missing)}. Run: {sys.executable} -m pip install -r requirements.txt"
        )
    return lines
