"""Candidates as CSV for a spreadsheet, and accepted contexts as JSON that a study can be made of."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.bank import RoleContexts, contexts_as_data, load_contexts
from core.bank_builder.candidate import (
    BankAct,
    Candidate,
    accepted,
    candidates_of,
    deciding,
    kind_from,
    proposing,
    wording,
)
from core.csv_rows import as_it_was, write_rows
from core.errors import BadInput, UserError
from core.file_words import unreadable_table
from core.json_files import read_json
from core.regular_files import regular
from core.sentences import ENGLISH, Sentences, sentences_as_data, sentences_from
from core.whole_files import write_whole

COLUMNS = (
    *("role", "kind", "location", "activity", "state", "relevance", "neutrality", "confound"),
    *("problems", "near", "proposed_by", "decided_by", "reason"),
)


def write_candidates(
    path: Path,
    candidates: Sequence[Candidate],
    problems: Mapping[str, Sequence[str]],
    near: Mapping[str, Sequence[str]],
    sentences: Sentences = ENGLISH,
) -> Path:
    """Write all candidates as CSV, or the accepted contexts as JSON where the name ends so.

    The JSON holds the wording of prompts too where that is not the usual one.
    """
    if path.suffix == ".json":
        return _write_json(path, candidates, sentences)
    names = {each.key: f"{each.context.activity} in {each.context.place}" for each in candidates}
    rows = []
    for each in candidates:
        judgement = each.judgement
        rows.append(
            {
                "role": each.role,
                "kind": each.kind,
                "location": each.context.location,
                "activity": each.context.activity,
                "state": each.state,
                "relevance": judgement.relevance if judgement else "",
                "neutrality": judgement.neutrality if judgement else "",
                "confound": judgement.confound if judgement else "",
                "problems": " ".join(problems.get(each.key, ())),
                "near": "; ".join(names[key] for key in near.get(each.key, ()) if key in names),
                "proposed_by": each.proposed_by,
                "decided_by": each.decided_by,
                "reason": each.reason,
            }
        )
    return write_rows(path, rows, COLUMNS)


def read_acts(
    path: Path, known: Sequence[Candidate], author: str, sentences: Sentences = ENGLISH
) -> list[BankAct]:
    """The acts that bring a file in: new candidates, and decisions that differ from those known.

    A JSON file of contexts puts each forward and accepts it, and says the wording of prompts
    if it has one. In a CSV file the column `state` decides: open,
    accepted or rejected; without it a row is only put forward.

    Raises
    ------
    BadInput
        The file cannot be read, lacks a column, or a line cannot be used; with the line.
    """
    wanted = _from_json(path) if path.suffix == ".json" else _from_csv(path)
    there = {each.key: each for each in known}
    acts: list[BankAct] = []
    written: Mapping[str, Any] = {}
    if path.suffix == ".json":
        loaded = read_json(path)
        written = loaded["roles"] if isinstance(loaded.get("roles"), dict) else {}
        if loaded.get("sentences") and sentences_from(loaded["sentences"]) != sentences:
            sentences = sentences_from(loaded["sentences"])
            acts.append(wording(sentences, author))
    article = None if sentences.is_english else ""
    for role, kind, location, activity, state, reason in wanted:
        more: dict[str, Any] = {"article": article, "role_words": str(written.get(role, ""))}
        act = proposing(role, kind_from(kind), location, activity, author, act="import", **more)
        if act.candidate not in there:
            acts.append(act)
            there[act.candidate] = candidates_of([act])[0]
        one = there[act.candidate]
        decision = {"accepted": "accept", "rejected": "reject", "open": "reopen"}[state or "open"]
        if state and state != one.state:
            acts.append(deciding(one, decision, author, reason))
    return acts


def _write_json(path: Path, candidates: Sequence[Candidate], sentences: Sentences) -> Path:
    roles = sorted({each.role for each in candidates if each.state == "accepted"})
    contexts: dict[str, RoleContexts] = {role: accepted(candidates, role) for role in roles}
    data = contexts_as_data(contexts)
    if sentences != ENGLISH:
        data["sentences"] = sentences_as_data(sentences)
        data["roles"] = {each.role: each.role_words for each in candidates if each.role_words}
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    try:
        write_whole(path, lambda place: place.write_text(text, encoding="utf-8", newline="\n"))
    except OSError as error:
        raise UserError(f"{path} could not be written: {error.strerror}.", "Choose another place.") from error
    return path


def _from_json(path: Path) -> list[tuple[str, str, str, str, str, str]]:
    return [
        (role, kind, context.location, context.activity, "accepted", f"from {path.name}")
        for role, own in load_contexts(path).items()
        for kind, some in (("related", own.related), ("unrelated", own.unrelated))
        for context in some
    ]


def _from_csv(path: Path) -> list[tuple[str, str, str, str, str, str]]:
    try:
        with open(path, encoding="utf-8-sig", newline="", opener=regular) as file:
            reader = csv.DictReader(file)
            rows = list(reader)
            names = reader.fieldnames or ()
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise unreadable_table(path, error) from error
    missing = [name for name in ("role", "kind", "location", "activity") if name not in names]
    if missing:
        raise BadInput(
            f"{path.name} has no column {missing[0]}.", "It needs role, kind, location and activity."
        )
    found = []
    for line, row in enumerate(rows, start=2):
        role, kind, location, activity, state, reason = (
            _plain(row.get(name)) for name in ("role", "kind", "location", "activity", "state", "reason")
        )
        if not (role and location and activity):
            raise BadInput(f"{path.name}, line {line}: role, location or activity is empty.", "Fill it in.")
        if kind not in ("related", "unrelated") or state not in ("", "open", "accepted", "rejected"):
            raise BadInput(
                f"{path.name}, line {line}: {kind!r}, {state!r} cannot be meant.",
                "kind is related or unrelated; state is open, accepted or rejected.",
            )
        found.append((role, kind, location, activity, state, reason))
    return found


def _plain(value: object) -> str:
    text = str(value or "").strip()
    return as_it_was(text)
