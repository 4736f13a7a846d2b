"""Roles that no bank has: how they are written, and a bank of one's own beside the one of this release."""

from __future__ import annotations

from pathlib import Path

from core.bank import RoleContexts, load_contexts, load_roles
from core.grammar import article_for
from core.json_files import read_json
from core.records import Role
from core.sentences import ENGLISH, Sentences, sentences_from


def new_role(words: str, *, is_english: bool = True) -> Role:
    """A role that no bank has; in another language it is written as it was typed, without an article.

    >>> new_role("Drone Pilot").name, new_role("Umbrella Engineer").article
    ('drone_pilot', 'an')
    >>> new_role("Bäckerin", is_english=False).display_name
    'Bäckerin'
    """
    if not is_english:
        typed = " ".join(words.split())
        return Role(typed.casefold().replace(" ", "_"), typed, "", typed)
    plain = " ".join(words.replace("_", " ").split()).casefold()
    return Role(plain.replace(" ", "_"), plain, article_for(plain), f"{plain}s")


def own_bank(path: Path) -> tuple[tuple[Role, ...], dict[str, RoleContexts], Sentences]:
    """The roles that a file adds to the bank, all contexts, the file's own first, and the wording it states.

    Parameters
    ----------
    path : Path
        JSON as `main.py bank STUDY export --out FILE.json` writes it; BadInput for another file.
    """
    own = load_contexts(path)
    loaded = read_json(path)
    sentences = sentences_from(loaded["sentences"]) if loaded.get("sentences") else ENGLISH
    written = loaded.get("roles") if isinstance(loaded.get("roles"), dict) else {}
    known = {role.name for role in load_roles()}
    roles = tuple(
        new_role(str(written.get(name, name)), is_english=sentences.is_english)
        for name in own
        if name not in known
    )
    return roles, load_contexts() | own, sentences
