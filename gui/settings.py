"""What the application remembers about this person's screen: theme, scale, recent studies. No study data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings

MOST_RECENT = 6


def _file() -> QSettings:
    return QSettings(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, "ContextBias Studio", "ContextBias Studio"
    )


def recent_studies() -> tuple[Path, ...]:
    """Folders of the studies opened last, newest first; those that are gone are left out."""
    found = _file().value("recent", [])  # a list of one is handed back as text
    listed = [found] if isinstance(found, str) else found if isinstance(found, list) else []
    return tuple(path for path in map(Path, listed) if path.is_dir())


def remember_study(folder: Path) -> None:
    """Put a study at the top of the recent ones."""
    others = [path for path in recent_studies() if path != folder.resolve()]
    _file().setValue("recent", [str(path) for path in (folder.resolve(), *others)][:MOST_RECENT])


def pinned_theme() -> str | None:
    """ "light" or "dark" where a person pinned one, else None."""
    found = _file().value("theme", "")
    return str(found) if found in ("light", "dark") else None


def remember_theme(pinned: str | None) -> None:
    """Keep the pinned theme; None follows the system."""
    _file().setValue("theme", pinned or "")


def continues_by_itself() -> bool:
    """Whether work that a crash left goes on by itself when its study opens; it does unless switched off."""
    return str(_file().value("continue", "yes")) != "no"


def remember_continuing(wanted: bool) -> None:
    """Keep whether it does."""
    _file().setValue("continue", "yes" if wanted else "no")


def text_scale() -> float:
    """The size of text and lengths, 1.0 unless a person changed it."""
    try:
        return float(str(_file().value("scale", 1.0)))
    except ValueError:
        return 1.0


def remember_scale(scale: float) -> None:
    """Keep the size of text and lengths."""
    _file().setValue("scale", scale)


def server_choices() -> dict[str, Any]:
    """What was last chosen about a server for reading images; never a key."""
    try:
        found = json.loads(str(_file().value("server", "{}")))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def remember_server_choices(choices: Mapping[str, Any]) -> None:
    """Keep them for the next time."""
    _file().setValue("server", json.dumps(dict(choices)))
