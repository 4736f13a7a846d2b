"""What stated errors imply for agreement: the known right answer of a study whose answers are simulated.

The pipeline's errors are its confusion matrices, a simulated annotator's the chances of its profile. Both
are drawn many times over the true labels of the images there are; each time the pipeline's answer and the
consensus follow by the same rules as in the study, and kappa from the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from annotation.simulated import Labels, SimulatedAnnotator, Truth, labels_of, most_common
from core.questions import Question
from core.records import UNKNOWN, ImageSet
from core.statistics.cohen_kappa import cohen_kappa
from core.statistics.estimate import Estimate, undefined

Matrix: TypeAlias = Mapping[str, Mapping[str, float]]
"""True label -> read label -> probability, for the answers to one question."""

Codes: TypeAlias = npt.NDArray[np.int64]
MISSING = -1


def implied_kappa_of_sets(
    question: Question,
    image_sets: Sequence[ImageSet],
    truth: Truth,
    matrix: Matrix,
    annotators: Sequence[SimulatedAnnotator],
    *,
    draws: int = 200,
    rng: np.random.Generator,
) -> Estimate:
    """Kappa between pipeline and consensus that the stated errors imply, over image sets.

    Parameters
    ----------
    question : Question
    image_sets : sequence of ImageSet
        The sets that were answered.
    truth : mapping
        True labels by image id and dimension.
    matrix : mapping
        The pipeline's stated errors, for answers to this question.
    annotators : sequence of SimulatedAnnotator
        Whose majority is the consensus; a vote without a majority is left out, as are tied readings.
    draws : int
        Number of imagined studies.
    rng : Generator
        Of numpy.

    Returns
    -------
    Estimate
        Mean over the draws in which kappa is defined, with the range that holds 95 % of them.
        `n` is the number of image sets.
    """
    shown = [labels_of(question, image_set, truth) for image_set in image_sets]
    words = _words(question, shown, matrix)
    number = {word: place for place, word in enumerate(words)}
    read = np.stack([_readings(labels, matrix, number, draws, rng) for labels in shown])
    agreed = np.stack([_consensus(question, labels, annotators, number, draws, rng) for labels in shown])
    values = []
    for a, b in zip(read.T, agreed.T, strict=True):
        both = (a != MISSING) & (b != MISSING)
        found = cohen_kappa(np.column_stack([a, b])[both], len(words))
        values += [found.value] if found.value is not None else []
    if not values:
        return undefined("kappa is undefined in every draw: one label alone", n=len(shown))
    low, high = np.quantile(values, [0.025, 0.975])
    method = f"mean and 95 % range of {len(values)} draws from the stated errors"
    return Estimate(float(np.mean(values)), "", float(low), float(high), len(shown), method)


def _words(question: Question, shown: Sequence[Labels], matrix: Matrix) -> list[str]:
    true = {label for labels in shown for image in labels for label in image}
    read = {word for row in matrix.values() for word in row}
    return sorted(true | read | set(question.option_ids) | {UNKNOWN})


def _readings(
    labels: Labels, matrix: Matrix, number: Mapping[str, int], draws: int, rng: np.random.Generator
) -> Codes:
    """The pipeline's answer to one set in each draw: what most images are read as; -1 when tied."""
    counts = np.zeros((draws, len(number)), np.int64)
    for image in labels:
        present = np.zeros((draws, len(number)), bool)
        for true in sorted(image) or [UNKNOWN]:
            row = matrix.get(true, {true: 1.0})
            codes = np.array([number[word] for word in row])
            present[np.arange(draws), rng.choice(codes, draws, p=_shares(row))] = True
        counts += present
    counts[:, number[UNKNOWN]] = 0
    most = counts.max(1)
    answer = np.where((counts == most[:, None]).sum(1) == 1, counts.argmax(1), MISSING)
    return np.where(most == 0, number[UNKNOWN], answer)


def _consensus(
    question: Question,
    labels: Labels,
    annotators: Sequence[SimulatedAnnotator],
    number: Mapping[str, int],
    draws: int,
    rng: np.random.Generator,
) -> Codes:
    """What most annotators answer in each draw; -1 where no label has more votes than any other."""
    top = most_common(labels)
    pool = [word for word in number if word != UNKNOWN] if question.is_open else question.option_ids
    others = [label for label in pool if label not in top]
    votes = np.zeros((draws, len(number)), np.int64)
    for annotator in annotators:
        chances = annotator.chances(question.id, top, others)
        codes = np.array([number[word] for word in chances])
        votes[np.arange(draws), rng.choice(codes, draws, p=_shares(chances))] += 1
    most = votes.max(1)
    return np.where((votes == most[:, None]).sum(1) == 1, votes.argmax(1), MISSING)


def _shares(row: Mapping[str, float]) -> npt.NDArray[np.float64]:
    shares = np.array(list(row.values()), np.float64)
    normed: npt.NDArray[np.float64] = shares / shares.sum()
    return normed
