"""Models on the hub: downloaded from a hub on loopback, or why not in a sentence with what to do."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import constants

from core.errors import BadInput
from core.generation.diffusers import hub as module
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.diffusers.hub import downloaded, fetch, missing
from core.generation.diffusers.preflight import look_at_model
from core.generation.entry import Entry, Hub
from core.generation.entry_rules import entry_from
from core.records import ImageStatus
from tests import tiny_models
from tests.contracts.generator_contract import make_prompt
from tests.fake_hub import COMMIT, REPOSITORY, FakeHub, running


@pytest.fixture
def hub(models: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    """A hub with the tiny FLUX, some files that are not part of it, and an empty cache here."""
    folder = Path(shutil.copytree(models("flux"), tmp_path / "given out"))
    (folder / "flux.safetensors").write_bytes(b"all in one, not needed")
    (folder / "vae" / "pickled.bin").write_bytes(b"never wanted")
    (folder / "examples").mkdir()
    (folder / "examples" / "picture.json").write_text("{}")
    cache = str(tmp_path / "cache")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", cache)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "no token"))
    import huggingface_hub

    with running(folder) as server:
        monkeypatch.setattr(module, "_address", lambda: server.address)
        monkeypatch.setattr(module, "getproxies", dict)
        for name in ("snapshot_download", "hf_hub_download"):
            real = getattr(huggingface_hub, name)
            monkeypatch.setattr(
                huggingface_hub,
                name,
                lambda *values, _real=real, **options: _real(
                    *values, endpoint=server.address, cache_dir=cache, **options
                ),
            )
        yield server


@pytest.fixture
def entry() -> Entry:
    row = tiny_models.row("flux", Path(), repository=REPOSITORY, revision=COMMIT, licence="Lab", gated=True)
    del row["folder"]
    return entry_from(row, Path("own.json"))


def as_hub(entry: Entry) -> Hub:
    assert isinstance(entry.source, Hub)
    return entry.source


def test_only_the_parts_of_the_model_are_fetched_and_it_makes_images(hub: FakeHub, entry: Entry) -> None:
    wanted = missing(entry)
    seen = list(fetch(entry))

    assert {"model_index.json", "transformer/diffusion_pytorch_model.safetensors"} <= set(hub.sent)
    assert not {"flux.safetensors", "vae/pickled.bin", "examples/picture.json"} & set(hub.sent)
    assert all(one.total == wanted.bytes > 500_000 for one in seen)
    image = DiffusersGenerator(entry).make(make_prompt(), 7)
    assert image.status is ImageStatus.OK
    assert image.provenance["settings"]["revision"] == COMMIT


def test_what_is_here_is_not_fetched_again(hub: FakeHub, entry: Entry) -> None:
    list(fetch(entry))
    before = len(hub.sent)

    assert list(fetch(entry)) == []
    assert len(hub.sent) == before


def test_what_is_missing_of_a_download_is_fetched_and_no_more(hub: FakeHub, entry: Entry) -> None:
    list(fetch(entry))
    hub.sent.clear()
    folder = downloaded(as_hub(entry))
    assert folder is not None
    (folder / "vae" / "diffusion_pytorch_model.safetensors").resolve().unlink()

    list(fetch(entry))

    assert set(hub.sent) - {"model_index.json"} == {"vae/diffusion_pytorch_model.safetensors"}


def test_a_stopped_download_is_gone_on_with(
    hub: FakeHub, entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECONDS_BETWEEN_REPORTS", 0.0)
    job = fetch(entry)
    next(job)
    job.close()

    list(fetch(entry))

    assert DiffusersGenerator(entry).model.pipeline == "FluxPipeline"


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        ((403, "GatedRepo"), "given only to those who have accepted its licence"),
        ((401, "RepoNotFound"), "The hub has no lab/tiny at that revision"),
        ((404, "RevisionNotFound"), "The hub has no lab/tiny at that revision"),
        ((418, ""), "the hub cannot be used: it answered 418"),
    ],
)
def test_what_the_hub_refuses_is_told_with_what_to_do(
    hub: FakeHub, entry: Entry, refusal: tuple[int, str], said: str
) -> None:
    hub.refusal = refusal

    with pytest.raises(BadInput, match=said) as caught:
        list(fetch(entry))

    assert caught.value.remedy


def test_without_a_network_the_sentence_says_so(hub: FakeHub, entry: Entry) -> None:
    hub.shutdown()
    hub.server_close()

    with pytest.raises(BadInput, match="the hub cannot be used: there is no connection"):
        list(fetch(entry))


def test_told_to_stay_offline_it_asks_nobody(
    hub: FakeHub, entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)

    with pytest.raises(BadInput, match="the hub cannot be used: the environment says HF_HUB_OFFLINE"):
        list(fetch(entry))

    assert hub.sent == []


def said_of(entry: Entry, name: str) -> Any:
    looked = look_at_model(DiffusersGenerator(entry), ["a photo of a baker"])
    return next(one for one in looked.findings if one.name == name)


def test_the_preflight_says_what_will_be_downloaded_and_that_it_needs_an_account(
    hub: FakeHub, entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said_of(entry, "Weights").said.startswith("To be downloaded first: ")
    assert said_of(entry, "Weights").state == "note"
    assert said_of(entry, "Licence").state == "failed"
    assert said_of(entry, "Prompt length").state == "open"

    monkeypatch.setenv("HF_TOKEN", "hf_made_up")
    assert said_of(entry, "Licence").state == "passed"
    list(fetch(entry))
    assert said_of(entry, "Weights").said.endswith("revision c0ffee0")
    assert "hf_made_up" not in str(look_at_model(DiffusersGenerator(entry), []))
