"""One image larger, with everything that went into it: prompt, seed, settings, device, libraries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from core.records import StoredImage
from gui.fonts import px
from gui.generate.checks import value_in_words
from gui.generate.gallery_filter import condition_word, status_word
from gui.models.coverage import in_words
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.drawer import Drawer
from gui.widgets.scroll_column import ScrollColumn
from gui.widgets.thumbnails import decoded

if TYPE_CHECKING:
    from gui.tasks import Query
    from storage.store import Store

SIDE = 260
_LONG_HASH = re.compile(r"[0-9a-f]{24,}")
_ORDER = ("settings", "device", "device_check", "offload", "threads", "libraries", "scheduler", "classes")
"""What comes first of what is recorded; the rest follows."""

_SAID_BEFORE = {"generator", "prompt", "seed", "role", "condition", "wording", "status_reason"}


@dataclass(frozen=True, slots=True)
class Found:
    """An image with its picture and rows of facts."""

    image: StoredImage
    picture: QImage
    facts: tuple[tuple[str, str], ...]


class ImageFacts(Drawer):
    """Opened with an image; `wanted_records(image)` when a person wants what was read off it."""

    wanted_records = Signal(object)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._query: Query | None = None
        self.image: StoredImage | None = None
        self._picture = _Picture()
        self.facts = FactLines()
        column = ScrollColumn()
        column.column.addWidget(self._picture)
        column.column.addWidget(self.facts)
        column.column.addStretch(1)
        self.records = Button("Open with its records")
        self.records.clicked.connect(self._on_records)
        self.body.addWidget(column, 1)
        self.body.addWidget(self.records)

    def show_image(self, image: StoredImage) -> None:
        """Show an image; the picture and its facts come in from the disk."""
        store = self._studio.store
        if store is None:
            return
        self.image = image
        self.open_with(image.prompt, f"{in_words(image.role)}, {condition_word(image.condition)}")
        if self._query is not None:
            self._query.drop()
        side = round(px(SIDE) * self.devicePixelRatioF())
        self._query = self._studio.query(lambda: look_up(store, image, side), self._on_found)

    def _on_found(self, found: Found) -> None:
        self._query = None
        if found.image == self.image:
            self._picture.show_picture(QPixmap.fromImage(found.picture))
            self.facts.show_facts(found.facts)

    def _on_records(self) -> None:
        if self.image is not None:
            self.wanted_records.emit(self.image)


class FactLines(QWidget):
    """Names and values in two columns that are as narrow as they must be; long values wrap."""

    def __init__(self) -> None:
        super().__init__()
        self.facts: tuple[tuple[str, str], ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(px(10))
        self._grid.setVerticalSpacing(px(5))
        self._grid.setColumnStretch(0, 2)
        self._grid.setColumnStretch(1, 3)

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show one line a fact."""
        self.facts = tuple(facts)
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, pair in enumerate(facts):
            for column, text in enumerate(pair):
                caption = Caption(_short(text), "small" if column else "muted", wraps=True)
                caption.setToolTip(text if _short(text) != text else "")
                caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
                self._grid.addWidget(caption, row, column, Qt.AlignmentFlag.AlignTop)


def _short(text: str) -> str:
    """A long hash, alone or as a file's name, by its beginning; the tooltip has it whole.

    >>> _short("images/e/" + "e9dbc4e7" * 8 + ".png"), _short("CLIPTextModel")
    ('images/e/e9dbc4e7e9db….png', 'CLIPTextModel')
    """
    return _LONG_HASH.sub(lambda found: f"{found[0][:12]}…", text)


class _Picture(QWidget):
    """The picture, as large as the drawer is wide."""

    def __init__(self) -> None:
        super().__init__()
        self._pixmap: QPixmap | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(px(SIDE))

    def show_picture(self, pixmap: QPixmap) -> None:
        self._pixmap = pixmap
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(SIDE), px(SIDE))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._pixmap is None or self._pixmap.isNull():
            painter.fillRect(self.rect(), palette().sunken)
            return
        size = self._pixmap.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        left = (self.width() - size.width()) // 2
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(left, 0, size.width(), size.height(), self._pixmap)


def look_up(store: Store, image: StoredImage, side: int) -> Found:
    """Read the picture and what is recorded of it; off the GUI thread."""
    from storage.listing import arrival_of

    arrived = arrival_of(store, image.image_id)
    rows = [
        ("status", status_word(image.status)),
        ("generator", image.generator),
        ("seed", str(image.seed)),
        ("size", f"{image.width} × {image.height}"),
        ("arrived", arrived.at.replace("T", " ").removesuffix("Z")[:19]),
        *([("seconds", f"{arrived.seconds:.2f}")] if arrived.seconds is not None else []),
        ("run key", arrived.run_key),
        ("file", image.path),
    ]
    provenance = store.provenance_of(image.image_id)
    if provenance.get("status_reason"):
        rows.insert(1, ("why", str(provenance["status_reason"])))
    names = [name for name in dict.fromkeys((*_ORDER, *provenance)) if name in provenance]
    rest = {name: provenance[name] for name in names if name not in _SAID_BEFORE}
    return Found(image, decoded(store.folder / image.thumbnail, side), (*rows, *facts_in(rest)))


def facts_in(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Names and values of what is recorded, one line each; what is inside something says so."""
    for name, value in values.items():
        words = f"{before} {name}".strip().replace("_", " ")
        if isinstance(value, Mapping):
            yield from facts_in(value, words if name != "settings" else "")
        elif value is not None and value != "":
            yield words, value_in_words(name, value)
