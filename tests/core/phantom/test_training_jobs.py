"""The trainings: repeatable, resumable after a kill, and what comes out is a pipeline that loads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.jobs import Job, run_here
from core.phantom import data, decoder, denoiser, reader_errors, reading, run
from core.phantom.assembling import assemble, set_encoder
from core.phantom.commands import budgets_of
from core.phantom.decoder import make_autoencoder, train_decoder
from core.phantom.denoiser import train_denoiser
from core.phantom.latents import fit_basis, load_basis
from core.phantom.measuring import cell_pictures
from core.phantom.network import Network
from core.phantom.reader_errors import publish
from core.phantom.reading import train_reader
from core.phantom.sheets import draw_sheets
from core.phantom.training import Budget, Clock

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_here(data.draw_training_pictures(tmp_path_factory.mktemp("phantom"), 60, 7))


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    for module in (denoiser, decoder, reading):
        monkeypatch.setattr(module, "BATCH", 4)
    monkeypatch.setattr(run, "SAVE_EVERY", 1)
    monkeypatch.setattr(decoder, "HELD_OUT", 10)
    for module in (reading, reader_errors):
        monkeypatch.setattr(module, "HELD_OUT", 10)


def test_pictures_of_a_killed_job_are_those_of_one_that_was_not(
    pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "_CHUNK", 10)
    job = data.draw_training_pictures(tmp_path, 60, 7)
    while next(job).done < 30:
        pass
    job.close()
    with (tmp_path / data.CASES).open("a", encoding="utf-8") as lines:
        lines.write('{"caption": "a photo of a')  # a kill in the middle of a line
    run_here(data.draw_training_pictures(tmp_path, 60, 7))
    assert np.array_equal(data.load_pictures(tmp_path), data.load_pictures(pictures))
    assert list(data.load_cases(tmp_path)) == list(data.load_cases(pictures))


def test_a_folder_of_other_pictures_is_not_drawn_over(pictures: Path) -> None:
    with pytest.raises(BadInput, match="other training pictures"):
        run_here(data.draw_training_pictures(pictures, 60, 8))


def test_pictures_that_are_not_complete_are_not_trained_on(tmp_path: Path) -> None:
    job = data.draw_training_pictures(tmp_path, 500, 7)
    next(job)
    next(job)
    job.close()
    with pytest.raises(BadInput, match="not complete"):
        data.load_pictures(tmp_path)


def test_the_basis_keeps_what_it_can_and_the_encoder_of_the_pipeline_is_the_basis(
    pictures: Path, tmp_path: Path
) -> None:
    some = np.array(data.load_pictures(pictures))
    fit_basis(some).save(tmp_path / "basis.safetensors")
    basis = load_basis(tmp_path / "basis.safetensors")
    assert np.allclose(basis.components @ basis.components.T, np.eye(32), atol=1e-4)
    latents = basis.encode(some)
    assert latents.shape == (60, 32, 8, 8)
    assert np.sqrt((latents**2).mean()) == pytest.approx(1, abs=0.2)
    halves = some.reshape(60, 64, 2, 64, 2, 3).mean((2, 4)) / 127.5 - 1
    assert 10 * np.log10(4 / ((basis.decode(latents) - halves) ** 2).mean()) > 19  # decibels
    vae = make_autoencoder()
    set_encoder(vae, basis)
    x = torch.from_numpy(some[:3]).permute(0, 3, 1, 2).float() / 127.5 - 1
    with torch.inference_mode():
        encoded = vae.encode(x).latents
    assert torch.allclose(encoded, torch.from_numpy(latents[:3]), atol=2e-3)


def weights_of(folder: Path, name: str) -> dict[str, object]:
    state = torch.load(folder / name, weights_only=True)
    assert state["step"] == 4
    return dict(state["averaged"])


@pytest.mark.parametrize(
    ("train", "name"), [(train_denoiser, denoiser.CHECKPOINT), (train_decoder, decoder.CHECKPOINT)]
)
def test_a_training_that_was_stopped_goes_on_to_the_same_weights(
    train: Callable[..., Job[Clock]], name: str, pictures: Path, tmp_path: Path
) -> None:
    run_here(train(pictures, tmp_path / "whole", Budget(steps=4), 3))
    stopped = train(pictures, tmp_path / "stopped", Budget(steps=4), 3)
    while not (tmp_path / "stopped" / name).is_file():
        next(stopped)
    stopped.close()
    run_here(train(pictures, tmp_path / "stopped", Budget(steps=4), 3))
    whole, resumed = weights_of(tmp_path / "whole", name), weights_of(tmp_path / "stopped", name)
    assert all(torch.equal(whole[key], resumed[key]) for key in whole)


def test_what_was_trained_becomes_a_pipeline_and_a_reader(pictures: Path, tmp_path: Path) -> None:
    from diffusers import StableDiffusionPipeline

    from core.generation.diffusers.loading import quiet

    model, out = tmp_path / "model", tmp_path / "out"
    with pytest.raises(BadInput, match="no trained denoiser"):
        assemble(model, out)
    run_here(train_decoder(pictures, model, Budget(steps=1), 3))
    run_here(train_denoiser(pictures, model, Budget(steps=1), 3))
    assert assemble(model, out)["steps"] == 1
    with quiet():
        pipe = StableDiffusionPipeline.from_pretrained(str(out), dtype=torch.float32, local_files_only=True)
    pipe.set_progress_bar_config(disable=True)
    assert pipe("a photo of a nurse", num_inference_steps=1).images[0].size == (128, 128)
    assert run_here(draw_sheets(out, tmp_path / "sheets", cell_pictures(1, 1)[:3], 2, 2, 1, 1.0)) == 1
    with Image.open(tmp_path / "sheets" / "sheet_01.png") as sheet:
        assert sheet.size == (512, 2 * (256 + 18))
    assert load_basis(model / denoiser.BASIS).components.shape == (32, 192)
    run_here(train_reader(pictures, model, tmp_path / "reader", Budget(steps=1), 3, drawn=20))
    weights, labels = tmp_path / "reader.safetensors", tmp_path / "reader.json"
    errors = publish(pictures, model, tmp_path / "reader", weights, labels)
    assert set(errors) == {"drawn", "phantom drawn", "phantom decoded"}
    assert errors["drawn"]["gender_presentation"]["n"] == 10
    seen = Network(weights, labels).read(np.array(data.load_pictures(pictures)[:2]))
    assert all(sum(each["gender_presentation"].shares.values()) == pytest.approx(1) for each in seen)
    run_here(train_denoiser(pictures, tmp_path / "next", Budget(steps=1), 4, start=out))
    began = torch.load(tmp_path / "next" / denoiser.CHECKPOINT, weights_only=True)["model"]
    for name, value in pipe.unet.state_dict().items():
        is_near = torch.allclose(began[f"unet.{name}"], value, atol=0.02)
        assert is_near or name.startswith(("conv_in.", "conv_out.")), name
    shutil.rmtree(out)


def test_training_without_an_end_is_refused() -> None:
    with pytest.raises(BadInput, match="needs an end"):
        Budget()


def test_a_budget_in_minutes_ends_by_time_and_one_in_steps_by_steps() -> None:
    assert Budget(minutes=2).used(10**6, 60) == 0.5
    assert Budget(steps=10).used(10, 0) == 1
    assert Budget(steps=100, minutes=1).used(10, 54) == 0.9


def test_every_line_of_a_case_is_json_with_the_truth_and_the_scene(pictures: Path) -> None:
    lines = (pictures / data.CASES).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 60
    for line in lines:
        assert json.loads(line)["truth"]["scene"]


def test_every_budget_that_a_training_had_is_told_in_order(tmp_path: Path) -> None:
    first, second = "main.py phantom train WORK --steps 10", "main.py phantom train WORK --steps 20"
    budgets_of(tmp_path, first)
    budgets_of(tmp_path, first)
    assert budgets_of(tmp_path, second) == [first, second]
