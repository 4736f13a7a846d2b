"""What is opened over the stage and closed again: comment box, guide, sheet of keys, break, the end."""

from __future__ import annotations

from dataclasses import replace

from annotation.session import Session
from core.set_wording import for_images
from gui.annotate.parts import Parts
from gui.annotate.showing import Showing
from gui.words import counted


class Opening:
    """Fills a panel from the session and shows it; changes no answer."""

    def __init__(self, session: Session, parts: Parts, showing: Showing) -> None:
        self._session = session
        self._parts = parts
        self._showing = showing
        self._is_guide_pinned = False

    def open_comment(self) -> None:
        """The box for a comment, with the one that is there."""
        self._parts.comment.open_with(self._session.answer.comment)
        self._parts.place_floating()

    def open_guide(self) -> None:
        """The guide to the question on the screen."""
        session = self._session
        wording = for_images(session.question.wording, session.image_count)
        question = replace(session.question, wording=wording)
        self._parts.guide.open_for(question, self._showing.options, session.options[-1])
        self._parts.place_floating()

    def let_guide_go(self) -> None:
        """The key of the guide was let go; a pinned guide stays."""
        if not self._is_guide_pinned:
            self._parts.guide.hide()

    def toggle_guide(self) -> None:
        """Pin the guide, or put it away."""
        self._is_guide_pinned = not self._parts.guide.isVisible()
        if self._is_guide_pinned:
            self.open_guide()
        else:
            self._parts.guide.hide()

    def close_guide(self) -> None:
        """Put the guide away, pinned or not."""
        self._is_guide_pinned = False
        self._parts.guide.hide()

    def toggle_keys(self) -> None:
        """The sheet of keys, or away with it."""
        sheet = self._parts.sheet
        if sheet.isVisible():
            sheet.hide()
            return
        markable, number = self._showing.is_markable, self._session.image_count
        sheet.open_with(self._showing.keys, is_slider_only=not markable, images=number)
        self._parts.place_floating()

    def close_top(self) -> bool:
        """Close the topmost of sheet and guide; False when neither is open."""
        if self._parts.sheet.isVisible():
            self._parts.sheet.hide()
            return True
        if self._parts.guide.isVisible():
            self.close_guide()
            return True
        return False

    def show_pause(self) -> None:
        """A break: no pictures, no clock."""
        self._parts.pause.say("A break.", "Nothing is timed until you go on.")
        self._parts.pause.show()
        self._parts.pause.raise_()

    def show_end(self) -> None:
        """Everything is answered."""
        progress = self._session.progress
        title = f"All {progress.total} sets are done." if progress.total != 1 else "The set is done."
        self._parts.end.say(title, f"{counted(progress.answers_total, 'answer')}, every one confirmed.")
        self._parts.end.show()
        self._parts.end.raise_()
        self._parts.ask.raise_()
