"""What was looked at before a run: a name, what was found, and whether that lets it run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

PASSED, NOTE, OPEN, FAILED = "passed", "note", "open", "failed"
"""Fine; fine but to be known; not known yet; cannot run."""

BYTES_A_PIXEL = 1.7
"""Of a PNG file of a photograph, with its thumbnail; until files of the study can be measured."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `items` are details, one a line."""

    name: str
    said: str
    state: str = PASSED
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """What images of a generator took so far, in the mean; None where there is none."""

    seconds: float | None = None
    bytes: float | None = None


def can_run(findings: Iterable[Finding]) -> bool:
    """Whether nothing that was found keeps a run from starting."""
    return all(one.state != FAILED for one in findings)


def gigabytes(number: float) -> str:
    """A size in words.

    >>> gigabytes(6_938_011_430), gigabytes(1_510_000), gigabytes(800)
    ('6.9 GB', '1.5 MB', '800 bytes')
    """
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:.0f} bytes"
