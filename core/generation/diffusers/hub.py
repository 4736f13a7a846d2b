"""Models on the hub: what is here already, what is missing and how large, and the download itself.

A token is the hub's own: its login, or the environment variable HF_TOKEN. It is neither asked for nor
kept here. Only the parts that the model's own list names are fetched, and of weights only safetensors.
"""

from __future__ import annotations

import json
import queue
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from core.errors import BadInput, UserError
from core.generation.diffusers.weights import INDEX, look_over
from core.generation.entry import Entry, Hub
from core.jobs import Job, Progress

SECONDS_BETWEEN_REPORTS = 0.25
SECONDS_TO_ANSWER = 5.0


@dataclass(frozen=True, slots=True)
class Missing:
    """Files of a model that are not here yet, with their bytes together."""

    files: tuple[str, ...]
    bytes: int


def cache_folder(hub: Hub) -> Path:
    """Where the hub's library keeps this commit of a repository; it need not be there."""
    from huggingface_hub import constants
    from huggingface_hub.file_download import repo_folder_name

    name = repo_folder_name(repo_id=hub.repository, repo_type="model")
    return Path(constants.HF_HUB_CACHE) / name / "snapshots" / hub.revision


def downloaded(hub: Hub) -> Path | None:
    """The folder of a model that has been downloaded, in whole or in part; None when nothing is here."""
    folder = cache_folder(hub)
    return folder if (folder / INDEX).is_file() else None


def has_token() -> bool:
    """Whether the hub's login or the environment has a token."""
    from huggingface_hub import get_token

    return bool(get_token())


def missing(entry: Entry) -> Missing:
    """What has to be downloaded; asks the hub, and raises BadInput in a sentence when it does not answer."""
    from huggingface_hub import snapshot_download

    assert isinstance(entry.source, Hub)
    hub = entry.source
    with in_words(entry):
        _knock()
        patterns = _patterns(_index_of(hub), hub.variant)
        found = snapshot_download(
            hub.repository, revision=hub.revision, allow_patterns=patterns, dry_run=True
        )
    wanted = [one for one in found if one.will_download]
    return Missing(tuple(one.filename for one in wanted), sum(one.file_size or 0 for one in wanted))


def _knock() -> None:
    """Raise OSError at once when nobody answers: the hub's library would try for half a minute."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE or getproxies().get("https"):
        return
    where = urlsplit(_address())
    port = where.port or (443 if where.scheme == "https" else 80)
    socket.create_connection((where.hostname or "", port), SECONDS_TO_ANSWER).close()


def _address() -> str:
    """Where the hub is."""
    from huggingface_hub import constants

    return constants.ENDPOINT


def fetch(entry: Entry) -> Job[None]:
    """Download what is missing; progress counts bytes. Stopped, it goes on later where it was."""
    if not isinstance(entry.source, Hub) or _is_whole(entry.source):
        return
    want = missing(entry)
    with _Download(entry, want.files) as download:
        while not download.is_over(SECONDS_BETWEEN_REPORTS):
            said = f"downloading {entry.source.repository}"
            yield Progress(min(download.bytes, want.bytes), want.bytes, said)


def _is_whole(hub: Hub) -> bool:
    found = downloaded(hub)
    if found is None:
        return False
    try:
        look_over(found, hub.variant)
    except BadInput:
        return False
    return True


def _index_of(hub: Hub) -> dict[str, Any]:
    from huggingface_hub import hf_hub_download

    path = hf_hub_download(hub.repository, INDEX, revision=hub.revision)
    found: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return found


def _patterns(index: dict[str, Any], variant: str | None) -> list[str]:
    """Which files make up the model: of each part that its list names, texts and the right weights."""
    names = [name for name, value in index.items() if not name.startswith("_") and isinstance(value, list)]
    weights = f"*.{variant}*.safetensors" if variant else "*.safetensors"
    endings = ("*.json", "*.txt", "*.model", weights)
    return [INDEX, *(f"{name}/{ending}" for name in names for ending in endings)]


class _Download:
    """Files fetched in a thread, one after the other; stopped within a chunk, kept for the next time."""

    def __init__(self, entry: Entry, files: Sequence[str]) -> None:
        self._entry = entry
        self._files = files
        self._stop = threading.Event()
        self._ended: queue.Queue[Exception | None] = queue.Queue()
        self.bytes = 0
        # A thread that waits for the network must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="download", daemon=True)

    def __enter__(self) -> _Download:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(timeout=1)

    def is_over(self, seconds: float) -> bool:
        """Wait so long; whether all is there. Raises what went wrong."""
        try:
            error = self._ended.get(timeout=seconds)
        except queue.Empty:
            return False
        if error is not None:
            raise error
        return True

    def _run(self) -> None:
        from huggingface_hub import hf_hub_download

        hub = self._entry.source
        assert isinstance(hub, Hub)
        bar = _counting_bar(self._count)
        try:
            with in_words(self._entry):
                for name in self._files:
                    hf_hub_download(hub.repository, name, revision=hub.revision, tqdm_class=bar)
        except _Unwanted:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is must reach the job
            self._ended.put(error)
        else:
            self._ended.put(None)

    def _count(self, number: float) -> None:
        if self._stop.is_set():
            raise _Unwanted
        self.bytes += int(number)


class _Unwanted(Exception):
    """The download was stopped."""


def _counting_bar(count: Callable[[float], None]) -> Any:
    """A progress bar for the hub's library that shows nothing and counts."""
    from tqdm.auto import tqdm

    class Bar(tqdm):  # type: ignore[type-arg, misc, unused-ignore]
        def __init__(self, *values: Any, **options: Any) -> None:
            super().__init__(*values, **(options | {"disable": True}))

        def update(self, n: float | None = 1) -> bool | None:
            count(n or 0)
            return None

    return Bar


@contextmanager
def in_words(entry: Entry) -> Iterator[None]:
    """What goes wrong with the hub, in one sentence with what to do."""
    from huggingface_hub import constants, errors

    try:
        yield
    except (UserError, _Unwanted):
        raise
    except errors.GatedRepoError as error:
        licence = f" ({entry.licence})" if entry.licence else ""
        raise BadInput(
            f"{entry.where} is given only to those who have accepted its licence{licence}.",
            "Accept it on its page on the hub, then run `hf auth login` or set HF_TOKEN.",
        ) from error
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError) as error:
        raise BadInput(
            f"The hub has no {entry.where} at that revision, or does not show it to you.",
            "Correct the entry, or log in with `hf auth login`.",
        ) from error
    except (errors.OfflineModeIsEnabled, errors.LocalEntryNotFoundError) as error:
        if constants.HF_HUB_OFFLINE:
            raise _not_reached(entry, "the environment says HF_HUB_OFFLINE") from error
        answer = getattr(getattr(error.__cause__, "response", None), "status_code", None)
        why = f"it answered {answer}" if answer else "there is no connection to it"
        raise _not_reached(entry, why) from error
    except errors.HfHubHTTPError as error:
        raise _not_reached(entry, f"it answered {error.response.status_code}") from error
    except OSError as error:
        raise _not_reached(entry, "there is no connection to it") from error
    except Exception as error:
        if "connect" in type(error).__name__.lower() or "timeout" in type(error).__name__.lower():
            raise _not_reached(entry, "there is no connection to it") from error
        raise


def _not_reached(entry: Entry, why: str) -> BadInput:
    return BadInput(
        f"The model of {entry.name!r} ({entry.where}) is not on this machine, and the hub cannot be used: "
        f"{why}.",
        "Connect and try again, or copy the model here and name its folder in your generators.json.",
    )
