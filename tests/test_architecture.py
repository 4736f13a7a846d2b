"""The shape of the project, held by its tools: import contracts, types, style."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
HEAVY = {"pandas", "scipy", "torch", "diffusers", "transformers", "matplotlib", "sentence_transformers"}


def run(*command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONWARNINGS": "default"}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )


def test_imports_point_one_way() -> None:
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_core_annotation_and_storage_are_strictly_typed() -> None:
    done = run("mypy")

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("command", [("ruff", "check", "."), ("ruff", "format", "--check", ".")])
def test_the_style_is_kept(command: tuple[str, ...]) -> None:
    done = run(*command)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "module",
    [
        "main",
        "gui.app",
        "gui.pages.annotate",
        "gui.annotate.alone",
        "annotation.session",
        "storage.store",
        "core.command_line",
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(module: str) -> None:
    code = f"import sys, {module}; print(sorted({HEAVY} & set(sys.modules)))"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


def test_the_command_line_runs_without_qt() -> None:
    code = "import sys, main; main.main(['check']); print('PySide6' in sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip().endswith("False")
