"""Which key map this person chose, kept between sittings."""

from __future__ import annotations

from PySide6.QtCore import QSettings

from core.errors import BadInput
from gui.annotate.keys import KeyMap, key_map

PRESET, CHANGES = "annotate/keyboard", "annotate/keys"


def _file() -> QSettings:
    return QSettings(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, "ContextBias Studio", "ContextBias Studio"
    )


def chosen_keys() -> KeyMap:
    """The key map chosen last, with own changes; what cannot be used gives way to the preset."""
    file = _file()
    preset = str(file.value(PRESET, "QWERTY"))
    file.beginGroup(CHANGES)
    changes = {name.replace("_", " "): str(file.value(name)) for name in file.childKeys()}
    file.endGroup()
    for wanted, own in ((preset, changes), (preset, {})):
        try:
            return key_map(wanted, own)
        except BadInput:
            continue
    return key_map()


def remember_preset(name: str) -> None:
    """Keep the choice."""
    _file().setValue(PRESET, name)
