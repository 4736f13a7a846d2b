"""What several annotators agreed on for one question about one image set, and how.

Rules, in this order. Most votes win; *unknown* is a vote like any other. Of labels with equally many
votes, the one whose voters counted more images on average wins, provided every tied label has a count and
one mean is the highest. Otherwise the answer is unresolved and waits for a person: never the first in a
list. A count nobody set is missing and enters no mean; a count of 0 is a count.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from core.records import UNKNOWN


class How(StrEnum):
    """How a consensus came about."""

    UNANIMOUS = "unanimous"
    SINGLE = "one answer"
    MAJORITY = "majority"
    TIE_BY_SLIDER = "tie by slider"
    UNRESOLVED = "unresolved"
    NO_ANSWER = "no answer"
    ADJUDICATED = "adjudicated"


@dataclass(frozen=True, slots=True)
class Consensus:
    """The label people agreed on.

    `label` is `unknown` when that won, and None when nothing did. `votes` are (label, number), most
    first. `slider_mean_winner` is the mean count of those who chose the label, `slider_mean_all` of
    everybody: when labels differ, the second mixes counts of different things.
    """

    label: str | None
    how: How
    votes: tuple[tuple[str, int], ...] = ()
    slider_mean_winner: float | None = None
    slider_mean_all: float | None = None

    @property
    def votes_text(self) -> str:
        """The votes in one line, such as "female 2, male 1"."""
        return ", ".join(f"{label} {number}" for label, number in self.votes)


def consensus_of(answers: Sequence[tuple[str, str | None, float | None]]) -> Consensus:
    """Consensus of the answers of different annotators to one question on one image set.

    Parameters
    ----------
    answers : sequence of (annotator, label, slider)
        Label None means unknown. Slider None means nobody set it; that of an unknown is not used.
        Who did not answer is not in the sequence.

    Raises
    ------
    ValueError
        An annotator who answers twice.

    Examples
    --------
    >>> found = consensus_of([("A", "female", 9), ("B", "female", 8), ("C", "male", 7)])
    >>> found.label, found.how.value, found.slider_mean_winner, found.slider_mean_all
    ('female', 'majority', 8.5, 8.0)
    >>> consensus_of([("A", "red", 3), ("B", "blue", 6)]).label
    'blue'
    >>> consensus_of([("A", "red", 6), ("B", "blue", 6)]).how.value
    'unresolved'
    """
    if len({annotator for annotator, _, _ in answers}) < len(answers):
        raise ValueError("an annotator answers twice")
    sliders: dict[str, list[float]] = {}
    votes: Counter[str] = Counter()
    for _, label, slider in answers:
        chosen = UNKNOWN if label is None else label
        votes[chosen] += 1
        counted = sliders.setdefault(chosen, [])
        if slider is not None and chosen != UNKNOWN:
            counted.append(slider)
    if not votes:
        return Consensus(None, How.NO_ANSWER)
    label, how = _winner(votes, sliders)
    return Consensus(
        label,
        how,
        tuple(sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))),
        _mean(sliders[label]) if label is not None else None,
        _mean([slider for counted in sliders.values() for slider in counted]),
    )


def adjudicated(
    found: Consensus,
    label: str | None,
    slider: float | None,
    answers: Sequence[tuple[str, str | None, float | None]],
) -> Consensus:
    """The consensus that a person decided on, in the place of what the votes gave; the votes stay.

    Without a count of its own it has the mean count of those who gave the label, if anybody did.

    >>> answers = [("A", "red", 6), ("B", "blue", 6)]
    >>> one = adjudicated(consensus_of(answers), "red", None, answers)
    >>> one.label, one.how.value, one.votes_text, one.slider_mean_winner
    ('red', 'adjudicated', 'blue 1, red 1', 6.0)
    """
    chosen = UNKNOWN if label is None else label
    counts = [count for _, said, count in answers if said == chosen and count is not None]
    mean = _mean(counts) if slider is None else slider
    return replace(
        found, label=chosen, how=How.ADJUDICATED, slider_mean_winner=None if chosen == UNKNOWN else mean
    )


def _winner(votes: Counter[str], sliders: dict[str, list[float]]) -> tuple[str | None, How]:
    most = max(votes.values())
    tied = [label for label, number in votes.items() if number == most]
    if len(tied) == 1:
        alone = How.SINGLE if votes.total() == 1 else How.UNANIMOUS
        return tied[0], alone if len(votes) == 1 else How.MAJORITY
    if not all(sliders[label] for label in tied):
        return None, How.UNRESOLVED
    # Exact, so that two equal means are a tie and not a matter of rounding.
    means = {label: sum(map(Fraction, sliders[label])) / len(sliders[label]) for label in tied}
    highest = [label for label in tied if means[label] == max(means.values())]
    return (highest[0], How.TIE_BY_SLIDER) if len(highest) == 1 else (None, How.UNRESOLVED)


def _mean(sliders: Sequence[float]) -> float | None:
    return math.fsum(sliders) / len(sliders) if sliders else None
