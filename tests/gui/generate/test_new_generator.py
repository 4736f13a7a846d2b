"""Adding a generator of one's own in the window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.errors import BadInput
from core.generation.entries import own_entries, released
from core.generation.entry import Folder, Hub
from gui.generate.new_generator import NewGeneratorDialog
from gui.generate.own_row import kind_of_folder, row_of, size_of
from gui.theme import Theme


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "settings" / "generators.json"
    monkeypatch.setenv("CONTEXTBIAS_GENERATORS", str(path))
    return path


@pytest.fixture
def dialog(theme: Theme, own: Path, qtbot: QtBot) -> NewGeneratorDialog:
    made = NewGeneratorDialog()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a model folder says of itself, without weights."""
    place = tmp_path / "my model"
    for name, facts in {
        "model_index.json": {"_class_name": "FluxPipeline"},
        "transformer/config.json": {"sample_size": 64},
        "vae/config.json": {"block_out_channels": [1, 1, 1, 1]},
    }.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(json.dumps(facts))
    return place


def test_a_folder_says_its_kind_and_size(dialog: NewGeneratorDialog, folder: Path) -> None:
    dialog.model.setText(str(folder))

    assert dialog.kind.currentText() == "FLUX"
    assert (dialog.width_box.value(), dialog.height_box.value()) == (512, 512)
    assert kind_of_folder(folder / "vae") is None
    assert size_of(folder / "vae") is None


def test_a_folder_with_a_lora_becomes_an_entry(
    dialog: NewGeneratorDialog, folder: Path, tmp_path: Path
) -> None:
    dialog.model.setText(str(folder))
    dialog.generator_name.setText("bakery")
    dialog.guidance.setText("3,5")
    dialog.lora.setText(str(tmp_path / "style.safetensors"))
    dialog.strength.setText("0.8")

    dialog.add.click()

    entry = own_entries()["bakery"]
    assert dialog.added == entry
    assert entry.source == Folder(folder)
    assert (entry.pipeline, entry.guidance_scale, entry.steps) == ("FluxPipeline", 3.5, 30)
    assert [(one.file.name, one.scale) for one in entry.loras] == [("style.safetensors", 0.8)]


def test_a_released_model_with_other_settings_keeps_the_rest(dialog: NewGeneratorDialog) -> None:
    dialog.start.choose("qwen-image")
    dialog.generator_name.setText("qwen-quick")
    dialog.steps.setValue(20)

    dialog.add.click()

    mine, theirs = own_entries()["qwen-quick"], released()["qwen-image"]
    assert isinstance(mine.source, Hub)
    assert (mine.source, mine.pipeline, mine.width) == (theirs.source, theirs.pipeline, theirs.width)
    assert (mine.true_cfg_scale, mine.negative_prompt, mine.licence) == (4.0, " ", "Apache-2.0")
    assert (mine.steps, theirs.steps) == (20, 50)


def test_the_half_precision_files_of_sdxl_stay_chosen(dialog: NewGeneratorDialog) -> None:
    dialog.start.choose("sdxl")

    assert dialog.row["variant"] == "fp16"
    assert dialog.row["vae_dtype"] == "float32"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"generator_name": "sdxl", "model": "/m"}, "called 'sdxl' already"),
        ({"generator_name": "Mine!", "model": "/m"}, "unusable name"),
        ({"generator_name": "mine", "model": "lab/model"}, "has no fixed revision"),
        (
            {"generator_name": "mine", "model": "/m", "guidance": "much"},
            "The guidance 'much' is not a number",
        ),
        ({"generator_name": "mine", "model": "/m", "lora": "x", "strength": "99"}, "the scale 99.0"),
    ],
)
def test_what_cannot_be_added_is_told_and_nothing_is_kept(
    dialog: NewGeneratorDialog, own: Path, fields: dict[str, str], said: str
) -> None:
    for name, text in fields.items():
        getattr(dialog, name).setText(text)

    dialog.add.click()

    assert said in dialog.trouble
    assert dialog.isVisible()
    assert not own.exists()


def test_a_qwen_folder_gets_the_blank_it_needs() -> None:
    row = row_of(
        None,
        name="mine",
        model="/m",
        revision="",
        pipeline="QwenImagePipeline",
        size=(64, 64),
        steps=2,
        guidance="4",
        dtype="float32",
        lora="",
        strength="",
    )

    assert (row["negative_prompt"], row["true_cfg_scale"]) == (" ", 4.0)
    with pytest.raises(BadInput, match="is not a number"):
        row_of(
            None,
            name="mine",
            model="/m",
            revision="",
            pipeline="FluxPipeline",
            size=(64, 64),
            steps=2,
            guidance="",
            dtype="float32",
            lora="a",
            strength="b",
        )


def test_pickled_weights_need_a_tick_and_the_tick_goes_with_another_folder(
    dialog: NewGeneratorDialog, folder: Path, tmp_path: Path
) -> None:
    (folder / "transformer" / "diffusion_pytorch_model.bin").touch()
    dialog.generator_name.setText("older")
    dialog.model.setText(str(folder))
    dialog.add.click()
    assert "can hold commands" in dialog.trouble
    assert dialog.added is None

    dialog.pickled.click()
    dialog.add.click()

    assert dialog.added is not None
    assert dialog.added.source == Folder(folder, None, allows_pickled=True)
    dialog.model.setText(str(tmp_path))
    assert not dialog.pickled.isVisible()
    assert not dialog.pickled.isChecked()


@pytest.mark.parametrize("path", ["/" + "y" * 300, "~nobody-of-this-name/model"])
def test_a_path_that_cannot_be_is_typed_without_a_fault(dialog: NewGeneratorDialog, path: str) -> None:
    dialog.model.setText(path)

    assert not dialog.pickled.isVisible()


def test_a_name_that_no_folder_can_have_is_refused_in_a_sentence() -> None:
    given = {"name": "mine", "revision": "", "pipeline": "FluxPipeline", "size": (512, 512), "steps": 4}
    with pytest.raises(BadInput, match="longer than 255 characters"):
        row_of(None, model="/" + "y" * 300, guidance="", dtype="float16", lora="", strength="", **given)
