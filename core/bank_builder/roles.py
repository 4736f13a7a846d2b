"""Roles that no bank has: how they are written, and a bank of one's own beside the one of this release."""

from __future__ import annotations

from pathlib import Path

from core.bank import RoleContexts, load_contexts, load_roles
from core.grammar import article_for
from core.records import Role


def new_role(words: str) -> Role:
    """A role that no bank has.

    >>> new_role("Drone Pilot").name, new_role("Umbrella Engineer").article
    ('drone_pilot', 'an')
    """
    plain = " ".join(words.replace("_", " ").split()).casefold()
    return Role(plain.replace(" ", "_"), plain, article_for(plain), f"{plain}s")


def own_bank(path: Path) -> tuple[tuple[Role, ...], dict[str, RoleContexts]]:
    """The roles that a file of contexts adds to the bank, and all contexts, the file's own first.

    Parameters
    ----------
    path : Path
        JSON as `main.py bank STUDY export --out FILE.json` writes it; BadInput for another file.
    """
    own = load_contexts(path)
    known = {role.name for role in load_roles()}
    return tuple(new_role(name) for name in own if name not in known), load_contexts() | own
