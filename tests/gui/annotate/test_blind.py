"""Nothing that tells what a picture is may reach an annotator, by any way out of the screen."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from core.records import Condition, ImageSet, StoredImage
from gui.annotate.screen import AnnotateScreen
from tests.annotation.sittings import make_set
from tests.gui.annotate.conftest import MakeScreen, encoded, go_to, hold, let_go, press

SECRET = {
    "role": "glassblower",
    "generator": "Vermeer-XL",
    "prompt": "a photo of a glassblower in a foundry",
    "path": "images/zz/secretpath.png",
    "thumbnail": "thumbs/secretpath.jpg",
    "sha256": "c0ffee" * 10 + "beef",
}
WORDS = ("glassblower", "vermeer", "foundry", "secretpath", "c0ffee", "ca-u", "777123", "1328", "keyhole")


def secret_set(number: int) -> ImageSet:
    """A set whose every field would give it away."""
    images = tuple(
        replace(
            image,
            condition=Condition.CA_U,
            seed=777123,
            width=1328,
            height=1328,
            **SECRET,
        )
        for image in make_set(number).images
    )
    return replace(
        make_set(number),
        key=f"keyhole-{number}",
        role=SECRET["role"],
        condition=Condition.CA_U,
        generator=SECRET["generator"],
        images=images,
    )


def texts_of(screen: AnnotateScreen) -> Iterator[str]:
    """Everything on the screen that can be read, hovered, or spoken."""
    for widget in [screen, *screen.findChildren(QWidget)]:
        for name in ("text", "title", "placeholderText", "words", "toPlainText", "currentText"):
            found = getattr(widget, name, None)
            value = found() if callable(found) else found
            if isinstance(value, str):
                yield value
        yield from (
            widget.windowTitle(),
            widget.toolTip(),
            widget.statusTip(),
            widget.whatsThis(),
            widget.accessibleName(),
            widget.accessibleDescription(),
            widget.objectName(),
        )
        if isinstance(widget, QTextEdit):
            yield widget.toPlainText()


def leaks(screen: AnnotateScreen) -> list[str]:
    """Secret words found among the texts."""
    return [text for text in texts_of(screen) for word in WORDS if word in text.lower()]


def read_large(image: StoredImage) -> bytes:
    """A picture with text inside its file, as generation tools write it."""
    from PySide6.QtCore import QBuffer, QIODevice

    picture = QImage.fromData(encoded(1328, image.image_id))
    picture.setText("parameters", SECRET["prompt"])
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    return bytes(buffer.data().data())


def test_no_text_of_the_screen_gives_a_picture_away(
    make_screen: MakeScreen, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    screen = make_screen(sets=[secret_set(1), secret_set(2)], read=read_large)
    qtbot.waitUntil(lambda: screen.parts.grid.tiles[0].has_picture)
    found = leaks(screen)

    for question in ("dominant_colors", "items", "hair_style"):
        go_to(screen, question)
        hold("H")
        found += leaks(screen)
        let_go("H")
    for keys in (("1", "Q", "M"), ("?",), ("Esc",), ("Z",), ("Z",), ("C",), ("Esc",), ("PgDn",)):
        press(*keys)
        found += leaks(screen)

    assert found == []
    assert not any(word in caplog.text.lower() for word in WORDS)


def test_a_failure_gives_nothing_away(make_screen: MakeScreen, qtbot: QtBot) -> None:
    def read(image: StoredImage) -> bytes:
        raise FileNotFoundError(f"/studies/{image.path}")

    screen = make_screen(sets=[secret_set(1)], read=read)
    qtbot.waitUntil(lambda: bool(screen.parts.grid.tiles[9].failure))

    assert leaks(screen) == []


def test_the_role_is_shown_only_where_the_round_says_so(make_screen: MakeScreen) -> None:
    shown = make_screen(sets=[secret_set(1)], shows_role=True)

    assert any("glassblower" in text.lower() for text in texts_of(shown))


def test_nothing_can_be_copied_or_dragged_out(make_screen: MakeScreen) -> None:
    screen = make_screen(sets=[secret_set(1)], read=read_large)
    tile = screen.parts.grid.tiles[0]
    QApplication.clipboard().clear()

    press("Ctrl+C")
    QTest.mousePress(tile, Qt.MouseButton.LeftButton, pos=tile.rect().center())
    QTest.mouseMove(screen, screen.rect().center())
    QTest.mouseRelease(tile, Qt.MouseButton.LeftButton, pos=tile.rect().center())
    middle = tile.rect().center()
    menu = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, middle, tile.mapToGlobal(middle))
    QApplication.sendEvent(tile, menu)

    assert QApplication.clipboard().text() == ""
    assert QApplication.clipboard().image().isNull()
    assert QApplication.activePopupWidget() is None


def test_every_picture_is_as_large_on_the_screen_as_any_other(make_screen: MakeScreen, qtbot: QtBot) -> None:
    """Files of 1 024 and of 1 328 px look the same, among the ten, in zoom, and at its end."""
    one = make_set(1)
    images = tuple(
        replace(image, width=size, height=size)
        for image, size in zip(one.images, [1024, 1328] * 5, strict=True)
    )

    def read(image: StoredImage) -> bytes:
        return encoded(image.width, image.image_id)

    screen = make_screen(sets=[replace(one, images=images)], read=read)
    tiles = screen.parts.grid.tiles
    qtbot.waitUntil(lambda: all(tile.has_picture for tile in tiles))
    assert len({(tile.picture.width(), tile.picture.height()) for tile in tiles if tile.picture}) == 1

    sizes, ends = set(), set()
    for key in "QWERTASDFG":
        press("X", key, "Q" if key != "Q" else "W")
        closer = screen.parts.zoom.closers[0]
        qtbot.waitUntil(lambda shown=closer: shown.picture is not None and shown.picture.width() == 1024)
        screen.parts.zoom.zoom_to(1000)
        sizes.add((closer.picture.width(), closer.picture_rect.width()))
        ends.add(screen.parts.zoom.factor)
        press("X")
    assert len(sizes) == 1
    assert len(ends) == 1
