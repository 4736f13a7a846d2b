"""Puts the state of the session on the parts of the screen: whole sets, whole questions, or just the answer.

Reads the session and changes nothing in it. What may reach an annotator passes through here, and nothing
else does: positions, question texts, and the annotator's own answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QPixmap

from annotation.session import Session
from core.questions import Question, key_at
from core.records import StoredImage
from core.set_wording import for_images
from gui.annotate.image_cache import ImageCache
from gui.annotate.keys import Command, KeyMap
from gui.annotate.parts import Parts
from gui.widgets.count import Count
from gui.widgets.key_cap import ERASE
from gui.widgets.option_row import Option
from gui.widgets.question_dots import Dot

SETS_AHEAD = 2


class Showing:
    """What is on the screen now, so that only what changed is shown anew."""

    def __init__(
        self, session: Session, parts: Parts, cache: ImageCache, keys: KeyMap, *, shows_role: bool
    ) -> None:
        self._session = session
        self._parts = parts
        self._cache = cache
        self._shows_role = shows_role
        self.keys = keys
        self._set_index: int | None = None
        self._question_at: tuple[int, int] | None = None
        self._images: tuple[StoredImage, ...] = ()
        self.options: tuple[Option, ...] = ()
        self._done = session.progress.done

    @property
    def is_markable(self) -> bool:
        """Whether pictures can be marked in this study."""
        return self._session.count_mode != "slider only"

    def set_keys(self, keys: KeyMap) -> None:
        """Print other keys."""
        self.keys = keys
        self._show_keys()
        self._question_at = None

    def image_at(self, position: int) -> StoredImage:
        """The image at a place on the screen."""
        return self._images[position]

    def positions_of(self, image_id: int) -> list[int]:
        """Places on the screen where an image stands."""
        return [place for place, image in enumerate(self._images) if image.image_id == image_id]

    def show(self) -> bool:
        """Show the state; True when it is another question than before."""
        here = (self._session.set_index, self._session.question_index)
        is_new = here != self._question_at
        if here[0] != self._set_index:
            self._show_set()
        if is_new:
            self._question_at = here
            self._show_question()
        self._show_answer()
        return is_new

    def count_done(self) -> None:
        """Count the sets that are done anew, and show it; this looks at every answer of every set."""
        self._done = self._session.progress.done
        self._show_top()

    # Sets

    def _show_set(self) -> None:
        session = self._session
        self._set_index = session.set_index
        images = session.image_set.images
        self._images = tuple(images[place] for place in session.image_order)
        self._parts.grid.set_count(len(self._images))
        self._show_keys()
        for place in range(len(self._images)):
            self.show_picture(place)
        index, sets = session.set_index, session.image_sets
        ahead = [image for one in sets[index + 1 : index + 1 + SETS_AHEAD] for image in one.images]
        kept = sets[index - 1].images if index != 0 else ()
        self._cache.want(self._images, ahead, kept)

    def _show_keys(self) -> None:
        keys = self.keys.images if self.is_markable else ("",) * 10
        self._parts.grid.set_keys(keys, is_markable=self.is_markable)
        self._parts.zoom.set_source(
            self._picture_at, keys, len(self._images) or 10, is_markable=self.is_markable
        )
        bar = self._parts.bar
        bar.flag.set_key(self.keys.cap(Command.FLAG))
        bar.comment.set_key(self.keys.cap(Command.COMMENT))
        back = self.keys.cap(Command.BACK)
        bar.back.set_key(back, ERASE if back == "Backspace" else "")
        bar.confirm.set_key(self.keys.cap(Command.CONFIRM))
        bar.replan()

    def _picture_at(self, position: int) -> QPixmap | None:
        image_id = self._images[position].image_id
        return self._cache.detail(image_id) or self._cache.picture(image_id)

    def show_picture(self, place: int) -> None:
        """Show what there is of the picture at a place: it, its absence, or the reason."""
        image_id = self._images[place].image_id
        failure = self._cache.failure(image_id)
        # An answer that is given without them says so; the session asks before it is confirmed.
        self._session.unseen = frozenset(
            at for at, image in enumerate(self._images) if self._cache.failure(image.image_id)
        )
        if failure:
            self._parts.grid.tiles[place].set_failure(failure)
        else:
            self._parts.grid.show_picture(place, self._cache.picture(image_id))

    # Questions

    def _show_question(self) -> None:
        session, bar = self._session, self._parts.bar
        question = session.question
        *labels, unknown = session.options
        self.options = tuple(
            Option(label.id, label.name, key_at(place) or "", label.definition)
            for place, label in enumerate(labels)
        )
        last = Option("", unknown.name, self.keys.cap(Command.UNKNOWN), unknown.definition)
        bar.question.set_text(for_images(question.wording, session.image_count))
        bar.caption.show_question(_countable(question), session.image_count)
        bar.options.show_question(
            self.options,
            last,
            is_open=question.is_open,
            suggest=session.suggestions,
            text_key=self.keys.cap(Command.DESCRIBE),
        )
        key = self.keys.cap(Command.GUIDE)
        bar.hint.set_hint(key, "hold for the guide")
        bar.replan()
        self._parts.place()
        self._parts.area.verticalScrollBar().setValue(0)

    def show_hint(self, words: str) -> None:
        """A hint at the right of the question; empty for the usual one."""
        key = "" if words else self.keys.cap(Command.GUIDE)
        self._parts.bar.hint.set_hint(key, words or "hold for the guide")
        self._parts.bar.replan()
        self._parts.bar.relayout()

    # Answers

    def _show_answer(self) -> None:
        session, bar = self._session, self._parts.bar
        answer = session.answer
        bar.options.show_answer(answer.label, is_unknown=answer.is_unknown)
        bar.caption.show_label("" if answer.is_unknown else self._name_of(answer.label))
        bar.show_count(
            Count(
                value=answer.slider,
                source=answer.slider_source,
                marks=len(answer.marks),
                most=session.image_count,
                is_needed=not answer.is_unknown,
            )
        )
        bar.slider.set_settable(session.count_mode != "marks only")
        bar.show_flagged(answer.is_flagged)
        bar.show_comment(answer.comment)
        bar.show_open(session.open_sentence)
        self._parts.grid.set_marks(session.marked)
        self._parts.zoom.set_marks(session.marked)
        self._show_top()
        self._show_asking()

    def _name_of(self, label: str | None) -> str:
        if label is None:
            return ""
        return next((option.name for option in self.options if option.label_id == label), label)

    def _show_top(self) -> None:
        session, top = self._session, self._parts.top
        role = session.image_set.role.replace("_", " ") if self._shows_role else ""
        top.set_caption.show_progress(session.set_index + 1, session.set_total, self._done, role)
        top.dots.show_dots(dots_of(session.questions, session.dots), session.question_index)
        top.show_history(can_undo=session.can_undo, can_redo=session.can_redo)
        top.show_hint(session.break_hint)
        self.show_saved()

    def show_saved(self) -> None:
        """Whether everything is on the disk."""
        session = self._session
        self._parts.top.saved.show_state(session.last_saved_at, session.pending, session.trouble)
        self._parts.trouble.show_trouble(session.trouble)
        if session.trouble:
            self._parts.place_floating()

    def _show_asking(self) -> None:
        ask, asking = self._parts.ask, self._session.asking
        if not asking:
            ask.hide()
            return
        is_about_none = asking[0].check == "none-of-them"
        none_key = self.keys.cap(Command.MARK_NONE)
        ask.ask([one.sentence for one in asking], is_about_none=is_about_none, none_key=none_key)
        self._parts.place_floating()


def _countable(question: Question) -> list[str]:
    return [option.name for option in question.options] or ["x" * 18]


def dots_of(questions: Sequence[Question], states: Sequence[str]) -> list[Dot]:
    """The questions of a set as dots, each under the name that its tooltip shows."""
    return [
        Dot(question.cohort, question.wording, state)
        for question, state in zip(questions, states, strict=True)
    ]
