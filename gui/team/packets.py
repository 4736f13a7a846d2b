"""What the Team page does with packets and hand-ins: functions for a pool thread, and what they found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.jobs import Job, Outcome
from gui.team.facts import questions_of
from gui.words import counted

if TYPE_CHECKING:
    from annotation.design import DesignPlan
    from annotation.merge import MergePreview
    from annotation.packet_making import MadePacket
    from storage.store import Store

ENDINGS = "Hand-ins and packets (*.handin *.packet);;All files (*)"


@dataclass(frozen=True, slots=True)
class PacketFacts:
    """Packets of the newest round and what came back: a line an annotator, and what waits for a person."""

    lines: tuple[str, ...] = ()
    latest_merge: int | None = None
    latest_file: str = ""
    conflicts: int = 0
    is_open: bool = False
    may_design: bool = False


def read_packets(store: Store) -> PacketFacts:
    """Read it off the GUI thread."""
    rounds = store.rounds()
    if not rounds:
        return PacketFacts(may_design=True)
    newest = rounds[-1]
    merges = [one for one in store.hand_ins() if one.undone_at is None]
    lines = []
    by_person: dict[str, list[int]] = {}
    for packet in store.packets(newest.round_id):
        by_person.setdefault(packet.annotator.name, []).append(packet.packet_id)
    for name, ids in by_person.items():
        back = sum(one.packet_id in ids for one in merges)
        again = f" ({len(ids)} packets)" if len(ids) > 1 else ""
        lines.append(
            f"{name}{again}: {counted(back, 'hand-in')} merged" if back else f"{name}{again}: sent out"
        )
    latest = merges[-1] if merges else None
    return PacketFacts(
        tuple(lines),
        latest.hand_in_id if latest else None,
        f"{latest.file_name}, {latest.annotator}" if latest else "",
        sum(one.decision is None for one in store.conflicts()),
        not newest.is_locked,
        # An open round with answers or packets is finished first: the newest is the one that is worked on.
        newest.is_locked,
    )


def packet_job(store: Store, name: str, path: Path) -> Job[MadePacket]:
    """Write the packet of an annotator of the newest round."""
    from annotation.packet_making import make_packet
    from storage.packet_files import PacketFiles

    rounds = store.rounds()
    if not rounds:
        raise BadInput("There is no round yet.", "Design one first.")
    found, person = rounds[-1], store.add_annotator(name)
    writer = PacketFiles().open_writer
    made = yield from make_packet(
        *(store, found, questions_of(store), person, path, writer, store.image_bytes)
    )
    return made


def preview_files(store: Store, paths: Sequence[Path]) -> list[str]:
    """What merging each of the files would do, in a line each; nothing is changed."""
    said: list[str] = []
    _merge(store, paths, said, is_dry_run=True)
    return said


def merge_files_in(store: Store, paths: Sequence[Path]) -> list[str]:
    """Merge the files; a line each."""
    said: list[str] = []
    _merge(store, paths, said, is_dry_run=False)
    return said


def _merge(store: Store, paths: Sequence[Path], said: list[str], *, is_dry_run: bool) -> Outcome:
    from annotation.merge_running import merge_files
    from core.jobs import run_here
    from storage.packet_files import PacketFiles

    def told(found: MergePreview, _merged: Any) -> None:
        said.append(found.sentence)

    read = PacketFiles().read_hand_in
    job = merge_files(store, questions_of(store), paths, read, told, is_dry_run=is_dry_run)
    outcome = run_here(job)
    said += [failure.reason for failure in outcome.failures if failure.kind != "quarantined"]
    return outcome


def plan_of(store: Store, changes: dict[str, Any]) -> list[str]:
    """What a design would make, in lines; nothing is changed."""
    from annotation.team_lines import plan_lines

    plan = _planned(store, changes)
    return list(plan_lines(plan, len(questions_of(store))))


def open_planned(store: Store, changes: dict[str, Any]) -> int:
    """Open the round of a design; returns its id."""
    from annotation.design_opening import open_designed

    return open_designed(store, questions_of(store), _planned(store, changes))


def _planned(store: Store, changes: dict[str, Any]) -> DesignPlan:
    from annotation.design import RoundDesign
    from annotation.design_opening import next_seed, plan_for

    design = RoundDesign(next_seed(store), count_mode=store.study.count_mode, **changes)
    return plan_for(store, questions_of(store), design)
