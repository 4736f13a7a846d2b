"""What is next in a validation, in words: prompts, images, readings, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from gui.validation.facts import SERVED, Situation
from gui.validation.result import side_words
from gui.words import counted, thousands

NOTHING_READ = "Read the study's images first: the prompts are made of the labels that dominate in it."
PARTS = (
    "Equal parts with the stereotype, against it and neutral, and “without” prompts, mined from the labels "
    "that dominate in what {name} read. They are kept in a study of their own inside this one, so that no "
    "image of them enters the audit."
)
NO_PICTURES = "Their images show whether {name} sees what a prompt states. Choose a generator above."
NO_READER = "{name} runs elsewhere: read {folder} there, as any other study."


@dataclass(frozen=True, slots=True)
class NextStep:
    """The empty page's two lines, the caption of the one act ("" for none), its kind, and facts below.

    `kind` is prompts, images or read; `extractor` is who reads.
    """

    first: str = ""
    second: str = ""
    act: str = ""
    kind: str = ""
    extractor: str = ""
    facts: str = ""


def next_step(found: Situation, name: str, judge: str, generator: str, most: int) -> NextStep:
    """What is to be done next for an extractor, with a second judge and a generator."""
    if not name:
        return NextStep("No image was read yet.", NOTHING_READ)
    if not found.stated:
        first = f"No prompts for {name} yet."
        return NextStep(first, PARTS.format(name=name), f"Make up to {most} prompts", "prompts")
    facts = _facts(found)
    missing = found.missing(generator)
    if not found.images:
        act = f"Make {counted(missing, 'image')}" if missing else ""
        first = f"{counted(len(found.stated), 'prompt')} with a stated attribute, and no image of them yet."
        return NextStep(first, NO_PICTURES.format(name=name), act, "images", facts=facts)
    for reader in filter(None, (name, judge)):
        unread = found.unread_by(reader)
        if unread:
            return _reading(found, reader, unread, facts)
    if missing and generator in found.made:
        act = f"Make {counted(missing, 'image')}"
        return NextStep(act=act, kind="images", facts=facts)
    return NextStep(facts=facts)


def _reading(found: Situation, reader: str, unread: int, facts: str) -> NextStep:
    first = f"{reader} has not read {thousands(unread)} of {counted(found.images, 'image')}."
    if reader not in found.here and not reader.startswith(SERVED):
        where = str(found.folder) if found.folder else ""
        return NextStep(first, NO_READER.format(name=reader, folder=where), facts=f"{first} {facts}")
    more = "…" if reader.startswith(SERVED) else ""
    act = f"Read {counted(unread, 'image')}{more}"
    return NextStep(first, "", act, "read", reader, facts=f"{first} {facts}")


def _facts(found: Situation) -> str:
    sides = ", ".join(f"{thousands(count)} {side_words(side.value)}" for side, count in found.sides().items())
    made = ", ".join(f"{thousands(count)} of {name}" for name, count in sorted(found.made.items()))
    images = f"; images: {made}" if made else ""
    return f"{counted(len(found.stated), 'prompt')}: {sides}{images}."
