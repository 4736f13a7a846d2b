"""What the words of a label say before any likeness of meaning: spelling, negation, head and modifiers.

A merge over a negation, or over a word that says a gender, is never proposed: one would make "no beard" a
beard, the other would remove what the study looks for. A label that adds or changes a modifier ("lab coat",
"trench coat") is proposed, but only ever accepted one by one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from core.keys import key_of
from core.paths import RESOURCES
from core.schema import normal_text

Kind: TypeAlias = Literal["spelling", "alias", "meaning", "modifier", "none"]
"""Why two labels may be one; `none` is for a label about which nothing is proposed."""

SAFE: tuple[Kind, ...] = ("spelling", "alias")
"""Kinds that may be accepted many at a time."""

_ARTICLES = frozenset({"a", "an", "the", "some", "any"})


@dataclass(frozen=True, slots=True)
class Wording:
    """A label taken apart.

    Parameters
    ----------
    key : str
        Equal for two spellings of the same words: plural, hyphen, article, British or American.
    head : str
        What the thing is ("coat" of "lab coat"), folded; for an act its verb ("holding" of "holding a cup").
    modifiers, negated, gendered : frozenset of str
        The other words; what is said not to be there; words that say a gender.
    """

    key: str
    head: str
    modifiers: frozenset[str]
    negated: frozenset[str]
    gendered: frozenset[str]


@cache
def tables() -> Mapping[str, Any]:
    """The word tables of `resources/labels/wording.json`."""
    loaded: dict[str, Any] = json.loads((RESOURCES / "labels" / "wording.json").read_text(encoding="utf-8"))
    return loaded


def tables_key() -> str:
    """Version and content key of the word tables."""
    return f"{tables()['version']}+{key_of(dict(tables()))[:12]}"


def wording(label: str, heads: frozenset[str] = frozenset()) -> Wording:
    """Take a label apart.

    Parameters
    ----------
    label : str
        As said.
    heads : frozenset of str
        Words that may be the end of a compound, beside those known: "coat" makes "raincoat" a kind of coat.

    Examples
    --------
    >>> wording("Lab-coats").key == wording("a lab coat").key
    True
    >>> sorted(wording("raincoat").modifiers), wording("raincoat").head
    (['rain'], 'coat')
    >>> sorted(wording("without any eyewear").negated)
    ['eyewear']
    """
    words = [word for word in _words(label) if word not in _ARTICLES]
    folded, negated, is_negated = [], set(), False
    for word in words:
        if word in tables()["negations"]:
            is_negated = True
            folded.append("no")
            continue
        plain = fold(word)
        folded.append(plain)
        if is_negated:
            negated.add(plain)
        elif (missing := _without(word)) is not None:
            negated.add(missing)
    head, modifiers = _head_and_modifiers(folded, heads)
    said = set(folded)
    gendered = frozenset(said & _gendered())
    return Wording("".join(folded), head, modifiers, frozenset(negated), gendered)


def kind_of(one: Wording, other: Wording) -> Kind:
    """How two labels of like meaning may be merged; `none`: never.

    >>> kind_of(wording("beard"), wording("no beard")), kind_of(wording("lab coat"), wording("trench coat"))
    ('none', 'modifier')
    """
    if one.negated != other.negated or one.gendered != other.gendered:
        return "none"
    if one.key == other.key:
        return "spelling"
    return "meaning" if one.modifiers == other.modifiers else "modifier"


def alias_of(dimension: str, label: str) -> str | None:
    """The label that the table of aliases gives for one, or None."""
    stated: dict[str, str] = tables()["same"].get(dimension, {})
    keys = _alias_keys(dimension)
    key = wording(label).key
    to = stated.get(normal_text(label)) or keys.get(key)
    return None if to is None or wording(to).key == key else to


@cache
def fold(word: str) -> str:
    """A word in the singular and in one spelling.

    >>> fold("scarves"), fold("Boxes".lower()), fold("glasses"), fold("grey")
    ('scarf', 'box', 'glasses', 'gray')
    """
    plain = tables()["irregular"].get(word, word)
    if plain == word and not _is_plural_of_its_own(word):
        plain = _singular(word)
    folded: str = tables()["spellings"].get(plain, plain)
    return folded


@cache
def _gendered() -> frozenset[str]:
    return frozenset(fold(word) for word in tables()["gendered"])


@cache
def _alias_keys(dimension: str) -> dict[str, str]:
    return {wording(said).key: meant for said, meant in tables()["same"].get(dimension, {}).items()}


def _words(label: str) -> list[str]:
    plain = normal_text(label).replace("’", "'")
    return re.findall(r"\w+", re.sub(r"'s\b", "", plain).replace("'", ""))


def _is_plural_of_its_own(word: str) -> bool:
    """Whether the singular is another thing: glasses, and so sunglasses."""
    return any(word == own or (len(own) >= 6 and word.endswith(own)) for own in tables()["plural_of_its_own"])


def _singular(word: str) -> str:
    if len(word) < 4 or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def _without(word: str) -> str | None:
    """What a word like "sleeveless" or "unbuttoned" says is not there."""
    if word in tables()["not_negated"]:
        return None
    if word.endswith("less") and len(word) > 6:
        return fold(word[:-4])
    if word.startswith("un") and len(word) > 6 and word.endswith(("ed", "en")):
        return word[2:]
    return None


def _head_and_modifiers(words: list[str], heads: frozenset[str]) -> tuple[str, frozenset[str]]:
    if not words:
        return "", frozenset()
    if "of" in words[1:-1]:  # "cup of coffee" is a cup
        at = words.index("of", 1)
        words = [*words[at + 1 :], *words[:at]]
    is_act = words[0].endswith("ing") and len(words) > 1 and len(words[0]) > 4
    head, rest = (words[0], words[1:]) if is_act else (words[-1], words[:-1])
    if not is_act:
        for at in range(2, len(head)):  # the longest known end first
            if head[at:] in heads or head[at:] in _known_heads():
                return fold(head[at:]), frozenset([*rest, head[:at]])
    return head, frozenset(rest)


@cache
def _known_heads() -> frozenset[str]:
    return frozenset(tables()["heads"])
