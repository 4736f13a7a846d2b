"""Batches from the window: order at half the price, close the window, and fetch the answers later."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadInput, UserError
from core.jobs import Job, Outcome
from gui.words import counted, thousands

if TYPE_CHECKING:
    from core.extraction.batch import BatchOptions
    from core.extraction.vlm import VlmOptions
    from core.schema import Schema
    from storage.store import Store

BATCH_LANE = "batches"
"""Answers are waited for beside other extractors, not before them."""

FOLDER = "batches"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Requests of an extractor whose answers are not records yet, and how their files stand."""

    requests: int = 0
    words: str = ""


NOTHING = Waiting()


def limits() -> BatchOptions:
    """Limits of files, and how patiently they are looked at."""
    from core.extraction.batch import BatchOptions

    return BatchOptions()


def waiting_of(study: Path, extractor: str) -> Waiting:
    """What of an extractor was begun by an earlier run; a ledger that cannot be read is said."""
    from core.extraction.batch.ledger import FILE, Ledger

    folder = study / FOLDER / extractor
    if not (folder / FILE).exists():
        return Waiting()
    try:
        parts = Ledger(folder).open_parts
    except UserError as error:
        return Waiting(0, str(error))
    if not parts:
        return Waiting()
    stages = Counter((part.status or part.stage.value).replace("_", " ") for part in parts)
    how = ", ".join(f"{thousands(count)} {stage}" for stage, count in sorted(stages.items()))
    requests = sum(part.requests for part in parts)
    return Waiting(requests, f"batch: {counted(requests, 'request')} in {counted(len(parts), 'file')}, {how}")


def reading_in_batches(store: Store, schema: Schema, options: VlmOptions) -> Job[Outcome]:
    """Order what is unread and wait for it; what an earlier run ordered is fetched, and not ordered again."""
    from core.running import extract_in_batches

    return (yield from extract_in_batches(store, schema, store.folder / FOLDER, options, batches=limits()))


def fetching(store: Store, schema: Schema, extractor: str) -> Job[Outcome]:
    """Go on with the batches of an extractor, with the choices that they were ordered with."""
    from core.extraction.batch.ledger import Ledger

    options = Ledger(store.folder / FOLDER / extractor).options()
    if options is None:
        raise BadInput(
            f"It is not known any more with which choices {extractor} ordered.",
            "Press “Read with a server…” and make the same choices.",
        )
    return (yield from reading_in_batches(store, schema, options))
