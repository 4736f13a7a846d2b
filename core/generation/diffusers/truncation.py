"""Which words of a prompt a text encoder will not see, because it takes only so many tokens.

A model may have several encoders with limits of their own; each is asked with its own tokenizer. Words
are counted whole: one that is cut in the middle is lost.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.generation.diffusers.loading import pipeline_class, quiet
from core.generation.diffusers.weights import Model
from core.generation.entry import Entry


@dataclass(frozen=True, slots=True)
class Cut:
    """A text that an encoder cuts: its limit, the tokens the text has, and the words lost."""

    encoder: str
    limit: int
    tokens: int
    text: str
    lost: str


def limits(entry: Entry, model: Model) -> dict[str, int]:
    """Encoder -> tokens that it takes of a prompt, marks of beginning and end included."""
    return {name: limit for name, (_, limit) in _encoders(entry, model).items()}


def cuts(entry: Entry, model: Model, texts: Sequence[str]) -> list[Cut]:
    """Every text that an encoder of the model cuts, encoder by encoder."""
    found = []
    for name, (count, limit) in _encoders(entry, model).items():
        for text, tokens in zip(texts, count(texts), strict=True):
            if tokens > limit:
                found.append(Cut(name, limit, tokens, text, _lost(text, count, limit)))
    return found


Count = Callable[[Sequence[str]], list[int]]
"""How many tokens each of some texts has."""


def _encoders(entry: Entry, model: Model) -> dict[str, tuple[Count, int]]:
    found: dict[str, tuple[Count, int]] = {}
    for name, kind in model.classes.items():
        if not name.startswith("tokenizer"):
            continue
        tokenizer = _tokenizer(model, name, kind)
        # A model of this kind has positions for no more; the others are cut where the entry says.
        is_clip = kind.startswith("CLIP")
        limit = int(tokenizer.model_max_length) if is_clip else _longest(entry, model, tokenizer)
        encoder = name.replace("tokenizer", "text_encoder")
        found[f"{encoder} ({model.classes.get(encoder, kind)})"] = (_counter(tokenizer), limit)
    return found


def _tokenizer(model: Model, name: str, kind: str) -> Any:
    import transformers

    cls = getattr(transformers, kind, transformers.AutoTokenizer)
    with quiet():
        return cls.from_pretrained(str(model.folder / name), local_files_only=True)


def _counter(tokenizer: Any) -> Count:
    def count(texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        with quiet():
            return [len(ids) for ids in tokenizer(list(texts), truncation=False).input_ids]

    return count


def _longest(entry: Entry, model: Model, tokenizer: Any) -> int:
    """What the entry says, else what the pipeline class takes by itself, else what the tokenizer says."""
    if entry.max_sequence_length is not None:
        return entry.max_sequence_length
    takes = inspect.signature(pipeline_class(entry, model).__call__).parameters
    default = takes["max_sequence_length"].default if "max_sequence_length" in takes else None
    return int(default if isinstance(default, int) else tokenizer.model_max_length)


def _lost(text: str, count: Count, limit: int) -> str:
    """The words from the first that does not fit; found by halving, since a text may be long."""
    words = text.split(" ")
    fits, too_many = 0, len(words)
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if count([" ".join(words[:middle])])[0] <= limit:
            fits = middle
        else:
            too_many = middle
    return " ".join(words[fits:])
