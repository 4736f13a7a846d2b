"""What a job did, in lines: failures with their reasons, then the sum."""

from __future__ import annotations

from collections.abc import Iterator

from core.jobs import Failure, Outcome

MOST_FAILURES = 20


def failure_line(failure: Failure) -> str:
    """One failure; the class by which the study keeps it is told where it is a word, not a name of ours.

    >>> failure_line(Failure("a.png", "empty", "The file has no bytes."))
    'empty: a.png: The file has no bytes.'
    >>> failure_line(Failure("a cook", "GeneratorError", "The model is not there."))
    'a cook: The model is not there.'
    """
    said = f"{failure.item}: {failure.reason}"
    return said if failure.kind[:1].isupper() else f"{failure.kind}: {said}"


def failure_lines(outcome: Outcome) -> Iterator[str]:
    """The first failures, and how many more there are."""
    for failure in outcome.failures[:MOST_FAILURES]:
        yield failure_line(failure)
    if outcome.failed > MOST_FAILURES:
        more = outcome.failed - MOST_FAILURES
        yield f"… and {more} more; `main.py doctor` and the Study page list them."


def exit_code(outcome: Outcome) -> int:
    """1 when there was something to do and all of it failed."""
    return 1 if outcome.failed and not outcome.done and not outcome.skipped else 0
