"""A context that may enter the bank, and the acts that made, judged and decided it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from core.bank import Context, RoleContexts
from core.errors import BadInput
from core.grammar import article_for
from core.keys import key_of
from core.sentences import ENGLISH, Sentences, sentences_as_data, sentences_from

Kind: TypeAlias = Literal["related", "unrelated"]
KINDS: tuple[Kind, ...] = ("related", "unrelated")

State: TypeAlias = Literal["open", "accepted", "rejected"]
SENTENCES = "sentences"
"""Stands in place of a candidate where an act is about the wording of all prompts."""

ACTS = ("propose", "judge", "accept", "edit", "reject", "reopen", "import")
_STATE_AFTER: dict[str, State] = {
    "propose": "open",
    "import": "open",
    "reopen": "open",
    "accept": "accepted",
    "reject": "rejected",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judging call said, each from 1 to 5, and why.

    `relevance` is how well the context fits the role (for an unrelated one: how little it has to do with
    it), `neutrality` how little it suggests looks, `confound` how strongly it brings something else in.
    """

    relevance: int
    neutrality: int
    confound: int
    sentence: str = ""
    judge: str = ""

    @property
    def is_fine(self) -> bool:
        """Whether the published bounds hold: relevance and neutrality 4 or more, confound 2 or less."""
        return self.relevance >= 4 and self.neutrality >= 4 and self.confound <= 2


@dataclass(frozen=True, slots=True)
class BankAct:
    """One act about one candidate: `content` holds its words, or the judgement."""

    candidate: str
    act: str
    role: str
    kind: Kind
    author: str
    content: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate as it stands after all acts."""

    key: str
    role: str
    kind: Kind
    context: Context
    state: State = "open"
    judgement: Judgement | None = None
    proposed_by: str = ""
    decided_by: str = ""
    decided_at: str = ""
    reason: str = ""
    is_edited: bool = False
    role_words: str = ""


def proposing(
    role: str,
    kind: Kind,
    location: str,
    activity: str,
    author: str,
    *,
    act: str = "propose",
    article: str | None = None,
    role_words: str = "",
    fields: Sequence[str] = (),
) -> BankAct:
    """The act that puts a candidate forward; its key is its first words.

    `article` is the English one when left out, and "" in a language without; `role_words` is how the role is
    written where that does not follow from its name.

    >>> proposing("baker", "related", "mill", "buying flour", "A").content["article"]
    'a'
    """
    place, doing = " ".join(location.split()), " ".join(activity.split())
    if not place or not doing:
        raise BadInput(f"A context of {role} needs a location and an activity.", "Write both.")
    content: dict[str, Any] = {"location": place, "activity": doing, "fields": list(fields)}
    content["article"] = article_for(place) if article is None else article
    if role_words:
        content["role_words"] = role_words
    key = key_of([role, kind, place.casefold(), doing.casefold()])[:16]
    return BankAct(key, act, role, kind, author, content)


def deciding(candidate: Candidate, act: str, author: str, reason: str = "") -> BankAct:
    """The act that accepts, rejects or reopens a candidate."""
    if act not in ("accept", "reject", "reopen"):
        raise BadInput(f"{act!r} decides nothing.", "Use accept, reject or reopen.")
    if not author.strip():
        raise BadInput("A decision needs to say whose it is.", "Give a name.")
    return BankAct(candidate.key, act, candidate.role, candidate.kind, author, {}, reason)


def editing(
    candidate: Candidate, location: str, activity: str, author: str, *, article: str | None = None
) -> BankAct:
    """The act that changes the words of a candidate; what was decided before has to be decided again."""
    # What part of life a place belongs to stays with the place, not with what is done there.
    is_there = candidate.context.location == " ".join(location.split())
    fields = candidate.context.fields if is_there else ()
    words = proposing(
        *(candidate.role, candidate.kind, location, activity, author), article=article, fields=fields
    ).content
    return BankAct(candidate.key, "edit", candidate.role, candidate.kind, author, words)


def judging(candidate: Candidate, judgement: Judgement) -> BankAct:
    """The act that keeps a judgement."""
    content = {
        "relevance": judgement.relevance,
        "neutrality": judgement.neutrality,
        "confound": judgement.confound,
        "sentence": judgement.sentence,
    }
    return BankAct(candidate.key, "judge", candidate.role, candidate.kind, judgement.judge, content)


def candidates_of(acts: Iterable[BankAct]) -> tuple[Candidate, ...]:
    """What the acts come to, in the order in which candidates were first put forward."""
    found: dict[str, Candidate] = {}
    for act in acts:
        if act.candidate == SENTENCES:
            continue
        known = found.get(act.candidate)
        if known is None:
            if act.act not in ("propose", "import"):
                raise AssertionError(f"{act.act} of a candidate that nobody put forward")
            context = _context(act.content)
            found[act.candidate] = Candidate(
                *(act.candidate, act.role, act.kind, context),
                proposed_by=act.author,
                role_words=str(act.content.get("role_words", "")),
            )
        elif act.act not in ("propose", "import"):  # put forward again: it stays as it was decided
            found[act.candidate] = _after(known, act)
    return tuple(found.values())


def wording(sentences: Sentences, author: str) -> BankAct:
    """The act that says in which language and by which patterns prompts are written from now on."""
    return BankAct(SENTENCES, "edit", "", "related", author, sentences_as_data(sentences))


def sentences_of(acts: Iterable[BankAct]) -> Sentences:
    """The wording that was said last; English where none was."""
    said = [act for act in acts if act.candidate == SENTENCES]
    return sentences_from(said[-1].content) if said else ENGLISH


def accepted(candidates: Sequence[Candidate], role: str) -> RoleContexts:
    """The accepted contexts of a role."""
    own = [each for each in candidates if each.role == role and each.state == "accepted"]
    related, unrelated = (tuple(each.context for each in own if each.kind == kind) for kind in KINDS)
    return RoleContexts(related, unrelated)


def kind_from(text: str) -> Kind:
    """The kind that a word names; BadInput for another word."""
    plain = text.strip().casefold()
    if plain not in KINDS:
        raise BadInput(f"{text!r} is no kind of context.", "Use related or unrelated.")
    return plain


def _after(known: Candidate, act: BankAct) -> Candidate:
    if act.act == "judge":
        scores = {name: int(act.content[name]) for name in ("relevance", "neutrality", "confound")}
        judgement = Judgement(**scores, sentence=str(act.content.get("sentence", "")), judge=act.author)
        return replace(known, judgement=judgement)
    if act.act == "edit":
        return replace(
            known, context=_context(act.content), state="open", judgement=None, is_edited=True, decided_by="",
            decided_at="", reason="",
        )  # fmt: skip
    return replace(
        known,
        state=_STATE_AFTER[act.act],
        decided_by=act.author,
        decided_at=act.at,
        reason=act.reason,
    )


def _context(content: Mapping[str, Any]) -> Context:
    return Context(
        str(content["location"]),
        str(content["article"]),
        str(content["activity"]),
        tuple(str(one) for one in content.get("fields", ())),
    )
