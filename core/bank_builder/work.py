"""What the command `bank` does with a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from core.bank import load_roles
from core.bank_builder.candidate import BankAct, Candidate, deciding, editing, kind_from, proposing
from core.bank_builder.files import read_acts, write_candidates
from core.bank_builder.roles import new_role
from core.bank_builder.rules import near_duplicates, problems
from core.errors import BadInput
from core.jobs import Job
from core.records import Role
from core.schema import Schema

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions


class BankStudy(Protocol):
    """A study that keeps candidates."""

    def roles(self) -> list[Role]:
        """Roles of the study."""

    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates as they stand."""

    def add_bank_acts(self, acts: Sequence[BankAct]) -> None:
        """Keep acts."""


def roles_named(study: BankStudy, wanted: str) -> list[Role]:
    """The roles of a text with commas: of the study, of the bank, or new ones as they are written.

    A new role is named by its words ("drone pilot"); article and plural follow from them.
    """
    known = {role.name: role for role in (*load_roles(), *study.roles())}
    known |= {role.display_name.casefold(): role for role in known.values()}
    if not wanted.strip():
        return study.roles()
    return [
        known.get(name.casefold()) or new_role(name)
        for name in (part.strip() for part in wanted.split(","))
        if name
    ]


def propose_in(
    study: BankStudy, schema: Schema, roles: Sequence[Role], number: int, options: VlmOptions, language: str
) -> Job[list[BankAct]]:
    """Let a server propose and judge contexts for roles, and keep them as open candidates."""
    from core.bank_builder.asking import ask_for_contexts

    acts = yield from ask_for_contexts(roles, number, options, schema, language)
    if not acts:
        raise BadInput(
            "The server proposed no context that can be used.", "Try another model, or add them by hand."
        )
    study.add_bank_acts(acts)
    return acts


def decide_in(study: BankStudy, wanted: Mapping[str, Any], author: str) -> list[str]:
    """Carry out the decisions of one command line; a sentence each.

    Parameters
    ----------
    wanted : mapping
        `add` (lists of "role:kind:activity in location"), `accept`, `reject`, `reopen` (keys of candidates,
        or their beginnings), `edit` (lists of "key=activity in location").
    """
    said = []
    for text in wanted.get("add") or ():
        role, kind, words = _three(text)
        activity, location = _context(words)
        study.add_bank_acts([proposing(role, kind_from(kind), location, activity, author)])
        said.append(f"added: {role}, {kind}: {activity} in {location}.")
    for act in ("accept", "reject", "reopen"):
        for key in wanted.get(act) or ():
            one = _one(study.candidates(), key)
            study.add_bank_acts([deciding(one, act, author, str(wanted.get("reason") or ""))])
            said.append(f"{act}: {one.role}: {one.context.activity} in {one.context.place}.")
    for text in wanted.get("edit") or ():
        key, _, words = text.partition("=")
        activity, location = _context(words)
        study.add_bank_acts([editing(_one(study.candidates(), key), location, activity, author)])
        said.append(f"edited, and to be decided again: {activity} in {location}.")
    return said


def import_in(study: BankStudy, path: Path | None, author: str) -> str:
    """Bring candidates and decisions of a file in."""
    if path is None:
        raise BadInput("No file is named to read candidates from.", "Say `--file FILE`.")
    acts = read_acts(path, study.candidates(), author)
    study.add_bank_acts(acts)
    new = sum(act.act == "import" for act in acts)
    return f"{new} candidates and {len(acts) - new} decisions taken over from {path.name}."


def export_in(study: BankStudy, path: Path | None) -> str:
    """Write candidates as CSV, or accepted contexts as JSON."""
    if path is None:
        raise BadInput("No file is named to write the candidates to.", "Say `--out FILE.csv` or FILE.json.")
    candidates = study.candidates()
    roles = {role.name: role for role in roles_of(study, candidates)}
    wrong = {each.key: problems(each, roles[each.role]) for each in candidates}
    write_candidates(path, candidates, wrong, near_duplicates(candidates))
    return f"{len(candidates)} candidates written to {path}."


def roles_of(study: BankStudy, candidates: Sequence[Candidate]) -> list[Role]:
    """The roles that candidates are about, as they are written."""
    names = dict.fromkeys(each.role for each in candidates)
    return roles_named(study, ",".join(name.replace("_", " ") for name in names)) if names else []


def review_rows(study: BankStudy, roles: Sequence[Role]) -> list[dict[str, Any]]:
    """Candidates as rows for a terminal or as JSON."""
    candidates = study.candidates()
    by_name = {role.name: role for role in (*roles_of(study, candidates), *roles)}
    near = near_duplicates(candidates)
    rows = []
    for each in candidates:
        scores = each.judgement
        rows.append(
            {
                "key": each.key[:6],
                "role": each.role,
                "kind": each.kind,
                "context": f"{each.context.activity} in {each.context.place}",
                "state": each.state,
                "judged": f"{scores.relevance}/{scores.neutrality}/{scores.confound}" if scores else "",
                "near": ", ".join(key[:6] for key in near[each.key]),
                "by": each.decided_by or each.proposed_by,
                "problems": " ".join(problems(each, by_name[each.role])),
            }
        )
    return rows


def _one(candidates: Sequence[Candidate], key: str) -> Candidate:
    found = [each for each in candidates if key and each.key.startswith(key)]
    if len(found) != 1:
        what = "no candidate" if not found else f"{len(found)} candidates"
        raise BadInput(f"There is {what} with the key {key!r}.", "See `main.py bank STUDY review`.")
    return found[0]


def _three(text: str) -> tuple[str, str, str]:
    role, _, rest = text.partition(":")
    kind, _, words = rest.partition(":")
    if not (role.strip() and kind.strip() and words.strip()):
        raise BadInput(f"{text!r} is no context.", 'Write it as "role:related:activity in location".')
    return role.strip().replace(" ", "_").casefold(), kind.strip(), words.strip()


def _context(words: str) -> tuple[str, str]:
    activity, found, location = words.rpartition(" in ")
    if not found:
        raise BadInput(f"{words!r} names no place.", 'Write it as "activity in location".')
    for article in ("a ", "an ", "the "):
        location = location.removeprefix(article)
    return activity.strip(), location.strip()
