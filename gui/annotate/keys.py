"""Which key does what on the annotation screen, by layout of the keyboard; conflicts are refused.

A key is written as on its cap ("Q", "Enter", "Ctrl+Shift+Z"). The ten image keys have the shape of the
grid, so each layout has its own row; what a person typed is compared by the character, and on a layout
without Latin letters by the place of the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from core.errors import BadInput


class Command(StrEnum):
    """What a key can ask for. Choosing an option and marking an image carry a number besides."""

    CHOOSE = "choose a category"
    UNKNOWN = "unknown / not visible"
    MARK = "mark an image"
    MARK_ALL = "mark all images"
    MARK_NONE = "none of the images"
    CONFIRM = "confirm, next question"
    BACK = "previous question"
    NEXT_SET = "next set"
    PREVIOUS_SET = "previous set"
    UNDO = "undo, also after a restart"
    REDO = "redo"
    FLAG = "flag this question"
    COMMENT = "comment"
    GUIDE = "hold: the guide, with definitions"
    PEEK = "hold: full size, let go: back"
    ZOOM = "zoom lock on and off"
    COMPARE = "compare two images"
    KEYS = "this list"
    DESCRIBE = "enter the text box"
    LEAVE = "leave the text box or this list"


DIGITS = tuple("1234567890")
"""Cap of the first ten options; the tenth has 0."""

_COMMON: Mapping[Command, tuple[str, ...]] = {
    Command.UNKNOWN: ("U",),
    Command.MARK_ALL: ("=",),
    Command.MARK_NONE: ("-",),
    Command.CONFIRM: ("Enter",),
    Command.BACK: ("Backspace", "Alt+Left"),
    Command.NEXT_SET: ("PgDn",),
    Command.PREVIOUS_SET: ("PgUp",),
    Command.UNDO: ("Ctrl+Z",),
    Command.REDO: ("Ctrl+Shift+Z",),
    Command.FLAG: ("M",),
    Command.COMMENT: ("C",),
    Command.GUIDE: ("H",),
    Command.PEEK: ("Space",),
    Command.ZOOM: ("Z",),
    Command.COMPARE: ("X",),
    Command.KEYS: ("?",),
    Command.DESCRIBE: ("Shift+Enter",),
    Command.LEAVE: ("Esc",),
}

RESERVED = frozenset(
    {
        *("Tab", "Shift+Tab", "Left", "Right", "Up", "Down", "Home", "End", "F1", "F11"),
        *("Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+X", "Ctrl+Q", "Ctrl+W", "Ctrl+Tab"),
        *("Alt+F4", "Alt+Tab", "Ctrl+Alt+Del"),
    }
)
"""Keys of the focused control or of the system: binding one would take it away."""


@dataclass(frozen=True)
class KeyMap:
    """Bindings of one annotator: ten image keys by position, ten option keys, and the acts.

    Raises
    ------
    BadInput
        If two acts would share a key, or an act would take a key that the system needs.
    """

    name: str = "QWERTY"
    images: tuple[str, ...] = tuple("QWERTASDFG")
    options: tuple[str, ...] = DIGITS
    acts: Mapping[Command, tuple[str, ...]] = field(default_factory=lambda: dict(_COMMON))

    def __post_init__(self) -> None:
        if len(self.images) != 10:
            raise BadInput(
                f"The key map “{self.name}” has {len(self.images)} image keys instead of 10.",
                "Give one key for each of the ten images.",
            )
        self._refuse_conflicts()

    def _refuse_conflicts(self) -> None:
        seen: dict[str, str] = {}
        for key, what in self._all():
            if key in RESERVED:
                raise BadInput(
                    f"The key map “{self.name}” gives {key} to “{what}”, "
                    "but that key belongs to the focused control or the system.",
                    "Choose another key for it.",
                )
            if key in seen and seen[key] != what:
                raise BadInput(
                    f"The key map “{self.name}” gives {key} to “{seen[key]}” and to “{what}”.",
                    "Give each act its own key.",
                )
            seen[key] = what

    def _all(self) -> list[tuple[str, str]]:
        pairs = [(key, f"image {i + 1}") for i, key in enumerate(self.images)]
        pairs += [(key, f"option {i + 1}") for i, key in enumerate(DIGITS)]
        if self.options != DIGITS:
            pairs += [(key, f"option {i + 1}") for i, key in enumerate(self.options)]
        return pairs + [(key, str(act)) for act, keys in self.acts.items() for key in keys]

    def command_of(self, key: str) -> tuple[Command, int] | None:
        """The command bound to a key and its number (position or option from 0; else 0), or None."""
        return self._table.get(key)

    @cached_property
    def _table(self) -> dict[str, tuple[Command, int]]:
        table = {key: (Command.CHOOSE, i) for i, key in enumerate(DIGITS)}
        table |= {key: (Command.CHOOSE, i) for i, key in enumerate(self.options)}
        table |= {key: (Command.MARK, i) for i, key in enumerate(self.images)}
        return table | {key: (act, 0) for act, keys in self.acts.items() for key in keys}

    def cap(self, act: Command) -> str:
        """The key to print beside an act."""
        return self.acts[act][0]


def _with(changes: Mapping[Command, tuple[str, ...]]) -> dict[Command, tuple[str, ...]]:
    return {**_COMMON, **changes}


PRESETS: Mapping[str, KeyMap] = {
    "QWERTY": KeyMap(),
    "QWERTZ": KeyMap("QWERTZ", acts=_with({Command.MARK_ALL: ("+", "=")})),
    # On this layout the digits need Shift; the unshifted characters of the same keys choose too.
    "AZERTY": KeyMap(
        "AZERTY",
        images=tuple("AZERTQSDFG"),
        options=tuple("&É\"'(-È_ÇÀ"),
        acts=_with({Command.MARK_NONE: (")",), Command.ZOOM: ("W",)}),
    ),
    # Marks under the right hand, so the left is free for the rest.
    "QWERTY, right hand": KeyMap(
        "QWERTY, right hand",
        images=tuple("YUIOPHJKL;"),
        acts=_with({Command.UNKNOWN: ("D",), Command.GUIDE: ("G",), Command.FLAG: ("F",)}),
    ),
}


def key_map(preset: str = "QWERTY", changes: Mapping[str, str] | None = None) -> KeyMap:
    """A preset with a person's own changes: act name or "image n" -> key.

    Raises
    ------
    BadInput
        If the preset or an act is not known, or the changes make two acts share a key.
    """
    if preset not in PRESETS:
        raise BadInput(f"There is no key map “{preset}”.", f"Choose one of {', '.join(PRESETS)}.")
    chosen = PRESETS[preset]
    images = list(chosen.images)
    acts = dict(chosen.acts)
    for what, key in (changes or {}).items():
        if what.startswith("image ") and what[6:].isdecimal() and 1 <= int(what[6:]) <= 10:
            images[int(what[6:]) - 1] = key
        elif what.upper().replace(" ", "_") in Command.__members__:
            acts[Command[what.upper().replace(" ", "_")]] = (key,)
        else:
            raise BadInput(f"“{what}” is no act of the annotation screen.", "See the list under “?”.")
    return KeyMap(preset, tuple(images), chosen.options, acts)
