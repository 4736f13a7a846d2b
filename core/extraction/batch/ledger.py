"""How far each file of requests is, on disk before and after every step that the server sees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.whole_files import make_folder, write_whole

if TYPE_CHECKING:
    from core.extraction.vlm.options import VlmOptions

FILE = "ledger.json"
OPTIONS_FILE = "options.json"


class Stage(StrEnum):
    """Where a part stands. ORDERING is written before the order goes out, because it may arrive unseen."""

    BUILT = "built"
    SENT = "sent"
    ORDERING = "ordering"
    ORDERED = "ordered"
    OVER = "over"
    FETCHED = "fetched"
    JOINED = "joined"


@dataclass(slots=True)
class Part:
    """One file of requests. Ids and times are the server's words; `problem` says why nothing came of it."""

    number: int
    requests: int
    bytes: int
    stage: Stage = Stage.BUILT
    file_id: str = ""
    batch_id: str = ""
    ordered_at: float = 0.0
    status: str = ""
    answers_id: str = ""
    errors_id: str = ""
    problem: str = ""

    @property
    def name(self) -> str:
        """Name of its files without an ending."""
        return f"part-{self.number:04d}"


class Ledger:
    """All parts of one extractor in one study.

    Parameters
    ----------
    folder : Path
        Where the ledger and the files are; made when needed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts: list[Part] = []
        path = folder / FILE
        if not path.exists():
            return
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))["parts"]
            self.parts = [Part(**{**row, "stage": Stage(row["stage"])}) for row in rows]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadInput(
                f"The ledger of batches {path} cannot be read.",
                "Move it away to begin anew; batches that are under way would be paid for again.",
            ) from error

    @property
    def open_parts(self) -> list[Part]:
        """Parts whose answers are not all records yet."""
        return [part for part in self.parts if part.stage is not Stage.JOINED]

    def save(self) -> None:
        """Write the ledger so that a crash leaves the old one or the new one, whole."""
        rows = [asdict(part) for part in self.parts]
        self._write(FILE, json.dumps({"form": 1, "parts": rows}, indent=1))

    def keep_options(self, options: VlmOptions) -> None:
        """Keep with what the orders were placed, so that whoever comes later need not be asked; no key."""
        self._write(OPTIONS_FILE, json.dumps(asdict(options), indent=1))

    def options(self) -> VlmOptions | None:
        """With what the orders were placed; None when nothing is kept, or nothing that can be used."""
        from core.extraction.vlm.options import VlmOptions

        try:
            kept = json.loads((self.folder / OPTIONS_FILE).read_text(encoding="utf-8"))
            return VlmOptions(**kept)
        except (OSError, ValueError, TypeError, BadInput):
            return None

    def requests_file(self, part: Part) -> Path:
        """The file that is sent."""
        return self.folder / f"{part.name}.jsonl"

    def answers_file(self, part: Part) -> Path:
        """The answers as they came."""
        return self.folder / f"{part.name}.answers.jsonl"

    def errors_file(self, part: Part) -> Path:
        """The errors as they came."""
        return self.folder / f"{part.name}.errors.jsonl"

    def write_asked(self, part: Part, asked: dict[str, dict[str, Any]]) -> None:
        """Keep what a part asks about: id -> hash of the request and picture."""
        self._write(f"{part.name}.asked.json", json.dumps(asked))

    def asked(self, part: Part) -> dict[str, dict[str, Any]]:
        """What a part asks about."""
        path = self.folder / f"{part.name}.asked.json"
        found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        return found

    def asked_about(self) -> Iterator[str]:
        """Ids in all parts that are still open."""
        for part in self.open_parts:
            yield from self.asked(part)

    def _write(self, name: str, text: str) -> None:
        make_folder(self.folder)
        write_whole(self.folder / name, lambda place: place.write_text(text, encoding="utf-8", newline="\n"))
