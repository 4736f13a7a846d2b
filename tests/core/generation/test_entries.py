"""Entries of `generators.json`: the four released ones, and one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput
from core.generation.entries import add_own, own_entries, read_entries, released
from core.generation.entry import Folder, Hub
from core.generation.registry import by_name, entries, names, own_trouble

ROW = {"name": "mine", "folder": "model", "pipeline": "FluxPipeline", "dtype": "bfloat16"} | {
    "width": 512,
    "height": 512,
    "steps": 4,
}


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where one's own entries lie in this test."""
    path = tmp_path / "settings" / "generators.json"
    monkeypatch.setenv("CONTEXTBIAS_GENERATORS", str(path))
    return path


def write(path: Path, *rows: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"generators": list(rows)}), encoding="utf-8")


def test_the_four_models_are_fixed_to_a_commit_each() -> None:
    found = {name: one for name, one in released().items() if isinstance(one.source, Hub)}

    assert {name: (one.pipeline, one.width, one.gated) for name, one in found.items()} == {
        "sdxl": ("StableDiffusionXLPipeline", 1024, False),
        "sd3.5": ("StableDiffusion3Pipeline", 1024, True),
        "flux.1": ("FluxPipeline", 1024, True),
        "qwen-image": ("QwenImagePipeline", 1328, False),
    }
    for one in found.values():
        assert one.licence
        assert one.negative_prompt_note
        assert one.scheduler
        assert sum(one.bytes.values()) > 5e9


def test_the_settings_of_a_released_model_are_known_without_the_model() -> None:
    settings = by_name("qwen-image").settings

    assert settings["true_cfg_scale"] == 4.0
    assert settings["revision"] == "75e0b4be04f60ec59a75f475837eced720f823b6"
    assert "guidance_scale" not in settings
    json.dumps(dict(settings))


def test_an_own_entry_is_kept_and_found_by_name(own: Path) -> None:
    add_own(ROW, frozenset(names()))

    entry = own_entries()["mine"]
    assert entry.source == Folder(own.parent / "model")
    assert names()[-1] == "mine"
    with pytest.raises(BadInput, match="called 'mine' already"):
        add_own(ROW, frozenset())
    with pytest.raises(BadInput, match="called 'sdxl' already"):
        add_own(ROW | {"name": "sdxl"}, frozenset(names()))
    add_own(ROW | {"name": "other"}, frozenset())
    assert [one["name"] for one in json.loads(own.read_text())["generators"]] == ["mine", "other"]


def test_a_broken_own_file_hides_nothing_but_itself_and_is_named(own: Path) -> None:
    write(own, ROW | {"steps": "many"})

    assert "sdxl" in entries()
    assert "mine" not in names()
    assert "'steps' = 'many'" in own_trouble()
    with pytest.raises(BadInput, match="'steps' = 'many'"):
        by_name("mine")


def test_an_own_entry_cannot_take_the_name_of_another(own: Path) -> None:
    write(own, ROW | {"name": "drawn-a"})

    assert "another generator called 'drawn-a'" in own_trouble()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "Mine!"}, "unusable name"),
        ({"name": "x" * 41}, "unusable name"),
        ({"steps": 0}, "'steps' = 0"),
        ({"steps": 2.5}, "'steps' = 2.5"),
        ({"steps": True}, "'steps' = True"),
        ({"width": 10_000}, "'width' = 10000"),
        ({"guidance_scale": "7"}, "'guidance_scale' = '7'"),
        ({"dtype": "int8"}, "the dtype 'int8'"),
        ({"vae_dtype": None}, "the vae_dtype None"),
        ({"sheduler": "x"}, "says 'sheduler'"),
        ({"scheduler": 3}, "'scheduler' that is not a text"),
        ({"scheduler_options": []}, "'scheduler_options' that is not an object"),
        ({"gated": "no"}, "'gated' that is not true or false"),
        ({"repository": "a/b"}, "names not one model"),
        ({"folder": None, "repository": "a/b"}, "has no fixed revision"),
        ({"folder": None, "repository": "a/b", "revision": "main"}, "has no fixed revision"),
        ({"folder": None, "repository": "nonsense", "revision": "a" * 40}, "the repository 'nonsense'"),
        ({"lora": [{"scale": 1}]}, "a LoRA without a file"),
        ({"lora": {"file": "x.safetensors", "scale": "much"}}, "a LoRA with the scale 'much'"),
    ],
    ids=str,
)
def test_what_an_entry_may_not_say_is_told_with_the_generator(
    own: Path, change: dict[str, Any], said: str
) -> None:
    write(own, ROW | change)

    with pytest.raises(BadInput, match="the generator") as caught:
        own_entries()

    assert said in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize("key", ["name", "pipeline", "width", "height", "steps", "dtype"])
def test_what_an_entry_must_say_is_told(own: Path, key: str) -> None:
    write(own, {name: value for name, value in ROW.items() if name != key})

    with pytest.raises(BadInput, match=f"has no '{key}'"):
        own_entries()


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "is not JSON"), ("[]", "has no list"), ('{"generators": [3]}', "an entry is not an object")],
)
def test_a_file_of_something_else_is_told(own: Path, text: str, said: str) -> None:
    own.parent.mkdir()
    own.write_text(text)

    with pytest.raises(BadInput, match=said):
        own_entries()


def test_two_entries_of_one_name_are_told(own: Path) -> None:
    write(own, ROW, ROW)

    with pytest.raises(BadInput, match="two generators called 'mine'"):
        read_entries(own)


def test_a_lora_is_named_with_its_strength(own: Path) -> None:
    write(own, ROW | {"lora": [{"file": "style.safetensors", "scale": 0.5}, "/else/where.safetensors"]})

    first, second = own_entries()["mine"].loras

    assert (first.file, first.scale) == (own.parent / "style.safetensors", 0.5)
    assert (str(second.file), second.scale) == ("/else/where.safetensors", 1.0)
