"""`main.py generate --engine slurm`: work written for a cluster, and what is finished of it taken in."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from core.amounts import counted
from core.engines.collecting import collect
from core.engines.slurm import write_work
from core.errors import BadInput
from core.generation.registry import by_name
from core.generation.study_job import plan_of, tasks_of
from core.jobs import Job, Outcome, recorded


def must_name_folder(chosen: Namespace) -> None:
    """Refuse work for a cluster without a folder for it with BadInput."""
    if chosen.folder is None:
        raise BadInput("SLURM needs a folder that every node sees.", "Name one with --folder.")


def collecting(study: Any, chosen: Namespace) -> Job[Outcome]:
    """Take in what is finished, kept in the study's book of jobs."""
    job = collect(chosen.folder, study, accepts_device=chosen.accept_device)
    return recorded(job, study, "generate", 0, {"generator": chosen.generator, "engine": "slurm"})


def work_lines(study: Any, chosen: Namespace) -> Iterator[str]:
    """Write the images that are missing as array jobs, and say how to run and collect them."""
    tasks = tasks_of(*plan_of(study), chosen.limit)
    shards, images = write_work(chosen.folder, by_name(chosen.generator), tasks, study, chosen.workers)
    yield f"{counted(images, 'image')} in {counted(shards, 'job')}. Run: sbatch {chosen.folder / 'job.sh'}"
    yield (
        f"Then: main.py generate {chosen.study} --generator {chosen.generator} --engine slurm"
        f" --folder {chosen.folder} --collect"
    )
