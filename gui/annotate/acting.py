"""From a command to an act of the session, or to a look at something. No rule of the answer is here."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from annotation.answering import BY_KEY, BY_POINTER
from annotation.checks import CATEGORY, COUNT, DESCRIPTOR
from annotation.session import ConfirmResult, Session
from gui.annotate.keys import Command
from gui.annotate.looking import Looking
from gui.annotate.opening import Opening
from gui.annotate.parts import Parts
from gui.annotate.showing import Showing


class Acting(QObject):
    """Does what a key or a click asks for. `acted` comes after everything that may have changed the state.

    `counted` comes when the number of finished sets may have changed.
    """

    acted = Signal()
    counted = Signal()

    def __init__(
        self, session: Session, parts: Parts, showing: Showing, looking: Looking, screen: QWidget
    ) -> None:
        super().__init__(screen)
        self._session = session
        self._parts = parts
        self._showing = showing
        self._looking = looking
        self._screen = screen
        self.opening = Opening(session, parts, showing)
        self._does: dict[Command, Callable[[int], None]] = self._table()

    def _table(self) -> dict[Command, Callable[[int], None]]:
        session = self._session
        return {
            Command.CHOOSE: self._choose_at,
            Command.UNKNOWN: lambda _: self.do(session.choose_unknown),
            Command.MARK: self.mark,
            Command.MARK_ALL: lambda _: self._mark_all(),
            Command.MARK_NONE: lambda _: self._mark_none(),
            Command.CONFIRM: lambda _: self.confirm(),
            Command.BACK: lambda _: self.do(session.back),
            Command.NEXT_SET: lambda _: self.do(session.next_set),
            Command.PREVIOUS_SET: lambda _: self.do(session.previous_set),
            Command.UNDO: lambda _: self.undo(),
            Command.REDO: lambda _: self.redo(),
            Command.FLAG: lambda _: self.do(session.flag),
            Command.COMMENT: lambda _: self.opening.open_comment(),
            Command.GUIDE: lambda _: self.opening.open_guide(),
            Command.PEEK: lambda _: self._looking.peek(),
            Command.ZOOM: lambda _: self._looking.toggle_lock(),
            Command.COMPARE: lambda _: self._looking.toggle_compare(),
            Command.KEYS: lambda _: self.opening.toggle_keys(),
            Command.DESCRIBE: lambda _: self._describe(),
            Command.LEAVE: lambda _: self._leave(),
        }

    # From keys

    def on_asked(self, command: Command, number: int) -> None:
        """A key was pressed."""
        if self._parts.sheet.isVisible() and command not in (Command.KEYS, Command.LEAVE):
            return
        if self._parts.pause.isVisible():
            if command in (Command.CONFIRM, Command.LEAVE):
                self.end_break()
            return
        self._does[command](number)

    def on_released(self, command: Command) -> None:
        """A held key was let go."""
        if command is Command.PEEK:
            self._looking.end_peek()
        elif command is Command.GUIDE:
            self.opening.let_guide_go()

    def on_arrow(self, dx: int, dy: int) -> None:
        """An arrow that no focused control wanted: pan, or walk among pictures or options."""
        if self._looking.arrow(dx, dy):
            return
        position = self._parts.grid.position_in_focus()
        if position is not None:
            there = self._parts.grid.neighbour(position, dx, dy)
            self._parts.set_tab_stop(there)
            self._parts.grid.tiles[there].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self._parts.bar.options.focus_option(dx or dy)

    # Acts

    def do(self, act: Callable[[], object]) -> None:
        """Do one act of the session and show what came of it; text that was typed counts first."""
        self._end_typing()
        was_done = self._session.is_set_done
        act()
        self._parts.end.hide()
        self.acted.emit()
        if self._session.is_set_done != was_done:
            self.counted.emit()

    def _end_typing(self) -> None:
        """Keys never act while somebody types, so this is a click: what is typed counts, keys come home.

        A comment goes first: after the act the screen may show another question.
        """
        self._parts.comment.leave()
        options = self._parts.bar.options
        options.commit_text()
        if options.box.hasFocus():
            self.go_home()

    def _choose_at(self, number: int) -> None:
        if number < len(self._showing.options):
            self.choose(self._showing.options[number].label_id)

    def choose(self, label_id: str) -> None:
        """Choose a category."""
        self.do(lambda: self._session.choose(label_id))

    def describe(self, text: str, is_suggestion: bool = False) -> None:
        """Take a descriptor."""
        self._session.describe(text, is_suggestion=is_suggestion)
        self.acted.emit()

    def mark(self, position: int) -> None:
        """Mark the picture at a place; where nothing is marked, its number is the count."""
        if self._looking.is_picking:
            self._looking.pick(position)
        elif position >= self._session.image_count:
            return
        elif self._showing.is_markable:
            self.do(lambda: self._session.toggle_mark(position))
        else:
            self._count_by_key(position + 1)

    def press_tile(self, position: int) -> None:
        """A picture was pressed with the pointer."""
        if self._looking.is_picking or self._showing.is_markable:
            self.mark(position)

    def _count_by_key(self, number: int) -> None:
        self.do(lambda: self._session.set_count(number, BY_KEY))

    def set_by_pointer(self, number: int) -> None:
        """The count was set on the slider with the pointer."""
        self.do(lambda: self._session.set_count(number, BY_POINTER))

    def set_by_key(self, number: int) -> None:
        """The count was set on the slider with a key."""
        self._count_by_key(number)

    def _mark_all(self) -> None:
        if self._showing.is_markable:
            self.do(self._session.mark_all)
        else:
            self._count_by_key(self._session.image_count)

    def _mark_none(self) -> None:
        if self._showing.is_markable:
            self.do(self._session.clear_marks)
        else:
            self._count_by_key(0)

    def confirm(self) -> None:
        """Confirm; what is missing gets the focus instead."""
        if self._parts.end.isVisible():
            self._parts.end.hide()
            return
        self._end_typing()
        self._take(self._session.confirm())

    def keep(self) -> None:
        """What was asked stays as it is."""
        self._end_typing()
        self._take(self._session.keep())

    def change(self) -> None:
        """What was asked shall be changed."""
        self.do(self._session.change)

    def _take(self, result: ConfirmResult) -> None:
        self.acted.emit()
        if result.kind == "moved":
            self.counted.emit()
        if result.kind == "open":
            self._parts.bar.show_open(result.sentence, is_urgent=True)
            self._go_to_missing(result.missing[0])
        elif result.is_at_end:
            self.opening.show_end()

    def _go_to_missing(self, what: str) -> None:
        bar, parts = self._parts.bar, self._parts
        if what == DESCRIPTOR:
            parts.reveal(bar.options.box)
        elif what == CATEGORY:
            bar.options.focus_first()
        elif what == COUNT and self._session.count_mode != "marks only":
            parts.reveal(bar.slider)
        else:
            parts.reveal(parts.grid.tiles[0])

    def undo(self) -> None:
        """Take the latest act back, wherever it was."""
        self.do(self._session.undo)
        self.counted.emit()

    def redo(self) -> None:
        """Bring it back."""
        self.do(self._session.redo)
        self.counted.emit()

    def take_comment(self, text: str) -> None:
        """The comment box was left."""
        self.do(lambda: self._session.comment(text))
        self.go_home()

    def _describe(self) -> None:
        if self._parts.bar.options.has_box:
            self._parts.reveal(self._parts.bar.options.box)

    def _leave(self) -> None:
        """Out of the topmost thing that can be left."""
        if self.opening.close_top() or self._looking.leave():
            return
        if self._session.asking:
            self.change()
        else:
            self.go_home()

    def go_home(self) -> None:
        """Key focus to no control in particular."""
        self._screen.setFocus(Qt.FocusReason.OtherFocusReason)

    def begin_question(self) -> None:
        """Key focus for a new question: the box where a descriptor is missing, else nothing in particular.

        Typing comes first there: letters would otherwise mark pictures.
        """
        answer, options = self._session.answer, self._parts.bar.options
        if options.is_open and not answer.label and not answer.is_unknown:
            self._parts.reveal(options.box)
        else:
            self.go_home()

    # Breaks

    def begin_break(self) -> None:
        """A break was taken: the pictures go, and nothing is timed."""
        self.do(lambda: self._session.answer_break(is_taken=True))
        self._session.clock.focus(False)
        self.opening.show_pause()
        self.go_home()

    def dismiss_break(self) -> None:
        """No break now."""
        self.do(lambda: self._session.answer_break(is_taken=False))

    def end_break(self) -> None:
        """Back to work."""
        self._parts.pause.hide()
        self._session.clock.focus(True)
        self.begin_question()
