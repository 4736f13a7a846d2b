"""What a person does on the Prompts page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.pages.prompts import PromptsPage
from gui.studio import Studio
from gui.widgets.caption import Caption

Settle = Callable[[Studio], None]


@pytest.fixture
def page(qtbot: QtBot, open_studio: Studio, settle: Settle) -> PromptsPage:
    made = PromptsPage(open_studio)
    qtbot.addWidget(made)
    made.resize(1200, 700)
    made.show()
    settle(open_studio)
    return made


def test_all_prompts_are_listed_in_the_order_of_the_study(page: PromptsPage):
    assert page.facts == "12 prompts, 2 roles, balanced design, unrelated contexts permuted"
    assert [prompt.role for prompt in page.model.rows] == ["baker"] * 6 + ["bus_driver"] * 6


def test_a_condition_and_a_text_leave_only_what_matches(page: PromptsPage, qtbot: QtBot):
    page.condition.choose(2)
    qtbot.keyClicks(page.filter, "BUS")

    assert {(prompt.role, prompt.condition) for prompt in page.model.rows} == {("bus_driver", "CA-R")}
    assert len(page.model.rows) == 2


def test_a_chosen_row_is_shown_in_full(page: PromptsPage):
    page.table.selectRow(2)

    said = [one.text() for one in page.findChildren(Caption)]
    assert "a photo of a baker in a place 0, ca-r" in said
    assert "place: a place 0" in said


def test_what_is_shown_is_exported(page: PromptsPage, open_studio: Studio, settle: Settle, tmp_path: Path):
    page.condition.choose(1)
    page.export_to(tmp_path / "prompts.csv")
    settle(open_studio)

    lines = (tmp_path / "prompts.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "role,condition,kind,place,activity,wording,text"
    assert len(lines) == 1 + 4
    page.export_to(tmp_path / "prompts.json")
    settle(open_studio)
    rows = json.loads((tmp_path / "prompts.json").read_text(encoding="utf-8"))
    assert [row["text"] for row in rows] == [prompt.text for prompt in page.model.rows]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_paints_in_both_themes(page: PromptsPage, open_studio: Studio, scheme: str):
    open_studio.theme.pin(scheme)

    assert not page.grab().isNull()
