"""Planning a study in its dialog."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.paths import STUDY_FILE
from gui.theme import Theme
from gui.widgets.new_study import NewStudyDialog


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme, tmp_path: Path) -> NewStudyDialog:
    made = NewStudyDialog(suggestion=tmp_path / "mine")
    qtbot.addWidget(made)
    made.show()
    return made


def test_all_roles_and_a_balanced_design_unless_something_else_is_chosen(
    dialog: NewStudyDialog, qtbot: QtBot, tmp_path: Path
):
    qtbot.mouseClick(dialog.make, Qt.MouseButton.LeftButton)

    assert dialog.wanted is not None
    assert dialog.wanted.folder == tmp_path / "mine"
    assert len(dialog.wanted.plan.roles) == 92
    assert len(dialog.wanted.plan.prompts) == 1656
    assert dialog.wanted.plan.design == "balanced"


def test_what_is_chosen_is_what_is_planned(dialog: NewStudyDialog, qtbot: QtBot):
    dialog.study_name.setText("two roles")
    dialog.roles.which.choose(1)
    dialog.roles.list.toggle(0)
    dialog.roles.list.toggle(5)
    dialog.design.choose(1)
    dialog.unrelated.choose(1)
    dialog.images.setValue(3)
    dialog.seed.setValue(7)

    qtbot.mouseClick(dialog.make, Qt.MouseButton.LeftButton)

    plan = dialog.wanted.plan
    assert (plan.name, plan.design, plan.unrelated) == ("two roles", "paper", "everyday")
    assert (plan.images_per_prompt, plan.seed, len(plan.roles)) == (3, 7, 2)


def test_roles_and_contexts_of_ones_own_make_a_study(dialog: NewStudyDialog, tmp_path: Path):
    place = {"article": "a", "activity": "reading a map"}
    both = [place | {"location": "field"}, place | {"location": "shed"}]
    everyday = [place | {"location": "park"}, place | {"location": "shop"}]
    bank = tmp_path / "mine.json"
    bank.write_text("[]")
    dialog.use_contexts(bank)
    assert "mine.json has no contexts" in dialog.trouble.text()
    bank.write_text(json.dumps({"contexts": {"drone_pilot": {"related": both, "unrelated": everyday}}}))

    dialog.use_contexts(bank)
    dialog.unrelated.choose(1)
    dialog.make.click()

    assert dialog.roles.own.text() == "mine.json: English"
    (role,) = dialog.wanted.plan.roles
    assert role.display_name == "drone pilot"
    assert "a photo of a drone pilot in a field" in [prompt.text for prompt in dialog.wanted.plan.prompts]


def test_what_it_comes_to_is_said_while_choosing(dialog: NewStudyDialog):
    dialog.roles.which.choose(1)
    dialog.roles.list.toggle(0)

    assert dialog.sum.text() == "1 role, 18 prompts, 180 images from each generator"


def test_roles_are_filtered_but_stay_checked(dialog: NewStudyDialog, qtbot: QtBot):
    dialog.roles.which.choose(1)
    dialog.roles.list.toggle(0)

    qtbot.keyClicks(dialog.roles.filter, "nurse")

    assert dialog.roles.list.item(0).isHidden()
    assert len(dialog.roles.chosen) == 1


@pytest.mark.parametrize("spoil", ["no roles", "no name", "taken", "no folder"])
def test_what_cannot_be_is_said_beside_and_nothing_is_made(
    dialog: NewStudyDialog, qtbot: QtBot, tmp_path: Path, spoil: str
):
    if spoil == "no roles":
        dialog.roles.which.choose(1)
    elif spoil == "no name":
        dialog.study_name.setText(" ")
    elif spoil == "no folder":
        dialog.folder.setText("")
    else:
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / STUDY_FILE).touch()

    qtbot.mouseClick(dialog.make, Qt.MouseButton.LeftButton)

    assert dialog.wanted is None
    assert dialog.isVisible()
    assert dialog.trouble.isVisible()
    assert dialog.trouble.text()


def test_it_fits_a_small_screen_with_roles_and_trouble_shown_and_keeps_what_was_typed(dialog: NewStudyDialog):
    dialog.roles.which.choose(1)
    dialog.study_name.setText("mine still")
    dialog.make.click()

    assert dialog.trouble.isVisible()
    assert dialog.study_name.text() == "mine still"
    assert dialog.minimumSizeHint().height() <= 700
