"""The Bias Intensity that a sample study has planted, and what its reader makes of it on average."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.jobs import Job, Progress
from core.records import Condition, Prompt
from gui.models.results_data import ALL, Spot

if TYPE_CHECKING:
    from core.calibration import PlantedStudy

WAYS = ("pool", "role")

Truth = Mapping[tuple[str, Spot], float]
"""By aggregation ("pool" or "role") and place."""

Shares = Callable[[str, Condition, str], Mapping[str, float] | None]
"""Role, condition and dimension -> label -> share of all pictures; None where nothing is known."""


@dataclass(frozen=True)
class Planted:
    """What the pictures show, and what an extractor with stated errors reads of them.

    Of the phantom: what it was trained on, and what its own pictures show, measured on so many.
    """

    shown: Truth
    as_read: Truth
    measured: Truth = field(default_factory=dict)
    measured_on: int = 0


NOTHING = Planted({}, {})


def planted_truth(
    generators: Sequence[str],
    prompts: Sequence[Prompt],
    cohort_of: Mapping[str, str],
    sizes: Mapping[str, int],
    read_as: Callable[[str, str], Mapping[str, float]] | None = None,
    left_out: Collection[tuple[str, str]] = (),
) -> Job[Planted]:
    """The true values of every place whose dimensions are all planted.

    Parameters
    ----------
    generators : sequence of str
        Those that are not drawn have no truth.
    prompts : sequence of Prompt
        Of the study: what is seen may depend on their places.
    cohort_of : mapping
        Cohort of each dimension that was analysed.
    sizes : mapping
        Size K of the label space of each dimension, as in the result table.
    read_as : callable, optional
        Stated errors of the extractor.
    left_out : collection of (str, str)
        Generators and dimensions without a value, which are in no mean of their cohort.
    """
    from core.calibration import PlantedStudy

    drawn = [name for name in generators if name.startswith("drawn-")]
    found: list[dict[tuple[str, Spot], float]] = []
    studies = [PlantedStudy(prompts), PlantedStudy(prompts, read_as)]
    for number, study in enumerate(studies):
        values: dict[tuple[str, Spot], float] = {}
        for position, generator in enumerate(drawn):
            done = number * len(drawn) + position
            yield Progress(done, len(studies) * len(drawn), f"planted truth, {generator}")
            values |= intensities(generator, _shares_of(study, generator), prompts, cohort_of, sizes)
        add_cohorts(values, drawn, cohort_of, left_out)
        _add_means(values, drawn, generators)
        found.append(values)
    return Planted(found[0], found[1] if read_as is not None else {})


def intensities(
    generator: str,
    shares: Shares,
    prompts: Sequence[Prompt],
    cohort_of: Mapping[str, str],
    sizes: Mapping[str, int],
) -> dict[tuple[str, Spot], float]:
    """Bias Intensity of every dimension whose shares are known for all roles, over them and role by role."""
    found: dict[tuple[str, Spot], float] = {}
    for condition in Condition:
        roles = sorted({prompt.role for prompt in prompts if prompt.condition is condition})
        for dimension, cohort in cohort_of.items():
            each = [row for role in roles if (row := shares(role, condition, dimension)) is not None]
            if not each or len(each) < len(roles):
                continue
            spot, size = Spot(generator, cohort, dimension, condition), sizes.get(dimension, 0)
            pooled: Counter[str] = Counter()
            for row in each:
                pooled.update(row)
            whole = intensity(pooled.values(), size)
            if whole is not None:
                found["pool", spot] = whole
            single = [value for row in each if (value := intensity(row.values(), size)) is not None]
            if single:
                found["role", spot] = sum(single) / len(single)
    return found


def _shares_of(study: PlantedStudy, generator: str) -> Shares:
    from core.generation.drawn.planted import planted

    dimensions = set(planted(generator).dimensions)

    def shares(role: str, condition: Condition, dimension: str) -> Mapping[str, float] | None:
        if dimension not in dimensions:
            return None
        cell = study.cell(generator, role, condition, dimension)
        return {label: cell.known * share for label, share in cell.shares.items()}

    return shares


def intensity(shares: Iterable[float], size: int) -> float | None:
    """1 − H / log K of shares that need not sum to 1; None without a label space.

    >>> intensity([0.5, 0.5], 2), intensity([1.0], 4), intensity([], 4) is None
    (0.0, 1.0, True)
    """
    known = [share for share in shares if share > 0]
    total = sum(known)
    size = max(size, len(known))  # an open dimension may hold labels that no image happens to show
    if size < 2 or total <= 0:
        return None
    entropy = -sum(share / total * math.log(share / total) for share in known)
    return min(max(1 - entropy / math.log(size), 0.0), 1.0)


def add_cohorts(
    found: dict[tuple[str, Spot], float],
    drawn: Sequence[str],
    cohort_of: Mapping[str, str],
    left_out: Collection[tuple[str, str]] = (),
) -> None:
    """A cohort has a truth only where each of its dimensions that counts has one; likewise all cohorts."""
    cohorts = list(dict.fromkeys(cohort_of.values()))
    for generator in drawn:
        for way in WAYS:
            for condition in Condition:
                means = []
                for cohort in cohorts:
                    its = [
                        one
                        for one, of in cohort_of.items()
                        if of == cohort and (generator, one) not in left_out
                    ]
                    values = [found.get((way, Spot(generator, cohort, one, condition))) for one in its]
                    known = [value for value in values if value is not None]
                    if its and len(known) == len(its):
                        means.append(sum(known) / len(known))
                        found[way, Spot(generator, cohort, ALL, condition)] = means[-1]
                if cohorts and len(means) == len(cohorts):
                    found[way, Spot(generator, ALL, ALL, condition)] = sum(means) / len(means)


def _add_means(found: dict[tuple[str, Spot], float], drawn: Sequence[str], generators: Sequence[str]) -> None:
    """The mean over generators, where all of them are drawn."""
    if len(drawn) < 2 or len(drawn) != len(generators):
        return
    places = {(way, spot.cohort, spot.dimension, spot.condition) for way, spot in found}
    for way, cohort, dimension, condition in places:
        values = [found.get((way, Spot(one, cohort, dimension, condition))) for one in drawn]
        known = [value for value in values if value is not None]
        if len(known) == len(drawn):
            found[way, Spot(ALL, cohort, dimension, condition)] = sum(known) / len(known)
