"""An unencrypted address of another machine has to be confirmed, each address for itself."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox

from core.errors import BadInput
from gui.extract.server_fields import plain_origin

UNENCRYPTED = "Send pictures and key unencrypted to {origin}"
NOT_CONFIRMED = (
    "{origin} is another machine and http is not encrypted: pictures and key could be read on the way."
)
CONFIRM = "Use https, or confirm it below the address."


class PlainHttp(QCheckBox):
    """Shown for such an address only, and not ticked for a new one."""

    def __init__(self) -> None:
        super().__init__("")
        self._origin = ""

    def ask_about(self, address: str) -> None:
        """Ask where it is needed."""
        origin = plain_origin(address)
        if origin != self._origin:
            self._origin = origin
            self.setChecked(False)
            self.setText(UNENCRYPTED.format(origin=origin))
        self.setVisible(bool(origin))

    def must_be_confirmed(self) -> None:
        """Refuse with BadInput what is not confirmed."""
        if self._origin and not self.isChecked():
            raise BadInput(NOT_CONFIRMED.format(origin=self._origin), CONFIRM)
