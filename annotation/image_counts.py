"""How two sides judged single images: whether each shows the label that was chosen for its image set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from annotation.agreement import Contingency
from annotation.agreement_tables import words_of
from annotation.coding import code_answers
from annotation.image_marks import LABELS, image_sheet
from core.questions import Question


def image_contingency(
    answers: pd.DataFrame,
    question: Question,
    a: str,
    b: str,
    *,
    pipeline: pd.DataFrame | None = None,
    readings: pd.DataFrame | None = None,
    unknown: Any = "label",
) -> Contingency:
    """Images by what `a` and `b` say of them, for those who chose the same label.

    Parameters
    ----------
    answers, pipeline, readings, unknown
        As in `annotation.agreement.agreement`.
    question : Question
        The question.
    a, b : str
        An annotator, "consensus" (what more people say of an image) or "pipeline".

    Returns
    -------
    Contingency
        Labels "not shown" and "shown", then those in parentheses for what consensus or pipeline did not
        decide. `image_sets` names a set once for each of its images in the cell. All zero where nobody
        marked anything that can be used.

    Raises
    ------
    BadInput
        Nobody of that name.
    """
    sheet = code_answers(answers, pipeline, [question], unknown)
    images, _ = image_sheet(sheet, answers, readings, [question])
    if images is None:
        return Contingency(LABELS, np.zeros((2, 2), dtype=np.int64), {})
    coded = images.questions[0]
    first, second = (words_of(images, coded, who) for who in (a, b))
    extra = sorted({word for word in (*first, *second) if word.startswith("(")})
    labels = (*LABELS, *extra)
    code = {label: position for position, label in enumerate(labels)}
    cells: dict[tuple[int, int], list[str]] = {}
    assert coded.places is not None
    for place, one, other in zip(coded.places, first, second, strict=True):
        if one and other:
            cells.setdefault((code[one], code[other]), []).append(images.image_sets[place])
    matrix = np.zeros((len(labels), len(labels)), dtype=np.int64)
    for cell, found in cells.items():
        matrix[cell] = len(found)
    return Contingency(labels, matrix, {cell: tuple(found) for cell, found in sorted(cells.items())})
