"""Results are computed once for the same records, also by another run of the program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from core.jobs import run_here
from core.kept_analyses import FOLDER, MOST_KEPT, KeptAnalyses
from core.labels.review import Act, LabelAct
from core.records import CAUSES, CONFIDENCES
from core.tables import write_tables
from gui.agreement import reading as agreement
from gui.agreement.view import Settings as People
from gui.results import reading
from gui.results.view import Settings
from storage.store import Store
from tests.gui.pages.audited import READER, make_audited

SETTINGS = Settings(READER)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """An open study with records, whose analysis takes few draws."""
    monkeypatch.setattr(reading, "BOOTSTRAP", 20)
    with Store.open(make_audited(tmp_path / "study", people=())) as opened:
        yield opened


def bytes_of(tables: object, run: object, folder: Path) -> dict[str, bytes]:
    """Tables and account as they are exported."""
    return {path.name: path.read_bytes() for path in write_tables(tables, folder, run)}  # type: ignore[arg-type]


def test_the_same_records_are_analysed_once_and_give_the_same_bytes(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A label that is merged and records that went are another input, which is computed anew."""
    first = run_here(reading.compute(store, SETTINGS))
    asked: list[str] = []
    analysed = reading._analysed
    monkeypatch.setattr(reading, "_analysed", lambda *given: asked.append("again") or analysed(*given))
    again = run_here(reading.compute(store, SETTINGS))
    assert asked == []
    assert bytes_of(again.tables, again.run, tmp_path / "b") == bytes_of(
        first.tables, first.run, tmp_path / "a"
    )
    assert again.intensities == first.intensities
    assert (again.images, again.records) == (first.images, first.records)
    before = reading.input_key(store, SETTINGS, store.label_map())
    store.add_label_act(LabelAct(Act.ACCEPT, "lead", {("items", "bread"): "cup"}, "one thing"))
    merged = reading.input_key(store, SETTINGS, store.label_map())
    assert merged != before
    store.remove_simulated()
    assert reading.input_key(store, SETTINGS, store.label_map()) not in (before, merged)


def agreement_key(store: Store) -> str:
    """The key that the page Agreement asks for now; nothing is computed."""
    asked: list[str] = []

    def read(_kept: KeptAnalyses, key: str) -> None:
        asked.append(key)
        raise LookupError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agreement, "read_kept", read)
        with pytest.raises(LookupError):
            run_here(agreement.compute(store, People(1, "label", READER)))
    return asked[0]


def test_agreement_of_the_same_answers_is_computed_once_and_gives_the_same_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exclusion, its withdrawal, an adjudication, an answer, a label and an option lead elsewhere."""
    monkeypatch.setattr(agreement, "BOOTSTRAP", 20)
    with Store.open(make_audited(tmp_path / "study", repeats=2)) as store:
        settings = People(1, "label", READER)
        first = run_here(agreement.compute(store, settings))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("annotation.agreement.agreement", lambda *_given, **_options: pytest.fail("again"))
            again = run_here(agreement.compute(store, settings))
        assert bytes_of(again.tables, again.run, tmp_path / "b") == bytes_of(
            first.tables, first.run, tmp_path / "a"
        )
        assert (again.rows, again.given, again.consensus) == (first.rows, first.given, first.consensus)

        keys = [agreement_key(store)]
        ana = store.annotators()[0].annotator_id
        excluded = store.exclude(1, ana, "mood", "a misunderstanding", "lead")
        keys.append(agreement_key(store))
        store.withdraw_exclusion(excluded)
        assert agreement_key(store) == keys[0]
        store.lock_round(1)
        said = {"label": "teen", "slider": 3, "cause": CAUSES[0], "reason": "", "confidence": CONFIDENCES[0]}
        store.adjudicate(store.image_sets(1)[0].image_set_id, "age_range", {**said, "decided_by": "lead"})
        keys.append(agreement_key(store))
        store.add_label_act(LabelAct(Act.ACCEPT, "lead", {("items", "bread"): "cup"}, "one thing"))
        keys.append(agreement_key(store))
        monkeypatch.setattr(agreement, "BOOTSTRAP", 21)
        keys.append(agreement_key(store))
        assert len(set(keys)) == len(keys)


def test_what_cannot_be_read_is_computed_anew_and_the_oldest_make_room(tmp_path: Path) -> None:
    """A cut-off file is no result, nor is one with other rows than were written."""
    kept = KeptAnalyses(tmp_path)
    table = pd.DataFrame(
        {"label": pd.Categorical(["b", "a"], categories=["c", "b", "a"]), "value": [0.1, None]}
    )
    run = {"table_rows": {"bi": 2}, "seed": 0}
    assert kept.write("one", {"bi": table}, run)
    found = kept.read("one")
    assert found is not None
    pd.testing.assert_frame_equal(found.tables["bi"], table)
    assert found.run == run
    file = tmp_path / FOLDER / "one" / "bi.feather"
    file.write_bytes(file.read_bytes()[:200])
    assert kept.read("one") is None
    assert kept.write("one", {"bi": table}, {"table_rows": {"bi": 3}})
    assert kept.read("one") is None
    assert kept.read("nothing") is None
    for number in range(MOST_KEPT + 2):
        assert kept.write(f"key {number}", {"bi": table}, run)
    assert len(list((tmp_path / FOLDER).iterdir())) == MOST_KEPT


def test_a_place_that_cannot_be_written_only_costs_computing_again(tmp_path: Path) -> None:
    """It is no trouble."""
    (tmp_path / FOLDER).write_text("a file where the folder would be")
    assert not KeptAnalyses(tmp_path).write("one", {}, {"table_rows": {}})
    assert KeptAnalyses(tmp_path).read("one") is None
