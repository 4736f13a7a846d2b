"""A picture that cannot be shown is never passed over in silence: it is asked about, and the log says so."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from core.records import StoredImage
from gui.annotate.screen import AnnotateScreen
from tests.annotation.sittings import ListBook
from tests.gui.annotate.conftest import MakeScreen, press, read_plain


def broken_at(screen: AnnotateScreen, place: int) -> bool:
    return bool(screen.parts.grid.tiles[place].failure)


def test_an_answer_without_a_picture_is_asked_about_and_noted(make_screen: MakeScreen, qtbot: QtBot) -> None:
    book = ListBook()
    gone: list[int] = []

    def read(image: StoredImage) -> bytes:
        gone.append(image.image_id)
        if image.image_id == gone[0]:
            raise FileNotFoundError("/home/ada/nurses/image.png")
        return read_plain(image)

    screen = make_screen(book, read=read)
    qtbot.waitUntil(lambda: any(broken_at(screen, place) for place in range(10)))
    place = next(place for place in range(10) if broken_at(screen, place))
    question = screen.session.question_index

    press("1", *"QWERTASD", "Enter")
    assert screen.session.question_index == question
    assert screen.parts.ask.isVisible()
    assert screen.session.asking[0].sentence.startswith(f"Picture {place + 1} cannot be shown")

    press("Enter")
    assert screen.session.question_index == question + 1
    assert screen.session.image_order[place] in range(10)
    assert book.acts[-1] == f"asked: kept not shown at {screen.session.image_order[place]}"
    assert book.events[-1].answer.is_confirmed


def test_nothing_is_asked_while_all_pictures_are_there(make_screen: MakeScreen, seen) -> None:  # type: ignore[no-untyped-def]
    book = ListBook()
    screen = make_screen(book)
    seen(screen)

    press("1", *"QWERTASD", "Enter")

    assert book.acts[-1] == "confirm"
