"""Ids that are content: the same inputs always give the same key, and a changed input another one."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """JSON text with sorted keys and no spaces, so that equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def content_hash(data: bytes) -> str:
    """SHA-256 of bytes as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def key_of(value: Any) -> str:
    """SHA-256 of a JSON-able value in its canonical form, as 64 hexadecimal digits."""
    return content_hash(canonical_json(value).encode())


def seed_of(*parts: Any, bits: int = 32) -> int:
    """A seed derived from what it is for (study seed, role, position …), never from the clock.

    Parameters
    ----------
    *parts
        JSON-able values that name the use; another name gives an unrelated seed.
    bits : int
        Size of the result; 0 <= seed < 2**bits, at most 64.
    """
    return int(key_of(list(parts))[:16], 16) >> (64 - bits)
