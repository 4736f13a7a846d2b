"""What is said where no window can be opened."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.errors import MissingPart
from core.paths import PROJECT
from gui.platform_check import FOR_X11, require_window


def test_without_a_display_there_is_a_sentence_and_no_abort():
    with pytest.raises(MissingPart, match="no display"):
        require_window({}, lambda _library: True, "linux")


@pytest.mark.parametrize(
    "environment", [{"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"QT_QPA_PLATFORM": "offscreen"}]
)
def test_a_display_or_a_chosen_platform_will_do(environment: dict[str, str]):
    require_window(environment, lambda _library: True, "linux")


def test_missing_libraries_are_named_by_their_packages_in_one_line():
    missing = {"libxcb-icccm.so.4", "libxcb-keysyms.so.1"}

    with pytest.raises(MissingPart) as caught:
        require_window({"DISPLAY": ":0"}, lambda name: name not in missing, "linux")

    assert caught.value.remedy == (
        "Run: sudo apt-get install -y --no-install-recommends libxcb-icccm4 libxcb-keysyms1"
    )


def test_libraries_of_x11_are_not_asked_for_on_wayland_or_offscreen():
    for environment in ({"WAYLAND_DISPLAY": "wayland-0"}, {"QT_QPA_PLATFORM": "offscreen"}):
        require_window(environment, lambda name: name not in FOR_X11, "linux")


def test_other_systems_bring_all_with_the_package():
    require_window({}, lambda _library: False, "darwin")


def test_asking_imports_no_qt():
    code = "import sys, gui.platform_check; print(any(name.startswith('PySide6') for name in sys.modules))"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"
