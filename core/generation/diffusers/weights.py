"""A diffusers folder before it is loaded: is it whole, is it safe, how large is it, which content is it.

Nothing here needs torch. A weights file is whole when its header says where its last number ends and the
file ends there: that tells a download which broke off, in a millisecond, without reading gigabytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.generation.diffusers.pickled import REMEDY, count_at_most, lone_pickle, pickled_files
from core.generation.entry import Folder

INDEX = "model_index.json"
LIBRARIES = frozenset({"diffusers", "transformers", "stable_diffusion"})
"""Whose classes a model may name; the last is where old models say their safety checker is."""

LARGEST_HEADER = 100_000_000
"""Bytes; the format's own limit."""

_AGAIN = "Download or copy the model again; what is whole is kept."
_SHARD = re.compile(r"-\d+-of-\d+")
_SIZES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}


@dataclass(frozen=True, slots=True)
class Model:
    """A whole model on this machine.

    `classes` names each component's class, `files` its weights (none for tokenizers and schedulers) and
    `numbers` how many numbers those hold.
    """

    folder: Path
    pipeline: str
    classes: Mapping[str, str]
    files: Mapping[str, tuple[Path, ...]]
    numbers: Mapping[str, int]

    @property
    def pickled(self) -> tuple[str, ...]:
        """Components whose weights are pickled; () unless the entry allows them."""
        return tuple(
            name for name, paths in self.files.items() if any(path.suffix == ".bin" for path in paths)
        )

    @property
    def bytes(self) -> int:
        """Size of all weights files."""
        return sum(path.stat().st_size for paths in self.files.values() for path in paths)


def look_over_folder(source: Folder) -> Model:
    """What is in the folder of an entry, with pickled weights where the entry allows them."""
    return look_over(source.path, source.variant, allows_pickled=source.allows_pickled)


def look_over(folder: Path, variant: str | None = None, *, allows_pickled: bool = False) -> Model:
    """What is in a diffusers folder.

    Raises
    ------
    BadInput
        When it is no such folder, is not whole, or could run code of its own.
    """
    index = _json(folder / INDEX)
    pipeline, classes = index.get("_class_name"), _classes(index, folder)
    if not isinstance(pipeline, str):
        raise BadInput(f"{folder} brings a pipeline of its own, which is never run.", "Use one of diffusers.")
    parts = [name for name in classes if _has_weights(folder, name)]
    files = {name: _weights(folder / name, variant, allows_pickled) for name in parts}
    numbers = {name: sum(_numbers_in(path) for path in paths) for name, paths in files.items()}
    return Model(folder, pipeline, classes, files, numbers)


def _json(path: Path) -> dict[str, Any]:
    lone = lone_pickle(path.parent) if path.name == INDEX and not path.is_file() else ""
    if lone:
        raise BadInput(
            f"{path.parent} holds {lone}, one pickled file, and is no diffusers folder.",
            "Convert it with diffusers and save it as safetensors, where you trust who made it.",
        )
    if not path.is_file():
        raise BadInput(f"{path.parent} is no diffusers folder: {path.name} is missing.", _AGAIN)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} is damaged: {error}.", _AGAIN) from error
    if not isinstance(found, dict):
        raise BadInput(f"{path} is damaged: it holds no object.", _AGAIN)
    return found


def _classes(index: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """Component -> class; what a model leaves out (null) is left out."""
    classes = {}
    for name, value in index.items():
        if name.startswith("_") or not isinstance(value, list) or len(value) != 2 or value[1] is None:
            continue
        library, kind = value
        if library not in LIBRARIES or not isinstance(kind, str) or not name.isidentifier():
            raise BadInput(
                f"{folder} has a part {name!r} with code of its own ({library}), which is never run.",
                "Use a model whose parts are all of diffusers and transformers.",
            )
        classes[name] = kind
    return classes


def _has_weights(folder: Path, name: str) -> bool:
    place = folder / name
    if not place.is_dir():
        raise BadInput(f"{folder} is not whole: its part {name!r} is missing.", _AGAIN)
    others = ("tokenizer_config.json", "scheduler_config.json", "preprocessor_config.json")
    return not any((place / other).is_file() for other in others)


def _weights(place: Path, variant: str | None, allows_pickled: bool) -> tuple[Path, ...]:
    """The weights files of a component, in their order."""
    _json(place / "config.json")
    # A link into the hub's cache whose file is gone is as good as no file.
    found = sorted(path for path in place.glob("*.safetensors") if path.is_file())
    has_variant = variant is not None and any(_variant_of(path) == variant for path in found)
    paths = [path for path in found if _variant_of(path) == (variant if has_variant else None)]
    shards = _shards(place, variant if has_variant else None)
    missing = sorted(shards - {path.name for path in found})
    if missing:
        raise BadInput(f"{place} is not whole: {missing[0]} is missing.", _AGAIN)
    if shards:
        return tuple(place / name for name in sorted(shards))
    if paths:
        return tuple(paths[:1])
    pickled = pickled_files(place, variant)
    if pickled and allows_pickled:
        return pickled
    if any(place.glob("*.bin")) or any(place.glob("*.ckpt")):
        raise BadInput(f"{place} has pickled weights only, which can run code when they are read.", REMEDY)
    raise BadInput(f"{place} is not whole: its weights are missing.", _AGAIN)


def _variant_of(path: Path) -> str | None:
    """What stands in a weights file's name between its own name and its ending, without a shard's number.

    >>> _variant_of(Path("model.fp16-00001-of-00002.safetensors")), _variant_of(Path("model.safetensors"))
    ('fp16', None)
    """
    return _SHARD.sub("", path.name.removesuffix(".safetensors")).partition(".")[2] or None


def _shards(place: Path, variant: str | None) -> set[str]:
    ending = f".safetensors.index.{variant}.json" if variant else ".safetensors.index.json"
    indexes = sorted(path for path in place.iterdir() if path.name.endswith(ending))
    if not indexes:
        return set()
    names = _json(indexes[0]).get("weight_map", {})
    return {str(name) for name in names.values()} if isinstance(names, dict) else set()


def _numbers_in(path: Path) -> int:
    """How many numbers a safetensors file holds; BadInput unless it is whole. Of a pickled one, at most."""
    if path.suffix == ".bin":
        return count_at_most(path)
    header, begin = _header(path)
    tensors = [value for name, value in header.items() if name != "__metadata__"]
    try:
        end = max((value["data_offsets"][1] for value in tensors), default=0)
        held = [
            (value["data_offsets"][1] - value["data_offsets"][0]) // _SIZES.get(value["dtype"], 1)
            for value in tensors
        ]
    except (KeyError, IndexError, TypeError) as error:
        raise BadInput(f"{path} is damaged: its header makes no sense.", _AGAIN) from error
    size = path.stat().st_size
    if size != begin + end:
        raise BadInput(f"{path} is not whole: {size} of {begin + end} bytes are there.", _AGAIN)
    return sum(held)


def _header(path: Path) -> tuple[dict[str, Any], int]:
    """The header of a safetensors file, and where the numbers begin."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= LARGEST_HEADER:
            raise BadInput(f"{path} is damaged: it is no safetensors file.", _AGAIN)
        text = file.read(length)
    try:
        header = json.loads(text)
    except ValueError as error:
        raise BadInput(f"{path} is damaged: its header is cut off.", _AGAIN) from error
    if not isinstance(header, dict):
        raise BadInput(f"{path} is damaged: it is no safetensors file.", _AGAIN)
    return header, 8 + length
