"""What an import would do, found out as the import itself does it, but without writing anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.importing.job import ImportOutcome, ImportSink, import_images
from core.importing.plan import ImportPlan, Pending, shown_path
from core.jobs import Job
from core.records import NewImage, Prompt, Role


class _Unwritten:
    """A study that is asked what it has and keeps nothing; `taken` are the files that it would keep."""

    def __init__(self, study: ImportSink) -> None:
        self.run_keys = study.run_keys
        self.taken: dict[str, str] = {}

    def add_roles(self, roles: Sequence[Role]) -> None:
        """Nothing."""

    def add_prompts(self, prompts: Sequence[Prompt]) -> None:
        """Nothing."""

    def add_generator(self, name: str, kind: str, settings: Mapping[str, Any]) -> None:
        """Nothing."""

    def add_image(self, image: NewImage) -> int:
        """Note the file as one that would come in."""
        self.taken[str(image.provenance["file"])] = ""
        return 0

    def complete_image(self, run_key: str, image: NewImage) -> None:
        """Note the file as one that is there already and would get what is missing."""
        self.taken[str(image.provenance["file"])] = " (is there; gets what is missing)"


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What an import would take and what not; `taken` names the files, in words where more is to be told."""

    plan: ImportPlan
    taken: Mapping[str, str]
    outcome: ImportOutcome

    @property
    def pictures(self) -> list[Pending]:
        """The pictures of the plan that would come in, or get what is missing."""
        return [one for one in self.plan.pictures if _name(self.plan, one) in self.taken]


def rehearse(plan: ImportPlan, study: ImportSink) -> Job[Rehearsed]:
    """Decode every picture and look for it in the study, as when it is brought in; nothing is written."""
    unwritten = _Unwritten(study)
    outcome = yield from import_images(plan, unwritten)
    return Rehearsed(plan, unwritten.taken, outcome)


def rehearsed_lines(plan: ImportPlan, study: ImportSink) -> Job[list[str]]:
    """Every picture that would be taken, every file that would not with the reason, and how many of each.

    Every picture is decoded and looked for in the study, as when it is brought in; nothing is written.
    """
    found = yield from rehearse(plan, study)
    return [*_lines(plan, found.taken, found.outcome)]


def _lines(plan: ImportPlan, taken: Mapping[str, str], outcome: ImportOutcome) -> Iterator[str]:
    for picture in plan.pictures:
        name, said = _name(plan, picture), picture.stated
        if name in taken:
            told = f"{said.role}, {said.condition or 'no condition'}, {said.generator}"
            yield f"{name}: {told}{taken[name]}"
    for failure in outcome.failures:
        yield f"not taken: {failure.item}: {failure.reason}"
    skipped = f", {outcome.skipped} already there" if outcome.skipped else ""
    yield f"{outcome.done} to take, {outcome.failed} not{skipped}."


def _name(plan: ImportPlan, picture: Pending) -> str:
    """A file as outcomes name it."""
    return shown_path(picture.path.relative_to(plan.root).as_posix())
