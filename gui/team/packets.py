"""What the Team page does with packets and hand-ins: functions for a pool thread, and what they found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.jobs import Job, Outcome
from core.records import Condition
from gui.team.facts import questions_of
from gui.words import counted

if TYPE_CHECKING:
    from annotation.design import DesignPlan
    from annotation.merge import MergePreview
    from annotation.packet_making import MadePacket
    from core.packets import Packet
    from core.questions import Question
    from core.records import ImageSet
    from storage.merge_rows import Conflict, MergedHandIn
    from storage.store import Store
    from storage.study import Round

ENDINGS = "Hand-ins and packets (*.handin *.packet);;All files (*)"
OUT, BACK, WITHDRAWN = "out", "back", "withdrawn"


@dataclass(frozen=True, slots=True)
class PacketRow:
    """A packet that left, and what came back of it."""

    packet: Packet
    round_name: str
    hand_ins: int
    shown: str
    """Its image sets in words, with those shown again and those to practise on."""

    @property
    def state(self) -> str:
        """Whether it is out, something of it is back, or it was withdrawn."""
        return WITHDRAWN if self.packet.is_withdrawn else BACK if self.hand_ins else OUT


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """Two answers of one person to one question, with what is needed to show them."""

    conflict: Conflict
    image_set: ImageSet
    question: Question
    file_name: str


@dataclass(frozen=True)
class PacketFacts:
    """Packets of all rounds and what came back; `lines` are of the newest round, one an annotator."""

    lines: tuple[str, ...] = ()
    packets: tuple[PacketRow, ...] = ()
    merges: tuple[MergedHandIn, ...] = ()
    conflicts: tuple[ConflictRow, ...] = ()
    is_open: bool = False
    may_design: bool = False
    keys_wanted: int = 0
    """Questions of training and gold sets of the newest round, no packet of which has left, without a right
    answer."""
    locked: Mapping[int, str] = field(default_factory=dict)
    """Rounds that are locked, with their names."""

    def why_stays(self, merge: MergedHandIn) -> str:
        """Why a merge cannot be undone; "" where it can."""
        if merge.undone_at is not None:
            return "It is undone already."
        if merge.round_id in self.locked:
            name = self.locked[merge.round_id]
            return f"{name} is locked, so its merges stay. The list of quality can leave an annotator out."
        later = [
            one.hand_in_id
            for one in self.merges
            if one.annotator == merge.annotator
            and one.undone_at is None
            and one.hand_in_id > merge.hand_in_id
        ]
        return f"Undo merge {max(later)} first: it is a later one of {merge.annotator}." if later else ""

    @property
    def latest_merge(self) -> MergedHandIn | None:
        """The latest merge that stands."""
        return next((one for one in reversed(self.merges) if one.undone_at is None), None)

    @property
    def out(self) -> int:
        """Packets of which nothing is back and that were not withdrawn."""
        return sum(one.state == OUT for one in self.packets)


def read_packets(store: Store) -> PacketFacts:
    """Read it off the GUI thread."""
    rounds = store.rounds()
    if not rounds:
        return PacketFacts(may_design=True)
    newest = rounds[-1]
    merges = tuple(store.hand_ins())
    standing = [one for one in merges if one.undone_at is None]
    names = {one.round_id: one.name for one in rounds}
    again = {one.image_set_id for number in names for one in store.image_sets(number, "repeat")}
    packets = tuple(
        PacketRow(
            *(one, names[one.round_id], sum(each.packet_id == one.packet_id for each in standing)),
            one.plan.in_words(again),
        )
        for one in store.packets()
    )
    return PacketFacts(
        tuple(_lines(packets, newest.round_id)),
        *(packets, merges, tuple(_conflicts(store, [one.round_id for one in rounds], merges))),
        not newest.is_locked,
        # An open round with answers or packets is finished first: the newest is the one that is worked on.
        newest.is_locked,
        _keys_wanted(store, newest, packets),
        {one.round_id: one.name for one in rounds if one.is_locked},
    )


def _keys_wanted(store: Store, newest: Round, packets: Sequence[PacketRow]) -> int:
    from annotation.key_form import key_form_in
    from core.questions import choose

    if newest.is_locked or any(one.packet.round_id == newest.round_id for one in packets):
        return 0
    return len(key_form_in(store, newest, choose(questions_of(store), newest.questions)))


def _lines(packets: Sequence[PacketRow], round_id: int) -> list[str]:
    by_person: dict[str, list[PacketRow]] = {}
    for one in packets:
        if one.packet.round_id == round_id:
            by_person.setdefault(one.packet.annotator.name, []).append(one)
    lines = []
    for name, own in by_person.items():
        again = f" ({len(own)} packets)" if len(own) > 1 else ""
        back = sum(one.hand_ins for one in own)
        if all(one.state == WITHDRAWN for one in own):
            lines.append(f"{name}{again}: withdrawn")
        else:
            lines.append(f"{name}{again}: {counted(back, 'hand-in')} merged" if back else f"{name}: sent out")
    return lines


def _conflicts(store: Store, rounds: Sequence[int], merges: Sequence[MergedHandIn]) -> list[ConflictRow]:
    waiting = [one for one in store.conflicts() if one.decision is None]
    if not waiting:
        return []
    purposes = [(round_id, purpose) for round_id in rounds for purpose in ("study", "repeat")]
    sets = {one.key: one for where in purposes for one in store.image_sets(*where)}
    asked = {one.id: one for one in questions_of(store)}
    files = {one.hand_in_id: one.file_name for one in merges}
    return [
        ConflictRow(one, sets[one.image_set], asked[one.ours.question], files.get(one.hand_in_id, ""))
        for one in waiting
        if one.image_set in sets and one.ours.question in asked
    ]


def packet_job(store: Store, name: str, path: Path) -> Job[MadePacket]:
    """Write the packet of an annotator of the newest round."""
    from annotation.packet_making import make_packet
    from storage.packet_files import PacketFiles

    rounds = store.rounds()
    if not rounds:
        raise BadInput("There is no round yet.", "Design one first.")
    found, person = rounds[-1], store.person_named(name)
    writer = PacketFiles().open_writer
    made = yield from make_packet(
        *(store, found, questions_of(store), person, path, writer, store.image_bytes)
    )
    return made


@dataclass(frozen=True)
class FileSaid:
    """What merging one file would do, or did: counts of answers by verdict, or why it is refused."""

    file_name: str
    annotator: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    remark: str = ""
    changes: bool = False

    @property
    def sentence(self) -> str:
        """One line, such as "ada.handin: 40 new, 3 same"."""
        told = ", ".join(f"{number} {word}" for word, number in self.counts.items() if number)
        why = f" ({self.remark})" if self.remark and told else self.remark
        return f"{self.file_name}: {told}{why}" if told or why else f"{self.file_name}: nothing in it"


def preview_files(store: Store, paths: Sequence[Path]) -> list[FileSaid]:
    """What merging each of the files would do to the study as it is; nothing is changed."""
    return _merge(store, paths, is_dry_run=True)


def merge_files_in(store: Store, paths: Sequence[Path]) -> list[FileSaid]:
    """Merge the files, one after the other."""
    return _merge(store, paths, is_dry_run=False)


def _merge(store: Store, paths: Sequence[Path], *, is_dry_run: bool) -> list[FileSaid]:
    from annotation.merge_running import merge_files
    from core.jobs import run_here
    from storage.packet_files import PacketFiles

    said: list[FileSaid] = []

    def told(found: MergePreview, _merged: Any) -> None:
        said.append(_said(found))

    read = PacketFiles().read_hand_in
    job = merge_files(store, questions_of(store), paths, read, told, is_dry_run=is_dry_run)
    outcome: Outcome = run_here(job)
    failures = [one for one in outcome.failures if one.kind != "quarantined"]
    return said + [FileSaid(one.item, remark=one.reason) for one in failures]


def _said(found: MergePreview) -> FileSaid:
    in_part = [f"{number} × {reason}" for reason, number in found.reasons.items()]
    remark = found.reason or "; ".join(in_part)
    who = found.packet.annotator.name if found.packet else found.hand_in.annotator
    return FileSaid(found.hand_in.file_name, who, dict(found.counts), remark, found.changes)


def plan_of(store: Store, changes: dict[str, Any]) -> list[str]:
    """What a design would make, in lines; nothing is changed."""
    from annotation.team_lines import plan_lines

    plan, asked = _planned(store, changes)
    return list(plan_lines(plan, len(asked)))


def open_planned(store: Store, changes: dict[str, Any]) -> int:
    """Open the round of a design; returns its id."""
    from annotation.design_opening import open_designed

    plan, asked = _planned(store, changes)
    return open_designed(store, asked, plan)


def _planned(store: Store, changes: dict[str, Any]) -> tuple[DesignPlan, Sequence[Question]]:
    from annotation.design import RoundDesign
    from annotation.design_opening import next_seed, plan_for
    from core.questions import choose

    chosen = dict(changes)
    questions = chosen.pop("questions", None)
    asked = questions_of(store) if questions is None else choose(questions_of(store), questions)
    design = RoundDesign(next_seed(store), **({"count_mode": store.study.count_mode} | chosen))
    return plan_for(store, asked, design), asked


@dataclass(frozen=True, slots=True)
class DesignChoices:
    """What a design may choose among, and what it begins with."""

    roles: tuple[str, ...]
    conditions: tuple[Condition, ...]
    generators: tuple[str, ...]
    questions: tuple[tuple[str, str], ...]
    count_mode: str
    show_role: bool
    before: Mapping[str, Any] = field(default_factory=dict)


def read_choices(store: Store) -> DesignChoices:
    """Roles, conditions and generators with images; questions by id and name; the design before."""
    from core.schema import read_schema

    schema = read_schema(store.study.schema_json)
    images = store.images(status="ok")
    conditions = {image.condition for image in images}
    rounds = store.rounds()
    return DesignChoices(
        tuple(dict.fromkeys(image.role for image in images)),
        tuple(one for one in Condition if one in conditions),
        tuple(dict.fromkeys(image.generator for image in images)),
        tuple((one.id, schema.dimension(one.dimension).name) for one in questions_of(store)),
        store.study.count_mode,
        bool(store.study.show_role),
        dict(rounds[-1].settings.get("design") or {}) if rounds else {},
    )


def write_key_form(store: Store, path: Path) -> int:
    """Write the form for right answers of the newest round; returns how many rows wait."""
    from annotation.key_form import FORM_COLUMNS, key_form_in
    from core.csv_rows import write_rows
    from core.questions import choose

    newest = store.rounds()[-1]
    rows = key_form_in(store, newest, choose(questions_of(store), newest.questions))
    write_rows(path, rows, FORM_COLUMNS)
    return len(rows)


def take_keys(store: Store, path: Path) -> int:
    """Take a filled form in; returns how many answers it holds."""
    from annotation.design_opening import keys_from_rows
    from annotation.key_form import key_rows

    newest = store.rounds()[-1].round_id
    sets = store.image_sets(newest) + store.image_sets(newest, "training")
    rows = keys_from_rows(key_rows(path), sets, questions_of(store), path.name)
    store.put_key_answers(rows)
    return len(rows)
