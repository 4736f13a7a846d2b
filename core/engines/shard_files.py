"""The files of a shard: tasks as JSON, and each finished image with all that is known of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.generation.reports import Task
from core.keys import content_hash
from core.records import Condition, ImageStatus, NewImage, Prompt, PromptKind
from core.whole_files import make_folder, write_whole


def task_row(task: Task) -> dict[str, Any]:
    """A task as JSON-able values."""
    prompt, seed = task
    return {"prompt": asdict(prompt), "seed": seed}


def task_from(row: Mapping[str, Any]) -> Task:
    """The task of such values."""
    return prompt_from(row["prompt"]), int(row["seed"])


def prompt_from(row: Mapping[str, Any]) -> Prompt:
    """The prompt of JSON-able values."""
    condition = Condition(row["condition"]) if row["condition"] else None
    return Prompt(**{**row, "condition": condition, "kind": PromptKind(row["kind"])})


def write_json(path: Path, value: object, indent: int | None = None) -> None:
    """Write a value as a JSON file that is whole or not there."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    write_whole(path, lambda place: place.write_bytes(text.encode()))


class ShardFolder:
    """Where one shard's images go: its own to `done`, those that devices are compared by to `controls`."""

    def __init__(self, folder: Path, number: int, own: frozenset[str]) -> None:
        self._done = folder / "done" / f"{number:04}"
        self._controls = folder / "controls" / f"{number:04}"
        self._own = own

    def run_keys(self, generator: str) -> set[str]:
        """Run keys of what is there already."""
        return {path.stem for place in (self._done, self._controls) for path in place.glob("*.json")}

    def add_image(self, image: NewImage) -> int:
        """Keep an image: the picture first, then the file that says it is there."""
        place = self._done if image.run_key in self._own else self._controls
        make_folder(place)
        write_whole(place / f"{image.run_key}.{image.format}", lambda path: path.write_bytes(image.data))
        facts = {
            "prompt": asdict(image.prompt),
            "sha256": content_hash(image.data),
            **{name: getattr(image, name) for name in _PLAIN},
            "status": image.status.value,
            "provenance": dict(image.provenance),
            "truth": dict(image.truth) if image.truth is not None else None,
        }
        write_json(place / f"{image.run_key}.json", facts)
        return 0


_PLAIN = ("generator", "seed", "run_key", "width", "height", "format", "seconds", "source")


def finished(folder: Path) -> Iterator[Path]:
    """The files that say an image is there, in the order of their names."""
    return iter(sorted(folder.glob("*.json")))


def read_image(path: Path) -> NewImage:
    """The image that a file says is there; BadInput when it is damaged or not the one described."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        data = path.with_suffix(f".{facts['format']}").read_bytes()
        truth = facts["truth"]
        image = NewImage(
            prompt=prompt_from(facts["prompt"]),
            data=data,
            status=ImageStatus(facts["status"]),
            provenance=facts["provenance"],
            truth={name: tuple(labels) for name, labels in truth.items()} if truth is not None else None,
            **{name: facts[name] for name in _PLAIN},
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path} is damaged: {error}.", "Run its array job again.") from error
    if content_hash(data) != facts["sha256"]:
        raise BadInput(f"The picture of {path} is not the one it describes.", "Run its array job again.")
    return image
