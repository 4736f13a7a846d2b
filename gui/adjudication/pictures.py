"""Looking at the pictures of a case: the ring that goes from one to the next, and one of them large."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gui.adjudication.case_card import CaseCard
from gui.adjudication.large_image import LargeImage
from gui.studio import Studio


class Pictures(QObject):
    """`shown` when a picture is large now."""

    shown = Signal()

    def __init__(self, studio: Studio, card: CaseCard, large: LargeImage, parent: QObject) -> None:
        super().__init__(parent)
        self._studio, self._tiles, self._large = studio, card.tiles, large

    def step(self, by: int) -> None:
        """The ring to the next picture, or the one before; an enlarged one follows."""
        tiles = self._tiles
        if not tiles.pictures:
            return
        now = tiles.focused
        at = 0 if now is None else min(max(now + by, 0), len(tiles.pictures) - 1)
        tiles.focus_on(at)
        if not self._large.isHidden():
            self.enlarge(at)

    def enlarge(self, at: int | None = None) -> None:
        """Show a picture large: the one asked for, else the one with the ring, else the first."""
        tiles, folder = self._tiles, self._studio.folder
        place = at if at is not None else tiles.focused or 0
        if folder is not None and place < len(tiles.pictures):
            tiles.focus_on(place)
            self._large.show_picture(folder / tiles.pictures[place].path, tiles.words(place))
            self.shown.emit()
