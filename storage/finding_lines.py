"""`main.py doctor`: what is wrong with a study, in lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.jobs import Job
from storage.check import Finding, check_study, damaged_contents

MOST_ITEMS = 20


def examine(folder: Path, contents: bool, run: Callable[[str, Job[Any]], Any]) -> list[Finding]:
    """All that is wrong with the study in a folder; with `contents`, image files are read whole."""
    findings = check_study(folder)
    changed: list[Finding] = run("reading image files", damaged_contents(folder)) if contents else []
    if changed:  # whole files tell more than their sizes
        findings = [finding for finding in findings if finding.kind != "damaged image"] + changed
    return findings


def finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Each finding with what to do about it, and the first things that it is about."""
    for finding in findings:
        yield f"{finding.sentence} {finding.remedy}".strip()
        for item in finding.items[:MOST_ITEMS]:
            yield f"  {item}"


def total_line(findings: Sequence[Finding], folder: Path) -> str:
    """How much was found."""
    if not findings:
        return f"{folder}: nothing is wrong."
    return f"{len(findings)} finding{'s' if len(findings) > 1 else ''} in {folder}."
