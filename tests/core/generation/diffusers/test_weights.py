"""A model folder before it is loaded: whole, safe, and which content it is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import BadInput
from core.generation.diffusers.fingerprint import file_hash, fingerprint
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.diffusers.pickled import WARNING
from core.generation.diffusers.preflight import look_at_model
from core.generation.diffusers.weights import look_over
from core.generation.entry import Folder
from core.generation.entry_rules import entry_from
from core.generation.findings import NOTE
from core.generation.registry import by_name
from tests import tiny_models
from tests.contracts.generator_contract import make_prompt

UNET = "unet/diffusion_pytorch_model.safetensors"


@pytest.fixture
def folder(models: Callable[[str], Path], tmp_path: Path) -> Path:
    """A copy of the tiny SDXL."""
    return Path(shutil.copytree(models("sdxl"), tmp_path / "copy"))


def test_a_whole_model_is_told_with_its_parts_and_numbers(folder: Path) -> None:
    import torch

    model = look_over(folder)
    entry = entry_from(tiny_models.row("sdxl", folder), folder / "own.json")
    pipe = DiffusersGenerator(entry).open("cpu")._pipe  # type: ignore[attr-defined]

    assert model.pipeline == "StableDiffusionXLPipeline"
    assert set(model.files) == {"unet", "vae", "text_encoder", "text_encoder_2"}
    for name in model.files:
        part: torch.nn.Module = getattr(pipe, name)
        assert model.numbers[name] == sum(one.numel() for one in part.parameters())


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda place: (place / "model_index.json").unlink(), "is no diffusers folder"),
        (lambda place: (place / "model_index.json").write_text("{"), "is damaged"),
        (lambda place: (place / "model_index.json").write_text("[]"), "is damaged"),
        (lambda place: shutil.rmtree(place / "vae"), "its part 'vae' is missing"),
        (lambda place: (place / UNET).unlink(), "its weights are missing"),
        (lambda place: (place / "unet" / "config.json").unlink(), "config.json is missing"),
        (lambda place: (place / UNET).write_bytes(b""), "it is no safetensors file"),
        (lambda place: (place / UNET).write_bytes((place / UNET).read_bytes()[:90]), "its header is cut off"),
        (lambda place: (place / UNET).write_bytes((place / UNET).read_bytes()[:-9]), "is not whole"),
        (lambda place: (place / UNET).rename(place / "unet" / "x.bin"), "has pickled weights only"),
        (lambda place: (place / "model_index.json").rename(place / "model.ckpt"), "one pickled file"),
    ],
    ids=[
        *("no index", "half an index", "other JSON", "no part", "no weights"),
        *("no configuration", "empty", "half a header", "cut off", "pickled", "one file"),
    ],
)
def test_a_folder_that_cannot_be_used_is_told_in_a_sentence(
    folder: Path, spoil: Callable[[Path], object], said: str
) -> None:
    spoil(folder)

    with pytest.raises(BadInput, match=said) as caught:
        look_over(folder)

    assert caught.value.remedy


def as_pickle(folder: Path) -> None:
    """The UNet's weights as older models have them."""
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / UNET), folder / "unet" / "diffusion_pytorch_model.bin")
    (folder / UNET).unlink()


def test_pickled_weights_are_read_only_where_the_entry_allows_it_and_are_noted_with_the_image(
    folder: Path,
) -> None:
    whole = DiffusersGenerator(entry_from(tiny_models.row("sdxl", folder), folder / "own.json"))
    before = whole.make(make_prompt(), 7).data
    as_pickle(folder)
    row = tiny_models.row("sdxl", folder)

    with pytest.raises(BadInput, match=r'pickled weights only.*"allow_pickled": true'):
        DiffusersGenerator(entry_from(row, folder / "own.json")).make(make_prompt(), 7)
    allowed = DiffusersGenerator(entry_from(row | {"allow_pickled": True}, folder / "own.json"))
    image = allowed.make(make_prompt(), 7)

    assert image.data == before
    assert image.provenance["settings"]["pickled_weights"] == ["unet"]
    (told,) = [one for one in look_at_model(allowed, []).findings if one.name == "Weights"]
    assert told.state == NOTE
    assert WARNING in told.said
    hub = {name: value for name, value in row.items() if name != "folder"}
    hub |= {"repository": "me/mine", "revision": "0" * 40, "allow_pickled": True}
    with pytest.raises(BadInput, match="from the hub"):
        entry_from(hub, folder / "own.json")


def test_a_pickle_that_runs_commands_is_not_carried_out_even_where_pickles_are_allowed(
    folder: Path, tmp_path: Path
) -> None:
    import pickle

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[object, ...]]:
            return Path.touch, (tmp_path / "was here",)

    as_pickle(folder)
    (folder / "unet" / "diffusion_pytorch_model.bin").write_bytes(pickle.dumps({"a": Evil()}))
    row = tiny_models.row("sdxl", folder) | {"allow_pickled": True}

    with pytest.raises(BadInput, match="cannot be loaded"):
        DiffusersGenerator(entry_from(row, folder / "own.json")).make(make_prompt(), 7)

    assert not (tmp_path / "was here").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"unet": ["pipeline_of_mine", "Unet"]},
        {"unet": ["../../evil", "Unet"]},
        {"_class_name": ["mine", "Pipeline"]},
        {"a/b": ["diffusers", "Unet"]},
    ],
    ids=["a module of its own", "a path", "a pipeline of its own", "a part that is a path"],
)
def test_a_model_with_code_of_its_own_is_never_loaded(folder: Path, change: dict[str, object]) -> None:
    path = folder / "model_index.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))

    with pytest.raises(BadInput, match="of its own"):
        look_over(folder)


def test_a_shard_that_is_missing_is_named(folder: Path) -> None:
    whole = folder / UNET
    whole.rename(whole.with_name("diffusion_pytorch_model-00001-of-00002.safetensors"))
    names = {f"layer{n}": f"diffusion_pytorch_model-0000{n}-of-00002.safetensors" for n in (1, 2)}
    index = whole.with_name("diffusion_pytorch_model.safetensors.index.json")
    index.write_text(json.dumps({"weight_map": names}))

    with pytest.raises(BadInput, match=r"diffusion_pytorch_model-00002-of-00002.safetensors is missing"):
        look_over(folder)


def test_of_two_variants_the_one_asked_for_is_taken(folder: Path) -> None:
    shutil.copy(folder / UNET, (folder / UNET).with_name("diffusion_pytorch_model.fp16.safetensors"))

    assert [path.name for path in look_over(folder, "fp16").files["unet"]] == [
        "diffusion_pytorch_model.fp16.safetensors"
    ]
    assert [path.name for path in look_over(folder).files["unet"]] == ["diffusion_pytorch_model.safetensors"]


def test_a_copy_elsewhere_is_the_same_model_and_one_changed_number_another(
    folder: Path, models: Callable[[str], Path]
) -> None:
    assert fingerprint(look_over(folder)) == fingerprint(look_over(models("sdxl")))

    data = bytearray((folder / UNET).read_bytes())
    data[-1] ^= 1
    (folder / UNET).write_bytes(data)

    assert fingerprint(look_over(folder)) != fingerprint(look_over(models("sdxl")))


def test_the_hash_of_a_large_file_is_remembered_while_the_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.generation.diffusers import fingerprint as module

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "LARGE", 10)
    monkeypatch.setattr(module, "_known", {})
    path = tmp_path / "weights"
    path.write_bytes(b"0123456789abc")
    first = file_hash(path)

    monkeypatch.setattr(module, "_known", {})
    monkeypatch.setattr(module, "_hash", lambda _: "read again")
    assert file_hash(path) == first

    path.write_bytes(b"0123456789abcd")
    assert file_hash(path) == "read again"


def test_an_own_folder_becomes_a_generator(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "generators.json"
    row = tiny_models.row("sdxl", folder) | {"name": "mine", "folder": "copy"}
    own.write_text(json.dumps({"generators": [row]}))
    monkeypatch.setenv("CONTEXTBIAS_GENERATORS", str(own))

    generator = by_name("mine")

    assert generator.settings["weights"] == fingerprint(look_over(folder))
    assert isinstance(generator.entry.source, Folder)  # type: ignore[attr-defined]
