"""Our own rules about candidates: grammar and hints at looks, as for the bank; and near-duplicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from core.bank import Context, RoleContexts
from core.bank_builder.candidate import Candidate
from core.bank_check import findings
from core.grammar import words_of
from core.labels.wording import fold
from core.records import Role

NEAR = 0.85
"""From which likeness of words two contexts are shown as near-duplicates."""

_FILLERS = frozenset({"a", "an", "the", "of", "in", "at", "for", "with"})


def problems(candidate: Candidate, role: Role, is_english: bool = True) -> tuple[str, ...]:
    """What is wrong with a candidate, in sentences; they advise and decide nothing.

    Parameters
    ----------
    candidate : Candidate
        Its context as it stands now.
    role : Role
        How the role is written.
    is_english : bool
        Articles, -ing forms and the lists of words are English; for another language only doubled spaces and
        the role's own name are looked for.
    """
    if not is_english:
        return tuple(_in_any_language(candidate.context, role))
    alone = {role.name: RoleContexts((candidate.context,), ())}
    name = f"{candidate.context.activity} in {candidate.context.place}"
    return tuple(found.sentence for found in findings([role], alone) if found.context == name)


def near_duplicates(candidates: Sequence[Candidate]) -> dict[str, tuple[str, ...]]:
    """Key of each candidate -> keys of others of the same role that say nearly the same, in order.

    Two are near when their places are the same in the singular, or their words as a whole are alike to
    `NEAR`. The relation is symmetric and does not depend on the order of the candidates.
    """
    near: dict[str, list[str]] = {each.key: [] for each in candidates}
    for at, one in enumerate(candidates):
        for other in candidates[at + 1 :]:
            if one.role == other.role and is_near(one.context, other.context):
                near[one.key].append(other.key)
                near[other.key].append(one.key)
    return {key: tuple(sorted(keys)) for key, keys in near.items()}


def is_near(one: Context, other: Context) -> bool:
    """Whether two contexts say nearly the same.

    >>> is_near(Context("bakeries", "a", "kneading"), Context("bakery", "a", "selling bread"))
    True
    """
    if _folded(one.location) == _folded(other.location):
        return True
    first, second = sorted(
        " ".join(sorted(_folded(f"{each.location} {each.activity}"))) for each in (one, other)
    )
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= NEAR


def still_needed(candidates: Sequence[Candidate], roles: Sequence[str], each: int = 2) -> Mapping[str, int]:
    """Role -> contexts that are still to be accepted before prompts can be made (two of either kind)."""
    needed: dict[str, int] = {}
    for role in roles:
        own = [one for one in candidates if one.role == role and one.state == "accepted"]
        lacking = sum(
            max(each - sum(one.kind == kind for one in own), 0) for kind in ("related", "unrelated")
        )
        if lacking:
            needed[role] = lacking
    return needed


def _in_any_language(context: Context, role: Role) -> list[str]:
    text = f"{context.location} {context.activity}"
    found = [] if text == " ".join(text.split()) else ["There is a space too many."]
    if role.display_name.casefold() in text.casefold():
        found.append(f"{role.display_name!r} gives the role away.")
    return found


def _folded(text: str) -> tuple[str, ...]:
    words = words_of(text) or text.casefold().split()
    return tuple(fold(word) for word in words if word not in _FILLERS)
