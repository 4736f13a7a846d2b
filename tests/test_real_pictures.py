"""Pictures made elsewhere, from the folder to a labelled set: real photographs, and the published tree."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

import main
from annotation.design_opening import open_round
from annotation.session import Session
from core.questions import read_questions
from core.records import Condition
from core.schema import read_schema
from storage.frames import Frames
from storage.store import Store

skimage_data = pytest.importorskip("skimage.data", reason="the photographs come with scikit-image")
PHOTOGRAPHS = Path(skimage_data.__file__).parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Photographs of all sorts, junk among them, and a published tree beside."""
    photographs = tmp_path / "in" / "photographs"
    photographs.mkdir(parents=True)
    found = [path for path in sorted(PHOTOGRAPHS.iterdir()) if path.suffix in (".png", ".jpg")]
    assert len(found) >= 12
    for path in found:
        shutil.copy(path, photographs)
    with Image.open(PHOTOGRAPHS / "chelsea.png") as cat:
        cat.save(photographs / "cat.webp")
    (photographs / "notes.txt").write_text("bought in March")
    _published_tree(tmp_path / "in" / "SDXL", found)
    return tmp_path / "in"


def _published_tree(root: Path, photographs: list[Path]) -> None:
    prompt = root / "Context-aware_Related_CA-R" / "film_director" / "prompt_000_film_director"
    prompt.mkdir(parents=True)
    entries = []
    for number in range(10):
        name = f"image_{number:02d}_seed_{1000 + number}.jpg"
        with Image.open(photographs[0]) as picture:
            picture.convert("RGB").rotate(7 * number).save(prompt / name)
        text = "a photo of a film director in a studio"
        entries.append({"id": number, "prompt_used": text, "filename": name, "role": "film_director"})
    (prompt / "manifest.json").write_text(json.dumps(entries))


def test_a_folder_of_photographs_and_a_published_tree_come_in_and_a_set_is_labelled(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study"
    assert main.main(["new", str(study), "--roles", "10"]) == 0

    assert main.main(["import-images", str(study), str(folder)]) == 0

    said = capsys.readouterr()
    assert "notes.txt" in said.err
    assert "1 failed" in said.out
    with Store.open(study) as store:
        images = store.images()
        published = [image for image in images if image.condition is not None]
        assert {(each.role, each.condition, each.generator) for each in published} == {
            ("film_director", Condition.CA_R, "SDXL")
        }
        assert [each.seed for each in published] == list(range(1000, 1010))
        assert {each.prompt for each in published} == {"a photo of a film director in a studio"}
        assert {each.role for each in images if each.condition is None} == {"photographs"}
        _label_one_set(store, study)


def _label_one_set(store: Store, study: Path) -> None:
    schema = read_schema(store.study.schema_json)
    questions = read_questions(store.study.questions_json, schema)
    round_id = open_round(store, questions)
    annotator = store.add_annotator("Ada")
    sets = store.image_sets(round_id)
    assert {len(each.images) for each in sets} >= {10}
    session = Session(store, annotator, sets, questions, store.study.seed)
    first = session.image_set.image_set_id
    while session.image_set.image_set_id == first:
        question = session.question
        if question.is_open:
            session.describe("a plain thing")
        else:
            session.choose(question.option_ids[0])
        session.toggle_mark(0)
        before = (session.set_index, session.question_index)
        result = session.confirm()
        while result.kind == "ask":
            result = session.keep()
        assert (session.set_index, session.question_index) != before, result
    assert session.wait_saved(10)
    answers = Frames(study).answers(round_id)
    assert len(answers) == 23
    assert set(answers["slider"]) == {1.0}
