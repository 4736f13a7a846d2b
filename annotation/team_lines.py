"""Rounds, plans and merges in lines for the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pandas as pd

from annotation.design import DesignPlan
from annotation.packet import showings
from annotation.packet_making import MadePacket
from core.amounts import counted
from core.packets import Packet, showings_in_words


def plan_lines(plan: DesignPlan, questions: int) -> Iterator[str]:
    """What a design makes, and what of it cannot be had."""
    design = plan.design
    sizes = Counter(len(one.images) for one in plan.sets)
    images = " or ".join(counted(size, "image") for size in sorted(sizes))
    yield f"{counted(len(plan.sets), 'image set')} of {images}, {counted(questions, 'question')}."
    asked = len(showings(design, "", 0, [one.key for one in plan.sets]).keys)
    repeats = len(showings(design, "", 0, [one.key for one in plan.sets]).repeats)
    yield (
        f"Each of {counted(design.annotators, 'annotator')} sees {counted(asked, 'set')}"
        f"{'' if design.overlap == design.annotators else ' or so'} and {repeats} of them again: "
        f"{counted((asked + repeats) * questions, 'answer')}. {design.overlap} see each set."
    )
    if design.repeat_share and not repeats:
        yield f"No repeats: they come {design.repeat_gap} sets apart, and there are {asked}."
    practice = f" ({counted(len(plan.training) * questions, 'answer')} before those)" if plan.training else ""
    yield f"{counted(len(plan.gold), 'gold set')}, {counted(len(plan.training), 'training set')}{practice}."
    yield from _key_lines(plan)
    yield from plan.notes
    for reason, number in Counter(one.reason for one in plan.left_out).most_common():
        yield f"Left out: {counted(number, 'cell')} ({reason})."


def _key_lines(plan: DesignPlan) -> Iterator[str]:
    """Where the right answers to training and gold sets are from."""
    known = sum(one.key in plan.keys for one in plan.training)
    form = "round --keys-form, or Right answers on Team"
    if known or plan.gold:
        yield f"Practice and gold are judged by the drawn truth of the pictures, or by your form ({form})."
    if known < len(plan.training):
        lacking = counted(len(plan.training) - known, "training set")
        yield f"{lacking} without known truth: give the right answers before a packet leaves ({form})."


def round_line(found: Any, sets: int, out: int, back: int) -> str:
    """One round in one line; `out` packets are not back, of `back` at least one hand-in is merged."""
    state = "locked" if found.is_locked else "open"
    left = [
        f"{counted(number, 'packet')} {word}" for number, word in ((out, "out"), (back, "back")) if number
    ]
    asked = f"{counted(sets, 'image set')}, {counted(len(found.questions), 'question')}"
    return ", ".join([f"{found.name}: {asked}", found.count_mode, state, *left])


def packet_line(made: MadePacket) -> str:
    """A packet that was written, in one line."""
    shown = showings_in_words(made.sets, made.repeats, made.training)
    return f"{made.path}: for {made.annotator}, {shown}; pictures of {made.side} px."


def packet_lines(
    packets: Sequence[Packet], back: Sequence[int], repeats: Collection[int] = ()
) -> Iterator[str]:
    """The packets of a study; `back` has the packet of each merge that stands, `repeats` second showings."""
    for one in packets:
        number = back.count(one.packet_id)
        state = f"{counted(number, 'hand-in')} back" if number else "out"
        if one.is_withdrawn:
            state = f"withdrawn: {one.withdrawn_reason} ({one.withdrawn_by})"
        yield f"{one.packet_id}: {one.annotator.name}, {one.plan.in_words(repeats)}, {state}"


def merge_lines(merges: Sequence[Any]) -> Iterator[str]:
    """The merges of a study."""
    for one in merges:
        counts = ", ".join(
            f"{number} {word}" for word, number in one.counts.items() if word != "reasons" and number
        )
        undone = f" (undone {one.undone_at})" if one.undone_at else ""
        yield f"{one.hand_in_id}: {one.file_name}, {one.annotator}: {counts or 'nothing'}{undone}"


def conflict_lines(conflicts: Sequence[Any]) -> Iterator[str]:
    """Answers that contradict each other."""
    for one in conflicts:
        decided = f"; decided for {one.decision} by {one.decided_by}" if one.decision else ""
        where = f"{one.annotator}, set {one.image_set}, {one.ours.question}"
        both = f"ours {said(one.ours.answer)}, theirs {said(one.theirs.answer)}"
        yield f"{one.conflict_id}: {where}: {both}{decided}"


def said(answer: Any) -> str:
    """An answer in a few words."""
    label = "unknown" if answer.is_unknown else answer.label or "nothing"
    return label if answer.slider is None or answer.is_unknown else f"{label} ({answer.slider})"


def expectation_lines(row: Any, worst: Any) -> Iterator[str]:
    """What agreement annotators of the simulated accuracy come to.

    `row(statistic)` gives the line of the mean over questions, `worst` the question with the lowest kappa.
    """
    yield "Annotators of this accuracy would come to, over questions:"
    for statistic, name in (("raw_agreement", "raw agreement"), ("fleiss_kappa", "Fleiss kappa")):
        found = row(statistic)
        if found is None:
            continue
        yield f"  {name} {_measured(found)}"
    if worst is not None:
        yield f"  lowest: {worst['question']}, {_measured(worst)}"


def _measured(found: Any) -> str:
    """A value with its interval, or the reason why there is none."""
    value, low, high, reason = (found[name] for name in ("value", "low", "high", "reason"))
    if pd.isna(value):
        return f"is undefined: {reason}"
    return f"{value:.3f} [{low:.3f}, {high:.3f}]" if pd.notna(low) else f"{value:.3f} (no interval)"
