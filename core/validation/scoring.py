"""From stated attributes, readings and a second judge to counts that can be interpreted.

One stated attribute cannot by itself tell who erred: the generator may not have drawn it. A second judge of
the same image (a person, or another extractor) separates the two: where the judge sees the stated label and
the extractor does not, the extractor missed it; where the judge does not see it either, it was not drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.records import DimensionReading, Status
from core.statistics.estimate import Estimate
from core.statistics.proportion import wilson
from core.validation.intervals import MacroBounds, macro_bounds
from core.validation.prompts import Side, Stated

HIT, MISSED, UNKNOWN, FAILED = "hit", "missed", "unknown", "failed"
"""What the extractor said of the stated attribute; failed: its record has no labels."""

NOT_DRAWN, NOT_SEEN, BOTH_SAW, BOTH_OTHER = (
    "not drawn",
    "not seen",
    "both saw it",
    "only the extractor saw it",
)


@dataclass(frozen=True, slots=True)
class Trial:
    """One image of a prompt with a stated attribute, and what was read.

    `said` and `judged` are labels in the stated dimension; () with a status that is not ok. `judged` is None
    without a second judge.
    """

    stated: Stated
    image: int
    said: DimensionReading
    judged: DimensionReading | None = None

    @property
    def outcome(self) -> str:
        """What the extractor said."""
        if self.said.status is Status.UNKNOWN:
            return UNKNOWN
        if self.said.status is not Status.OK:
            return FAILED
        return HIT if self.stated.label in self.said.labels else MISSED

    @property
    def blame(self) -> str:
        """Who erred, where a judge has an opinion; "" without."""
        if self.judged is None or self.judged.status is not Status.OK:
            return ""
        is_drawn, is_said = self.stated.label in self.judged.labels, self.outcome == HIT
        if is_drawn:
            return BOTH_SAW if is_said else NOT_SEEN
        return BOTH_OTHER if is_said else NOT_DRAWN


@dataclass(frozen=True, slots=True)
class Score:
    """Scores of some trials. `accuracy` is hits of all images with a record; shares are 0 to 1."""

    images: int
    failed: int
    unknown: int
    hits: int
    accuracy: Estimate
    precision: float | None
    recall: float | None
    f1: float | None
    bounds: MacroBounds
    against_judge: Estimate
    not_drawn: int | None
    not_seen: int | None


def score(trials: Sequence[Trial], level: float = 0.95) -> Score:
    """Scores of trials.

    Accuracy is the share of images with a record where the stated label was said; its interval is Wilson's.
    Precision and recall are means over the stated labels with equal weight (macro), from the confusion of
    stated against said: recall of a label is how often it was said where it was stated, precision how often
    it was stated where it was said. Published tables equate accuracy and recall and so have a precision of 1.
    Their intervals, in `bounds`, draw whole prompts anew.
    `against_judge` is accuracy among the images where the judge sees the stated label; without a judge,
    nobody knows what was not drawn or not seen, and both are None.
    """
    usable = [trial for trial in trials if trial.outcome != FAILED]
    hits = sum(trial.outcome == HIT for trial in usable)
    drawn = [trial for trial in usable if trial.blame in (BOTH_SAW, NOT_SEEN)]
    precision, recall = _macro(usable)
    return Score(
        images=len(trials),
        failed=len(trials) - len(usable),
        unknown=sum(trial.outcome == UNKNOWN for trial in usable),
        hits=hits,
        accuracy=wilson(hits, len(usable), level=level),
        precision=precision,
        recall=recall,
        f1=_f1(precision, recall),
        bounds=macro_bounds(usable, level),
        against_judge=wilson(sum(trial.outcome == HIT for trial in drawn), len(drawn), level=level),
        not_drawn=_blamed(usable, NOT_DRAWN),
        not_seen=_blamed(usable, NOT_SEEN),
    )


def _blamed(trials: Sequence[Trial], blame: str) -> int | None:
    judged = [trial for trial in trials if trial.judged is not None]
    return sum(trial.blame == blame for trial in judged) if judged else None


def confusion(trials: Iterable[Trial]) -> Counter[tuple[str, str, str]]:
    """(dimension, stated, said) -> images; of a list, every label said counts; no label is its status."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for trial in trials:
        for said in trial.said.labels or (trial.said.status.value,):
            counts[(trial.stated.dimension, trial.stated.label, said)] += 1
    return counts


def by_side(trials: Sequence[Trial]) -> Mapping[Side, list[Trial]]:
    """The trials of each side, those sides that have any."""
    return {side: own for side in Side if (own := [one for one in trials if one.stated.side is side])}


def _macro(trials: Sequence[Trial]) -> tuple[float | None, float | None]:
    stated: Counter[tuple[str, str]] = Counter()
    said: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for trial in trials:
        dimension, label = trial.stated.dimension, trial.stated.label
        stated[(dimension, label)] += 1
        said.update((dimension, one) for one in trial.said.labels)
        right[(dimension, label)] += trial.outcome == HIT
    if not stated:
        return None, None
    recalls = [right[key] / count for key, count in stated.items()]
    # Only labels that are stated somewhere: of others it is not known where they would be right.
    precisions = [right[key] / said[key] for key in stated if said[key]]
    recall = sum(recalls) / len(recalls)
    return (sum(precisions) / len(precisions) if precisions else None), recall


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    return 0.0 if precision + recall == 0 else 2 * precision * recall / (precision + recall)
