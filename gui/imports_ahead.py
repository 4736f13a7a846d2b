"""The modules of the pages are imported before somebody asks for a page: one at a time, between two events.

They are imported in the GUI thread, because Qt's classes may be met for the first time only there; what
keeps the window answering is that each step is one module, its own imports being there already. The order
is read off the sources in the pool.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterable
from importlib import import_module

from PySide6.QtCore import QObject, QTimer

from core.paths import PROJECT
from gui.studio import Studio

log = logging.getLogger(__name__)

OURS = ("gui", "core", "annotation", "storage")
MILLISECONDS_BETWEEN = 20
_IMPORT = re.compile(r"^(?:from ([\w.]+) import ([\w, ]*)|import ([\w.]+))", re.MULTILINE)


class ImportsAhead(QObject):
    """Begins when the first overview of a study has arrived: then the window stands and has been read."""

    def __init__(
        self, studio: Studio, modules: Iterable[str], bring: Callable[[str], object] = import_module
    ) -> None:
        super().__init__(studio)
        self._studio, self._modules, self._bring = studio, tuple(modules), bring
        self.waiting: list[str] = []
        self._timer = QTimer(self)
        self._timer.setInterval(MILLISECONDS_BETWEEN)
        self._timer.timeout.connect(self._step)
        studio.feed.arrived.connect(self._begin)

    def _begin(self) -> None:
        self._studio.feed.arrived.disconnect(self._begin)
        self._studio.query(lambda: import_order(self._modules), self._on_order, self._on_failed)

    def _on_order(self, order: list[str]) -> None:
        self.waiting = order
        self._timer.start()

    def _step(self) -> None:
        """Import the next module that is not there yet."""
        while self.waiting and self.waiting[0] in sys.modules:
            self.waiting.pop(0)
        if not self.waiting:
            self._timer.stop()
            return
        name = self.waiting.pop(0)
        try:
            self._bring(name)
        except Exception as error:  # noqa: BLE001 - the page itself will say it to whoever asks for it
            self._on_failed(error)

    def _on_failed(self, error: Exception) -> None:
        log.warning("a page could not be imported ahead: %s", type(error).__name__)
        self._timer.stop()


def import_order(modules: Iterable[str]) -> list[str]:
    """Our modules that these import when they are imported, each after those that it imports itself.

    Imports within functions are no part of it, and neither are modules without a source file.
    """
    order: dict[str, None] = {}
    begun: set[str] = set()

    def visit(name: str) -> None:
        if name in begun or name.partition(".")[0] not in OURS:
            return
        begun.add(name)
        source = _source_of(name)
        if source is None:
            return
        for imported in _imported_in(source):
            visit(imported)
        order[name] = None

    for module in modules:
        visit(module)
    return list(order)


def _imported_in(source: str) -> Iterable[str]:
    for place, names, plain in _IMPORT.findall(source):
        if plain:
            yield plain
            continue
        yield place
        # `from gui import icons` imports a module too
        yield from (f"{place}.{name.strip()}" for name in names.split(",") if name.strip().isidentifier())


def _source_of(name: str) -> str | None:
    path = PROJECT.joinpath(*name.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return None
