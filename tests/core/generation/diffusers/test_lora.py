"""LoRAs on top of a model: laid over the weights at their strength, and part of what the generator is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from core.errors import BadInput
from core.generation.diffusers.generator import DiffusersGenerator
from tests.contracts.generator_contract import make_prompt

GeneratorOf = Callable[..., DiffusersGenerator]
PLACE = "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn2.to_v"


@pytest.fixture
def lora(tmp_path: Path) -> Path:
    """Changes of rank two to one layer of the tiny SDXL."""
    numbers = torch.Generator().manual_seed(3)
    down, up = (torch.randn(shape, generator=numbers) for shape in ((2, 32), (32, 2)))
    file = tmp_path / "style.safetensors"
    save_file({f"{PLACE}.lora_A.weight": down, f"{PLACE}.lora_B.weight": up}, file)
    return file


def test_a_lora_changes_the_picture_with_its_strength(generator_of: GeneratorOf, lora: Path) -> None:
    plain = generator_of("sdxl").make(make_prompt(), 7)
    none, half, full = (
        generator_of("sdxl", lora=[{"file": str(lora), "scale": scale}]).make(make_prompt(), 7)
        for scale in (0.0, 0.5, 1.0)
    )

    assert none.data == plain.data
    assert len({plain.data, half.data, full.data}) == 3
    assert len({plain.run_key, none.run_key, half.run_key, full.run_key}) == 4


def test_the_weights_are_the_models_and_the_loras_together(generator_of: GeneratorOf, lora: Path) -> None:
    from safetensors.torch import load_file

    def weights(generator: DiffusersGenerator) -> torch.Tensor:
        pipe = generator.open("cpu")._pipe  # type: ignore[attr-defined]
        found: torch.Tensor = pipe.unet.get_submodule(PLACE.removeprefix("unet.")).weight.detach()
        return found

    parts = load_file(lora)
    added = parts[f"{PLACE}.lora_B.weight"] @ parts[f"{PLACE}.lora_A.weight"]

    found = weights(generator_of("sdxl", lora=[{"file": str(lora), "scale": 0.5}]))

    assert torch.allclose(found, weights(generator_of("sdxl")) + 0.5 * added, atol=1e-5)


def test_a_lora_of_other_content_is_another_generator(generator_of: GeneratorOf, lora: Path) -> None:
    before = generator_of("sdxl", lora=str(lora)).settings["loras"]
    save_file({f"{PLACE}.lora_A.weight": torch.ones(2, 32)}, lora)

    assert generator_of("sdxl", lora=str(lora)).settings["loras"] != before


def test_a_lora_that_is_not_there_or_no_safetensors_is_told(
    generator_of: GeneratorOf, lora: Path, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match="is not there"):
        generator_of("sdxl", lora=str(tmp_path / "nowhere.safetensors")).make(make_prompt(), 7)
    pickled = lora.rename(lora.with_suffix(".bin"))
    with pytest.raises(BadInput, match="is not there as a safetensors file"):
        generator_of("sdxl", lora=str(pickled)).make(make_prompt(), 7)


def test_a_lora_of_another_model_is_told(generator_of: GeneratorOf, tmp_path: Path) -> None:
    file = tmp_path / "other.safetensors"
    save_file({f"{PLACE}.lora_A.weight": torch.ones(2, 7), f"{PLACE}.lora_B.weight": torch.ones(9, 2)}, file)

    with pytest.raises(BadInput, match=r"The model of 'tiny-sdxl' .* cannot be loaded"):
        generator_of("sdxl", lora=str(file)).make(make_prompt(), 7)
