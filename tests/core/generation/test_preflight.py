"""What is looked at before a run: what is said, and what keeps it from starting."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import main
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.diffusers.preflight import look_at_model
from core.generation.diffusers.truncation import cuts, limits
from core.generation.findings import Finding, Measured, can_run
from core.generation.preflight import preflight
from core.jobs import run_here
from core.plan import choose_roles, plan_study
from core.running import generate_in
from storage.making import make_study
from storage.store import Store
from tests import tiny_models
from tests.core.generation.diffusers.conftest import entry_of, generator_of, models

__all__ = ["entry_of", "generator_of", "models"]

GeneratorOf = Callable[..., DiffusersGenerator]
LONG = "a photo of a baker " + "kneading dough " * 6


def found(findings: Any, name: str) -> Finding:
    return next(one for one in findings if one.name == name)


# Words lost ------------------------------------------------------------------------------------------


def test_each_encoder_has_its_own_limit(generator_of: GeneratorOf) -> None:
    takes = {
        kind: limits(generator_of(kind).entry, generator_of(kind).model) for kind in ("sdxl", "sd3", "qwen")
    }

    assert takes["sdxl"] == {
        "text_encoder (CLIPTextModel)": 77,
        "text_encoder_2 (CLIPTextModelWithProjection)": 77,
    }
    assert takes["sd3"]["text_encoder_3 (T5EncoderModel)"] == 64
    assert takes["qwen"] == {"text_encoder (Qwen2_5_VLForConditionalGeneration)": 64}


@pytest.mark.parametrize(("kind", "longest"), [("flux", 512), ("sd3", 256), ("qwen", 512)])
def test_without_a_number_in_the_entry_the_classes_own_limit_holds(
    generator_of: GeneratorOf, kind: str, longest: int
) -> None:
    generator = generator_of(kind, max_sequence_length=None)

    assert longest in limits(generator.entry, generator.model).values()


def test_the_words_lost_are_those_that_the_encoder_does_not_get(generator_of: GeneratorOf) -> None:
    """The tiny tokenizers have one token a letter, and CLIP two marks: 75 letters fit."""
    generator = generator_of("sdxl")

    first, second = cuts(generator.entry, generator.model, ["a photo of a baker", LONG])

    assert (first.limit, first.text) == (77, LONG)
    assert first.encoder == "text_encoder (CLIPTextModel)"
    assert second.encoder == "text_encoder_2 (CLIPTextModelWithProjection)"
    kept = LONG.removesuffix(first.lost)
    assert len(kept.replace(" ", "")) <= 75 < len((kept + first.lost.split(" ")[0]).replace(" ", ""))


def test_an_image_of_a_cut_prompt_is_that_of_what_was_kept(generator_of: GeneratorOf) -> None:
    from dataclasses import replace

    from tests.contracts.generator_contract import make_prompt

    generator = generator_of("sdxl")
    lost = cuts(generator.entry, generator.model, [LONG])[0].lost
    other = LONG.removesuffix(lost) + lost.replace("kneading", "knocking")
    assert other != LONG

    made = [generator.make(replace(make_prompt(), text=text), 7).data for text in (LONG, LONG + "slowly")]

    assert made[0] == made[1]


def test_a_negative_prompt_that_is_too_long_is_told_too(generator_of: GeneratorOf) -> None:
    generator = generator_of("sdxl", negative_prompt=LONG)

    row = found(look_at_model(generator, ["a photo"]).findings, "Prompt length")

    assert row.state == "note"
    assert row.said.startswith("1 prompt is cut off")
    assert len(row.items) == 2


# What is said of a model -----------------------------------------------------------------------------


def test_a_model_that_is_whole_passes_and_says_how_it_runs(generator_of: GeneratorOf) -> None:
    findings = look_at_model(generator_of("qwen", negative_prompt_note="Honoured"), ["a photo"]).findings

    assert found(findings, "Weights").said.startswith("Complete, ")
    assert found(findings, "Device").said.startswith("cpu (")
    assert found(findings, "Memory").state == "passed"
    assert found(findings, "Prompt length").state == "passed"
    assert found(findings, "Negative prompt").said == "Blank. Honoured."
    assert can_run(findings)


def test_a_machine_with_too_little_memory_cannot_run_it(entry_of: Callable[..., Any]) -> None:
    from dataclasses import replace

    from core.generation.diffusers.devices import Device
    from core.generation.diffusers.preflight import _memory

    entry = replace(entry_of("flux"), width=1024, height=1024, dtype="bfloat16")
    weights = {"transformer": 24 * 10**9, "vae": 10**9}
    small, middle = Device("cuda:0", "", 8, 4 * 10**9), Device("cuda:1", "", 8, 29 * 10**9)

    assert _memory(entry, weights, [middle]).state == "note"
    assert "one part at a time" in _memory(entry, weights, [middle]).said
    assert _memory(entry, weights, [small, middle]).state == "failed"


def test_changed_libraries_are_told(generator_of: GeneratorOf) -> None:
    findings = look_at_model(generator_of("sdxl"), [], made_with={"torch": "1.0", "numpy": "0.1"}).findings

    row = found(findings, "Libraries")
    assert row.state == "note"
    assert "torch 1.0 →" in row.said


def test_a_broken_model_cannot_run(entry_of: Callable[..., Any], tmp_path: Path) -> None:
    from dataclasses import replace

    from core.generation.entry import Folder

    entry = replace(entry_of("sdxl"), source=Folder(tmp_path))

    findings = look_at_model(DiffusersGenerator(entry), ["a photo"]).findings

    assert found(findings, "Weights").state == "failed"
    assert "is no diffusers folder" in found(findings, "Weights").said
    assert not can_run(findings)


# A study ---------------------------------------------------------------------------------------------


@pytest.fixture
def study(tmp_path: Path, models: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study of one role, and a tiny FLUX among one's own generators."""
    own = tmp_path / "generators.json"
    own.write_text(json.dumps({"generators": [tiny_models.row("flux", models("flux"))]}))
    monkeypatch.setenv("CONTEXTBIAS_GENERATORS", str(own))
    plan = plan_study("audit", choose_roles("baker"), seed=7, unrelated="everyday", images_per_prompt=1)
    make_study(tmp_path / "study", plan).close()
    return tmp_path / "study"


def test_a_run_is_looked_over_before_and_after_its_first_images(study: Path) -> None:
    with Store.open(study) as store:
        before = preflight(store, "tiny-flux")
        run_here(generate_in(store, "tiny-flux", limit=2))
        after = preflight(store, "tiny-flux", Measured(0.5, 10_000), limit=6)

    assert found(before, "Images").said == "18 to make, 0 already there"
    assert found(before, "Time").state == "open"
    assert found(before, "Settings").said.startswith("Fixed for this study once")
    assert found(after, "Images").said == "4 to make, 2 already there"
    assert found(after, "Time").said == "About 2 s, at 0.5 s an image so far"
    assert found(after, "Disk").said.startswith("Needs 40.0 KB for images")
    assert found(after, "Settings").said == "The same as of the images already there"
    assert found(after, "Libraries").state == "passed"


def test_other_settings_than_those_of_the_images_cannot_run(
    study: Path, models: Callable[[str], Path], tmp_path: Path
) -> None:
    with Store.open(study) as store:
        run_here(generate_in(store, "tiny-flux", limit=1))
        changed = tiny_models.row("flux", models("flux"), steps=3)
        (tmp_path / "generators.json").write_text(json.dumps({"generators": [changed]}))
        row = found(preflight(store, "tiny-flux"), "Settings")

    assert row.state == "failed"
    assert "(steps)" in row.said


def test_the_command_line_prints_it_and_makes_nothing(
    study: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main.main(["generate", str(study), "--generator", "tiny-flux", "--preflight"]) == 0
    said = capsys.readouterr().out
    assert "✓ Weights" in said
    assert "18 to make, 0 already there" in said
    with Store.open(study) as store:
        assert store.images() == []

    (tmp_path / "generators.json").write_text(
        json.dumps({"generators": [tiny_models.row("flux", tmp_path / "nowhere")]})
    )
    assert main.main(["generate", str(study), "--generator", "tiny-flux", "--preflight"]) == 1
    assert "✗ Weights" in capsys.readouterr().out


def test_drawn_pictures_need_no_model(study: Path) -> None:
    with Store.open(study) as store:
        findings = preflight(store, "drawn-a")

    assert [one.name for one in findings] == ["Images", "Settings", "Seeds", "Disk", "Time"]
