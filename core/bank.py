"""The bank: 92 roles, and for each role contexts that belong to it (related) and that do not (unrelated).

A context is a location with its article and an activity that fits both the location and a person. Its
`fields` say what part of life it belongs to (health, office, transport …); two contexts with a field in
common are alike, and a role's unrelated contexts are never like its related ones. Everything in the bank
was written for this project; a study may edit it, and `bank_check` says what is wrong with an edited one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.json_files import read_json
from core.keys import key_of
from core.paths import RESOURCES
from core.records import Role

BANK = RESOURCES / "bank"

USED_CONTEXTS = 2
"""Both designs use the first two related and the first two unrelated contexts of a role."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where a person is and what they do there: `examining a patient` in `a` `clinic`."""

    location: str
    article: str
    activity: str
    fields: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The location with its article, where its language has one: "a clinic"."""
        return f"{self.article} {self.location}".strip()

    def is_like(self, other: Context) -> bool:
        """Whether two contexts share their location or a field of life."""
        return self.location == other.location or bool(set(self.fields) & set(other.fields))


@dataclass(frozen=True, slots=True)
class RoleContexts:
    """The contexts of one role; `unrelated` are everyday places, used by the rule `everyday`."""

    related: tuple[Context, ...]
    unrelated: tuple[Context, ...]


def load_roles(path: Path | None = None) -> tuple[Role, ...]:
    """The 92 roles in alphabetical order, or those of a user's own file of the same form."""
    path = path or BANK / "roles.json"
    items = _read(path).get("roles")
    if not isinstance(items, list) or not items:
        raise BadInput(f"{path.name} has no list of roles.")
    roles = tuple(_role(item, path.name) for item in items)
    names = [role.name for role in roles]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"{path.name} has the role {name} twice.", "Keep one of them.")
    return roles


def load_contexts(path: Path | None = None) -> dict[str, RoleContexts]:
    """The contexts of every role by role name, or those of a user's own file of the same form."""
    path = path or BANK / "contexts.json"
    items = _read(path).get("contexts")
    if not isinstance(items, dict) or not items:
        raise BadInput(
            f"{path.name} has no contexts.",
            "If `bank` wrote it, none was accepted yet: `main.py bank STUDY review --accept KEY`.",
        )
    return {role: _role_contexts(role, item, path.name) for role, item in items.items()}


def contexts_as_data(contexts: Mapping[str, RoleContexts]) -> dict[str, Any]:
    """Contexts as JSON-able data that `load_contexts` reads back."""
    plain = {
        role: {"related": _context_data(each.related), "unrelated": _context_data(each.unrelated)}
        for role, each in contexts.items()
    }
    return {"version": "1.0", "contexts": plain}


def bank_hash(roles: Sequence[Role], contexts: Mapping[str, RoleContexts]) -> str:
    """Content key of the roles of a study and their contexts, whatever their order."""
    chosen = {role.name: asdict(role) for role in roles}
    plain = contexts_as_data({name: contexts[name] for name in chosen if name in contexts})
    return key_of({"roles": chosen, "contexts": plain["contexts"]})


def _read(path: Path) -> dict[str, Any]:
    data = read_json(path)
    return data if isinstance(data, dict) else {}


def _role(item: Any, where: str) -> Role:
    parts = ("name", "display_name", "article", "plural")
    if not isinstance(item, dict) or not all(_is_text(item.get(part)) for part in parts):
        raise BadInput(f"{where}: a role needs name, display_name, article and plural: {item!r}.")
    name, display_name, article, plural = (str(item[part]) for part in parts)
    return Role(name, display_name, article, plural, item.get("soc_code"), item.get("soc_title"))


def _role_contexts(role: str, item: Any, where: str) -> RoleContexts:
    if not isinstance(item, dict) or not all(isinstance(item.get(c), list) for c in ("related", "unrelated")):
        raise BadInput(f"{where}: {role} needs a list of related and a list of unrelated contexts.")
    return RoleContexts(
        tuple(_context(role, each, where) for each in item["related"]),
        tuple(_context(role, each, where) for each in item["unrelated"]),
    )


def _context(role: str, item: Any, where: str) -> Context:
    is_whole = isinstance(item, dict) and isinstance(item.get("article"), str)
    if not is_whole or not all(_is_text(item.get(part)) for part in ("location", "activity")):
        raise BadInput(f"{where}: a context of {role} needs location, article and activity: {item!r}.")
    location, article, activity = (str(item[part]) for part in ("location", "article", "activity"))
    return Context(location, article, activity, tuple(item.get("fields", ())))


def _context_data(contexts: Iterable[Context]) -> list[dict[str, Any]]:
    return [
        {"location": c.location, "article": c.article, "activity": c.activity, "fields": list(c.fields)}
        for c in contexts
    ]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
