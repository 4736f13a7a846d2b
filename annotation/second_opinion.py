"""A second opinion on what people agreed on: labels weighed by how often each person seems to err.

A majority counts every person alike. Dawid and Skene's model estimates from the answers alone what each
image set shows and how each person errs. Where it differs from the consensus, the image sets are worth
a look; the consensus stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from annotation.coding import code_answers
from core.questions import Question
from core.statistics.dawid_skene import DawidSkene, dawid_skene, rating_counts

if TYPE_CHECKING:
    import pandas as pd

SMOOTHING = 0.01
"""Added to every cell of a person's table: with few image sets a rare answer stays possible."""


@dataclass(frozen=True)
class SecondOpinion:
    """What the model makes of the answers to one question.

    Attributes
    ----------
    labels : mapping
        Image set (its key) to its most probable label; sets without an answer or with a tie are missing.
    differs : tuple of str
        Image sets whose consensus is another label.
    decides : tuple of str
        Image sets that have no consensus, and have a label here.
    accuracy : mapping
        Annotator to the estimated share of right answers, 0 to 1.
    reason : str
        Why there is no opinion, or what to beware of.
    """

    labels: Mapping[str, str]
    differs: tuple[str, ...] = ()
    decides: tuple[str, ...] = ()
    accuracy: Mapping[str, float] | None = None
    reason: str = ""

    @property
    def is_defined(self) -> bool:
        """Whether there is one."""
        return self.accuracy is not None


def second_opinion(answers: pd.DataFrame, question: Question, unknown: str = "label") -> SecondOpinion:
    """The most probable label of every image set of a question, and each annotator's estimated accuracy.

    Parameters
    ----------
    answers, unknown
        As in `annotation.agreement.agreement`; only the answers to the question count.
    question : Question

    Returns
    -------
    SecondOpinion
        Empty with a reason for fewer than three annotators, or when everybody said the same throughout.
    """
    sheet = code_answers(answers[answers["question"] == question.id], None, [question], unknown)
    coded = sheet.questions[0]
    fit = dawid_skene(rating_counts(coded.ratings, len(coded.labels)), smoothing=SMOOTHING)
    if not fit.is_defined:
        return SecondOpinion({}, reason=fit.reason)
    labels, differs, decides = {}, [], []
    for key, code, agreed in zip(sheet.image_sets, fit.labels, coded.agreed.codes, strict=True):
        if code < 0:
            continue
        labels[key] = coded.labels[code]
        if agreed < 0:
            decides.append(key)
        elif agreed != code:
            differs.append(key)
    accuracy = {name: _accuracy(fit, rater) for rater, name in enumerate(sheet.annotators)}
    return SecondOpinion(
        labels, tuple(differs), tuple(decides), accuracy, _in_words(fit.reason, coded.labels)
    )


def _in_words(reason: str, labels: Sequence[str]) -> str:
    """A reason of the model with labels in the place of their numbers.

    >>> _in_words("classes [0, 2] are mostly answered as another category", ["calm", "tense", "joyful"])
    'classes calm, joyful are mostly answered as another category'
    """

    def named(found: re.Match[str]) -> str:
        return ", ".join(labels[int(number)] for number in found[1].split(","))

    return re.sub(r"\[([\d, ]+)\]", named, reason)


def _accuracy(fit: DawidSkene, rater: int) -> float:
    """Chance that this person says what an image set shows, over image sets as they are."""
    right = np.nan_to_num(np.diagonal(fit.confusion[rater]))
    return float((fit.prevalence * right).sum() / fit.prevalence.sum())
