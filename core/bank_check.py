"""What is wrong with a bank: grammar, hints at looks, a role named in its own context, places used too often.

The bank of this release passes; a test says so. The screen shows the findings of an edited one, and a
study can still be made with them: they are advice, not a gate.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from core.bank import BANK, USED_CONTEXTS, Context, RoleContexts
from core.grammar import article_for, echoes, is_ing_form, words_of
from core.records import Role

LARGEST_EVERYDAY_SHARE = 0.05
"""No everyday place may serve more than this share of the roles (one role is always allowed)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: whose context, which one (empty for the role itself), and what is wrong in a sentence."""

    role: str
    context: str
    sentence: str


def findings(roles: Sequence[Role], contexts: Mapping[str, RoleContexts]) -> tuple[Finding, ...]:
    """Every fault of the roles given and their contexts, in the order of the roles."""
    found = [finding for role in roles for finding in _of_role(role, contexts, roles)]
    return (*found, *_crowded_places(roles, contexts))


@cache
def words_kept_out() -> Mapping[str, str]:
    """Words that no context may hold, each with what it would suggest (gender, age, clothing …)."""
    data = json.loads((BANK / "words.json").read_text(encoding="utf-8"))
    return {word: what for what, words in data.items() for word in words}


def place_counts(roles: Sequence[Role], contexts: Mapping[str, RoleContexts]) -> Counter[str]:
    """Everyday place -> number of roles that use it."""
    return Counter(
        place
        for role in roles
        if role.name in contexts
        for place in {context.location for context in contexts[role.name].unrelated[:USED_CONTEXTS]}
    )


def _of_role(role: Role, contexts: Mapping[str, RoleContexts], roles: Sequence[Role]) -> Iterator[Finding]:
    if role.article != article_for(role.display_name):
        right = article_for(role.display_name)
        yield Finding(
            role.name,
            "",
            f"It should be {right} {role.display_name}, not {role.article} {role.display_name}.",
        )
    own = contexts.get(role.name)
    if own is None:
        yield Finding(role.name, "", "The role has no contexts.")
        return
    for kind, some in (("related", own.related), ("unrelated", own.unrelated)):
        if len(some) < USED_CONTEXTS:
            yield Finding(
                role.name, "", f"The role needs {USED_CONTEXTS} {kind} contexts and has {len(some)}."
            )
    yield from _repeated(role, own)
    for context in own.related + own.unrelated:
        for sentence in _of_context(role, context, roles):
            yield Finding(role.name, f"{context.activity} in {context.place}", sentence)


def _repeated(role: Role, own: RoleContexts) -> Iterator[Finding]:
    for location, times in Counter(c.location for c in own.related + own.unrelated).items():
        if times > 1:
            yield Finding(
                role.name, location, f"The location {location!r} is used {times} times for the role."
            )
    for context in own.unrelated:
        alike = [other.location for other in own.related if context.is_like(other)]
        if alike:
            yield Finding(
                role.name,
                context.location,
                f"{context.location!r} is too close to {alike[0]!r} to be unrelated.",
            )


def _of_context(role: Role, context: Context, roles: Sequence[Role]) -> Iterator[str]:
    text = f"{context.location} {context.activity}"
    if context.article != article_for(context.location):
        yield f"It should be {article_for(context.location)} {context.location}."
    if not is_ing_form(context.activity):
        yield f"{context.activity!r} does not begin with a verb in -ing form."
    if text != " ".join(text.split()):
        yield "There is a space too many."
    for word in echoes(role.display_name, text):
        yield f"{word!r} gives the role away."
    for word in _named_roles(text, roles):
        yield f"{word!r} names a role."
    for word in words_of(text):
        if word in words_kept_out():
            yield f"{word!r} suggests {words_kept_out()[word]}."


def _named_roles(text: str, roles: Sequence[Role]) -> list[str]:
    padded = f" {' '.join(words_of(text))} "
    names = [name.casefold() for role in roles for name in (role.display_name, role.plural)]
    return [name for name in names if f" {name} " in padded]


def _crowded_places(roles: Sequence[Role], contexts: Mapping[str, RoleContexts]) -> Iterator[Finding]:
    most = max(1, int(LARGEST_EVERYDAY_SHARE * len(roles)))
    users: dict[str, list[str]] = defaultdict(list)
    for role in roles:
        if role.name in contexts:
            for place in {c.location for c in contexts[role.name].unrelated[:USED_CONTEXTS]}:
                users[place].append(role.name)
    for place, names in sorted(users.items()):
        if len(names) > most:
            yield Finding(
                names[0], place, f"{place!r} serves {len(names)} of {len(roles)} roles, at most {most}."
            )
