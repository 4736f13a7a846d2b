from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.bank_builder.candidate import Judgement, deciding, editing, judging, proposing
from core.errors import BadInput, StoreError
from core.labels.board import accept, rows_of
from core.labels.proposal import Neighbour, Proposal
from core.labels.review import Act, LabelAct
from core.paths import STUDY_FILE
from core.records import DimensionReading, Status
from storage.store import Store
from tests.storage.builders import make_image, make_record, new_store

TEE = ("items", "tee")


def items(*labels: str) -> dict[str, DimensionReading]:
    return {"items": DimensionReading(labels)}


@pytest.fixture
def store(folder: Path) -> Store:
    made = new_store(folder)
    numbers = made.add_images([make_image(number) for number in range(4)])
    made.add_records(
        [
            make_record(numbers[0], readings=items("tee", "coat")),
            make_record(numbers[1], readings=items("tee")),
            make_record(numbers[2], readings={"items": DimensionReading((), Status.UNKNOWN)}),
            make_record(numbers[3], status=Status.ERROR, readings={}),
        ]
    )
    made.add_records([make_record(numbers[3], record_key="again", readings=items("t-shirt"))])
    return made


def test_labels_are_counted_by_image_and_newest_record(store: Store) -> None:
    with store:
        assert store.label_counts(["items"]) == {
            ("items", "coat"): 1,
            ("items", "t-shirt"): 1,
            ("items", "tee"): 2,
        }
        assert store.label_counts(["mood"]) == {}
        assert [image.seed for image in store.images_with_label("items", "tee", 5)] == [0, 1]


def test_proposals_come_back_as_they_were_and_are_replaced_whole(store: Store) -> None:
    with store:
        near = (Neighbour("t-shirt", 0.9), Neighbour("coat", 0.2))
        first = [
            Proposal(*TEE, "t-shirt", "alias", None, "", near),
            Proposal("items", "coat", "coat", "none"),
        ]
        store.put_proposals(first, {"model": "a"})
        assert store.proposals() == sorted(first, key=lambda one: one.label)
        store.put_proposals(first[:1], {"model": "b"})
        assert store.proposals() == first[:1]
        assert store.proposals_maker()["model"] == "b"


def test_a_map_survives_a_restart_and_undo_goes_on_after_it(store: Store, folder: Path) -> None:
    with store:
        store.put_proposals([Proposal(*TEE, "t-shirt", "alias")], {})
        rows = rows_of(store.label_counts(["items"]), store.proposals(), store.label_map())
        store.add_label_act(accept([row for row in rows if row.is_waiting], "Ada"))
        store.add_label_act(LabelAct(Act.RENAME, "Ben", {("items", "coat"): "jacket"}))
    with Store.open(folder) as again:
        assert again.label_map().version == 2
        assert again.label_map().moved == {TEE: "t-shirt", ("items", "coat"): "jacket"}
        undone = again.undo_label_act("Ada")
        assert undone is not None
        assert undone.author == "Ben"
        assert again.label_map().moved == {TEE: "t-shirt"}
        again.redo_label_act("Ada")
        assert again.label_map().moved == {TEE: "t-shirt", ("items", "coat"): "jacket"}
        assert again.label_map().version == 4
        assert [act.act for act in again.label_acts()] == ["accept", "rename", "undo", "redo"]


def test_what_another_window_decided_meanwhile_is_not_taken_back(store: Store) -> None:
    with store:
        seen = store.add_label_act(LabelAct(Act.RENAME, "Ada", {TEE: "t-shirt"}))
        store.add_label_act(LabelAct(Act.RENAME, "Ben", {("items", "coat"): "jacket"}))
        for back in (store.undo_label_act, store.redo_label_act):
            with pytest.raises(StoreError, match="Ben decided something here meanwhile"):
                back("Ada", seen)
        assert len(store.label_map().moved) == 2
        undone = store.undo_label_act("Ada", seen + 1)
        assert undone is not None
        assert undone.author == "Ben"


def test_an_act_without_a_name_is_refused_and_none_is_ever_changed(store: Store, folder: Path) -> None:
    with store:
        with pytest.raises(BadInput, match="whose"):
            store.add_label_act(LabelAct(Act.RENAME, " ", {TEE: "t-shirt"}))
        store.add_label_act(LabelAct(Act.RENAME, "Ada", {TEE: "t-shirt"}))
    with closing(sqlite3.connect(folder / STUDY_FILE)) as connection:
        for statement in ("UPDATE label_act SET author = 'Eve'", "DELETE FROM label_act"):
            with pytest.raises(sqlite3.IntegrityError, match="never"):
                connection.execute(statement)


def test_decisions_about_the_bank_are_kept_with_who_made_them(store: Store) -> None:
    with store:
        store.add_bank_acts([proposing("nurse", "related", "ward", "changing a dressing", "server")])
        (candidate,) = store.candidates()
        store.add_bank_acts([judging(candidate, Judgement(5, 4, 1, "fits", "server"))])
        store.add_bank_acts([deciding(candidate, "accept", "Ada")])
        (candidate,) = store.candidates()
        assert (candidate.state, candidate.decided_by, candidate.proposed_by) == ("accepted", "Ada", "server")
        assert candidate.judgement == Judgement(5, 4, 1, "fits", "server")
        store.add_bank_acts([editing(candidate, "ward", "taking a pulse", "Ada")])
        (candidate,) = store.candidates()
        assert (candidate.state, candidate.is_edited, candidate.judgement) == ("open", True, None)
        assert [act.act for act in store.bank_acts()] == ["propose", "judge", "accept", "edit"]
        assert all(act.at for act in store.bank_acts())
