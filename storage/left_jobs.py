"""Jobs that ended together with their program: what was left of each, and whether it may go on by itself.

A job goes on by itself when nobody has anything to decide: it costs no money, sends no picture away and needs
no more of a person than it had. All others are offered, and the sentence says why they wait.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass

from core.extraction import registry as extractors
from core.generation import registry as generators
from core.jobs import Job, Outcome
from core.schema import schema_from
from storage.part import from_json
from storage.store import Store
from storage.study import JobInfo

MOST_CRASHES = 2
"""After so many crashes in a row a job is only offered: it may be what ends the program."""


@dataclass(frozen=True, slots=True)
class LeftJob:
    """A job that ended with its program, how much of it is there, and why it waits ("" when it need not)."""

    job: JobInfo
    there: int
    why_it_waits: str = ""

    @property
    def can_be_continued_here(self) -> bool:
        """Whether the job can be begun from what the study's book says of it."""
        return not _needs_a_person(self.job)


def left_jobs(store: Store) -> tuple[LeftJob, ...]:
    """What a crash left, oldest first; what was done again since, or cancelled, is not in it."""
    jobs = store.jobs()
    found_now = {job.job_id for job in store.interrupted}
    is_busy = any(job.state == "running" for job in jobs)
    waiting = [job for job in _last_of_each(jobs) if job.job_id in found_now or _is_waiting(job, jobs)]
    return tuple(
        LeftJob(job, _there(store, job), _why_it_waits(job, jobs, is_busy=is_busy))
        for job in waiting
        if job.state == "interrupted"
    )


def continued(store: Store, one: LeftJob, *, by_itself: bool) -> Job[Outcome | None]:
    """Go on with a job of this study up to as many items as it was asked for.

    Returns None when another process has it, or works on the study.
    """
    from core.engines.local import LocalEngine
    from core.running import extract_in, generate_in

    if not store.take_up_job(one.job, unless_busy=by_itself):
        return None
    settings_of = one.job.settings
    if one.job.kind == "extract":
        schema = schema_from(from_json(store.study.schema_json))
        return (yield from extract_in(store, settings_of["extractor"], schema, one.job.asked))
    devices = settings_of.get("devices")
    engine = LocalEngine(devices) if devices else None
    accepts = bool(settings_of.get("accepts_device"))
    job = generate_in(store, settings_of["generator"], one.job.asked, engine, accepts_device=accepts)
    return (yield from job)


def _last_of_each(jobs: Sequence[JobInfo]) -> list[JobInfo]:
    last = {_what(job): job for job in jobs}
    return sorted(last.values(), key=lambda job: job.job_id)


def _what(job: JobInfo) -> tuple[str, str]:
    """Jobs of the same kind with the same generator or extractor do the same work."""
    names = (job.settings.get(name) for name in ("generator", "extractor", "folder"))
    return job.kind, next((str(name) for name in names if name), "")


def _is_waiting(job: JobInfo, jobs: Sequence[JobInfo]) -> bool:
    """Whether nothing but crashes came after it: where people went on without it, it is not brought up."""
    return not any(
        other.started_at > (job.ended_at or job.started_at) and other.state != "interrupted" for other in jobs
    )


def _there(store: Store, job: JobInfo) -> int:
    """How much is there; the book is some seconds behind a program that was killed."""
    if job.kind == "generate":
        there = len(store.run_keys(str(job.settings.get("generator", ""))))
    elif job.kind == "extract":
        there = len(store.record_keys(str(job.settings.get("extractor", ""))))
    else:
        there = job.done
    return min(max(there, job.done), job.asked)


def _why_it_waits(job: JobInfo, jobs: Sequence[JobInfo], *, is_busy: bool) -> str:
    crashes = 0
    for one in reversed([one for one in jobs if _what(one) == _what(job)]):
        if one.state != "interrupted":
            break
        crashes += 1
    if why := _needs_a_person(job):
        return why
    if job.host != socket.gethostname():
        return "it ran on another machine"
    if crashes >= MOST_CRASHES:
        return f"the program has ended during it {crashes} times in a row"
    if job.continued_at is not None:
        return "the program ended again when it was gone on with"
    return "another program is at work on this study" if is_busy else ""


def _needs_a_person(job: JobInfo) -> str:
    settings = job.settings
    match job.kind:
        case "generate":
            name = str(settings.get("generator", ""))
            if settings.get("engine"):
                return "other machines made the images"
            if settings.get("pickled_weights"):
                return "the generator's weights are pickled, and loading them may run what is in them"
            return "" if name in generators.names() else f"there is no generator {name} here"
        case "extract":
            if settings.get("how") == "batch":
                return "its answers are ordered from a server, which may cost money and is sent the pictures"
            if settings.get("extractor") not in extractors.names():
                return "a server reads the images, which may cost money and is sent the pictures"
            return "only some of the images were chosen for it" if settings.get("how") else ""
        case "import":
            return "the folder of the pictures has to be named again; what is in is not taken twice"
        case _:
            return "only a person begins it"
