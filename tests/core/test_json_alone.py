"""With --json a command prints JSON and nothing else; the help that a complaint names is its own."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

import main
from core.command_line import parser
from core.records import DimensionReading, Status
from tests.storage.builders import make_image, make_record, new_store


def subcommands() -> dict[str, argparse.ArgumentParser]:
    (action,) = (one for one in parser()._actions if isinstance(one, argparse._SubParsersAction))
    return dict(action.choices)


WITH_JSON = sorted(name for name, one in subcommands().items() if "--json" in one._option_string_actions)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study in which a reader said an open label in two spellings."""
    with new_store(tmp_path / "study") as store:
        for number, word in enumerate(("red scarf", "Red Scarf")):
            said = {"items": DimensionReading((word,), Status.OK)}
            image = store.add_image(make_image(number))
            store.add_records([make_record(image, record_key=f"key {number}", readings=said)])
    return tmp_path / "study"


def arguments(command: str, study: Path, out: Path) -> list[list[str]]:
    """Ways to call each command that takes --json, such that it has something to say beside it."""
    place = str(study)
    return {
        "agreement": [[place, "--out", str(out)]],
        "analyse": [[place, "--out", str(out), "--bootstrap", "0"]],
        "bank": [[place, "review"], [place, "export", "--out", str(out / "bank.csv")]],
        "demo": [],  # tests/test_main.py
        "labels": [
            *([place, "propose", "--rules-only"], [place, "review", "--accept-safe"]),
            *([place, "review", "--undo"], [place, "review", "--undo"]),
            [place, "export", "--out", str(out / "map.csv")],
        ],
        "plan": [["--roles", "4", "--replicates", "100"]],
        "validate": [[place]],
    }[command]


@pytest.mark.parametrize("command", WITH_JSON)
def test_what_is_printed_is_json_alone(
    command: str, study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    for given in arguments(command, study, tmp_path / "out"):
        code = main.main([command, *given, "--json"])

        printed = capsys.readouterr()
        assert code in (0, 1), printed.err
        if code == 0:
            assert printed.out.count("\n") == 1
            json.loads(printed.out)
        else:
            assert printed.out == ""
            assert printed.err.count("\n") == 1


@pytest.mark.parametrize("command", sorted(subcommands()))
def test_an_argument_too_many_names_the_help_of_its_command(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one = subcommands()[command]
    with pytest.raises(SystemExit):
        one.parse_known_args([*_needed(one), "--no-such-thing"])

    assert f" See `main.py {command} " in capsys.readouterr().err  # of the phantom, a part's


def _needed(one: argparse.ArgumentParser) -> list[str]:
    """Words for everything that a command requires."""
    given: list[str] = []
    for action in one._actions:
        word = str(next(iter(action.choices))) if action.choices else "1"
        if action.required and action.option_strings:
            given += [action.option_strings[-1], word]
        elif action.required:
            given.append(word)
    return given
