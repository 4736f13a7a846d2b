"""Why a page has nothing to compute, and the act that helps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Missing:
    """What will be here, what is missing, the button, and the page it leads to ("" for none)."""

    title: str
    sentence: str
    act: str = ""
    page: str = ""
