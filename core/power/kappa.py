"""How wide the interval of a kappa is with so many image sets and annotators.

Each image set has a true label; each person names it with the stated accuracy, else any other label. The
kappa is Cohen's, averaged over all pairs of people, of one question; the spread of it over simulated studies
is what its 95 % interval over image sets will be.
"""

from __future__ import annotations

import numpy as np

from core.power.design import MOST_UNITS, PowerDesign
from core.power.findings import ONE_QUESTION, Finding
from core.statistics.arrays import Floats, Ints
from core.statistics.cohen_kappa import cohen_kappa_sums, kappa_of_table
from core.statistics.unit_sums import mean_of_defined

ONE_PERSON = "one annotator agrees with nobody: kappa needs two"
NEVER_DEFINED = "kappa has no value: every answer is the same"
FEWEST_STUDIES = 100


def kappa_findings(design: PowerDesign) -> list[Finding]:
    """The kappa to expect, and the width of its interval.

    Returns
    -------
    list of Finding
        `kappa` with the ends between which 95 of 100 studies find it, and `kappa_width`, their distance.
        None for one annotator, or when every answer would be the same.

    Examples
    --------
    >>> kappa, width = kappa_findings(PowerDesign(annotators=2, image_sets=50))
    >>> bool(abs(kappa.high - kappa.low - width.value) < 1e-12)
    True
    """
    if design.annotators < 2:
        return _undefined(ONE_PERSON)
    found = simulated_kappas(design)
    there = found[np.isfinite(found)]
    if there.size == 0:
        return _undefined(NEVER_DEFINED)
    low, high = (float(end) for end in np.quantile(there, [0.025, 0.975]))
    share = there.size / found.size
    reason = "" if share == 1.0 else f"defined in {share:.1%} of the studies"
    return [
        Finding("kappa", ONE_QUESTION, expected_kappa(design), "", low, high, reason),
        Finding("kappa_width", ONE_QUESTION, high - low, "", reason=reason),
    ]


def expected_kappa(design: PowerDesign) -> float | None:
    """Kappa of two such people over endlessly many image sets, in closed form; None where undefined.

    Examples
    --------
    >>> expected_kappa(PowerDesign(accuracy=1.0))
    1.0
    """
    return kappa_of_table(expected_table(design)).value


def expected_table(design: PowerDesign) -> Floats:
    """Probability of each pair of answers of two people about one image set, shape (Q, Q)."""
    said = answers_given_truth(design)
    table: Floats = np.einsum("t,ti,tj->ij", truth_shares(design), said, said)
    return table


def truth_shares(design: PowerDesign) -> Floats:
    """Share of image sets with each true label, the most common one first."""
    rest = (1.0 - design.most_common) / (design.labels - 1)
    return np.array([design.most_common, *[rest] * (design.labels - 1)])


def answers_given_truth(design: PowerDesign) -> Floats:
    """Probability of each answer given the true label, one row a label."""
    wrong = (1.0 - design.accuracy) / (design.labels - 1)
    said = np.full((design.labels, design.labels), wrong)
    np.fill_diagonal(said, design.accuracy)
    return said


def simulated_kappas(design: PowerDesign) -> Floats:
    """Kappa of each simulated study; nan where it is undefined. Fewer studies where each is large."""
    sets, people = design.image_sets, design.annotators
    studies = min(design.replicates, max(MOST_UNITS // (sets * people), FEWEST_STUDIES))
    ratings = _answers(design, studies * sets, np.random.default_rng([design.seed, sets, people]))
    pairs = [(a, b) for a in range(people) for b in range(a)]
    by_pair = []
    for a, b in pairs:
        sums = cohen_kappa_sums(ratings[:, [a, b]], design.labels)
        of_studies = sums.terms.reshape(studies, sets, -1).sum(axis=1)
        by_pair.append(sums.of(sums.features(of_studies)))
    return mean_of_defined(np.stack(by_pair))


def _answers(design: PowerDesign, units: int, rng: np.random.Generator) -> Ints:
    """What each person says of each image set: the true label, or one of the others shifted onto it."""
    truth = rng.choice(design.labels, size=(units, 1), p=truth_shares(design))
    is_right = rng.random((units, design.annotators)) < design.accuracy
    other = rng.integers(1, design.labels, size=(units, design.annotators))
    return np.asarray(np.where(is_right, truth, (truth + other) % design.labels), dtype=np.int64)


def _undefined(reason: str) -> list[Finding]:
    return [Finding(name, ONE_QUESTION, None, "", reason=reason) for name in ("kappa", "kappa_width")]
