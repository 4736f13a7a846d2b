"""The README stays true: every file, command and option that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.command_line import parser

PROJECT = Path(__file__).resolve().parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
PATH = re.compile(
    r"(?:core|gui|annotation|storage|resources|tests)/[\w./-]*\w|[\w-]+\.(?:txt|md|py)\b|\bLICENSE\b"
)
COMMAND = re.compile(r"main\.py ([a-z-]+)([^`\n]*)")


@pytest.mark.parametrize("path", sorted(set(PATH.findall(README))))
def test_every_path_in_the_readme_is_there(path: str) -> None:
    assert (PROJECT / path).exists()


@pytest.mark.parametrize(("name", "rest"), sorted(set(COMMAND.findall(README))))
def test_every_command_in_the_readme_is_understood(name: str, rest: str) -> None:
    line = [word for word in rest.split("&&")[0].split(";")[0].replace(")", "").split() if word != "}"]

    chosen = parser().parse_args([name, *line])

    assert chosen.command == name


def test_ci_runs_exactly_the_readmes_test_line() -> None:
    line = next(line for line in README.splitlines() if line.endswith("-m pytest"))

    assert line in (PROJECT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_version_is_the_newest_heading_of_the_changelog() -> None:
    from core import __version__

    headings = re.findall(
        r"^## ([\d.]+)", (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert headings[0] == __version__
    assert f"\nversion: {__version__}\n" in (PROJECT / "CITATION.cff").read_text(encoding="utf-8")
    assert 'attr = "core.__version__"' in (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
