"""Keys: found where a person put them, kept by the system or not at all, shown nowhere."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail
from keyring.errors import KeyringLocked

from core import secrets
from core.errors import BadInput
from core.secrets import Secret, find_key, forget_key, keep_key, scrubbed, without_keys

HERE = "https://example.org:443"
THERE = "https://example.net:443"
KEY = "sk-test-abcdefghijklmnop"


class InMemory(KeyringBackend):
    """A keyring that works."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Locked(InMemory):
    """A keyring that nobody unlocks."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(secrets, "_session", {})
    before = keyring.get_keyring()
    keyring.set_keyring(InMemory())
    yield
    keyring.set_keyring(before)


def found(address: str = HERE, *variables: str) -> str | None:
    key = find_key(address, variables)
    return key.secret.reveal() if key else None


def test_a_variable_goes_before_the_keyring_and_the_first_one_that_is_set_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keep_key(HERE, "from-the-keyring")
    monkeypatch.setenv("SECOND", " from-a-variable\n")
    monkeypatch.setenv("THIRD", "never-read")
    assert found(HERE, "FIRST", "SECOND", "THIRD") == "from-a-variable"
    assert found(HERE) == "from-the-keyring"


def test_a_key_is_kept_for_one_address_only() -> None:
    kept = keep_key(HERE, KEY)
    assert kept.in_keyring
    assert (found(HERE), found(THERE)) == (KEY, None)


@pytest.mark.parametrize("backend", [fail.Keyring, Locked])
def test_without_a_keyring_the_key_lasts_for_the_session_and_it_is_said(
    backend: type[KeyringBackend],
) -> None:
    keyring.set_keyring(backend())  # type: ignore[no-untyped-call]

    kept = keep_key(HERE, KEY)

    assert not kept.in_keyring
    assert "until the application closes" in kept.sentence
    assert "environment variable" in kept.sentence
    assert KEY not in kept.sentence
    assert found() == KEY


def test_a_keyring_that_is_a_file_in_plain_text_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = InMemory()
    monkeypatch.setattr(InMemory, "__module__", "keyrings.alt.file")
    keyring.set_keyring(backend)
    assert not keep_key(HERE, KEY).in_keyring
    assert backend.kept == {}


def test_a_key_can_be_forgotten() -> None:
    keep_key(HERE, KEY)
    forget_key(HERE)
    forget_key(HERE)
    assert found() is None


@pytest.mark.parametrize("text", ["two words", "line\nbreak", "schlüssel", "tab\tkey"])
def test_what_cannot_be_a_key_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        keep_key(HERE, text)
    assert text not in str(caught.value)


def test_a_secret_shows_itself_nowhere() -> None:
    secret = Secret(KEY)
    assert KEY not in f"{secret} {secret!r} {[secret]} {vars(secrets)}"
    for write in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="not written"):
            write(secret)


@pytest.mark.parametrize(
    "echo",
    [f"Incorrect key {KEY}.", f"Bearer {KEY}", f"key {KEY[:12]}****", f"ends in {KEY[-10:]}", f"{KEY}{KEY}"],
)
def test_pieces_of_the_key_are_scrubbed(echo: str) -> None:
    plain = scrubbed(echo, Secret(KEY))
    assert not any(KEY[start : start + 8] in plain for start in range(len(KEY) - 7))


def test_a_text_without_the_key_stays_as_it_is() -> None:
    assert scrubbed("a kitchen", Secret(KEY)) == scrubbed("a kitchen", None) == "a kitchen"
    assert scrubbed("short", Secret("short")) == "[key]"


def test_what_looks_like_a_key_is_left_out_of_sentences() -> None:
    assert without_keys("key: sk-proj-12345678 was wrong") == "key: [key] was wrong"
    assert without_keys("a skater on a sk-8 ramp") == "a skater on a sk-8 ramp"
