"""Jobs: what was asked, what became of it, and what failed."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from core.jobs import Failure, Outcome
from storage.part import Part, as_json, from_json, now
from storage.process import may_live, this_process
from storage.study import JobInfo

_log = logging.getLogger(__name__)

_AT_WORK_ELSEWHERE = (
    "SELECT 1 FROM job WHERE state = 'running' AND json_extract(process_json, '$.token') IS NOT ?"
)
_PROCESS = "CASE WHEN json_valid(process_json) THEN process_json ELSE '{}' END"


class JobRows(Part):
    """Jobs of a study and their failures."""

    def begin_job(self, kind: str, asked: int, settings: Mapping[str, Any] | None = None) -> int:
        """Note that a job began in this process; return its id."""

        def act(connection: sqlite3.Connection) -> int:
            added = connection.execute(
                "INSERT INTO job (kind, settings_json, state, asked, done, failed, skipped, process_json,"
                " started_at) VALUES (?, ?, 'running', ?, 0, 0, 0, ?, ?)",
                (kind, as_json(settings or {}), asked, as_json(this_process()), now()),
            )
            return int(added.lastrowid or 0)

        return self._writer.do(act, "job")

    def end_job(self, job_id: int, outcome: Outcome, state: str = "done") -> None:
        """Note how a job ended (`done`, `cancelled`, `failed`, `interrupted`) with all its failures.

        A job that is done has accounted for every item: asked = done + failed + skipped.
        """
        if state == "done":
            outcome.check()

        def act(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE job SET state = ?, asked = ?, done = ?, failed = ?, skipped = ?, ended_at = ?"
                " WHERE id = ?",
                (state, outcome.asked, outcome.done, outcome.failed, outcome.skipped, now(), job_id),
            )
            _put_failures(connection, job_id, outcome.failures)

        self._writer.do(act, "job")
        _log.info("job %d %s: %s", job_id, state, outcome.sentence("items"))

    def note_job(self, job_id: int, outcome: Outcome) -> None:
        """Note how far a job has come and that it is at work now; its failures come when it ends."""
        seen = as_json({**this_process(), "seen_at": now()})
        self._writer.do(
            lambda connection: connection.execute(
                "UPDATE job SET state = 'running', done = ?, failed = ?, skipped = ?, process_json = ?,"
                " ended_at = NULL WHERE id = ?",
                (outcome.done, outcome.failed, outcome.skipped, seen, job_id),
            ),
            "job",
            durable=False,
        )

    def add_failures(self, job_id: int, failures: Sequence[Failure]) -> None:
        """Keep failures while the job goes on; those given to `end_job` are not given here as well."""
        self._writer.do(lambda connection: _put_failures(connection, job_id, failures), "job")

    def jobs(self) -> list[JobInfo]:
        """All jobs, oldest first."""
        rows = self._readers.rows(
            "SELECT id, kind, settings_json, state, asked, done, failed, skipped, started_at, ended_at,"
            f" coalesce(json_extract({_PROCESS}, '$.host'), ''), json_extract({_PROCESS}, '$.continued_at')"
            " FROM job ORDER BY id"
        )
        return [JobInfo(number, kind, from_json(settings), *rest) for number, kind, settings, *rest in rows]

    def failures_of(self, job_id: int) -> list[Failure]:
        """The failures of a job in the order they happened."""
        rows = self._readers.rows(
            "SELECT item, kind, reason FROM failure WHERE job_id = ? ORDER BY id", [job_id]
        )
        return [Failure(*row) for row in rows]

    def take_up_job(self, job: JobInfo, *, unless_busy: bool) -> bool:
        """Note that a job which ended with its program is now gone on with; False when it must not be.

        It must not when another window took it up since `job` was read, or, `unless_busy`, when another
        process has a job of this study at work. Asked and noted in one transaction.
        """

        def act(connection: sqlite3.Connection) -> bool:
            if unless_busy and connection.execute(_AT_WORK_ELSEWHERE, [this_process()["token"]]).fetchone():
                return False
            changed = connection.execute(
                f"UPDATE job SET process_json = json_set({_PROCESS}, '$.continued_at', ?) WHERE id = ?"
                f" AND state = 'interrupted' AND json_extract({_PROCESS}, '$.continued_at') IS ?",
                (now(), job.job_id, job.continued_at),
            )
            return changed.rowcount == 1

        is_ours = self._writer.do(act, "job")
        _log.info("job %d %s: %s", job.job_id, job.kind, "gone on with" if is_ours else "left to others")
        return is_ours

    def leave_job(self, job_id: int) -> None:
        """Note that a person does not want a job to go on that had ended with its program."""
        self._writer.do(
            lambda connection: connection.execute(
                "UPDATE job SET state = 'cancelled' WHERE id = ? AND state = 'interrupted'", [job_id]
            ),
            "job",
        )
        _log.info("job %d: not gone on with, as a person wished", job_id)

    def _interrupt_dead_jobs(self) -> list[JobInfo]:
        """Close the jobs that a process left running when it ended without a word, and return them."""
        rows = self._readers.rows("SELECT id, process_json, started_at FROM job WHERE state = 'running'")
        dead = [
            (now(), number)
            for number, process, started in rows
            if not may_live({"seen_at": started, **from_json(process)})
        ]
        if dead:
            self._writer.do(lambda connection: _interrupt(connection, dead), "job")
            _log.info("jobs that a start before this one left running: %d", len(dead))
        numbers = {number for _, number in dead}
        return [job for job in self.jobs() if job.job_id in numbers] if dead else []


def _put_failures(connection: sqlite3.Connection, job_id: int, failures: Sequence[Failure]) -> None:
    connection.executemany(
        "INSERT INTO failure (job_id, item, kind, reason, at) VALUES (?, ?, ?, ?, ?)",
        [(job_id, failure.item, failure.kind, failure.reason, now()) for failure in failures],
    )


def _interrupt(connection: sqlite3.Connection, jobs: Sequence[tuple[str, int]]) -> None:
    connection.executemany(
        "UPDATE job SET state = 'interrupted', skipped = max(asked - done - failed, 0), ended_at = ?"
        " WHERE id = ? AND state = 'running'",
        jobs,
    )
