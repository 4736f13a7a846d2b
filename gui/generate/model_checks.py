"""What is found of a model that diffusers runs, looked at off the GUI thread and kept until it can change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.generation.findings import OPEN, Finding
from gui.studio import Studio
from gui.widgets.check_rows import Check

if TYPE_CHECKING:
    from storage.store import Store

Looked = tuple[str, tuple[Finding, ...]]
LOOKING = (Finding("Weights", "Being looked over …", OPEN),)
KIND = "diffusers"
"""What the settings of such a generator say it is."""


class ModelChecks(QObject):
    """Findings by generator; `looked` says that those of one have come in.

    `lack_weights` are those whose weights a run would have to download first; `weights_known` says that it
    has been looked for.
    """

    looked = Signal(str)
    weights_known = Signal()

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._found: dict[str, tuple[Finding, ...]] = {}
        self.lack_weights: frozenset[str] = frozenset()
        studio.study_closed.connect(self.forget)

    def look_for_weights(self, names: Sequence[str]) -> None:
        """See which of these have their weights on this machine."""
        if names:
            self._studio.query(lambda: without_weights(names), self._on_weights)

    def of(self, name: str) -> tuple[Finding, ...]:
        """What is known of a generator; asked for now when nothing is."""
        store = self._studio.store
        if name not in self._found and store is not None:
            self._found[name] = LOOKING
            self._studio.query(lambda: (name, look_over(store, name)), self._on_looked)
        return self._found.get(name, ())

    def forget(self, name: str = "") -> None:
        """Look again when asked the next time: of one generator, or of all."""
        if name:
            self._found.pop(name, None)
        else:
            self._found.clear()

    def _on_weights(self, found: frozenset[str]) -> None:
        if found != self.lack_weights:
            self.lack_weights = found
            self.weights_known.emit()

    def _on_looked(self, found: Looked) -> None:
        name, findings = found
        if name in self._found:
            self._found[name] = findings
            self.looked.emit(name)


def without_weights(names: Sequence[str]) -> frozenset[str]:
    """The generators of a hub of which nothing has been downloaded; nobody is asked for it."""
    from core.generation import registry
    from core.generation.diffusers.generator import DiffusersGenerator
    from core.generation.diffusers.hub import downloaded
    from core.generation.entry import Hub

    found = set()
    for name in names:
        generator = registry.by_name(name)
        source = generator.entry.source if isinstance(generator, DiffusersGenerator) else None
        if isinstance(source, Hub) and downloaded(source) is None:
            found.add(name)
    return frozenset(found)


def look_over(store: Store, name: str) -> tuple[Finding, ...]:
    """Look a generator's model over; slow enough to be kept off the GUI thread."""
    from core.generation import registry
    from core.generation.diffusers.generator import DiffusersGenerator
    from core.generation.diffusers.preflight import look_at_model
    from core.generation.preflight import newest_libraries

    generator = registry.by_name(name)
    if not isinstance(generator, DiffusersGenerator):
        return ()
    texts = [prompt.text for prompt in store.prompts() if prompt.wording]
    # Looking at a page must not talk to anybody: the hub is asked by a run, and by `--preflight`.
    return look_at_model(generator, texts, (), newest_libraries(store, name), asks_hub=False).findings


def as_checks(findings: Sequence[Finding]) -> list[Check]:
    """Findings as rows of the page; their details are read by pressing on them."""
    return [Check(one.name, one.said, one.state, one.items) for one in findings]
