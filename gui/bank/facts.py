"""What the bank builder reads and writes, off the GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.bank_builder.candidate import BankAct, Candidate
from core.bank_builder.rules import near_duplicates, problems
from core.bank_builder.work import acts_from_bank, export_in, import_in, propose_in, roles_of, sentences_in
from core.jobs import Job
from core.records import Role
from core.schema import read_schema
from core.sentences import ENGLISH, Sentences

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions
    from storage.store import Store

NUMBER = 4
"""Contexts that a server is asked for, of each kind."""


@dataclass(frozen=True, slots=True)
class Line:
    """A candidate, what our rules say against it, and others that say nearly the same."""

    candidate: Candidate
    problems: tuple[str, ...]
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything the dialog shows."""

    roles: tuple[Role, ...]
    lines: tuple[Line, ...]
    sentences: Sentences = ENGLISH


def read_bench(store: Store) -> Bench:
    """Roles of the study and of candidates, and all candidates."""
    candidates = store.candidates()
    roles = {role.name: role for role in (*store.roles(), *roles_of(store, candidates))}
    near, sentences = near_duplicates(candidates), sentences_in(store)
    names = {each.key: in_words(each) for each in candidates}
    lines = tuple(
        Line(
            each,
            problems(each, roles[each.role], sentences.is_english),
            tuple(names[key] for key in near[each.key]),
        )
        for each in candidates
    )
    return Bench(tuple(roles.values()), lines, sentences)


def in_words(candidate: Candidate) -> str:
    """A context as it will stand in a prompt."""
    return f"{candidate.context.activity} in {candidate.context.place}"


def keep_acts(store: Store, acts: Sequence[BankAct]) -> Bench:
    """Keep acts and read everything anew."""
    store.add_bank_acts(acts)
    return read_bench(store)


def take_from_bank(store: Store, role: str, author: str) -> Bench:
    """Take the contexts that the bank of this release has for a role."""
    return keep_acts(store, acts_from_bank(role, author))


def bring_in(store: Store, path: Path, author: str) -> Bench:
    """Bring candidates and decisions of a file in."""
    import_in(store, path, author)
    return read_bench(store)


def write_out(store: Store, path: Path) -> str:
    """Write candidates to a CSV file, or what was accepted to a JSON file."""
    return export_in(store, path)


def asking(store: Store, role: Role, options: VlmOptions) -> Job[list[BankAct]]:
    """Let a server propose and judge contexts for a role."""
    schema = read_schema(store.study.schema_json)
    return (yield from propose_in(store, schema, [role], NUMBER, options, ""))
