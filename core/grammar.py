"""The little English that prompts need: *a* or *an*, -ing forms, and whether two words share a stem."""

from __future__ import annotations

import re

_LETTERS_WITH_AN = "AEFHILMNORSX"
_SAID_AS_WORDS = {"NASA", "NATO", "UNESCO", "UNICEF", "FIFA", "AIDS", "OPEC"}
_AN_DESPITE_CONSONANT = ("hour", "honest", "honor", "honour", "heir")
_A_DESPITE_VOWEL = ("eu", "ewe", "ubiq", "ukr", "usa", "use", "usi", "usu", "uti", "uto", "ura", "uri")
_NOT_A_YOU = ("unin", "unim", "unid", "unir")
_AN_NUMBERS = re.compile(r"(8\d*|11|18)(?!\d)")
_NOT_ING_FORMS = {"king", "ring", "wing", "string", "spring", "thing", "nothing", "something", "anything",
                  "everything", "ceiling", "morning", "evening", "sibling", "inning"}  # fmt: skip
_ENDINGS = ("person", "ress", "ess", "ers", "er", "or", "ist", "ian", "ant", "ing", "ive", "yst", "e")


def article_for(phrase: str) -> str:
    """The indefinite article by the sound of the first word.

    >>> [article_for(word) for word in ("accountant", "CEO", "MRI scan", "European", "hour", "one-room flat")]
    ['an', 'a', 'an', 'a', 'an', 'a']
    """
    word = phrase.strip().split()[0] if phrase.strip() else ""
    first_part = re.split(r"[-’']", word)[0]
    if first_part[:1].isdigit():
        return "an" if _AN_NUMBERS.match(first_part) else "a"
    if _is_spelt_out(first_part):
        return "an" if first_part[0] in _LETTERS_WITH_AN else "a"
    sound = word.casefold()
    if sound.startswith(_AN_DESPITE_CONSONANT):
        return "an"
    if sound.startswith("uni") and not sound.startswith(_NOT_A_YOU):
        return "a"
    if sound.startswith(_A_DESPITE_VOWEL) or first_part.casefold() in ("one", "once"):
        return "a"
    return "an" if sound[:1] in tuple("aeiou") else "a"


def is_ing_form(activity: str) -> bool:
    """Whether an activity begins with a verb in -ing form.

    >>> is_ing_form("examining a patient"), is_ing_form("examine a patient"), is_ing_form("morning walk")
    (True, False, False)
    """
    first = activity.split()[0].casefold() if activity.split() else ""
    verb = first.split("-")[-1]
    return len(verb) > 4 and verb.endswith("ing") and verb not in _NOT_ING_FORMS


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without digits and signs."""
    return re.findall(r"[a-z]+", text.casefold())


def stem_of(word: str) -> str:
    """What is left of a word without the ending of an occupation or a verb, at least three letters.

    >>> [stem_of(word) for word in ("baker", "writer", "dancer", "waitress", "CEO")]
    ['bak', 'writ', 'danc', 'wait', 'ceo']
    """
    plain = word.casefold()
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= 3:
            return plain[: -len(ending)]
    return plain


def echoes(name: str, text: str) -> list[str]:
    """Words of `text` that begin with the stem of a word of `name`: they would give a role away.

    >>> echoes("baker", "a bakery"), echoes("bus driver", "a cab"), echoes("welder", "welding a pipe")
    (['bakery'], [], ['welding'])
    """
    stems = tuple(stem_of(word) for word in words_of(name))
    return [word for word in words_of(text) if word.startswith(stems)]


def _is_spelt_out(word: str) -> bool:
    """Whether a word is read letter by letter: MRI, CEO, the X of X-ray."""
    return word.isalpha() and word.isupper() and word not in _SAID_AS_WORDS
