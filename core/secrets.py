"""Keys of services: where they are looked for, where they are kept, and how they stay out of everything else.

A key comes from an environment variable, from the operating system's keyring, or from a person for this
session only. It is never written to a study, a log, an error or a command line. It belongs to one address:
a key kept for one server is not sent to another.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput

SERVICE = "contextbias-studio"
"""Name under which the keyring lists our keys."""

HIDDEN = "[key]"

_PIECE = 8
"""Characters of a key that are enough to give something away."""

_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:(?:sk|pk|key)[-_]|Bearer )[\w*.+/=-]{6,}")

_session: dict[str, Secret] = {}


class Secret:
    """A key that shows itself only where it is asked to: `reveal()`."""

    __slots__ = ("__text",)

    def __init__(self, text: str) -> None:
        self.__text = text

    def reveal(self) -> str:
        """The key itself; for the one place that sends it."""
        return self.__text

    def __repr__(self) -> str:
        return "Secret(…)"

    __str__ = __repr__

    def __reduce__(self) -> Any:
        raise TypeError("A key is not written anywhere.")


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A key and where it was found, in words."""

    secret: Secret
    where: str


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a key that a person gave is kept: `in_keyring`, or for this session only and why."""

    in_keyring: bool
    sentence: str


def find_key(address: str, variables: Iterable[str] = ()) -> FoundKey | None:
    """The key for a server, or None.

    Parameters
    ----------
    address : str
        Scheme, host and port, as `origin_of` of the server's address gives it.
    variables : iterable of str
        Environment variables to look in first, in this order.
    """
    for name in variables:
        text = os.environ.get(name, "").strip()
        if text:
            return FoundKey(
                Secret(_checked(text, f"The environment variable {name}")), f"environment: {name}"
            )
    if address in _session:
        return FoundKey(_session[address], "this session")
    backend = _backend()
    kept = _read(backend, address) if backend is not None else None
    return FoundKey(Secret(_checked(kept, "The key in the keyring")), "keyring") if kept else None


def keep_key(address: str, text: str) -> Kept:
    """Keep a key for a server: in the system's keyring, else for this session; says which."""
    text = _checked(text.strip(), "The key")
    backend = _backend()
    reason = "This system has no keyring"
    if backend is not None:
        try:
            backend.set_password(SERVICE, address, text)
        except Exception as error:  # noqa: BLE001 - every backend has errors of its own
            reason = f"The keyring did not take it ({type(error).__name__})"
        else:
            return Kept(True, "The key is kept in the system's keyring.")
    _session[address] = Secret(text)
    return Kept(
        False,
        f"{reason}; the key is kept until the application closes. To keep it longer, set it as an"
        " environment variable.",
    )


def forget_key(address: str) -> None:
    """Remove a kept key; one in an environment variable stays."""
    _session.pop(address, None)
    backend = _backend()
    if backend is not None and _read(backend, address) is not None:
        backend.delete_password(SERVICE, address)


def scrubbed(text: str, secret: Secret | None) -> str:
    """A text from outside without the key, or any piece of it that a server may have echoed.

    >>> scrubbed("Incorrect key abcdefghijkl: see abcdefgh****", Secret("abcdefghijkl"))
    'Incorrect key [key]: see [key]****'
    """
    key = secret.reveal() if secret is not None else ""
    if not key:
        return text
    text = text.replace(key, HIDDEN)
    pieces = {key[start : start + _PIECE] for start in range(max(len(key) - _PIECE, 0) + 1)}
    if any(piece in text for piece in pieces):
        text = re.sub("|".join(re.escape(piece) for piece in pieces), HIDDEN, text)
        text = re.sub(f"(?:{re.escape(HIDDEN)})+", HIDDEN, text)
    return text


def without_keys(text: str) -> str:
    """A text without anything that is written like a key, whoever's it may be.

    >>> without_keys("Incorrect API key provided: sk-proj-12***89.")
    'Incorrect API key provided: [key]'
    """
    return _LOOKS_LIKE_A_KEY.sub(HIDDEN, text)


def _checked(text: str, what: str) -> str:
    # Never with the text itself: this sentence goes to the screen and into logs.
    if not text.isascii() or not text.isprintable() or " " in text:
        raise BadInput(
            f"{what} holds characters that no key has.", "Copy the key again, without quotes or spaces."
        )
    return text


def _backend() -> Any:
    """The keyring to use, or None. Files in plain text (keyrings.alt) are no place for a key."""
    try:
        import keyring
        from keyring.backends import fail, null
    except ImportError:
        return None
    backend = keyring.get_keyring()
    if isinstance(backend, fail.Keyring | null.Keyring) or type(backend).__module__.startswith(
        "keyrings.alt"
    ):
        return None
    return backend


def _read(backend: Any, address: str) -> str | None:
    try:
        found: str | None = backend.get_password(SERVICE, address)
    except Exception:  # noqa: BLE001 - a locked or broken keyring is one without the key
        return None
    return found
