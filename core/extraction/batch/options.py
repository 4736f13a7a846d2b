"""Limits of batches, and how patiently they are looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """What a person may choose about batches; everything else is in `VlmOptions`.

    Parameters
    ----------
    most_requests, most_bytes : int
        Of one file, counted after encoding; a little below what OpenAI takes.
    poll_seconds : float
        Between two looks at an order.
    patience_hours : float
        After which an order that is not over is called off; OpenAI promises a day.
    """

    most_requests: int = 50_000
    most_bytes: int = 190_000_000
    poll_seconds: float = 30.0
    patience_hours: float = 26.0
