"""How a prompt is worded: the language of a study's prompts and the patterns its sentences are made by.

    {wording}   a photo of, a picture of …      {article} {role}    a baker
    {activity}  kneading dough                  {place}             a bakery, with its article if it has one

In another language than English nothing is added to what was typed: no article, no check of grammar.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.bank import Context
from core.errors import BadInput
from core.records import Role

WORDINGS = ("a photo of", "a photograph of", "a realistic image of")
MORE_WORDINGS = ("a picture of", "a realistic photo of", "a realistic photograph of")
NUMBER = len(WORDINGS + MORE_WORDINGS)

_NEEDED: Mapping[str, frozenset[str]] = {
    "alone": frozenset({"wording", "role"}),
    "placed": frozenset({"wording", "role", "place"}),
    "doing": frozenset({"wording", "role", "activity", "place"}),
}


@dataclass(frozen=True, slots=True)
class Sentences:
    """Patterns of a role alone, in a place, and doing something in a place; and the six wordings.

    The first wording is that of base prompts; the paper's design uses the first three.
    """

    language: str = "English"
    alone: str = "{wording} {article} {role}"
    placed: str = "{wording} {article} {role} in {place}"
    doing: str = "{wording} {article} {role} {activity} in {place}"
    wordings: tuple[str, ...] = WORDINGS + MORE_WORDINGS

    @property
    def is_english(self) -> bool:
        """Whether articles and -ing forms are those that we can check."""
        return self.language.strip().casefold() in ("english", "en")

    def write(
        self, role: Role, wording: str, context: Context | None = None, with_activity: bool = False
    ) -> str:
        """One sentence.

        >>> baker, mill = Role("baker", "Bäckerin", "", "Bäckerinnen"), Context("Mühle", "", "Mehl mahlend")
        >>> german = Sentences("German", "{wording}: {role}", "{wording}: {role}, {place}",
        ...                    "{wording}: {role}, {activity}, {place}", ("Foto",) * 6)
        >>> german.write(baker, "Foto", mill, with_activity=True)
        'Foto: Bäckerin, Mehl mahlend, Mühle'
        """
        pattern = self.alone if context is None else self.doing if with_activity else self.placed
        words = {"wording": wording, "article": role.article, "role": role.display_name}
        if context is not None:
            words |= {"activity": context.activity, "place": context.place}
        return " ".join(pattern.format_map(words).split())


ENGLISH = Sentences()


def sentences_as_data(sentences: Sentences) -> dict[str, Any]:
    """As JSON-able data that `sentences_from` reads back."""
    return asdict(sentences) | {"wordings": list(sentences.wordings)}


def sentences_from(data: Any) -> Sentences:
    """The sentences of such data.

    Raises
    ------
    BadInput
        When something is missing, a pattern lacks a part or has an unknown one, or wordings are not six
        different ones.
    """
    if not isinstance(data, Mapping):
        raise BadInput("The sentences are no object.", "Write {…} with language, patterns and wordings.")
    texts = {name: _text(data, name) for name in ("language", *_NEEDED)}
    for name, needed in _NEEDED.items():
        _check(name, texts[name], needed)
    wordings = data.get("wordings")
    words = [" ".join(str(one).split()) for one in wordings] if isinstance(wordings, list | tuple) else []
    if len(words) != NUMBER or len(set(words)) != NUMBER or not all(words):
        raise BadInput(f"There are {len(set(words) - {''})} wordings.", f"Write {NUMBER} different ones.")
    return Sentences(**texts, wordings=tuple(words))


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"The sentences have no {name!r}.", "Write it.")
    return " ".join(value.split())


def _check(name: str, pattern: str, needed: frozenset[str]) -> None:
    try:
        found = list(string.Formatter().parse(pattern))
    except ValueError as error:
        raise BadInput(f"The pattern {pattern!r} cannot be read: {error}.", "Close every brace.") from error
    # With a width such as {role:>999999999} one sentence would fill the memory.
    parts = {f"{part}:{spec}" if spec or how else part for _, part, spec, how in found if part is not None}
    missing, unknown = sorted(needed - parts), sorted(parts - needed - {"article"})
    if missing or unknown:
        what = f"has no {{{missing[0]}}}" if missing else f"has {{{unknown[0]}}}, which means nothing here"
        raise BadInput(f"The pattern {pattern!r} {what}.", f"It is made of {', '.join(sorted(needed))}.")
