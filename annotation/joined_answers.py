"""Which spellings of an answer were read as one label, in the rows that people gave."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.joined_labels import joined_labels
from core.questions import Question
from core.records import UNKNOWN


def joined_answers(answers: pd.DataFrame, questions: Sequence[Question]) -> pd.DataFrame:
    """Labels of answers that were said in another spelling than their own.

    Parameters
    ----------
    answers : DataFrame
        As for `annotation.agreement.agreement`.
    questions : sequence of Question
        What was asked; other rows are not looked at.

    Returns
    -------
    DataFrame
        Columns question, label, said, rows, how, as in `core.joined_labels`.

    Examples
    --------
    >>> from core.questions import load_questions
    >>> said = pd.DataFrame({"question": "skin_tone", "label": ["light", "Light "]})
    >>> joined_answers(said, load_questions())["how"].tolist()
    ['spaces, case', '']
    """
    asked = {question.id: question for question in questions}

    def meaning(question: str, said: str) -> str:
        found = asked[question].meaning(said) if question in asked else ""
        return "" if found == UNKNOWN else found

    return joined_labels(answers, meaning, of="question")
