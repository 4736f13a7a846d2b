"""`main.py packet`: the packet of one annotator written, packets listed, one withdrawn."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from annotation.commands.rounds import newest_round
from annotation.packet_making import MadePacket, make_packet
from annotation.team_lines import packet_line, packet_lines
from core.errors import BadInput
from core.jobs import Job
from core.questions import Question

Run = Callable[[str, Job[Any]], Any]
"""Runs a job under a name, with its progress shown, and gives its result."""


def must_say_what(chosen: Namespace) -> None:
    """BadInput unless a packet is to be written, listed or withdrawn."""
    if not (chosen.list or chosen.withdraw or (chosen.annotator and chosen.out)):
        raise BadInput("Say whose packet it is and where it goes.", "Add --annotator NAME and --out FILE.")


def packet_lines_of(
    study: Any, questions: Sequence[Question], open_writer: Any, chosen: Namespace, run: Run
) -> Iterator[str]:
    """Carry out `packet` and say what came of it."""
    if chosen.withdraw:
        study.withdraw_packet(chosen.withdraw, chosen.reason, chosen.by)
    if chosen.list or chosen.withdraw:
        back = [one.packet_id for one in study.hand_ins() if one.undone_at is None]
        rounds = [one.round_id for one in study.rounds()]
        again = {one.image_set_id for number in rounds for one in study.image_sets(number, "repeat")}
        yield "\n".join(packet_lines(study.packets(), back, again)) or "No packet has left yet."
        return
    found, person = newest_round(study), study.person_named(chosen.annotator)
    parts = (study, found, questions, person, chosen.out, open_writer, study.image_bytes)
    made: MadePacket = run("packet", make_packet(*parts, most_side=chosen.pixels))
    yield packet_line(made)
