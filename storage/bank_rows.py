"""Candidates for the bank: what was put forward, judged and decided, as acts that are never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from core.bank_builder.candidate import BankAct, Candidate, candidates_of, kind_from
from storage.part import Part, as_json, from_json, now


class BankRows(Part):
    """Acts of the bank builder."""

    def add_bank_acts(self, acts: Sequence[BankAct]) -> None:
        """Keep acts in one transaction, in their order."""
        rows = [
            (
                *(act.candidate, act.act, act.role, act.kind, as_json(act.content)),
                *(act.author, act.reason, act.at or now()),
            )
            for act in acts
        ]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "INSERT INTO bank_act (candidate, act, role, kind, content_json, author, reason, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

        self._writer.do(write, "bank")

    def bank_acts(self) -> list[BankAct]:
        """Every act, oldest first."""
        rows = self._readers.rows(
            "SELECT candidate, act, role, kind, author, content_json, reason, at FROM bank_act ORDER BY id"
        )
        return [
            BankAct(candidate, act, role, kind_from(kind), author, from_json(content), reason, at)
            for candidate, act, role, kind, author, content, reason, at in rows
        ]

    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates as they stand."""
        return candidates_of(self.bank_acts())
