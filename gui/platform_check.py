"""Whether Qt can open a window here, asked before Qt is: where it cannot, Qt ends the process by itself.

Imports no Qt, so `main.py` can call it. Only Linux has something to check: elsewhere the wheel brings all.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec

from core.errors import MissingPart

ALWAYS = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
}
"""What Qt itself links to, by the Debian package that brings it."""

FOR_X11 = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
}
"""What the X11 plugin links to besides."""


def require_window(
    environment: Mapping[str, str] | None = None,
    loads: Callable[[str], bool] | None = None,
    platform: str = sys.platform,
) -> None:
    """Raise MissingPart with one line to run unless a window can be opened.

    Parameters
    ----------
    environment : mapping, optional
        Environment variables; the process's own by default.
    loads : callable, optional
        Whether a shared library of this name can be loaded.
    platform : str
        As `sys.platform`.
    """
    if find_spec("PySide6") is None:
        raise MissingPart(
            "The window needs PySide6, which is not installed.", "Run: pip install -r requirements.txt"
        )
    if not platform.startswith("linux"):
        return
    settings = os.environ if environment is None else environment
    asked_for = settings.get("QT_QPA_PLATFORM", "").split(":")[0].split(";")[0]
    needs_x11 = asked_for == "xcb" or (not asked_for and not settings.get("WAYLAND_DISPLAY"))
    missing = missing_system_packages(needs_x11, loads or _loads)
    if missing:
        raise MissingPart(
            "The window needs system libraries that are not installed.", f"Run: {install_line(missing)}"
        )
    if not asked_for and not settings.get("DISPLAY") and not settings.get("WAYLAND_DISPLAY"):
        raise MissingPart(
            "There is no display to open a window on.",
            "Sit at the machine itself, use `ssh -X`, or use the commands of `main.py --help`.",
        )


def own_place_in_taskbar(platform: str = sys.platform) -> None:
    """Have Windows show the window under our icon and not among those of Python; nothing elsewhere."""
    if platform == "win32":
        shell = ctypes.windll.shell32  # type: ignore[attr-defined,unused-ignore]
        shell.SetCurrentProcessExplicitAppUserModelID("contextbias-studio")


def is_seen(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> bool:
    """Whether anybody would see a window: not offscreen, and on Linux not without a display.

    >>> is_seen({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}), is_seen({"DISPLAY": ":0"}, "linux")
    (False, True)
    """
    settings = os.environ if environment is None else environment
    if settings.get("QT_QPA_PLATFORM", "").split(":")[0] in ("offscreen", "minimal", "vnc"):
        return False
    return not platform.startswith("linux") or bool(
        settings.get("DISPLAY") or settings.get("WAYLAND_DISPLAY") or settings.get("QT_QPA_PLATFORM")
    )


def missing_system_packages(needs_x11: bool = True, loads: Callable[[str], bool] | None = None) -> list[str]:
    """Debian packages whose library cannot be loaded, in the order of the tables above."""
    if not sys.platform.startswith("linux"):
        return []
    wanted = ALWAYS | (FOR_X11 if needs_x11 else {})
    can_load = loads or _loads
    return [package for library, package in wanted.items() if not can_load(library)]


def install_line(packages: Sequence[str]) -> str:
    """The one line that installs them on Debian and its kin."""
    return f"sudo apt-get install -y --no-install-recommends {' '.join(packages)}"


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
