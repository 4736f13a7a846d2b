"""SLURM: the work as a folder with an array script and shards, and what is finished taken in again.

    folder/job.sh           `sbatch folder/job.sh` from anywhere that sees the folder
    folder/work.json        generator, settings, how many shards
    folder/shards/0003.json the images of one array job
    folder/done/0003/       what it has made: an image and a JSON file each, whole or not there

A shard goes on where it was when its job is run again. Taking in may be done as often as one likes, also
while jobs run: an image that the study has is never taken twice.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from core.engines.local import LocalEngine
from core.engines.shard_files import ShardFolder, task_from, task_row, write_json
from core.errors import BadInput
from core.generation.device_check import COMPARED, MadeImages, controls
from core.generation.generator import Generator, run_key_of
from core.generation.job import make_tasks, missing_tasks
from core.generation.reports import Task
from core.jobs import Job, Outcome
from core.paths import PROJECT
from core.whole_files import make_folder, write_whole

DEFAULT_SHARDS = 8
WORK = "work.json"


class ShardedStudy(MadeImages, Protocol):
    """What of a study is needed to write its work."""

    def run_keys(self, generator: str) -> set[str]:
        """Run keys of a generator's images."""


def write_work(
    folder: Path, generator: Generator, tasks: Sequence[Task], study: ShardedStudy, shards: int | None = None
) -> tuple[int, int]:
    """Write the missing images of a generator as shards; returns how many shards and images.

    Raises BadInput when the folder holds work already, or when nothing is missing.
    """
    if (folder / WORK).exists():
        raise BadInput(f"{folder} holds work already.", "Collect it, or name another folder.")
    missing = missing_tasks(tasks, generator, study.run_keys(generator.name))
    if not missing:
        raise BadInput(f"Every image of {generator.name} is there.", "There is nothing to write.")
    number = min(shards or DEFAULT_SHARDS, len(missing))
    known = [task for task, _ in controls(study, generator.name)]
    make_folder(folder / "shards")
    make_folder(folder / "log")
    for shard in range(number):
        rows = [task_row(task) for task in missing[shard::number]]
        write_json(folder / "shards" / f"{shard:04}.json", rows)
    work = {
        "generator": generator.name,
        "settings": dict(generator.settings),
        "shards": number,
        "images": len(missing),
        "controls": [task_row(task) for task in known or missing[:COMPARED]],
    }
    array = script(folder, number).encode()
    write_whole(folder / "job.sh", lambda path: path.write_bytes(array))
    write_json(folder / WORK, work, indent=1)
    return number, len(missing)


def script(folder: Path, shards: int) -> str:
    """The array script; one graphics card a job, and what else a cluster needs is added by hand."""
    words = [sys.executable, str(PROJECT / "main.py"), "shard", str(folder.resolve())]
    return "\n".join(
        [
            "#!/bin/sh",
            "#SBATCH --job-name=contextbias",
            f"#SBATCH --array=0-{shards - 1}",
            "#SBATCH --gres=gpu:1",
            f"#SBATCH --output={folder.resolve() / 'log'}/%a.txt",
            "set -eu",
            f'exec {shlex.join(words)} "$SLURM_ARRAY_TASK_ID"',
            "",
        ]
    )


def read_work(folder: Path) -> dict[str, Any]:
    """What was written for the cluster; BadInput when the folder holds no work."""
    try:
        found: dict[str, Any] = json.loads((folder / WORK).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{folder} holds no work for a cluster.", "Write it with `--engine slurm`.") from error
    return found


def run_shard(
    folder: Path, number: int, by_name: Callable[[str], Generator], engine: LocalEngine | None = None
) -> Job[Outcome]:
    """Make one shard's images, as its array job does, with the few that devices are compared by.

    Raises BadInput when this machine's generator of that name has other settings than the study's.
    """
    work = read_work(folder)
    path = folder / "shards" / f"{number:04}.json"
    if not path.is_file():
        raise BadInput(f"{folder} has no shard {number}.", f"There are {work['shards']}, from 0.")
    generator = by_name(work["generator"])
    if _plain(generator.settings) != work["settings"]:
        raise BadInput(
            f"The generator {generator.name!r} has other settings here than where the work was written.",
            "Set CONTEXTBIAS_GENERATORS to the same file on every machine.",
        )
    tasks = [task_from(row) for row in json.loads(path.read_text(encoding="utf-8"))]
    first = [task_from(row) for row in work["controls"]]
    own = frozenset(run_key_of(generator, *task) for task in tasks)
    sink = ShardFolder(folder, number, own)
    return (
        yield from make_tasks(
            [*first, *(task for task in tasks if task not in first)], generator, sink, engine
        )
    )


def _plain(settings: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(dict(settings)))
