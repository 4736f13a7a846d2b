"""The bar below the stage: question, options, count, and what can be done with the answer.

Heights and widths come from the fonts; empty room between the rows does not grow with the scale. What the
last row gives up when it gets narrow is in `bar_room`.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from gui import fonts
from gui.annotate.bar_room import ROOMS, Room, flat
from gui.annotate.count_caption import CountCaption
from gui.annotate.hold_hint import HoldHint
from gui.palette import palette
from gui.widgets.count import Count
from gui.widgets.count_slider import HEIGHT as SLIDER_HEIGHT
from gui.widgets.count_slider import SIDE_ROOM, STEP, WIDE_STEP, CountSlider
from gui.widgets.count_value import CountValue
from gui.widgets.key_button import HEIGHT as BUTTON_HEIGHT
from gui.widgets.key_button import KeyButton
from gui.widgets.option_row import OptionRow
from gui.widgets.text_line import TextLine

MARGIN = 16
QUESTION_SIZE, WIDE_QUESTION_SIZE = 16, 18
AROUND_QUESTION, WIDE_AROUND_QUESTION = 20, 19
BETWEEN_ROWS = 16
BELOW = 18
OPEN_ROW = 18
BEFORE_SLIDER = 8
"""Beside the room for a handle, which the slider brings along."""
LONGEST_OPEN = "Still open: descriptor, count"


Plan = tuple[Room, QRect, QRect, int, int]
"""Room, place of the question, place of the options, top of the last row, whole height."""


class QuestionBar(QWidget):
    """All parts of the answer; `height_in` says how high it has to be, `resizeEvent` puts the parts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = TextLine(QUESTION_SIZE, is_bold=True, parent=self)
        self.note = TextLine(12, "muted", align=Qt.AlignmentFlag.AlignRight, parent=self)
        self.hint = HoldHint("H", "hold for the guide", self)
        self.options = OptionRow(self)
        self.caption = CountCaption(self)
        self.slider = CountSlider(self)
        self.value = CountValue(self)
        self.open = TextLine(12, "muted", align=Qt.AlignmentFlag.AlignRight, parent=self)
        self.flag = KeyButton("Flag", "M", icon="flag", parent=self)
        self.comment = KeyButton("Comment", "C", icon="comment", parent=self)
        self.back = KeyButton("Back", "Backspace", icon="left", short_key="⌫", parent=self)
        self.confirm = KeyButton("Confirm", "Enter", parent=self)
        self.confirm.set_look("open")
        self._is_wide = False
        self._plans: dict[int, Plan] = {}
        self.setAccessibleName("answer")

    @property
    def buttons(self) -> tuple[KeyButton, ...]:
        """The four acts at the right, in order."""
        return (self.flag, self.comment, self.back, self.confirm)

    def set_wide(self, is_wide: bool) -> None:
        """The wider figures of a window of 1 500 px and more."""
        if is_wide == self._is_wide:
            return
        self._is_wide = is_wide
        self.replan()
        self.options.set_wide(is_wide)
        self.question.set_size(WIDE_QUESTION_SIZE if is_wide else QUESTION_SIZE)

    def show_count(self, count: Count) -> None:
        """The count on the slider and in words."""
        self.slider.show_count(count)
        self.value.show_count(count)

    def show_open(self, sentence: str, *, is_urgent: bool = False) -> None:
        """What is still open; empty when the answer is complete, which fills Confirm.

        The first sentence stands beside Confirm, an explanation after it in the row of the question.
        """
        first, _, more = sentence.partition(". ")
        role = "text" if is_urgent else "muted"
        self.open.set_text(first.removesuffix("."), role)
        self.note.set_text(more.removesuffix("."), role)
        self.confirm.set_look("open" if sentence else "primary")

    def show_flagged(self, is_flagged: bool) -> None:
        """The flag as set or not."""
        self.flag.set_look("warn" if is_flagged else "plain")
        word = "Flagged" if is_flagged else "Flag"
        if word != self.flag.text():
            self.flag.set_word(word)
            self._put()

    def show_comment(self, text: str) -> None:
        """Whether there is a comment."""
        self.comment.set_look("noted" if text else "plain")
        self.comment.setAccessibleDescription("there is a comment" if text else "")

    # Room

    def _gap(self) -> int:
        return flat(16 if self._is_wide else 10)

    def _button_widths(self, room: Room) -> list[int]:
        words: Sequence[tuple[KeyButton, str]] = (
            (self.flag, "Flagged"),
            (self.comment, "Comment"),
            (self.back, "Back"),
            (self.confirm, "Confirm"),
        )
        return [
            button.width_with(word, has_word=room.has_words, is_short=room.is_short) for button, word in words
        ]

    def _step(self, room: Room) -> int:
        least = self.slider.least_step()
        return least if room.is_close else max(least, fonts.px(WIDE_STEP if self._is_wide else STEP))

    def _left_width(self, room: Room) -> int:
        caption = self.caption.width_with(is_two_lines=room.is_two_lines) + flat(BEFORE_SLIDER)
        slider = self.slider.width_with(self._step(room)) + flat(26 - SIDE_ROOM)
        return caption + slider + self.value.sizeHint().width()

    def _right_width(self, room: Room) -> int:
        return sum(self._button_widths(room)) + 3 * self._gap()

    @staticmethod
    def _open_width(room: Room) -> int:
        parts = LONGEST_OPEN.replace("open: ", "open:|").replace(", ", ",|").split("|")
        words = parts if room.is_open_stacked else [LONGEST_OPEN]
        return max(fonts.width_of(word, 12) for word in words) + 2

    def room_in(self, width: int) -> Room:
        """The first arrangement that fits."""
        inside = width - 2 * flat(MARGIN)
        for room in ROOMS[:-1]:
            left, right = self._left_width(room), self._right_width(room)
            if not room.is_open_below:
                right += self._open_width(room) + flat(8)
            if (max(left, right) if room.is_split else left + flat(10) + right) <= inside:
                return room
        return ROOMS[-1]

    def height_in(self, width: int) -> int:
        """Height this question needs in a width."""
        return self._plan(width)[-1]

    def _plan(self, width: int) -> Plan:
        found = self._plans.get(width)
        if found is None:
            found = self._plans[width] = self._plan_anew(width)
        return found

    def _plan_anew(self, width: int) -> Plan:
        margin = flat(MARGIN)
        inside = width - 2 * margin
        room = self.room_in(width)
        for_question = inside - self.hint.sizeHint().width() - flat(24)
        head = self.question.line_height()
        if self.question.one_line() > for_question:
            head = self.question.height_in(for_question)
        head += flat(WIDE_AROUND_QUESTION if self._is_wide else AROUND_QUESTION)
        question = QRect(margin, 1, for_question, head)
        options = QRect(margin, head, inside, self.options.heightForWidth(inside))
        last = options.bottom() + 1 + flat(BETWEEN_ROWS)
        height = last + fonts.px(BUTTON_HEIGHT) + max(flat(BELOW), self._below_slider())
        if room.is_open_below:
            height += fonts.px(OPEN_ROW)
        if room.is_split:
            height += fonts.px(BUTTON_HEIGHT) + self._between_split()
        return room, question, options, last, height

    @staticmethod
    def _below_slider() -> int:
        """How much further down the slider reaches than a button in the same row."""
        return fonts.px(SLIDER_HEIGHT) - fonts.px(26) - fonts.px(BUTTON_HEIGHT) // 2

    def _between_split(self) -> int:
        return max(flat(8), self._below_slider())

    def replan(self) -> None:
        """Forget where the parts were, because what they say has changed."""
        self._plans.clear()

    def relayout(self) -> None:
        """Put the parts anew for the question that is shown."""
        self._put()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the parts anew."""
        self._put()

    def _put(self) -> None:
        room, question, options, last, _ = self._plan(self.width())
        margin = flat(MARGIN)
        self.question.setGeometry(question)
        hint = self.hint.sizeHint()
        top = question.center().y() - hint.height() // 2
        self.hint.setGeometry(self.width() - margin - hint.width(), top, hint.width(), hint.height())
        left = min(question.left() + self.question.one_line(), question.right()) + fonts.px(16)
        room_for_note = self.hint.x() - fonts.px(16) - left
        self.note.setGeometry(left, 1, max(room_for_note, 0), question.height())
        self.options.setGeometry(options)
        after = self._put_count(room, last)
        self._put_acts(room, last, after)

    def _put_count(self, room: Room, last: int) -> int:
        """Caption, slider, value from the left; returns where they end."""
        middle = last + fonts.px(BUTTON_HEIGHT) // 2
        top = middle - fonts.px(26)
        high = fonts.px(SLIDER_HEIGHT)
        x = flat(MARGIN)
        caption = self.caption.width_with(is_two_lines=room.is_two_lines)
        self.caption.set_two_lines(room.is_two_lines)
        self.caption.setGeometry(x, top, caption, high)
        self.slider.set_step(self._step(room))
        slider = self.slider.sizeHint().width()
        x += caption + flat(BEFORE_SLIDER)
        self.slider.setGeometry(x, top, slider, high)
        x += slider + flat(26 - SIDE_ROOM)
        value = self.value.sizeHint().width()
        self.value.setGeometry(x, top, value, high)
        return x + value

    def _put_acts(self, room: Room, last: int, after: int) -> None:
        """Buttons from the right, and what is still open beside or below."""
        margin, high = flat(MARGIN), fonts.px(BUTTON_HEIGHT)
        top = last
        if room.is_split:
            top = last + high + self._between_split()
        x = self.width() - margin
        widths = self._button_widths(room)
        widths[0] = self.flag.width_with(self.flag.text(), has_word=room.has_words, is_short=room.is_short)
        for button, wide in reversed(list(zip(self.buttons, widths, strict=True))):
            button.set_room(has_word=room.has_words, is_short=room.is_short)
            x -= wide
            button.setGeometry(x, top, wide, high)
            x -= self._gap()
        if room.is_open_below:
            below = last + high + self._below_slider()
            self.open.setGeometry(margin, below, self.width() - 2 * margin, fonts.px(OPEN_ROW))
        else:
            left = (margin if room.is_split else after) + flat(8)
            tall = fonts.px(SLIDER_HEIGHT)
            self.open.setGeometry(left, top + high // 2 - tall // 2, x - left, tall)

    def changeEvent(self, event: QEvent) -> None:
        """A new scale is a new layout."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.replan()
            self._put()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The bar, with a line above it."""
        painter = QPainter(self)
        roles = palette()
        painter.fillRect(event.rect(), roles.window)
        painter.setPen(QPen(roles.line, 1))
        painter.drawLine(QPointF(0, 0.5), QPointF(self.width(), 0.5))
