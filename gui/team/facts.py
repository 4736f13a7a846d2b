"""What the Team page reads off the GUI thread: the round, who has come how far, what is simulated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from annotation.clock import IDLE_SECONDS
from core.questions import Question, read_questions
from core.records import Annotator
from core.schema import read_schema
from gui.words import counted, thousands

if TYPE_CHECKING:
    from storage.listing import AnnotatorFacts, Remark, SimulatedFacts
    from storage.store import Store
    from storage.study import Round

SECONDS_RULE = (
    "Seconds are the median of the active time from a question being shown to its first confirmation. "
    f"Waiting beyond {IDLE_SECONDS:.0f} s without a key or the pointer, and time in other windows, do not "
    "count. Simulated annotators state theirs."
)


@dataclass(frozen=True, slots=True)
class Member:
    """An annotator in the newest round: what they have done of what they are asked."""

    annotator: Annotator
    image_sets: int
    answers: int
    asked_sets: int
    asked_answers: int
    unknown: int = 0
    flagged: int = 0
    median_seconds: float | None = None
    last_at: str | None = None
    remarks: tuple[Remark, ...] = ()
    has_packet: bool = False

    @property
    def is_done(self) -> bool:
        """Whether every answer is in."""
        return self.asked_answers > 0 and self.answers >= self.asked_answers


@dataclass(frozen=True, slots=True)
class Design:
    """The round that the images allow: how many sets, from how many images, and what makes none."""

    image_sets: int
    images: int
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Team:
    """Everything the page shows. `design` is there while there is no round."""

    images: int
    round: Round | None
    image_sets: int
    questions: Mapping[str, str]
    members: tuple[Member, ...]
    simulated: SimulatedFacts
    count_mode: str
    design: Design | None = None
    left_out: tuple[str, ...] = field(default=())
    wanted_annotators: int = 0
    """How many annotators the newest round was designed for; 0 where nobody said."""

    @property
    def open_answers(self) -> int:
        """Answers that are asked for and not in; once packets are out, of those who have one or answered."""
        is_sent = any(one.has_packet for one in self.members)
        asked = [one for one in self.members if not is_sent or one.has_packet or one.answers]
        return sum(max(one.asked_answers - one.answers, 0) for one in asked)


def read_team(store: Store, before: Team | None = None) -> Team:
    """Read it; slow enough to be kept off the GUI thread.

    `before` is what was read before: a design over as many images is not made again.
    """
    from storage.listing import annotator_facts, generator_facts, remarks, simulated_facts

    rounds = store.rounds()
    newest = rounds[-1] if rounds else None
    own_sets = {one.image_set_id for one in store.image_sets(newest.round_id)} if newest else set()
    image_sets = len(own_sets)
    facts = annotator_facts(store, newest.round_id, len(newest.questions)) if newest else {}
    schema = read_schema(store.study.schema_json)
    questions = questions_of(store)
    said = [_named(one, questions) for one in remarks(store, newest.round_id)] if newest else []
    questions_asked = len(newest.questions) if newest else 0
    sent = sets_sent(store, newest.round_id, own_sets) if newest else {}
    images = sum(one.images for one in generator_facts(store).values())
    return Team(
        images=images,
        round=newest,
        image_sets=image_sets,
        questions={one.id: schema.dimension(one.dimension).name for one in questions},
        members=tuple(
            _member(one, facts, said, sent.get(one.annotator_id), image_sets, questions_asked)
            for one in store.annotators()
        ),
        simulated=simulated_facts(store),
        count_mode=store.study.count_mode,
        design=_design(store, images, before) if newest is None and images else None,
        left_out=left_out_in_words(newest.settings) if newest else (),
        wanted_annotators=int((newest.settings.get("design") or {}).get("annotators", 0)) if newest else 0,
    )


def _named(remark: Remark, questions: Sequence[Question]) -> Remark:
    """A remark with its category by name; a descriptor stays as it was typed."""
    names = {(one.id, label.id): label.name for one in questions for label in one.options}
    return replace(remark, label=names.get((remark.question, remark.label or ""), remark.label))


def _member(
    annotator: Annotator,
    facts: Mapping[int, AnnotatorFacts],
    said: Sequence[Remark],
    sent: int | None,
    image_sets: int,
    questions: int,
) -> Member:
    """`sent` is how many image sets of the study are in this annotator's packet; None without one."""
    sets = image_sets if sent is None else sent
    asked, has_packet = (sets, sets * questions), sent is not None
    own = facts.get(annotator.annotator_id)
    if own is None:
        return Member(annotator, 0, 0, *asked, has_packet=has_packet)
    return Member(
        *(annotator, own.image_sets, own.answers, *asked, own.unknown, own.flagged),
        *(own.median_seconds, own.last_at),
        tuple(one for one in said if one.annotator_id == annotator.annotator_id),
        has_packet,
    )


def sets_sent(store: Store, round_id: int, own_sets: set[int]) -> dict[int, int]:
    """How many image sets of the study the packet of each annotator holds; withdrawn packets do not count."""
    return {
        one.annotator.annotator_id: len({shown.image_set_id for shown in one.plan.sets} & own_sets)
        for one in store.packets(round_id)
        if not one.is_withdrawn
    }


def questions_of(store: Store) -> tuple[Question, ...]:
    """The questions that the study was made with."""
    return read_questions(store.study.questions_json, read_schema(store.study.schema_json))


def _design(store: Store, number: int, before: Team | None) -> Design:
    from annotation.rounds import count_sets

    if before is not None and before.design is not None and before.images == number:
        return before.design
    sets, left_out = count_sets(store.count_cells())
    return Design(sets, store.count_images(), _by_reason(one.reason for one in left_out))


def design_round_in(store: Store, count_mode: str) -> int:
    """Design the first round over all images; returns its id."""
    from annotation.design_opening import open_round

    return open_round(store, questions_of(store), count_mode=count_mode)


def design_another_in(store: Store, count_mode: str) -> int:
    """Design the round after a locked one, over all images; returns its id."""
    from annotation.design import RoundDesign
    from annotation.design_opening import next_seed, open_designed, plan_for

    questions = questions_of(store)
    show_role = bool(store.study.show_role)
    # Whoever sits down in the window answers all sets, so there is no training and nothing shown twice.
    design = RoundDesign(
        next_seed(store),
        count_mode=count_mode,
        show_role=show_role,
        gold_share=0.0,
        repeat_share=0.0,
        training=0,
    )
    return open_designed(store, questions, plan_for(store, questions, design))


def left_out_in_words(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """What a round left out when it was designed: one line a reason, the most frequent first.

    >>> left_out_in_words({"left_out": [["baker", "CF", "a", "no usable image"]]})
    ('1 cell (no usable image)',)
    >>> left_out_in_words({"left_out": 3, "unusable": {"black": 2}})
    ('3 cells without ten usable images', '2 images (black)')
    """
    cells = settings.get("left_out", [])
    lines: tuple[str, ...] = ()
    if isinstance(cells, int):
        lines = (f"{counted(cells, 'cell')} without ten usable images",) if cells else ()
    else:
        lines = _by_reason(str(cell[-1]) for cell in cells)
    unusable = settings.get("unusable", {})
    return (*lines, *(f"{counted(number, 'image')} ({reason})" for reason, number in unusable.items()))


def _by_reason(reasons: Any) -> tuple[str, ...]:
    counts = Counter(reasons)
    return tuple(f"{counted(number, 'cell')} ({reason})" for reason, number in counts.most_common())


def loss_in_words(found: SimulatedFacts) -> str:
    """What would be removed: "4 140 simulated answers and 2 160 simulated records"."""
    parts = []
    if found.answers or not found.records:
        parts.append(f"{thousands(found.answers)} simulated answer{'' if found.answers == 1 else 's'}")
    if found.records:
        parts.append(f"{thousands(found.records)} simulated record{'' if found.records == 1 else 's'}")
    return " and ".join(parts)


def answer_rows(store: Store, round_id: int) -> list[dict[str, object]]:
    """The confirmed answers of a round as rows, missing values as empty text."""
    from storage.frames import Frames

    frame = Frames(store.folder).answers(round_id)
    # A slider that was never set is missing for ever after; as a float it would read 3.0.
    frame["slider"] = frame["slider"].astype("Int64")
    frame = frame.astype(object).where(frame.notna(), "")
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]
