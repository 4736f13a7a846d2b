"""Which contexts a role gets in the unrelated condition, by one of two rules that a study records.

everyday   the everyday places of the bank (park, kitchen, supermarket …), spread evenly over the roles
permuted   the related contexts of the *other roles of the study*, each dealt exactly once

With `permuted`, CA-R and CA-U hold exactly the same places and activities within the study and only the
pairing with roles differs, so a pooled change between the two cannot come from the places themselves.
First contexts are dealt to first places in the row, second to second (a Latin square of two rows).
A role never gets a context that is like one of its own (same location or a field in common) or that
echoes its name. When the roles are too alike for that, the study is refused with the roles in question;
nothing is relaxed silently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from core.bank import USED_CONTEXTS, Context, RoleContexts
from core.errors import BadInput
from core.grammar import echoes
from core.keys import seed_of
from core.records import Role

Unrelated: TypeAlias = Literal["permuted", "everyday"]

_Options: TypeAlias = Mapping[str, Sequence[str]]

_ATTEMPTS = 20
"""How many first rows are tried before two roles are called too alike."""


def unrelated_contexts(
    roles: Sequence[Role],
    contexts: Mapping[str, RoleContexts],
    rule: Unrelated = "permuted",
    seed: int = 0,
) -> dict[str, tuple[Context, ...]]:
    """Role name -> its two unrelated contexts. The order of `roles` makes no difference.

    Raises
    ------
    BadInput
        If a role has fewer than two contexts of the kind needed, or the roles cannot be dealt.
    """
    kind = "related" if rule == "permuted" else "unrelated"
    for role in roles:
        if len(getattr(contexts[role.name], kind)) < USED_CONTEXTS:
            raise BadInput(f"The role {role.display_name} needs {USED_CONTEXTS} {kind} contexts.")
    if rule == "everyday":
        return {role.name: contexts[role.name].unrelated[:USED_CONTEXTS] for role in roles}
    return _permuted(roles, {role.name: contexts[role.name].related for role in roles}, seed)


def _permuted(
    roles: Sequence[Role], related: Mapping[str, tuple[Context, ...]], seed: int
) -> dict[str, tuple[Context, ...]]:
    if len(roles) < 2:
        raise BadInput(
            "A study of one role has no other role whose contexts could serve as unrelated.",
            "Add a role of another field, or choose the rule everyday.",
        )
    allowed = _allowed(roles, related)
    stuck: set[str] = set()
    for attempt in range(_ATTEMPTS):
        first, stuck = _deal(allowed[0], seed, 0, attempt)
        if first is None:
            break
        second, stuck = _second_row(allowed[1], related, first, seed, attempt)
        if second is not None:
            return {name: (related[first[name]][0], related[second[name]][1]) for name in related}
    shown = ", ".join(sorted(stuck)[:6]) + (" …" if len(stuck) > 6 else "")
    raise BadInput(
        f"The contexts of these {len(roles)} roles are too alike to be dealt out as unrelated ({shown}).",
        "Add roles of other fields, or choose the rule everyday.",
    )


def _allowed(roles: Sequence[Role], related: Mapping[str, tuple[Context, ...]]) -> list[_Options]:
    """For each row: role -> the other roles whose context in that row it may get."""
    return [
        {
            role.name: [
                giver
                for giver, theirs in related.items()
                if giver != role.name and _is_apart(role, related[role.name], theirs[row])
            ]
            for role in roles
        }
        for row in range(USED_CONTEXTS)
    ]


def _is_apart(role: Role, own: Sequence[Context], context: Context) -> bool:
    if any(context.is_like(each) for each in own):
        return False
    return not echoes(role.display_name, f"{context.location} {context.activity}")


def _second_row(
    options: _Options,
    related: Mapping[str, tuple[Context, ...]],
    first: Mapping[str, str],
    seed: int,
    attempt: int,
) -> tuple[dict[str, str] | None, set[str]]:
    """Deal the second contexts: best from another giver and unlike the first, else in another place."""

    def is_wholly_other(receiver: str, giver: str) -> bool:
        one, other = related[first[receiver]][0], related[giver][1]
        return giver != first[receiver] and not one.is_like(other)

    def is_elsewhere(receiver: str, giver: str) -> bool:
        return related[first[receiver]][0].location != related[giver][1].location

    stuck: set[str] = set()
    for fits in (is_wholly_other, is_elsewhere):
        narrowed = {name: [giver for giver in options[name] if fits(name, giver)] for name in options}
        second, stuck = _deal(narrowed, seed, 1, attempt)
        if second is not None:
            return second, set()
    return None, stuck


def _deal(options: _Options, seed: int, row: int, attempt: int) -> tuple[dict[str, str] | None, set[str]]:
    """Give every role another role's context, each once, in an order that only the seed decides.

    A perfect matching by augmenting paths. Without one, the second result holds the roles that compete
    for too few contexts.
    """
    shuffled = {name: _shuffled(options[name], seed, row, attempt, name) for name in options}
    taken_by: dict[str, str] = {}
    for name in _shuffled(options, seed, row, attempt):
        asked: set[str] = set()
        if not _seat(name, shuffled, taken_by, asked):
            return None, {name} | {taken_by[giver] for giver in asked if giver in taken_by}
    return {receiver: giver for giver, receiver in taken_by.items()}, set()


def _seat(name: str, options: _Options, taken_by: dict[str, str], asked: set[str]) -> bool:
    for giver in options[name]:
        if giver in asked:
            continue
        asked.add(giver)
        if giver not in taken_by or _seat(taken_by[giver], options, taken_by, asked):
            taken_by[giver] = name
            return True
    return False


def _shuffled(names: Iterable[str], *key: int | str) -> list[str]:
    """Names in an order that depends on the key and not on the order they came in."""
    return sorted(names, key=lambda name: seed_of("unrelated", *key, name))
