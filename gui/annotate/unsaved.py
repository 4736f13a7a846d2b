"""What is asked when an annotator wants to go and some acts cannot be saved; nothing goes without a word."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from annotation.session import Session
from gui.widgets.consequence import ConsequenceDialog
from gui.words import counted


def unsaved_question(session: Session, parent: QWidget) -> ConsequenceDialog:
    """Whether to put the acts aside in a file and leave."""
    acts = counted(session.pending, "act")
    lines = (
        session.trouble or "The disk has not answered yet.",
        f"Leaving writes {'it' if session.pending == 1 else 'them'} to a file in the folder of the study, "
        "from which the study lead can enter what it says.",
    )
    title = f"{acts} not in the study"
    return ConsequenceDialog(title, lines, f"Write {acts} to a file and leave", "Stay", "primary", parent)


def lost_question(session: Session, why: str, parent: QWidget) -> ConsequenceDialog:
    """Whether to leave although the acts could be put nowhere."""
    acts = counted(session.pending, "act")
    lines = (f"The file could not be written: {why}.", "What was saved before stays saved.")
    return ConsequenceDialog(
        f"{acts} would be lost", lines, f"Leave and lose {acts}", "Stay", "danger", parent
    )
