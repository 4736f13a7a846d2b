"""The drawn generators as `Generator`s."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from core.errors import BadInput, GeneratorError
from core.generation.drawn.bias import load_bias
from core.generation.drawn.painting import QUALITY, paint, sketch
from core.generation.drawn.parts import FOLDER
from core.generation.generator import Results, Task, run_key
from core.keys import content_hash
from core.records import NewImage, Prompt

SIZES = (64, 1024)
"""Least and greatest side of a picture in pixels."""

REVISION = 1
"""Counts changes of the painter that change pixels: then images are made anew, not taken for the old ones."""

_LIBRARIES = ("dicebear-core", "dicebear-styles", "resvg-py", "pillow")


class DrawnGenerator:
    """Draws pictures with known labels.

    Parameters
    ----------
    name : str
        The generator's id; another name draws other people.
    bias : str, optional
        "drawn-a", "drawn-b" or the path of a JSON file of the same form; the name when left out.
    size : int
        Side of the square picture in pixels.

    Raises
    ------
    BadInput
        For an unknown bias and for a size outside 64 to 1024.
    """

    def __init__(self, name: str, bias: str | None = None, size: int = 256) -> None:
        if not SIZES[0] <= size <= SIZES[1]:
            raise BadInput(f"A drawn picture cannot be {size} pixels wide.", f"Use {SIZES[0]} to {SIZES[1]}.")
        self.name = name
        self._bias = bias or name
        self._size = size
        load_bias(self._bias)

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """Size, planted bias and drawings as content hashes, file format, revision of the painter."""
        return {
            "kind": "drawn",
            "size": self._size,
            "bias": self._bias if not Path(self._bias).is_file() else Path(self._bias).name,
            "bias_hash": load_bias(self._bias).hash,
            "art_hash": art_hash(),
            "format": "jpeg",
            "quality": QUALITY,
            "revision": REVISION,
        }

    def make(self, prompt: Prompt, seed: int) -> NewImage:
        """Draw one picture."""
        start = time.perf_counter()
        painted = paint(sketch(self.name, self._bias, prompt, seed), self._size)
        return NewImage(
            generator=self.name,
            prompt=prompt,
            seed=seed,
            run_key=run_key(self.name, self.settings, prompt.text, seed),
            data=painted.data,
            width=self._size,
            height=self._size,
            format="jpeg",
            seconds=time.perf_counter() - start,
            source="drawn",
            provenance={
                "generator": self.name,
                "settings": dict(self.settings),
                "prompt": prompt.text,
                "role": prompt.role,
                "condition": prompt.condition.value if prompt.condition else None,
                "wording": prompt.wording,
                "place": prompt.place,
                "activity": prompt.activity,
                "seed": seed,
                "libraries": {library: _version(library) for library in _LIBRARIES},
            },
            truth=painted.truth,
        )

    def make_many(self, tasks: Sequence[Task]) -> Results:
        """Draw many pictures in two threads; one result a task, in order."""
        return self.draw_many(tasks)

    def draw_many(self, tasks: Sequence[Task], workers: int = 2) -> Results:
        """Draw many pictures; closing the iterator stops after the pictures in hand.

        Threads, because pictures share the parts already drawn, and the encoder and part of Pillow work
        outside the interpreter's lock: measured, two threads give 1.0 to 1.3 times the pictures of one.
        Processes would have to draw every part again, and start badly from within a window.
        """
        if workers < 2 or len(tasks) < 2:
            yield from (self._attempt(task) for task in tasks)
            return
        ahead = 4 * workers
        pool = ThreadPoolExecutor(workers, thread_name_prefix="drawn")
        try:
            waiting = [pool.submit(self._attempt, task) for task in tasks[:ahead]]
            for position in range(len(tasks)):
                if position + ahead < len(tasks):
                    waiting.append(pool.submit(self._attempt, tasks[position + ahead]))
                yield waiting.pop(0).result()
        finally:
            pool.shutdown(cancel_futures=True)

    def _attempt(self, task: Task) -> NewImage | GeneratorError:
        try:
            return self.make(*task)
        except GeneratorError as error:
            return error


@cache
def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


@cache
def art_hash() -> str:
    """Content hash of all drawings and tables: another drawing is another generator setting."""
    files = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".svg", ".json"))
    skipped = {"bias_a.json", "bias_b.json", "demo_roles.json", "confusion.json"}
    hashes = [
        f"{path.relative_to(FOLDER).as_posix()} {content_hash(path.read_bytes())}"
        for path in files
        if path.name not in skipped
    ]
    return content_hash("\n".join(hashes).encode())
