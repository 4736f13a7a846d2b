"""Fields of the dialog for a server: lines, numbers in words, and what is said about key and address."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from core.errors import UserError
from core.extraction.vlm.servers import Server, check_address
from core.secrets import find_key
from gui.fonts import px


def plain_origin(address: str) -> str:
    """Where an address would send unencrypted to another machine; "" for every other address."""
    try:
        found = check_address(address, plain_http_is_fine=True)
    except UserError:
        return ""
    return found.origin if found.base_url.lower().startswith("http:") and not found.is_local else ""


def key_words(server: Server, address: str) -> str:
    """Whether a key for an address is there, and where it can come from."""
    try:
        checked = check_address(address, plain_http_is_fine=True)
        found = find_key(checked.origin, server.key_variables)
    except UserError:
        return ""
    if found is not None:
        return f"A key for this address is there ({found.where}); leave the line empty to use it."
    if server.needs_key:
        return f"This server wants a key: type it here, or set {server.key_variables[0]}."
    if not checked.is_local:
        return "No key for this address is there; leave the line empty if the server wants none."
    return "Servers on this machine usually want none."


def line_named(name: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    return line


def beside(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(px(8))
    for widget in widgets:
        row.addWidget(widget, 1 if isinstance(widget, QLineEdit) else 0)
    row.addStretch(0)
    return row


def number_in(line: QLineEdit) -> float | None:
    text = line.text().strip().replace(",", ".")
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{line.accessibleName()} is {text!r}, which is no number.", "Correct it.") from None


def whole_in(line: QLineEdit) -> int | None:
    found = number_in(line)
    return None if found is None else int(found)
