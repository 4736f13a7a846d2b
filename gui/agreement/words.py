"""Sentences of the Agreement page: what is missing, what a lock means, what the signs are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.agreement.legend import draw_band, draw_diamond, draw_info
from gui.agreement.reading import FEWEST_ANNOTATORS, Situation, what_locking_needs
from gui.models.agreement_rows import Level
from gui.models.missing import Missing
from gui.widgets.sign_legend import LegendItem
from gui.words import counted

if TYPE_CHECKING:
    from storage.study import Round

WILL_BE_HERE = "Here will stand how far people agree with one another and with the pipeline"


def what_is_missing(situation: Situation, which: Round | None, pages: frozenset[str]) -> Missing | None:
    """What agreement lacks in this study, None when it can be computed."""
    team = "team" if "team" in pages else "annotate" if "annotate" in pages else ""
    if which is None or not situation.image_sets:
        if not situation.images:
            act = "Choose generators" if "generate" in pages else ""
            sentence = "No images yet, so there are no image sets to answer."
            return Missing(WILL_BE_HERE, sentence, act, "generate" if act else "")
        sentence = f"No round yet. {counted(situation.images, 'image')} are ready for image sets."
        act = {"team": "Design a round", "annotate": "Open Annotate"}.get(team, "")
        return Missing(WILL_BE_HERE, sentence, act, team)
    if len(situation.answering) < FEWEST_ANNOTATORS:
        who = ", ".join(
            f"{one.person.full_name} has {counted(one.answers, 'answer')}" for one in situation.answering
        )
        there = f"{who}." if who else "Nobody has answered yet."
        sentence = (
            f"Agreement needs the answers of two annotators. {there} "
            f"{counted(situation.image_sets, 'image set')} wait."
        )
        act = {"team": "See the team", "annotate": "Open Annotate"}.get(team, "")
        return Missing(WILL_BE_HERE, sentence, act, team)
    return None


def lock_consequences(which: Round, situation: Situation) -> tuple[str, ...]:
    """What locking does, before it is done."""
    lines = [what_locking_needs(which, situation)]
    lines.append("No answer can be added or changed afterwards, and the round is not opened again.")
    if not situation.is_sample:
        lines.append("From then on people are compared with the pipeline here.")
    return tuple(lines)


def legend_items(situation: Situation, which: Round, level: Level) -> list[LegendItem]:
    """The signs above the grid."""
    rest = max(len(situation.answering) - 1, 1)
    others = "the other" if rest == 1 else f"the other {_count_word(rest)}"
    items = [
        LegendItem("value, 95 % interval over image sets"),
        LegendItem(f"human ceiling: one person with {others}", draw_band),
    ]
    if situation.is_pipeline_open(which):
        items.append(LegendItem(f"pipeline with the same {_count_word(rest)}", draw_diamond))
    if level is Level.CATEGORY:
        items.append(LegendItem("one label dominates, κ is fragile", draw_info))
    elif level is Level.IMAGE:
        items.append(LegendItem("single images: marked or not, by those who chose the same label"))
    else:
        items.append(LegendItem("mean difference of counts for the same label, in images: less is closer"))
    return items


def _count_word(number: int) -> str:
    return {1: "one", 2: "two", 3: "three", 4: "four"}.get(number, str(number))


def why_open(situation: Situation, which: Round) -> str:
    """Why the pipeline is compared although the round is open; "" where it is locked."""
    is_early = situation.is_pipeline_open(which) and not which.is_locked
    return "open: sample study" if is_early else ""
