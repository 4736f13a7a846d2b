"""The whole study in numbers, read from a real store."""

from __future__ import annotations

from pathlib import Path

from core.records import Condition, NewImage, Prompt, PromptKind, Role
from gui.models.coverage import Layer
from gui.models.disk import size_of
from gui.models.failures import failure_classes
from gui.models.next_act import next_act
from gui.models.overview import pace_of, read_overview
from gui.models.places import place_uses, spread_sentence
from storage.store import Store
from storage.study import JobInfo, NewStudy
from tests.gui.annotate.conftest import encoded


def test_the_overview_counts_what_is_in_the_store(study_folder: Path):
    with Store.open(study_folder) as store:
        found = read_overview(store)

    assert found.name == "audit"
    assert found.table.sum(Layer.PROMPTS).done == 12
    assert (found.counts.images, found.counts.images_wanted) == (35, 47)
    assert found.counts.records == 23
    assert (found.counts.answers, found.counts.answers_wanted) == (3, 4)
    assert found.image_sets == 1
    assert [one.annotator.name for one in found.annotators] == ["Ana", "simulated A"]


def test_failures_are_counted_by_class_wherever_they_happened(study_folder: Path):
    with Store.open(study_folder) as store:
        failures = read_overview(store).failures

    assert {(one.page, one.title, one.count) for one in failures} == {
        ("generate", "Black image", 1),
        ("generate", "Out of GPU memory", 1),
        ("extract", "Refused by the extractor", 1),
    }


def test_the_pace_is_that_of_the_latest_long_enough_job():
    def job(number: int, kind: str, done: int, seconds: int) -> JobInfo:
        ended = f"2026-11-26T10:{seconds // 60:02d}:{seconds % 60:02d}.000Z"
        began = "2026-11-26T10:00:00.000Z"
        return JobInfo(number, kind, {}, "done", done, done, 0, 0, began, ended)

    jobs = [job(1, "extract", 100, 100), job(2, "generate", 100, 10), job(3, "extract", 2, 50)]

    assert pace_of(jobs, "extract") == 1.0
    assert pace_of(jobs, "generate") == 10.0
    assert pace_of([], "extract") is None


def test_a_folder_is_measured_with_all_that_is_in_it(tmp_path: Path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "one").write_bytes(b"12345")
    (tmp_path / "two").write_bytes(b"123")

    assert size_of(tmp_path) == 8


def test_places_are_counted_by_role_and_condition():
    prompts = [
        Prompt("baker", Condition.CA_R, PromptKind.BASE, "1", place="a bakery"),
        Prompt("baker", Condition.CA_R, PromptKind.BASE, "2", place="a bakery"),
        Prompt("chef", Condition.CA_R, PromptKind.BASE, "3", place="a bakery"),
        Prompt("chef", Condition.CA_U, PromptKind.BASE, "4", place="a park"),
        Prompt("chef", Condition.CF, PromptKind.BASE, "5"),
    ]
    uses = place_uses(prompts)

    assert [(use.place, dict(use.roles)) for use in uses] == [
        ("a bakery", {Condition.CA_R: 2}),
        ("a park", {Condition.CA_U: 1}),
    ]
    assert spread_sentence(uses, Condition.CA_R) == "CA-R: 1 place, each with 2 roles"
    assert spread_sentence((), Condition.CA_U) == "CA-U: no places"


def test_no_more_images_are_asked_of_imported_ones(tmp_path: Path):
    with Store.create(tmp_path / "study", NewStudy("audit", 7)) as store:
        store.add_roles([Role("baker", "baker", "a", "bakers")])
        prompt = Prompt("baker", Condition.CF, PromptKind.BASE, "a photo of a baker")
        store.add_prompts([prompt])
        store.add_generator("elsewhere", "imported", {})
        store.add_images([NewImage("elsewhere", prompt, 0, "one", encoded(64, 3), 64, 64, "png")])
        found = read_overview(store)

    assert (found.counts.images, found.counts.images_wanted) == (1, 1)
    assert found.table.sum(Layer.RECORDS).whole == 1
    assert next_act(found.counts).page == "extract"


def test_what_an_import_did_not_take_is_told_in_its_own_words():
    told = failure_classes([("generate", "import duplicate", 2), ("generate", "import too large", 1)])

    assert [(one.title, one.where) for one in told] == [
        ("Imported twice", "generate: the same picture is there"),
        ("Not imported: too large", "generate: look at the file"),
    ]
