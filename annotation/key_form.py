"""The form in which a study lead gives right answers: to the training sets, and to sets that become gold.

Pictures that were not drawn come without a known truth, so somebody has to say what is right. The form has a
row a question of each such set; rows left empty stay unknown and are not scored.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from annotation.design import RoundDesign, design_of
from annotation.right_answers import right_answers
from core.csv_rows import read_rows
from core.keys import key_of
from core.packets import TRAINING
from core.questions import Question
from core.records import ImageSet
from core.set_wording import for_images

GOLD = "gold"
FORM_COLUMNS = (
    *("image_set", "purpose", "question", "wording", "options", "images"),
    *("label", "slider", "marks"),
)

NEEDED = ("image_set", "question", "label")
"""Columns of a filled form without which no right answer can be read."""


def key_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a filled form; BadInput where it is no table or lacks a column."""
    return read_rows(path, FORM_COLUMNS, NEEDED)


def key_form(
    design: RoundDesign,
    sets: Sequence[ImageSet],
    training: Sequence[ImageSet],
    questions: Sequence[Question],
    known: Collection[tuple[int, str]],
) -> list[dict[str, Any]]:
    """Rows to be filled in, training first.

    Parameters
    ----------
    design : RoundDesign
        How many gold sets are wanted, and the seed that picks them.
    sets, training : sequence of ImageSet
        Of the study, and to practise on.
    questions : sequence of Question
        What the round asks. A label is one of the options; accepted words of an open question are parted
        by a bar.
    known : collection of (image set, question)
        What has its right answer already; such a row is left out.
    """
    gold = {one.image_set_id for one in sets if any(number == one.image_set_id for number, _ in known)}
    wanted = max(round(design.gold_share * len(sets)) - len(gold), 0)
    open_sets = [one for one in sets if one.image_set_id not in gold]
    picked = sorted(open_sets, key=lambda one: key_of(["gold", design.seed, one.key]))[:wanted]
    asked = [(one, TRAINING) for one in training] + [(one, GOLD) for one in picked]
    return [
        {
            "image_set": one.key,
            "purpose": purpose,
            "question": question.id,
            "wording": for_images(question.wording, len(one.images)),
            "options": " | ".join(question.option_ids) or "own words, several parted by a bar",
            "images": " ".join(image.path for image in one.images),
            **dict.fromkeys(FORM_COLUMNS[-3:], ""),
        }
        for one, purpose in asked
        for question in questions
        if (one.image_set_id, question.id) not in known
    ]


def key_form_in(study: Any, found: Any, questions: Sequence[Question]) -> list[dict[str, Any]]:
    """The form of a round of an open study."""
    design = design_of(found.settings, found.seed) or RoundDesign(found.seed, gold_share=0.0)
    sets, training = study.image_sets(found.round_id), study.image_sets(found.round_id, TRAINING)
    return key_form(design, sets, training, questions, set(right_answers(study, found.round_id, questions)))
