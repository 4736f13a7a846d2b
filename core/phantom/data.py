"""The job that draws the training pictures into a folder: resumable, and the same for the same seed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.jobs import Job, Progress
from core.keys import key_of, seed_of
from core.phantom.captions import PLANTED, Case, draw_case
from core.phantom.pictures import SIDE, draw_picture
from core.records import Condition

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Pictures = npt.NDArray[np.uint8]

PICTURES, CASES, ABOUT = "pictures.npy", "cases.jsonl", "about.json"
_CHUNK = 200
"""Pictures between two yields; what is drawn of a chunk is lost when the job is killed within it."""


def draw_training_pictures(folder: Path, count: int, seed: int) -> Job[Path]:
    """Draw the pictures and write what is on each; continues where it was stopped.

    Parameters
    ----------
    folder : Path
        Gets `pictures.npy` (count × 128 × 128 × 3, uint8), `cases.jsonl` (a line a picture) and
        `about.json`.
    count : int
        How many pictures.
    seed : int
        Picture i depends on the seed and i alone.

    Raises
    ------
    BadInput
        When the folder holds other pictures than those asked for.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, {"count": count, "seed": seed, "planted": planted_hash(), "side": SIDE})
    pictures = _opened(folder / PICTURES, count)
    done = _whole_lines(folder / CASES)
    yield Progress(done, count, "pictures are there already" if done else "")
    with (folder / CASES).open("a", encoding="utf-8", newline="\n") as lines:
        for start in range(done, count, _CHUNK):
            stop = min(start + _CHUNK, count)
            found = [_one(pictures, position, seed) for position in range(start, stop)]
            pictures.flush()  # type: ignore[attr-defined]
            lines.write("".join(found))
            lines.flush()
            yield Progress(stop, count, "drawing")
    return folder


def planted_hash() -> str:
    """Content hash of the planted table."""
    return key_of(json.loads(PLANTED.read_text(encoding="utf-8")))


def load_pictures(folder: Path) -> Pictures:
    """The training pictures as one array on disk."""
    import numpy as np

    path = folder / PICTURES
    if not path.is_file() or not (folder / CASES).is_file():
        raise BadInput(f"{folder} holds no training pictures.", "Run `main.py phantom data` first.")
    pictures: Pictures = np.load(path, mmap_mode="r")
    if _count_lines(folder / CASES) < len(pictures):
        raise BadInput(f"{folder} is not complete.", "Run `main.py phantom data` again; it continues.")
    return pictures


def load_cases(folder: Path) -> Iterator[tuple[Case, dict[str, tuple[str, ...]]]]:
    """What each training picture is of, and the truth of it, in the order of the pictures."""
    with (folder / CASES).open(encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            truth = {name: tuple(labels) for name, labels in entry.pop("truth").items()}
            yield Case(**entry | {"condition": Condition(entry["condition"])}), truth


def _one(pictures: Pictures, position: int, seed: int) -> str:
    import numpy as np

    chance = Random(seed_of("phantom picture", seed, position, bits=64))
    case = draw_case(chance)
    drawn = draw_picture(case, chance)
    pictures[position] = np.asarray(drawn.image)
    scene = _scene_of(case, drawn.values["setting"])
    entry = asdict(case) | {"truth": dict(drawn.truth) | {"scene": (scene,)}}
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _scene_of(case: Case, setting: str) -> str:
    from core.phantom.pictures import situation_of

    return situation_of(case).scene(setting).name


def _claim(folder: Path, about: dict[str, Any]) -> None:
    path = folder / ABOUT
    if not path.is_file():
        path.write_text(json.dumps(about), encoding="utf-8", newline="\n")
    elif json.loads(path.read_text(encoding="utf-8")) != about:
        raise BadInput(f"{folder} holds other training pictures.", "Name another folder, or empty this one.")


def _opened(path: Path, count: int) -> Pictures:
    from numpy.lib import format as npy

    shape = (count, SIDE, SIDE, 3)
    made: Pictures = (
        npy.open_memmap(str(path), mode="r+")
        if path.is_file()
        else npy.open_memmap(str(path), mode="w+", dtype="uint8", shape=shape)
    )
    return made


def _whole_lines(path: Path) -> int:
    """How many lines are whole; half a line at the end, of a job that was killed, is cut off."""
    if not path.is_file():
        return 0
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        path.write_bytes(whole)
    return whole.count(b"\n")


def _count_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")
