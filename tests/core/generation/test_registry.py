"""Generators by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.errors import BadInput
from core.generation.registry import by_name, names


@pytest.mark.parametrize("name", names())
def test_every_name_gives_its_generator(name: str) -> None:
    assert by_name(name).name == name


def test_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(BadInput, match=r"drawn-a, drawn-b, sdxl, sd3\.5, flux\.1"):
        by_name("drawn-z")


def test_registry_imports_nothing_heavy() -> None:
    code = (
        "import sys, core.generation.registry, core.generation.job; "
        "print('PIL' in sys.modules, 'dicebear' in sys.modules)"
    )

    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert answer.stdout.split() == ["False", "False"]
