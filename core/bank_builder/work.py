"""What the command `bank` does with a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from core.amounts import counted
from core.bank import load_contexts, load_roles
from core.bank_builder.candidate import (
    KINDS,
    SENTENCES,
    BankAct,
    Candidate,
    candidates_of,
    deciding,
    editing,
    kind_from,
    proposing,
    sentences_of,
    wording,
)
from core.bank_builder.files import read_acts, write_candidates
from core.bank_builder.roles import new_role
from core.bank_builder.rules import near_duplicates, problems
from core.errors import BadInput
from core.jobs import Job
from core.json_files import read_json
from core.records import Role
from core.schema import Schema
from core.sentences import Sentences, sentences_from

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions


class BankStudy(Protocol):
    """A study that keeps candidates."""

    def roles(self) -> list[Role]:
        """Roles of the study."""

    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates as they stand."""

    def bank_acts(self) -> Sequence[BankAct]:
        """Every act, oldest first."""

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
    is_english = sentences_in(study).is_english
    return [
        known.get(name.casefold()) or new_role(name, is_english=is_english)
        for name in (part.strip() for part in wanted.split(","))
        if name
    ]


def propose_in(
    study: BankStudy, schema: Schema, roles: Sequence[Role], number: int, options: VlmOptions, language: str
) -> Job[list[BankAct]]:
    """Let a server propose and judge contexts for roles, and keep them as open candidates."""
    from core.bank_builder.asking import ask_for_contexts

    sentences = sentences_in(study)
    acts = yield from ask_for_contexts(
        roles, number, options, schema, language or sentences.language, is_english=sentences.is_english
    )
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
        is_english, typed = sentences_in(study).is_english, text.partition(":")[0].strip()
        more = {} if is_english else {"article": "", "role_words": typed}
        added = proposing(role, kind_from(kind), location, activity, author, **more)
        study.add_bank_acts([added])
        place = candidates_of([added])[0].context.place
        said.append(f"added: {role}, {kind}: {activity} in {place}.")
    for act in ("accept", "reject", "reopen"):
        for key in wanted.get(act) or ():
            one = _one(study.candidates(), key)
            study.add_bank_acts([deciding(one, act, author, str(wanted.get("reason") or ""))])
            said.append(f"{act}: {one.role}: {one.context.activity} in {one.context.place}.")
    for text in wanted.get("edit") or ():
        key, _, words = text.partition("=")
        activity, location = _context(words)
        one, article = _one(study.candidates(), key), None if sentences_in(study).is_english else ""
        study.add_bank_acts([editing(one, location, activity, author, article=article)])
        now = next(each for each in study.candidates() if each.key == one.key).context
        said.append(f"edited, and to be decided again: {now.activity} in {now.place}.")
    return said


def acts_from_bank(role: str, author: str) -> list[BankAct]:
    """The contexts that the bank of this release has for a role, put forward and accepted, to be edited."""
    own = load_contexts().get(role)
    acts: list[BankAct] = []
    for kind, some in zip(KINDS, (own.related, own.unrelated) if own else ((), ()), strict=True):
        for context in some:
            words = role, kind, context.location, context.activity, author
            act = proposing(*words, act="import", article=context.article, fields=context.fields)
            acts += [act, deciding(candidates_of([act])[0], "accept", author, "from the bank")]
    return acts


def import_in(study: BankStudy, path: Path | None, author: str) -> str:
    """Bring candidates and decisions of a file in."""
    if path is None:
        raise BadInput("No file is named to read candidates from.", "Say `--file FILE`.")
    acts = read_acts(path, study.candidates(), author, sentences_in(study))
    study.add_bank_acts(acts)
    new, worded = sum(act.act == "import" for act in acts), sum(act.candidate == SENTENCES for act in acts)
    decided = counted(len(acts) - new - worded, "decision")
    said = f"{counted(new, 'candidate')} and {decided} taken over from {path.name}."
    return f"{said} Prompts are now in {sentences_in(study).language}." if worded else said


def export_in(study: BankStudy, path: Path | None) -> str:
    """Write candidates as CSV, or accepted contexts as JSON."""
    if path is None:
        raise BadInput("No file is named to write the candidates to.", "Say `--out FILE.csv` or FILE.json.")
    candidates, sentences = study.candidates(), sentences_in(study)
    roles = {role.name: role for role in roles_of(study, candidates)}
    wrong = {each.key: problems(each, roles[each.role], sentences.is_english) for each in candidates}
    write_candidates(path, candidates, wrong, near_duplicates(candidates), sentences)
    if path.suffix != ".json":
        return f"{len(candidates)} candidates written to {path}."
    taken = sum(each.state == "accepted" for each in candidates)
    if taken:
        return f"{taken} accepted contexts of {len(candidates)} candidates written to {path}."
    remedy = "`main.py bank STUDY review --accept KEY` accepts one."
    return f"{path} holds no context: no candidate was accepted yet. {remedy}"


def roles_of(study: BankStudy, candidates: Sequence[Candidate]) -> list[Role]:
    """The roles that candidates are about, as they are written."""
    names = dict.fromkeys(each.role for each in candidates)
    typed = {each.role: each.role_words for each in candidates if each.role_words}
    words = [typed.get(name, name.replace("_", " ")) for name in names]
    return roles_named(study, ",".join(words)) if names else []


def sentences_in(study: BankStudy) -> Sentences:
    """In which language and by which patterns the bank's prompts are written."""
    return sentences_of(study.bank_acts())


def word_in(study: BankStudy, path: Path, author: str) -> str:
    """Keep the wording of prompts that a JSON file states, and say what it comes to."""
    sentences = sentences_from(read_json(path))
    study.add_bank_acts([wording(sentences, author)])
    return f"Prompts are now in {sentences.language}, as in: {sentences.doing}."


def review_rows(study: BankStudy, roles: Sequence[Role]) -> list[dict[str, Any]]:
    """Candidates as rows for a terminal or as JSON."""
    candidates = study.candidates()
    by_name = {role.name: role for role in (*roles_of(study, candidates), *roles)}
    near, is_english = near_duplicates(candidates), sentences_in(study).is_english
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
                "problems": " ".join(problems(each, by_name[each.role], is_english)),
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
    if " @ " in words:  # in any language: nothing is taken off
        activity, _, location = words.rpartition(" @ ")
        return activity.strip(), location.strip()
    activity, found, location = words.rpartition(" in ")
    if not found:
        raise BadInput(
            f"{words!r} names no place.", 'Write it as "activity in location" or "activity @ location".'
        )
    for article in ("a ", "an ", "the "):
        location = location.removeprefix(article)
    return activity.strip(), location.strip()
