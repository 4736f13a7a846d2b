"""Merge hand-ins into a study, or say what merging them would do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from annotation.merge import MergePreview, preview
from core.errors import UserError
from core.jobs import Job, Outcome, Progress
from core.packets import HandIn, NewHandIn, Packet
from core.questions import Question
from core.records import AnswerEvent

ReadHandIn = Callable[[Path], HandIn]


class MergeStudy(Protocol):
    """What merging needs of a store."""

    study: Any

    def rounds(self) -> Sequence[Any]:
        """All rounds."""

    def packets(self, round_id: int | None = None) -> list[Packet]:
        """Packets that left."""

    def standing_events(self, annotator_id: int) -> list[tuple[str | None, AnswerEvent]]:
        """All acts of an annotator that stand or wait, with their origins."""

    def held_events(self, annotator_id: int) -> set[int]:
        """Ids of acts that wait for a decision or lost one."""

    def merge(self, hand_in: NewHandIn) -> int:
        """Take a hand-in in."""


def preview_in(study: MergeStudy, questions: Sequence[Question], hand_in: HandIn) -> MergePreview:
    """What merging a hand-in into the study would do now."""
    packets = study.packets()
    packet = next((one for one in packets if one.key == hand_in.packet_key), None)
    person = packet.annotator.annotator_id if packet else 0
    locked = {found.round_id for found in study.rounds() if found.is_locked}
    return preview(
        *(hand_in, packets, questions),
        *(study.standing_events(person), study.held_events(person)),
        study_key=study.study.study_key,
        is_locked=packet is not None and packet.round_id in locked,
    )


def merge_files(
    study: MergeStudy,
    questions: Sequence[Question],
    files: Iterable[Path],
    read: ReadHandIn,
    told: Callable[[MergePreview, int | None], None],
    *,
    is_dry_run: bool = False,
) -> Job[Outcome]:
    """Merge files one after the other; one step a file.

    `told` gets each preview, and the number of the merge: None for one that changed nothing. A file that
    cannot be read, or is quarantined as a whole, is a failure with its reason; the others go on. A dry run
    previews each file against the study as it is.
    """
    waiting = list(files)
    outcome = Outcome(asked=len(waiting))
    for done, path in enumerate(waiting):
        yield Progress(done, len(waiting), path.name, outcome.failed)
        try:
            found = preview_in(study, questions, read(path))
            if found.reason:
                told(found, None)
                outcome.fail(path.name, "quarantined", f"{path.name} was not merged: {found.reason}.")
                continue
            merged = study.merge(found.to_merge()) if found.changes and not is_dry_run else None
        except UserError as error:
            outcome.fail(path.name, "cannot be merged", str(error))
            continue
        told(found, merged)
        outcome.done += bool(found.changes)
        outcome.skipped += not found.changes
    yield Progress(len(waiting), len(waiting), "", outcome.failed)
    outcome.check()
    return outcome
