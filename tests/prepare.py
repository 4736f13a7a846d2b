"""Make ready for the tests: the system libraries that a window needs, and a screen that is none.

Installs what is missing where it may (as root, or with sudo that asks no question); otherwise names it
and stops with exit code 1 before any test runs. Safe to run twice.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gui.platform_check import install_line, missing_system_packages


def main() -> int:
    """Look, install where that is allowed, look again; 0 when nothing is missing."""
    missing = missing_for_tests()
    if missing and (prefix := _may_install()) is not None:
        print(f"Installing {' '.join(missing)}.", flush=True)
        _install(prefix, missing)
        missing = missing_for_tests()
    if missing:
        print(
            f"The tests need system packages that are missing. Run: {install_line(missing)}", file=sys.stderr
        )
        return 1
    return 0


def missing_for_tests() -> list[str]:
    """Debian packages without which a window test cannot run here; empty on other systems."""
    if not sys.platform.startswith("linux"):
        return []
    screen = {"Xvfb": "xvfb", "xauth": "xauth"}
    return [
        *missing_system_packages(),
        *(package for tool, package in screen.items() if not shutil.which(tool)),
    ]


def _may_install() -> list[str] | None:
    """What to put before apt-get, or None where installing would need a question answered."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ["sudo", "-n"]
    return None


def _install(prefix: list[str], packages: list[str]) -> None:
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    subprocess.run([*prefix, *quiet, "update", "-q"], check=False)
    subprocess.run(
        [*prefix, *quiet, "install", "-y", "-q", "--no-install-recommends", *packages], check=False
    )


if __name__ == "__main__":
    sys.exit(main())
