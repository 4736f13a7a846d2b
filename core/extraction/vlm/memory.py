"""What servers were found to take, remembered on this machine, so that the next run asks once and not again.

Only terms are kept, under a hash of where and with which model they hold: no address, no key. The file is a
cache: without it the questions are asked again.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from core.extraction.vlm.request import Terms, terms_from
from core.keys import key_of
from core.paths import user_cache
from core.whole_files import put_in_place

FILE = "servers.json"


class Memory:
    """Terms by server and model.

    Parameters
    ----------
    folder : Path, optional
        Where the file is; by default this user's cache of the application.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._path = (folder or user_cache()) / FILE

    def recall(self, base_url: str, wanted: Terms) -> Terms | None:
        """The terms that the server took when these were wanted, or None."""
        try:
            return terms_from(self._read()[_key(base_url, wanted)])
        except (KeyError, TypeError):
            return None

    def keep(self, base_url: str, wanted: Terms, taken: Terms) -> None:
        """Remember what the server takes; on a disk that does not let us, nothing is remembered."""
        known = self._read() | {_key(base_url, wanted): taken.as_data()}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=FILE)
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                json.dump(known, file, indent=1, sort_keys=True)
            put_in_place(Path(name), self._path)
        except OSError:
            return

    def _read(self) -> dict[str, dict[str, object]]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _key(base_url: str, wanted: Terms) -> str:
    return key_of([base_url, wanted.as_data()])
