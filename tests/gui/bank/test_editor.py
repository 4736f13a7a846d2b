"""What a person does to build contexts for a role."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.bank import load_contexts
from core.bank_builder.roles import own_bank
from core.plan import plan_study
from core.sentences import sentences_from
from gui.bank.editor import BankDialog
from gui.studio import Studio
from storage.making import make_study
from tests.fake_server import Call, Mischief, fake_server

Settle = Callable[[Studio], None]


@pytest.fixture
def dialog(open_studio: Studio, settle: Settle, qtbot: QtBot) -> BankDialog:
    made = BankDialog(open_studio)
    qtbot.addWidget(made)
    made.show()
    settle(open_studio)
    return made


def add(dialog: BankDialog, settle: Settle, kind: int, activity: str, location: str) -> None:
    dialog.card.kind.choose(kind)
    dialog.card.activity.setText(activity)
    dialog.card.location.setText(location)
    dialog.card.add.click()
    settle(dialog._studio)


def test_prompts_and_warnings_follow_what_is_typed(dialog: BankDialog, settle: Settle) -> None:
    dialog.role.choose("baker")
    dialog.card.activity.setText("wear an apron")
    dialog.card.location.setText("old bakery")

    assert "a photo of a baker wear an apron in an old bakery" in dialog.card.sentences.text()
    for said in ("-ing form", "suggests clothing", "gives the role away", "suggests age"):
        assert said in dialog.card.warnings.text()
    dialog.card.activity.setText("reading a map")
    dialog.card.location.setText("park")
    assert dialog.card.warnings.text() == ""
    assert not dialog.model.rows  # nothing was kept yet


def test_a_role_that_no_bank_has_is_built_by_hand_and_exported(
    dialog: BankDialog, settle: Settle, tmp_path: Path
) -> None:
    dialog.new_role.setText("Drone Pilot")
    dialog.new_role.returnPressed.emit()
    assert dialog.chosen_role is not None
    assert dialog.chosen_role.name == "drone_pilot"
    add(dialog, settle, 0, "checking a battery", "field")
    add(dialog, settle, 0, "checking the battery", "fields")
    add(dialog, settle, 1, "buying bread", "shop")
    assert [line.candidate.state for line in dialog.model.rows] == ["open"] * 3
    dialog.table.setCurrentIndex(dialog.model.index(1, 0))
    assert "Nearly the same as" in dialog.card.warnings.text()
    dialog.card.reject_it.click()
    settle(dialog._studio)
    dialog.table.setCurrentIndex(dialog.model.index(0, 0))
    dialog.card.accept_it.click()
    settle(dialog._studio)
    assert [line.candidate.state for line in dialog.model.rows] == ["accepted", "rejected", "open"]
    assert "1 more related context is needed" in dialog.whole.text()

    dialog.card.activity.setText("reading a map")
    dialog.card.change.click()
    settle(dialog._studio)
    assert (dialog.model.rows[0].candidate.state, dialog.model.rows[0].candidate.is_edited) == ("open", True)
    dialog.card.accept_it.click()
    settle(dialog._studio)
    dialog.export_to(tmp_path / "bank.json")
    settle(dialog._studio)
    (context,) = load_contexts(tmp_path / "bank.json")["drone_pilot"].related
    assert (context.activity, context.place) == ("reading a map", "a field")


def test_a_server_proposes_and_everything_waits_for_a_person(
    dialog: BankDialog, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")

    def answer(call: Call) -> Mischief:
        text = json.dumps(call.body["messages"])
        if "Propose" in text:
            place = "mill" if "belong to" in text else "museum"
            return Mischief(
                content=json.dumps({"contexts": [{"location": place, "activity": "reading a map"}]})
            )
        return Mischief(
            content=json.dumps({"relevance": 5, "neutrality": 5, "confound": 1, "sentence": "Fine."})
        )

    dialog.role.choose("baker")
    with fake_server(answer) as server:
        dialog.ask.click()
        asking = dialog._asking
        assert asking is not None
        asking.server.choose("another server")
        asking.address.setText(server.base_url)
        asking.model.setText("fake")
        asking.go.click()
        qtbot.waitUntil(lambda: len(dialog.model.rows) == 2, timeout=60_000)  # the first use loads a package

    assert [line.candidate.context.location for line in dialog.model.rows] == ["mill", "museum"]
    assert {line.candidate.state for line in dialog.model.rows} == {"open"}
    assert "judged: Fine." in dialog.card.history.text()


def test_prompts_in_another_language_are_built_and_a_study_of_them_keeps_its_wording(
    dialog: BankDialog, settle: Settle, tmp_path: Path
) -> None:
    dialog.words.click()
    words = dialog._wording
    assert words is not None
    words.language.setText("German")
    words.patterns["alone"].setText("{wording}: {role")
    assert "cannot be read" in words.trouble.text()
    assert not words.keep.isEnabled()
    for name, text in (("alone", ""), ("placed", " ({place})"), ("doing", ", {activity} ({place})")):
        words.patterns[name].setText("{wording}: {role}" + text)
    for number, line in enumerate(words.wordings):
        line.setText(f"Foto {number}")
    assert "Foto 0: baker, reading a map (a park)" in words.shown.text()
    words.keep.click()
    settle(dialog._studio)

    dialog.new_role.setText("Drohnenpilotin")
    dialog.new_role.returnPressed.emit()
    for kind, activity, place in (
        *((0, "ein Kabel prüfend", "Feld"), (0, "eine Karte lesend", "Wiese")),
        *((1, "Brot kaufend", "Laden"), (1, "wartend", "Bahnhof")),
    ):
        add(dialog, settle, kind, activity, place)
        dialog.table.setCurrentIndex(dialog.model.index(len(dialog.model.rows) - 1, 0))
        dialog.card.accept_it.click()
        settle(dialog._studio)
    assert "Foto 0: Drohnenpilotin, wartend (Bahnhof)" in dialog.card.sentences.text()
    assert dialog.card.warnings.text() == ""
    dialog.export_to(tmp_path / "bank.json")
    settle(dialog._studio)
    roles, contexts, sentences = own_bank(tmp_path / "bank.json")
    plan = plan_study("x", roles, contexts=contexts, sentences=sentences, unrelated="everyday")
    with make_study(tmp_path / "study", plan) as store:
        texts = [prompt.text for prompt in store.prompts()]
        assert sentences_from(store.study.settings["sentences"]) == sentences

    assert texts[0] == "Foto 0: Drohnenpilotin"
    assert "Foto 1: Drohnenpilotin, ein Kabel prüfend (Feld)" in texts


def test_what_the_bank_has_for_a_role_is_taken_and_edited(
    dialog: BankDialog, settle: Settle, tmp_path: Path
) -> None:
    dialog.role.choose("baker")
    dialog.take.click()
    settle(dialog._studio)
    own = load_contexts()["baker"]
    assert [line.candidate.context for line in dialog.model.rows] == [*own.related, *own.unrelated]
    assert {line.candidate.state for line in dialog.model.rows} == {"accepted"}
    assert not dialog.take.isEnabled()

    dialog.card.activity.setText("shaping rolls")
    dialog.card.change.click()
    settle(dialog._studio)
    dialog.card.accept_it.click()
    settle(dialog._studio)
    dialog.export_to(tmp_path / "bank.json")
    settle(dialog._studio)

    changed = load_contexts(tmp_path / "bank.json")["baker"]
    assert changed.related[0].activity == "shaping rolls"
    assert changed.related[1:] == own.related[1:]
