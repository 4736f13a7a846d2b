"""What a person does in the review of the label map."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.extraction.vlm import memory
from core.jobs import run_here
from core.labels import embedding
from core.labels.proposal import Neighbour, Proposal
from core.labels.proposals import propose
from core.labels.review import Act, LabelAct
from core.labels.work import open_dimensions
from core.records import DimensionReading, NewRecord, Status
from core.schema import load_schema
from gui.labels.beside import BesideDialog
from gui.labels.review import ReviewDialog
from gui.studio import Studio
from storage.store import Store
from tests.fake_server import Mischief, error, fake_server

SAID = ("lab coat", "labcoat", "coat", "coat", "coat", "no coat", "tee", "t-shirt", "t-shirt")
GARMENT = "clothing_garment"


@pytest.fixture
def labelled(study_folder: Path) -> Path:
    """The small study with garments in an extractor's own words, and proposals."""
    with Store.open(study_folder) as store:
        store.add_extractor("words", {}, is_simulated=False)
        images = store.images(generator="sdxl", status="ok")
        store.add_records(
            [
                NewRecord(
                    one.image_id, "words", f"words {at}", Status.OK, {GARMENT: DimensionReading((said,))}
                )
                for at, (one, said) in enumerate(zip(images, SAID, strict=False))
            ]
        )
        proposals = run_here(propose(store.label_counts(open_dimensions(load_schema())), None))
        near = (Neighbour("coat", 0.81),)
        kept = [one for one in proposals if one.label != "lab coat"]
        store.put_proposals(
            [*kept, Proposal(GARMENT, "lab coat", "coat", "modifier", 0.81, "", near)], {"model": "m"}
        )
    return study_folder


@pytest.fixture
def dialog(studio: Studio, labelled: Path, settle: Callable[[Studio], None], qtbot: QtBot) -> ReviewDialog:
    studio.open_study(labelled)
    settle(studio)
    made = ReviewDialog(studio)
    qtbot.addWidget(made)
    made.show()
    settle(studio)
    return made


@pytest.fixture
def moved(dialog: ReviewDialog, settle: Callable[[Studio], None]) -> Callable[[], dict[str, str]]:
    """What the study's map does by now."""

    def read() -> dict[str, str]:
        settle(dialog._studio)
        assert dialog._studio.store is not None
        return {label: to for (_, label), to in dialog._studio.store.label_map().moved.items()}

    return read


def listed(dialog: ReviewDialog) -> list[str]:
    return [row.label for row in dialog.model.rows]


def choose(dialog: ReviewDialog, label: str) -> None:
    dialog.table.setCurrentIndex(dialog.model.index(listed(dialog).index(label), 0))


def test_proposals_wait_with_their_neighbours_and_images(
    dialog: ReviewDialog, moved: Callable[[], dict[str, str]]
) -> None:
    assert sorted(listed(dialog)) == ["lab coat", "labcoat", "tee"]
    choose(dialog, "lab coat")
    moved()

    assert dialog.detail.proposed.text() == "Proposed: counts as coat"
    assert dialog.detail.neighbours.text() == "coat 0.81"
    assert (len(dialog.detail.own.images), len(dialog.detail.others.images)) == (1, 3)
    assert moved() == {}


def test_the_keyboard_alone_decides_and_takes_back(
    dialog: ReviewDialog, moved: Callable[[], dict[str, str]], qtbot: QtBot
) -> None:
    dialog.activateWindow()
    dialog.table.setFocus()
    choose(dialog, "lab coat")
    qtbot.keyClick(dialog.table, Qt.Key.Key_A)
    assert moved() == {"lab coat": "coat"}
    assert "lab coat" not in listed(dialog)
    choose(dialog, "tee")
    qtbot.keyClick(dialog.table, Qt.Key.Key_R)
    assert moved() == {"lab coat": "coat"}
    assert listed(dialog) == ["labcoat"]

    qtbot.keyClick(dialog.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert moved() == {"lab coat": "coat"}
    qtbot.keyClick(dialog.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert moved() == {}
    assert sorted(listed(dialog)) == ["lab coat", "labcoat", "tee"]
    qtbot.keyClick(dialog.table, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert moved() == {"lab coat": "coat"}


def test_letters_typed_into_a_line_decide_nothing(
    dialog: ReviewDialog, moved: Callable[[], dict[str, str]], qtbot: QtBot
) -> None:
    dialog.filter.setFocus()
    qtbot.keyClicks(dialog.filter, "ars")

    assert moved() == {}
    assert dialog.filter.text() == "ars"


def test_spellings_are_accepted_together_and_others_are_not(
    dialog: ReviewDialog, moved: Callable[[], dict[str, str]]
) -> None:
    assert dialog.safe.text() == "Accept 2 spellings"
    dialog.safe.click()

    assert moved() == {"labcoat": "lab coat", "tee": "t-shirt"}
    assert listed(dialog) == ["lab coat"]


def test_a_group_is_renamed_split_and_never_merged_over_a_negation(
    dialog: ReviewDialog, moved: Callable[[], dict[str, str]]
) -> None:
    dialog.safe.click()
    moved()
    dialog.which.choose(2)
    choose(dialog, "tee")
    dialog.rename_current("Shirt")
    assert moved() == {"labcoat": "lab coat", "tee": "shirt"}
    choose(dialog, "tee")
    dialog.split_current()
    assert moved() == {"labcoat": "lab coat"}

    choose(dialog, "no coat")
    dialog.rename_current("coat")
    assert "opposite" in dialog.trouble
    assert moved() == {"labcoat": "lab coat"}


def test_a_map_goes_out_and_comes_in_as_one_act(
    dialog: ReviewDialog, moved: Callable[[], dict[str, str]], tmp_path: Path
) -> None:
    dialog.safe.click()
    before = moved()
    dialog.export_to(tmp_path / "map.csv")
    moved()
    dialog.take_back()
    assert moved() == {}

    dialog.import_from(tmp_path / "map.csv")

    assert moved() == before
    assert dialog.undo.toolTip().startswith("Undo: import")


def test_undo_does_not_take_back_what_another_window_decided(
    dialog: ReviewDialog, moved: Callable[[], dict[str, str]]
) -> None:
    dialog.safe.click()
    before = moved()
    assert dialog._studio.store is not None
    dialog._studio.store.add_label_act(LabelAct(Act.RENAME, "Ben", {(GARMENT, "tee"): "shirt"}))

    dialog.take_back()

    assert moved() == {**before, "tee": "shirt"}
    assert dialog.trouble.startswith("Ben decided something here meanwhile")
    assert dialog.undo.toolTip() == "Undo: rename tee, by Ben"
    dialog.take_back()
    assert (moved(), dialog.trouble) == (before, "")


def test_an_empty_review_says_why(dialog: ReviewDialog) -> None:
    dialog.filter.setText("nothing like it")
    assert dialog.detail.title.text() == "No label matches."

    dialog.filter.clear()
    assert dialog.detail.row is not None


def test_before_anything_was_proposed_the_review_says_how_to_begin(
    studio: Studio, study_folder: Path, settle: Callable[[Studio], None], qtbot: QtBot
) -> None:
    studio.open_study(study_folder)
    settle(studio)
    made = ReviewDialog(studio)
    qtbot.addWidget(made)
    settle(studio)

    assert made.detail.title.text().startswith("Nothing was proposed yet.")


def test_a_server_names_groups_when_it_is_asked_to_and_its_failure_leaves_the_review_usable(
    dialog: ReviewDialog, settle: Callable[[Studio], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.setattr(memory, "user_cache", lambda: tmp_path / "cache")
    monkeypatch.setattr(embedding, "SentenceModel", lambda folder: None)
    answer = Mischief(content=json.dumps({"name": "Overcoats"}))
    runs: list[Mischief] = []
    with fake_server(lambda call: runs[-1]) as server:
        for what in (answer, error(401, "Incorrect API key")):
            runs.append(what)
            dialog.names.click()
            assert dialog.asking is not None
            dialog.asking.server.choose("another server")
            dialog.asking.address.setText(server.base_url)
            dialog.asking.model.setText("fake")
            dialog.asking.go.click()
            assert not dialog.names.isEnabled()
            settle(dialog._studio)
            assert dialog.names.isEnabled()
    asked = "".join(json.dumps(call.body) for call in server.calls)
    assert "lab coat" in asked
    assert "image_url" not in asked
    assert dialog.board is not None
    assert {row.proposal.name for row in dialog.board.rows} == {"", "overcoats"}
    assert "key" in dialog.trouble


def test_results_stand_side_by_side_as_said_and_as_mapped(
    dialog: ReviewDialog, settle: Callable[[Studio], None], qtbot: QtBot, tmp_path: Path
) -> None:
    dialog.safe.click()
    settle(dialog._studio)
    beside = BesideDialog(dialog._studio)
    qtbot.addWidget(beside)
    settle(dialog._studio)
    beside.extractor.choose("words")
    settle(dialog._studio)

    row = next(one for one in beside.model.rows if one["dimension"] == GARMENT and one["k_raw"] > 1)
    assert row["k_mapped"] < row["k_raw"]
    assert beside.said.text().startswith("Map version 1, 2 labels mapped")
    beside.export_to(tmp_path / "beside.csv")
    settle(dialog._studio)
    assert "map_version" in (tmp_path / "beside.csv").read_text(encoding="utf-8").splitlines()[0]
    beside.reject()
