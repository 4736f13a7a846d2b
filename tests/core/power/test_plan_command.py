"""`main.py plan`: what it prints, what it refuses, and that both ways out have the same numbers."""

from __future__ import annotations

import json

import pytest

import main
from core.jobs import run_here
from core.power.design import PowerDesign
from core.power.panel import power_panel
from core.power.words import printed_rows

SMALL = ["plan", "--roles", "4", "--replicates", "200", "--image-sets", "20"]
DESIGN = PowerDesign(roles=4, replicates=200, image_sets=20)


def test_the_table_and_the_json_have_the_numbers_of_the_panel(capsys: pytest.CaptureFixture[str]) -> None:
    panel = run_here(power_panel(DESIGN))

    assert main.main(SMALL) == 0
    printed = capsys.readouterr().out
    assert main.main([*SMALL, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    for row in printed_rows(panel):
        beginning = f"{row['what']} {row['of']} {row['value']}"
        assert any(" ".join(line.split()).startswith(beginning) for line in printed.splitlines())
    assert told["power"] == panel.rows()
    assert told["run"]["design"]["seed"] == 0
    assert [curve["scope"] for curve in told["curves"]] == ["one role", "all roles"]


def test_a_design_by_name_and_one_by_numbers_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    main.main([*SMALL, "--design", "paper", "--json"])
    by_name = capsys.readouterr().out
    main.main([*SMALL, "--prompts", "3,7,8", "--json"])

    assert capsys.readouterr().out == by_name


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--prompts", "3,7"], "Give three numbers: CF,CA-R,CA-U."),
        (["--prevalence", "1.5"], "The prevalence is 1.5. Give a number from 0 to 1."),
        (["--roles", "0"], "The number of roles is 0."),
        (["--annotators", "1000"], "The number of annotators is 1000."),
    ],
)
def test_a_design_that_cannot_be_is_one_sentence(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["plan", *options]) == 1

    told = capsys.readouterr()
    assert said in told.err
    assert "Traceback" not in told.err
    assert told.out == ""


@pytest.mark.parametrize("options", [["--roles", "many"], ["--accuracy", "good"]])
def test_a_word_in_place_of_a_number_is_one_sentence(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main.main(["plan", *options])

    assert stop.value.code == 1
    assert f"must be a {'whole number' if options[0] == '--roles' else 'share'}" in capsys.readouterr().err
