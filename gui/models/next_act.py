"""The next sensible act of a study, from its counts alone."""

from __future__ import annotations

from dataclasses import dataclass

from gui.words import counted, duration, rate, thousands


@dataclass(frozen=True, slots=True)
class Counts:
    """What a study has, as far as the next act depends on it.

    `wanted` numbers are what the plan asks for; `open_answers` and `packets_out` are of the newest round,
    while it is open; paces are steps a second as last measured on this machine, None where nothing was
    measured.
    """

    prompts: int = 0
    generators: int = 0
    images: int = 0
    images_wanted: int = 0
    records: int = 0
    image_sets: int = 0
    annotators: int = 0
    answers: int = 0
    answers_wanted: int = 0
    open_answers: int = 0
    packets_out: int = 0
    open_rounds: int = 0
    locked_rounds: int = 0
    is_generating: bool = False
    is_extracting: bool = False
    generating_pace: float | None = None
    extracting_pace: float | None = None


@dataclass(frozen=True, slots=True)
class NextAct:
    """An act worth doing now: what, what it takes, the button that leads to it, and why this one."""

    title: str
    facts: str
    button: str
    page: str
    reason: str


def next_act(counts: Counts) -> NextAct:
    """Pick the first thing in the order of the study that is missing and not under way."""
    for candidate in (_prompts, _first_images, _more_images, _records, _round, _answers, _lock):
        act = candidate(counts)
        if act is not None:
            return act
    return _read(counts)


def _prompts(counts: Counts) -> NextAct | None:
    if counts.prompts or counts.images:
        return None
    return NextAct(
        "Bring in images",
        "This study has no prompts of its own.",
        "Import a folder",
        "generate",
        "Without prompts nothing can be generated, but pictures made elsewhere can be brought in.",
    )


def _first_images(counts: Counts) -> NextAct | None:
    if counts.images or counts.is_generating:
        return None
    facts = f"No images yet. {counted(counts.prompts, 'prompt')} {_are(counts.prompts)} ready."
    reason = "Everything that follows, labels by people and by a pipeline, is read off images."
    return NextAct("Make the first images", facts, "Choose generators", "generate", reason)


def _more_images(counts: Counts) -> NextAct | None:
    missing = counts.images_wanted - counts.images
    if missing <= 0 or counts.is_generating:
        return None
    return NextAct(
        f"Make {counted(missing, 'more image')}",
        _takes(missing, counts.generating_pace),
        "Continue generating",
        "generate",
        f"{thousands(counts.images)} of {thousands(counts.images_wanted)} images are there; conditions "
        "can only be compared when they have equally many.",
    )


def _records(counts: Counts) -> NextAct | None:
    unread = counts.images - counts.records
    if unread <= 0 or counts.is_extracting:
        return None
    new = " new" if counts.records else ""
    return NextAct(
        f"Extract records from {thousands(unread)}{new} image{'' if unread == 1 else 's'}",
        _takes(unread, counts.extracting_pace),
        "Check and extract",
        "extract",
        "Bias Intensity and Context Consistency Score are computed from records; the human study then "
        "says how far the records can be trusted.",
    )


def _round(counts: Counts) -> NextAct | None:
    if counts.image_sets:
        return None
    return NextAct(
        "Design the human study",
        "Sets of ten images for people to label; about an hour for 20 sets.",
        "Design a round",
        "team",
        "Without answers by people nobody knows whether the records are right.",
    )


def _answers(counts: Counts) -> NextAct | None:
    missing = counts.open_answers
    # Nothing asked is not everything answered: without anybody, or any answer, there is nothing to lock.
    if not counts.open_rounds or (missing <= 0 and counts.annotators and counts.answers):
        return None
    if not counts.annotators:
        wait = "waits" if counts.image_sets == 1 else "wait"
        facts = f"Nobody has been asked yet: {counted(counts.image_sets, 'image set')} {wait} for annotators."
    else:
        facts = f"{counted(missing, 'answer is', 'answers are')} still open."
    reason = "Agreement needs at least two annotators on the same image sets."
    if counts.packets_out:
        facts += f" {counted(counts.packets_out, 'packet is', 'packets are')} out."
        return NextAct("Merge what comes back", facts, "Look at the team", "team", reason)
    return NextAct("Label image sets", facts, "Annotate", "annotate", reason)


def _lock(counts: Counts) -> NextAct | None:
    if not counts.open_rounds:
        return None
    return NextAct(
        "Lock the round",
        f"{counted(counts.answers, 'answer is', 'answers are')} in, and none is open.",
        "Look at the team",
        "team",
        "People with the pipeline can be compared once no answer can change any more.",
    )


def _read(counts: Counts) -> NextAct:
    if counts.locked_rounds:
        return NextAct(
            "Read agreement",
            "Every answer is in and the round is locked.",
            "Read agreement",
            "agreement",
            "How far people agree bounds how far the records can be trusted.",
        )
    return NextAct(
        "Read the results",
        f"{counted(counts.records, 'record')} {_are(counts.records)} there.",
        "Read results",
        "results",
        "Nothing is missing.",
    )


def _takes(number: int, pace: float | None) -> str:
    if not pace:
        return "How long it takes is measured on the first few."
    return f"About {duration(number / pace)} at the {rate(pace, 'images')} measured on this machine."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
