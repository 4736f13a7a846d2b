"""A released folder: every picture once, marked without touching a pixel, with its words and checksums."""

from __future__ import annotations

import gc
import hashlib
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from core.errors import BadInput
from core.importing import remarks, scan
from core.jobs import Outcome, run_here
from core.records import Condition, ImageStatus, StoredImage
from core.release.folder import release_folder
from core.release.marking import DRAWN, TRAINED, marked, unmarked, xmp_packet
from core.release.names import CARD, METADATA, SUMS
from core.report.material import Made
from core.table_files import read_table

FACTS = {
    "name": "bakers <b>&</b> others",
    "study_key": "abc",
    "design": "balanced",
    "seed": 1,
    "images_per_prompt": 2,
}
GENERATORS = [Made("SDXL", "diffusers", {"steps": 30, "api_key": "sk-secret"}), Made("drawn-a", "drawn", {})]


def picture(kind: str, shade: int = 100) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (48, 32), (shade, 20, 30)).save(buffer, kind)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("source_type", [TRAINED, DRAWN])
def test_the_mark_is_read_by_others_and_comes_off_byte_for_byte(kind: str, source_type: str):
    data = picture(kind)
    with_mark = marked(data, source_type)
    assert with_mark is not None

    with Image.open(io.BytesIO(with_mark)) as image, Image.open(io.BytesIO(data)) as before:
        assert image.tobytes() == before.tobytes()
        assert image.info["xmp"] == xmp_packet(source_type)
        assert image.getxmp()["xmpmeta"]["RDF"]["Description"]["DigitalSourceType"] == source_type
    assert unmarked(with_mark) == data
    assert unmarked(data) == data


def test_what_has_no_place_for_a_mark_has_none():
    assert marked(picture("WEBP")) is None


@pytest.fixture
def study(tmp_path: Path) -> tuple[Path, list[StoredImage]]:
    folder, images = tmp_path / "study", []
    folder.mkdir()
    for number, kind in enumerate(("JPEG", "PNG", "WEBP", "JPEG", "JPEG")):
        data, name = picture(kind, number * 20), f"{number}.{kind.lower()}"
        (folder / name).write_bytes(data)
        status = ImageStatus.BLACK if number == 4 else ImageStatus.OK
        generator = "drawn-a" if number == 1 else "SDXL"
        prompt = "a photo of a baker, in a bakery"
        digest = hashlib.sha256(data).hexdigest()
        images.append(
            StoredImage(
                *(
                    number,
                    generator,
                    "baker",
                    Condition.CA_R,
                    prompt,
                    number,
                    digest,
                    name,
                    name,
                    48,
                    32,
                    status,
                )
            )
        )
    return folder, images


def released(study: tuple[Path, list[StoredImage]], out: Path) -> Outcome:
    return run_here(release_folder(study[1], study[0], out, FACTS, GENERATORS))


def test_every_usable_picture_is_there_with_its_row_and_checksum(
    study: tuple[Path, list[StoredImage]], tmp_path: Path
):
    outcome = released(study, tmp_path / "out")
    table = read_table(tmp_path / "out" / METADATA)

    assert (outcome.asked, outcome.done, outcome.skipped, outcome.failed) == (5, 4, 1, 0)
    assert sorted(table["seed"]) == ["0", "1", "2", "3"]  # a word column, as all tables are read
    for row in table.itertuples():
        data = (tmp_path / "out" / row.file_name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == row.sha256
        assert hashlib.sha256(unmarked(data)).hexdigest() == row.sha256_of_original
    sums = dict(reversed(line.split("  ")) for line in (tmp_path / "out" / SUMS).read_text().splitlines())
    assert set(sums) == {*table["file_name"], METADATA, CARD}
    assert sums[CARD] == hashlib.sha256((tmp_path / "out" / CARD).read_bytes()).hexdigest()
    assert len(list((tmp_path / "out").rglob("*.xmp"))) == 1  # beside the WebP


def test_it_comes_back_with_everything_that_was_stated(study: tuple[Path, list[StoredImage]], tmp_path: Path):
    released(study, tmp_path / "out")

    plan = scan(tmp_path / "out")

    assert plan.refused == []
    assert {CARD, SUMS} < set(plan.companions)
    assert remarks(plan, {one.stated.role for one in plan.pictures}) == [
        f"Files that belong to a released folder, not pictures: {len(plan.companions)}."
    ]
    found = {(one.stated.generator, one.stated.role, one.stated.condition, one.stated.prompt, one.stated.seed)
             for one in plan.pictures}  # fmt: skip
    usable = [one for one in study[1] if one.status is ImageStatus.OK]
    assert found == {(one.generator, one.role, one.condition, one.prompt, one.seed) for one in usable}


def test_a_missing_and_a_changed_file_are_rows_with_reasons(
    study: tuple[Path, list[StoredImage]], tmp_path: Path
):
    (study[0] / "0.jpeg").unlink()
    (study[0] / "3.jpeg").write_bytes(picture("JPEG", 250))

    outcome = released(study, tmp_path / "out")

    assert sorted(failure.kind for failure in outcome.failures) == ["changed", "missing"]
    assert len(read_table(tmp_path / "out" / METADATA)) == 2


def test_the_card_says_what_it_is_and_no_secret(study: tuple[Path, list[StoredImage]], tmp_path: Path):
    released(study, tmp_path / "out")
    card = (tmp_path / "out" / CARD).read_text(encoding="utf-8")

    assert card.startswith("---\npretty_name:")
    assert "4 pictures of people in 1 role" in card
    assert "do not exist" in card
    assert "sk-secret" not in card
    assert '`{"steps": 30' in card
    assert "api\\_key" not in card
    assert "<b>" not in re.sub(r"\\<", "", card.split("---", 2)[2])


def test_a_folder_that_holds_something_is_refused(study: tuple[Path, list[StoredImage]], tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("keep")

    with pytest.raises(BadInput, match="is not empty"):
        released(study, tmp_path / "out")

    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_the_same_study_gives_the_same_bytes(study: tuple[Path, list[StoredImage]], tmp_path: Path):
    for name in ("a", "b"):
        released(study, tmp_path / name)

    assert (tmp_path / "a" / SUMS).read_bytes() == (tmp_path / "b" / SUMS).read_bytes()


@pytest.mark.filterwarnings("ignore")  # the loader leaves files open
def test_the_loader_of_image_folders_reads_it_without_a_network(
    study: tuple[Path, list[StoredImage]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    datasets = pytest.importorskip("datasets")
    released(study, tmp_path / "out")

    loaded = datasets.load_dataset(
        "imagefolder", data_dir=str(tmp_path / "out"), split="train", cache_dir=str(tmp_path / "cache")
    )

    table = read_table(tmp_path / "out" / METADATA)
    assert sorted(loaded["sha256_of_original"]) == sorted(table["sha256_of_original"])
    assert sorted(loaded["seed"]) == [0, 1, 2, 3]
    assert set(loaded["condition"]) == {Condition.CA_R.value}
    assert {image.size for image in loaded["image"]} == {(48, 32)}
    del loaded
    gc.collect()


def test_of_imported_pictures_nobody_says_that_machines_made_them(
    study: tuple[Path, list[StoredImage]], tmp_path: Path
):
    folder, images = study
    imported = [replace(one, generator="pics") for one in images[:2]]
    made = [Made("pics", "imported", {}), Made("SDXL", "imported", {})]

    run_here(release_folder(imported, folder, tmp_path / "out", FACTS, made))

    card = (tmp_path / "out" / CARD).read_text(encoding="utf-8")
    assert "The pictures of pics were imported" in card
    assert "The people in them do not exist" not in card
    for row in read_table(tmp_path / "out" / METADATA).itertuples():
        assert row.sha256 == row.sha256_of_original
