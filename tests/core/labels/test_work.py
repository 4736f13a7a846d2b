"""The command `labels`, from the words of a command line to the study."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import main
from core.records import DimensionReading
from storage.store import Store
from tests.storage.builders import make_image, make_record, new_store

LABELS = ("tee", "t-shirt", "t-shirt", "aprons", "apron", "lab coat", "no apron")


@pytest.fixture
def study(tmp_path: Path) -> str:
    folder = tmp_path / "study"
    with new_store(folder) as store:
        numbers = store.add_images([make_image(number) for number in range(len(LABELS))])
        store.add_records(
            [
                make_record(number, readings={"clothing_garment": DimensionReading((label,))})
                for number, label in zip(numbers, LABELS, strict=True)
            ]
        )
    return str(folder)


def moved(study: str) -> dict[tuple[str, str], str]:
    with Store.open(study) as store:
        return store.label_map().moved


def test_proposing_reviewing_and_undoing_on_a_command_line(
    study: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["labels", study, "propose", "--rules-only"]) == 0
    assert "2 proposals wait" in capsys.readouterr().out
    assert moved(study) == {}

    assert main.main(["labels", study, "review", "--accept-safe", "--by", "Ada"]) == 0
    garment = "clothing_garment"
    assert moved(study) == {(garment, "aprons"): "apron", (garment, "tee"): "t-shirt"}
    rename = f"{garment}:lab coat=white coat"
    assert main.main(["labels", study, "review", "--rename", rename, "--by", "Ada"]) == 0
    assert main.main(["labels", study, "review", "--split", f"{garment}:tee", "--by", "Ada"]) == 0
    assert moved(study) == {(garment, "aprons"): "apron", (garment, "lab coat"): "white coat"}
    assert main.main(["labels", study, "review", "--undo"]) == 0
    assert (garment, "tee") in moved(study)


def test_a_map_goes_out_and_into_another_study(
    study: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "map.csv")
    main.main(["labels", study, "propose", "--rules-only"])
    main.main(["labels", study, "review", "--accept-safe"])
    assert main.main(["labels", study, "export", "--out", file]) == 0
    assert main.main(["labels", study, "export", "--out", file]) == 1, "it may be corrected by hand by now"
    assert main.main(["labels", study, "export", "--out", file, "--overwrite"]) == 0
    before = moved(study)
    main.main(["labels", study, "review", "--undo"])
    assert moved(study) == {}

    assert main.main(["labels", study, "import", "--file", file, "--by", "Ben"]) == 0

    assert moved(study) == before
    capsys.readouterr()
    assert main.main(["labels", study, "review", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["label"]: row["decision"] for row in rows}["aprons"] == "mapped"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["export"], "No file is named"),
        (["review", "--accept", "clothing_garment:cape"], "has no label 'cape'"),
        (["review", "--rename", "clothing_garment:no apron=apron"], "opposite"),
        (["review", "--reject", "mode:calm"], "no dimension 'mode'"),
        (["propose", "--sentence-model", "/nowhere"], "holds no sentence model"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    study: str, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["labels", study, *words]) == 1
    assert sentence in capsys.readouterr().err
