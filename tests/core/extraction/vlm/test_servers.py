"""Where pictures may be sent, and with which key."""

from __future__ import annotations

import ssl
from typing import Any

import pytest

from core.errors import BadInput, UserError
from core.extraction.vlm import VlmOptions, vlm_extractor
from core.extraction.vlm.client import certificates
from core.extraction.vlm.servers import check_address, choose_server, servers
from core.secrets import keep_key
from tests.core.extraction.vlm.shelf import SCHEMA


def test_every_known_server_has_an_address_that_passes_or_none() -> None:
    assert [server.id for server in servers()] == [
        "openai",
        "vllm",
        "ollama",
        "lm-studio",
        "llama-cpp",
        "own",
    ]
    for server in servers():
        if server.base_url:
            assert check_address(server.base_url).base_url == server.base_url
            assert choose_server("", server.base_url + "/").id == server.id


@pytest.mark.parametrize(
    "local",
    ["http://localhost:8000/v1", "http://127.0.0.1/v1", "http://[::1]:80/v1", "http://127.8.9.1:1/v1"],
)
def test_this_machine_needs_no_encryption(local: str) -> None:
    assert check_address(local).is_local


@pytest.mark.parametrize(
    "far",
    [
        "http://192.168.1.5:8000/v1",
        "http://gpu-box:8000/v1",
        "http://localhost.evil.example/v1",
        "http://0.0.0.0:8000/v1",
        "http://127.0.0.1.example.org/v1",
    ],
)
def test_another_machine_without_encryption_has_to_be_confirmed(far: str) -> None:
    with pytest.raises(UserError, match="not encrypted") as caught:
        check_address(far)
    assert "--allow-plain-http" in caught.value.remedy
    assert not check_address(far, plain_http_is_fine=True).is_local


@pytest.mark.parametrize(
    "address",
    [
        "",
        "localhost:8000",
        "ftp://example.org/v1",
        "https://",
        "https://me:hunter2@example.org/v1",
        "https://example.org/v1?key=hunter2",
        "https://example.org/v1#hunter2",
        "https://example.org/v1/chat/completions",
        "https://example.org:hunter2/v1",
        "file:///etc/passwd",
        "https://[hunter2/v1",
    ],
)
def test_what_is_no_base_url_is_refused_without_repeating_a_password(address: str) -> None:
    with pytest.raises(BadInput) as caught:
        check_address(address)
    assert "hunter2" not in str(caught.value)
    assert caught.value.remedy


def test_certificates_are_always_checked() -> None:
    context = certificates()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


def test_an_unknown_server_is_refused() -> None:
    with pytest.raises(BadInput, match="no server"):
        choose_server("clippy", "")


def key_for(**changes: Any) -> str | None:
    extractor = vlm_extractor(SCHEMA, VlmOptions("m", **changes))
    return extractor._key.secret.reveal() if extractor._key else None


def test_openai_without_a_key_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(BadInput, match="No key") as caught:
        vlm_extractor(SCHEMA, VlmOptions("gpt-x"))
    assert "OPENAI_API_KEY" in caught.value.remedy


def test_the_key_of_a_paid_service_goes_there_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-12345")
    monkeypatch.setenv("CONTEXTBIAS_API_KEY", "sk-own-12345")
    assert key_for() == "sk-openai-12345"
    assert key_for(base_url="https://api.openai.com/v1") == "sk-openai-12345"
    assert key_for(base_url="https://example.org/v1") == "sk-own-12345"
    assert key_for(base_url="https://example.org/v1", server="openai") == "sk-own-12345"
    assert key_for(base_url="http://localhost:8000/v1") is None
    assert key_for(base_url="https://example.org/v1", key_variable="OPENAI_API_KEY") == "sk-openai-12345"


def test_a_named_variable_that_is_empty_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="No key"):
        key_for(base_url="http://localhost:8000/v1", key_variable="LAB_KEY")


def test_a_key_given_for_the_session_is_found_for_its_address() -> None:
    keep_key("https://example.org:443", "sk-session-1")
    assert key_for(base_url="https://example.org/v1") == "sk-session-1"
    assert key_for(base_url="https://example.net/v1") is None


@pytest.mark.parametrize(
    "changes",
    [
        {"model": " "},
        {"model": "m", "api": "telepathy"},
        {"model": "m", "concurrency": 0},
        {"model": "m", "repairs": 3},
        {"model": "m", "image_size": 10},
        {"model": "m", "image_detail": "ultra"},
        {"model": "m", "budget": -1.0},
        {"model": "m", "temperature": 3.0},
        {"model": "m", "output": "xml"},
        {"model": "m", "budget": 3.0},
    ],
)
def test_options_that_cannot_be_meant_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        VlmOptions(**changes)
