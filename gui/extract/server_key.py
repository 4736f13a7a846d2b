"""The line for a server's key: where the key comes from, and keeping one that was typed."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLineEdit

from core.extraction.vlm.servers import Server
from core.secrets import keep_key
from gui.extract.server_fields import key_words, line_named
from gui.studio import Studio
from gui.tasks import Query
from gui.widgets.caption import Caption


class ServerKey(QObject):
    """`line` takes a key, which is never shown; `said` says whether there is one for the address."""

    def __init__(self, studio: Studio, parent: QObject) -> None:
        super().__init__(parent)
        self._studio = studio
        self._query: Query | None = None
        self.line, self.said = line_named("Key"), Caption("", "muted", wraps=True)
        self.line.setEchoMode(QLineEdit.EchoMode.Password)

    @property
    def is_typed(self) -> bool:
        """Whether somebody typed a key."""
        return bool(self.line.text().strip())

    def say(self, server: Server, address: str) -> None:
        """Say where the key comes from; keyrings can be slow, so they are asked off the GUI thread."""
        self.drop()
        self._query = self._studio.query(lambda: key_words(server, address), self._on_words)

    def keep(self, origin: str) -> None:
        """Keep what was typed for an address, and clear the line."""
        self.said.setText(keep_key(origin, self.line.text()).sentence)
        self.line.blockSignals(True)
        self.line.clear()
        self.line.blockSignals(False)

    def drop(self) -> None:
        """Want no answer any more."""
        if self._query is not None:
            self._query.drop()
            self._query = None

    def _on_words(self, words: str) -> None:
        self._query = None
        self.said.setText(words)
