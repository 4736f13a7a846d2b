"""Who is compared with whom, on what: the scopes of the agreement table.

* `annotators`: all people together.
* `A and B`: two people; bias is B minus A.
* `pipeline`: the people's consensus with the pipeline; bias is pipeline minus people.
* `A with the rest`: a person with each other person, mean over the others; `pipeline in the place of A`:
  the pipeline with the same people on the same image sets. `people with the rest` and `pipeline with the
  rest` are the means over persons, the first being the ceiling for the second; `pipeline minus people` is
  their difference, with an interval of its own.

Counts are compared between those who chose the same label: a count of "blue" and a count of "red" are
counts of different things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np

from annotation.coding import MISSING, Coded, Codes, Counts, Sheet
from core.statistics.brennan_prediger import brennan_prediger_sums
from core.statistics.cohen_kappa import agreement_over_pairs, cohen_kappa_sums, kappa_over_pairs
from core.statistics.concordance import concordance_sums
from core.statistics.conger_kappa import conger_kappa_sums
from core.statistics.count_error import bias_sums, mean_absolute_error_sums
from core.statistics.fleiss_kappa import fleiss_kappa_sums
from core.statistics.gwet_ac import gwet_ac_sums
from core.statistics.intraclass import icc_2_1_sums
from core.statistics.krippendorff_alpha import interval_alpha_sums, nominal_alpha_sums
from core.statistics.leave_one_out import pairs_with_the_rest
from core.statistics.raw_agreement import raw_agreement_sums
from core.statistics.unit_sums import UnitSums

Measures: TypeAlias = dict[str, UnitSums]
Columns: TypeAlias = Callable[[Coded], Codes]
SliderColumns: TypeAlias = Callable[[Coded], Counts]
CodePairs: TypeAlias = list[tuple[Codes, Codes]]
CountPairs: TypeAlias = list[tuple[Counts, Counts]]

PIPELINE = "pipeline"
CONSENSUS = "consensus"
WITH_THE_REST = "with the rest"
PERSON = "person"
IN_PLACE = "in place"


@dataclass(frozen=True)
class Scope:
    """One comparison.

    `codes` and `sliders` give the columns to compare, image sets by raters; the measures take those
    columns. `left_out` says why image sets of a question have no pair of labels to compare. `kind` is
    `PERSON` or `IN_PLACE` for the scopes of leaving one person out.
    """

    name: str
    annotators: int
    codes: Columns
    sliders: SliderColumns
    of_labels: Callable[[Codes, int], Measures]
    of_sliders: Callable[[Counts], Measures]
    left_out: Callable[[Coded], Counter[str]]
    kind: str = ""


def scopes_of(sheet: Sheet) -> list[Scope]:
    """All scopes of a sheet: everybody, each pair, the pipeline, and each person left out."""
    people = len(sheet.annotators)
    scopes = [_everybody(people)]
    for a, b in combinations(range(people), 2):
        scopes.append(_pair(sheet.annotators[a], sheet.annotators[b], a, b))
    if sheet.has_pipeline:
        scopes.append(_pipeline(people))
    if people >= 2:
        scopes += _rest(sheet.annotators, sheet.has_pipeline)
    return scopes


def _everybody(people: int) -> Scope:
    def padded(codes: Codes) -> Codes:
        lacking = max(2 - codes.shape[1], 0)
        return np.pad(codes, ((0, 0), (0, lacking)), constant_values=MISSING)

    def sliders(coded: Coded) -> Counts:
        lacking = max(2 - coded.sliders.shape[1], 0)
        return np.pad(coded.sliders, ((0, 0), (0, lacking)), constant_values=np.nan)

    return Scope(
        "annotators",
        people,
        lambda coded: padded(coded.ratings),
        sliders,
        _labels_of_many,
        _sliders_of_many,
        lambda coded: _too_few(coded.ratings, ("no answer", "one answer only")),
    )


def _pair(first: str, second: str, a: int, b: int) -> Scope:
    return Scope(
        f"{first} and {second}",
        2,
        lambda coded: coded.ratings[:, [a, b]],
        lambda coded: coded.sliders[:, [a, b]],
        _labels_of_two,
        _sliders_of_two,
        lambda coded: _too_few(coded.ratings[:, [a, b]], ("answered by neither", "answered by one only")),
    )


def _pipeline(people: int) -> Scope:
    return Scope(
        PIPELINE,
        people,
        lambda coded: np.column_stack([coded.agreed.codes, coded.pipeline.codes]),
        lambda coded: np.column_stack([coded.agreed.sliders, coded.pipeline.sliders]),
        _labels_of_two,
        _sliders_of_two,
        _not_compared,
    )


def _labels_of_many(codes: Codes, categories: int) -> Measures:
    return {
        "raw_agreement": raw_agreement_sums(codes, categories),
        "cohen_kappa_mean": cohen_kappa_sums(codes, categories),
        "fleiss_kappa": fleiss_kappa_sums(codes, categories),
        "conger_kappa": conger_kappa_sums(codes, categories),
        "krippendorff_alpha": nominal_alpha_sums(codes, categories),
        "gwet_ac1": gwet_ac_sums(codes, categories),
        "brennan_prediger": brennan_prediger_sums(codes, categories),
    }


def _labels_of_two(codes: Codes, categories: int) -> Measures:
    return {
        "raw_agreement": raw_agreement_sums(codes, categories),
        "cohen_kappa": cohen_kappa_sums(codes, categories),
        "krippendorff_alpha": nominal_alpha_sums(codes, categories),
        "gwet_ac1": gwet_ac_sums(codes, categories),
        "brennan_prediger": brennan_prediger_sums(codes, categories),
    }


def _sliders_of_many(sliders: Counts) -> Measures:
    pairs = [(sliders[:, a], sliders[:, b]) for a, b in combinations(range(sliders.shape[1]), 2)]
    return {
        "icc_2_1": icc_2_1_sums(sliders),
        "concordance": concordance_sums(sliders),
        "mean_absolute_error": mean_absolute_error_sums(pairs),
        "krippendorff_alpha": interval_alpha_sums(sliders),
    }


def _sliders_of_two(sliders: Counts) -> Measures:
    return _sliders_of_many(sliders) | {"bias": bias_sums(sliders[:, 0], sliders[:, 1])}


def _too_few(codes: Codes, names: tuple[str, str]) -> Counter[str]:
    answers = (codes >= 0).sum(axis=1)
    return +Counter({name: int((answers == number).sum()) for number, name in enumerate(names)})


def _not_compared(coded: Coded) -> Counter[str]:
    """Why consensus and pipeline cannot be compared; what people lack goes first."""
    states = zip(coded.agreed.states, coded.pipeline.states, strict=True)
    return Counter(
        f"people: {people}" if people else f"pipeline: {machine}"
        for people, machine in states
        if people or machine
    )


def _rest(annotators: Sequence[str], has_pipeline: bool) -> list[Scope]:
    """The scopes of leaving one person out. Their last column is the pipeline where there is one."""
    scopes = []
    for rater, name in enumerate(annotators):
        scopes.append(_left_out(f"{name} {WITH_THE_REST}", PERSON, rater, len(annotators), has_pipeline))
        if has_pipeline:
            place = f"{PIPELINE} in the place of {name}"
            scopes.append(_left_out(place, IN_PLACE, rater, len(annotators), has_pipeline))
    return scopes


def _left_out(name: str, kind: str, rater: int, people: int, has_pipeline: bool) -> Scope:
    chosen = 0 if kind == PERSON else 1

    def pairs(codes: Codes) -> CodePairs:
        machine = codes[:, people] if has_pipeline else None
        return pairs_with_the_rest(codes[:, :people], rater, machine)[chosen]

    def of_labels(codes: Codes, categories: int) -> Measures:
        return {
            "raw_agreement": agreement_over_pairs(pairs(codes), categories),
            "cohen_kappa_mean": kappa_over_pairs(pairs(codes), categories),
        }

    def of_sliders(sliders: Counts) -> Measures:
        found = _slider_pairs(sliders, rater, people, kind == IN_PLACE)
        return {"mean_absolute_error": mean_absolute_error_sums(found)}

    def codes_of(coded: Coded) -> Codes:
        return np.column_stack([coded.ratings, coded.pipeline.codes]) if has_pipeline else coded.ratings

    def sliders_of(coded: Coded) -> Counts:
        return np.column_stack([coded.sliders, coded.pipeline.sliders]) if has_pipeline else coded.sliders

    def left_out(coded: Coded) -> Counter[str]:
        compared = np.any([(a >= 0) & (b >= 0) for a, b in pairs(codes_of(coded))], axis=0)
        who = "person, pipeline and another person" if has_pipeline else "person and another person"
        return +Counter({f"not answered by {who}": int((~compared).sum())})

    return Scope(name, people, codes_of, sliders_of, of_labels, of_sliders, left_out, kind)


def _slider_pairs(sliders: Counts, rater: int, people: int, in_place: bool) -> CountPairs:
    """As `pairs_with_the_rest`, for sliders of the same label: (other, person) or (other, pipeline)."""
    kept = np.isfinite(sliders[:, rater])
    if sliders.shape[1] > people:
        kept = kept & np.isfinite(sliders[:, people])
    own = sliders[:, people] if in_place else sliders[:, rater]
    others = [other for other in range(people) if other != rater]
    return [(np.where(kept, sliders[:, other], np.nan), own) for other in others]
