"""What a person does to validate an extractor: prompts, images, readings, a judge, tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

import main
from core.csv_rows import read_rows
from core.errors import BadInput
from core.extraction import registry as extractors
from core.extraction.drawn_truth import DrawnTruth
from core.extraction.vlm import memory, vlm_extractor
from core.generation import registry
from core.generation.generator import run_key_of
from core.jobs import run_here
from core.keys import seed_of
from core.records import DimensionReading, NewImage, NewRecord, Prompt, PromptKind, Role, Status
from core.schema import load_schema
from core.validation.judging import Judging, Verdict
from gui.studio import Studio
from gui.validation.controls import BY_HAND, IMAGES, JUDGE
from gui.validation.dialog import ValidationDialog
from gui.validation.facts import making_images, making_prompts, read_judging, read_situation, reading
from gui.widgets.caption import Caption
from storage.store import Store
from storage.study import NewStudy
from tests.core.extraction.vlm.shelf import options
from tests.fake_server import fake_server

READER = "drawn-truth"
ROLES = tuple(Role(f"role_{place}", f"worker {place}", "a", f"workers {place}") for place in range(6))
POSES = ("standing", "standing", "standing", "sitting")
"""What the first four roles always do; in the last two roles no pose leads."""

MIXED = ("standing", "sitting", "kneeling", "")


class Painter:
    """Makes small pictures in which everybody stands, whatever the prompt states."""

    name = "drawn-a"
    settings: dict[str, object] = {"kind": "drawn"}  # noqa: RUF012 - the protocol asks for a plain mapping

    def make(self, prompt: Prompt, seed: int) -> NewImage:
        """One picture of one colour."""
        data = _png(seed_of(prompt.text, seed))
        truth = {"pose": ("standing",)}
        return NewImage(
            *(self.name, prompt, seed, run_key_of(self, prompt, seed), data, 8, 8, "png"), truth=truth
        )


def _png(number: int) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (8, 8), (number % 256, number // 256 % 256, 7)).save(data, "PNG")
    return data.getvalue()


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six roles that were read: three of them mostly stand, one mostly sits, two do not lean."""
    monkeypatch.setattr(registry, "by_name", lambda name: Painter())
    monkeypatch.setattr(registry, "names", lambda: (Painter.name,))
    monkeypatch.setattr(extractors, "names", lambda: (READER,))
    schema = load_schema()
    folder = tmp_path / "study"
    with Store.create(folder, NewStudy("audit", 7, images_per_prompt=4)) as store:
        store.add_roles(ROLES)
        prompts = [Prompt(role.name, None, PromptKind.BASE, f"a photo of a {role.name}") for role in ROLES]
        store.add_prompts(prompts)
        store.add_generator(Painter.name, "drawn", {})
        store.add_images([Painter().make(prompt, seed) for prompt in prompts for seed in range(4)])
        reader = DrawnTruth(schema)
        store.add_extractor(READER, reader.parameters, is_simulated=True)
        records = []
        for at, image in enumerate(store.images()):
            role, turn = divmod(at, 4)
            pose = POSES[role] if role < len(POSES) else MIXED[turn]
            status = Status.OK if pose else Status.UNKNOWN
            readings = {"pose": DimensionReading((pose,) if pose else (), status)}
            records.append(NewRecord(image.image_id, READER, f"record {at}", Status.OK, readings))
        store.add_records(records)
    return folder


@pytest.fixture
def opened(
    studio: Studio, settle: Callable[[Studio], None], qtbot: QtBot
) -> Callable[[Path], ValidationDialog]:
    def show(folder: Path) -> ValidationDialog:
        studio.open_study(folder)
        settle(studio)
        dialog = ValidationDialog(studio, READER)
        qtbot.addWidget(dialog)
        dialog.show()
        settle(studio)
        return dialog

    return show


def test_before_anything_was_read_it_says_what_to_do(
    opened: Callable[[Path], ValidationDialog], tmp_path: Path
) -> None:
    Store.create(tmp_path / "new", NewStudy("audit", 7)).close()

    dialog = opened(tmp_path / "new")

    assert dialog.empty.sentence == "No image was read yet."
    assert not dialog.empty.button.isVisible()


def test_step_by_step_to_scores_a_judge_and_the_tables_of_the_command_line(
    study: Path,
    opened: Callable[[Path], ValidationDialog],
    studio: Studio,
    settle: Callable[[Studio], None],
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    dialog = opened(study)
    assert dialog.empty.sentence == f"No prompts for {READER} yet."
    dialog.controls.prompts.setValue(8)
    dialog.controls.per_prompt.setValue(2)
    dialog.empty.button.setFocus()
    qtbot.keyClick(dialog.empty.button, Qt.Key.Key_Space)
    settle(studio)
    prompts = len(dialog.stated.model.rows)
    assert prompts >= 3
    assert dialog.empty.button.text() == f"Make {2 * prompts} images"

    qtbot.keyClick(dialog.empty.button, Qt.Key.Key_Space)
    settle(studio)

    assert dialog.scored is not None
    whole = next(row for row in dialog.scores.dimensions.rows if row["side"] == "ALL")
    assert (whole["images"], whole["not_drawn"]) == (2 * prompts, None)
    standing = sum(one.label == "standing" for one in dialog.stated.model.rows)
    assert whole["accuracy"] == pytest.approx(standing / prompts)
    assert dialog.scores.plot.rows[0].numbers["ALL"].value == whole["accuracy"]
    assert dialog.scores.confusion.shown is not None
    assert dialog.scores.confusion.shown.total == 2 * prompts
    assert "Nobody judged" in dialog.scores.said.text()

    dialog.write_sheet_to(tmp_path / "sheet.csv")
    settle(studio)
    with (tmp_path / "sheet.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    rows[0]["label"], rows[1]["label"] = "standing", "sitting"
    with (tmp_path / "judged.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    dialog.judge_by_sheet(tmp_path / "judged.csv")
    settle(studio)
    dialog.controls.which.choose(IMAGES)
    settle(studio)
    assert [row["judged"] for row in dialog.images.model.rows if row["judged"]] == ["standing", "sitting"]
    assert dialog.stack.currentWidget() is dialog.images

    a_person_judges_with_keys_alone(dialog, studio, settle, qtbot)

    dialog.judge_by_sheet(tmp_path / "judged.csv")
    settle(studio)
    dialog.export_to(tmp_path / "out")
    settle(studio)
    assert dialog.said.text().startswith("Exported to")
    dialog.reject()
    studio.close_study()
    words = ["validate", str(study), "--judge-file", str(tmp_path / "judged.csv")]
    assert main.main([*words, "--out", str(tmp_path / "same"), "--latex"]) == 0
    for path in (tmp_path / "same").rglob("*.[ct][se][vx]"):
        mine = tmp_path / "out" / path.relative_to(tmp_path / "same")
        assert mine.read_bytes() == path.read_bytes(), path.name
    assert (tmp_path / "out" / "validation.svg").is_file()


def a_person_judges_with_keys_alone(
    dialog: ValidationDialog, studio: Studio, settle: Callable[[Studio], None], qtbot: QtBot
) -> None:
    """Each judgement is on the disk at once, can be taken back, and names who erred; no role is shown."""
    dialog.controls.which.choose(JUDGE)
    settle(studio)
    panel, judging = dialog.judging, dialog.judging.judging
    assert judging is not None
    whole = len(judging.cases)
    assert panel.count.text() == f"0 of {whole} judged"
    shown = " ".join(one.text() for one in panel.findChildren(Caption))
    assert judging.cases[0].words in shown
    assert judging.cases[0].stated.role not in shown + panel.picture.accessibleName()
    for key in "123":
        qtbot.keyClick(panel, key)
    settle(studio)
    kept = [row for row in read_rows(judging.path) if row["label"]]
    assert sorted(row["label"] for row in kept)[1:] in (["not drawn", "unknown"], ["standing", "unknown"])
    assert panel.count.text() == f"3 of {whole} judged"
    assert panel.saved.text().startswith("Saved at")

    qtbot.keyClick(panel, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (panel.at, judging.verdict(2)) == (2, None)
    again = read_judging_anew(dialog, studio, settle)
    assert [again.verdict(at) for at in range(4)] == [Verdict.DRAWN, Verdict.NOT_DRAWN, None, None]
    for _ in range(whole - 2):
        qtbot.keyClick(panel, "1")
    assert not panel.scores.isHidden()
    panel.scores.click()
    settle(studio)

    assert dialog.controls.judge.currentText() == BY_HAND
    rows = {row["image"]: row for row in dialog.images.model.rows}
    first, second = (rows[judging.cases[at].image.image_id] for at in (0, 1))
    assert (first["judged"], second["judged"]) == (first["stated"], "not drawn")
    assert second["error_of"] in ("not drawn", "only the extractor saw it")
    assert dialog.scored is not None
    assert dialog.scores.said.text() == ""


def read_judging_anew(dialog: ValidationDialog, studio: Studio, settle: Callable[[Studio], None]) -> Judging:
    """What another sitting would read."""
    settle(studio)
    assert studio.store is not None
    return read_judging(studio.store)


def test_a_server_reads_the_images_of_the_prompts_when_the_choices_are_those_of_its_extractor(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "user_cache", lambda: tmp_path / "cache")
    schema = load_schema()
    with fake_server() as server, Store.open(study) as store:
        run_here(making_prompts(store, READER, 8, 1))
        run_here(making_images(store, Painter.name, [READER]))
        chosen = options(server)
        name = vlm_extractor(schema, chosen).name
        asked = len(read_situation(store).stated)

        outcome = run_here(reading(store, name, chosen))

        assert (outcome.asked, outcome.done) == (asked, asked)
        found = read_situation(store)
        assert (found.unread_by(name), found.unread_by(READER)) == (0, 0)
        assert found.missing(Painter.name) == 0
        with pytest.raises(BadInput, match="With these choices the extractor is"):
            run_here(reading(store, name, options(server, image_size=96)))
