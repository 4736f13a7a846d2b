"""Figures are written whole, light, in the kind that their name says."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from core.errors import UserError
from gui.figures import FINENESS, write_figure
from gui.palette import LIGHT, Palette
from gui.theme import Theme


def paint(painter: QPainter, place: QRectF, roles: Palette) -> None:
    """A square of ink in the middle."""
    painter.fillRect(place.adjusted(20, 20, -20, -20), roles.text)


def test_a_picture_is_light_whatever_the_theme_and_fine_enough_to_print(theme: Theme, tmp_path: Path):
    theme.pin("dark")

    path = write_figure(tmp_path / "figure.png", QSize(100, 80), paint, "Figure")

    image = QImage(str(path))
    assert (image.width(), image.height()) == (100 * FINENESS, 80 * FINENESS)
    assert image.pixelColor(3, 3) == LIGHT.surface
    assert image.pixelColor(image.width() // 2, image.height() // 2) == LIGHT.text


@pytest.mark.parametrize(("name", "begins"), [("a.svg", b"<?xml"), ("a.pdf", b"%PDF"), ("a.PNG", b"\x89PNG")])
def test_the_ending_says_the_kind(theme: Theme, tmp_path: Path, name: str, begins: bytes):
    path = write_figure(tmp_path / name, QSize(100, 80), paint, "Figure")

    assert path.read_bytes().startswith(begins)
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_another_ending_is_refused_in_a_sentence(theme: Theme, tmp_path: Path):
    with pytest.raises(UserError, match="is no kind of figure"):
        write_figure(tmp_path / "figure.gif", QSize(10, 10), paint, "Figure")


def test_a_place_that_does_not_exist_is_said_in_a_sentence(theme: Theme, tmp_path: Path):
    with pytest.raises(UserError, match="could not be written"):
        write_figure(tmp_path / "nowhere" / "figure.png", QSize(10, 10), paint, "Figure")
