"""What is asked before the two acts of the Team page that cannot be taken back."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gui.plain_text import short_name
from gui.team.facts import Team, loss_in_words
from gui.team.packets import PacketFacts
from gui.widgets.consequence import ConsequenceDialog
from gui.words import counted


def lock_question(team: Team, name: str, facts: PacketFacts, parent: QWidget) -> ConsequenceDialog:
    """Whether to lock a round, with what follows from it."""
    lines = [
        "No answer can be added or changed afterwards, and the round is not opened again.",
        "From then on people are compared with the pipeline on the Agreement page.",
    ]
    if team.open_answers:
        lines.insert(0, f"{counted(team.open_answers, 'answer')} still open stay unanswered.")
    if facts.out:
        lines.append(f"{counted(facts.out, 'packet is', 'packets are')} out; nothing more of them is taken.")
    if facts.conflicts:
        number = counted(len(facts.conflicts), "contradiction")
        lines.append(f"{number} of one person with themself not decided: the answer there first counts.")
    name = short_name(name)
    return ConsequenceDialog(f"Lock {name}", lines, f"Lock {name}", "Keep it open", "primary", parent)


def remove_question(team: Team, parent: QWidget) -> ConsequenceDialog:
    """Whether to remove what is simulated, with what is lost."""
    found, loss = team.simulated, loss_in_words(team.simulated)
    who = counted(found.annotators, "simulated annotator")
    what = counted(found.extractors, "simulated extractor")
    lines = (
        f"{who} and {what} go with them. What people answered, images and their true labels stay.",
        "It cannot be undone; the same can be simulated again.",
    )
    return ConsequenceDialog(f"Remove {loss}", lines, f"Remove {loss}", "Keep them", parent=parent)
