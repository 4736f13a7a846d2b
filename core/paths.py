"""Where things are on disk; the only file that knows."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
RESOURCES = PROJECT / "resources"

STUDY_FILE = "study.sqlite"
IMAGES = "images"
THUMBNAILS = "thumbnails"
"""Inside `IMAGES`: JPEG files of at most 512 px a side, written when an image arrives."""


def user_cache() -> Path:
    """This user's folder for what can be found out again; may not exist yet."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "contextbias-studio"


def user_logs() -> Path | None:
    """This user's folder for the application's log; may not exist yet.

    `CONTEXTBIAS_LOGS` names another; set to nothing, it means that no log is wanted: None.
    """
    named = os.environ.get("CONTEXTBIAS_LOGS")
    if named is not None:
        return Path(named) if named else None
    if sys.platform == "win32":
        return user_cache() / "logs"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Logs" / "contextbias-studio"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "contextbias-studio"


def user_settings() -> Path:
    """This user's folder for what they set up themselves; may not exist yet."""
    if sys.platform == "win32":
        home = os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming"
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Application Support"
    else:
        home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "contextbias-studio"
