"""What a coefficient means, in a plain sentence with its own numbers in it.

Every sentence is checked against the value of the table before it is shown: where its numbers would not
come out (because some answers are missing), the sentence without numbers stands instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gui.models.number import Number, decimals

TOLERANCE = 0.0015


@dataclass(frozen=True, slots=True)
class Ingredients:
    """What the sentences are made of: raw agreement, shares of the labels, pairs of people."""

    raw: float | None = None
    shares: Mapping[str, float] = field(default_factory=dict)
    pairs: Mapping[str, Number] = field(default_factory=dict)
    ceiling: Number | None = None
    pipeline: Number | None = None
    measure: str = "κ"


_MEANINGS = {
    "raw_agreement": "The share of pairs of answers to the same image set that are the same label.",
    "cohen_kappa_mean": (
        "Cohen κ of two people is their agreement beyond chance, chance taken from each one's own labels; "
        "this is the mean over all pairs."
    ),
    "fleiss_kappa": "Agreement beyond chance, chance taken from the labels of all people together.",
    "krippendorff_alpha": "1 minus the disagreement seen, divided by that expected by chance.",
    "gwet_ac1": (
        "Agreement beyond chance, where chance stays small when one label dominates; it depends on how many "
        "labels are offered."
    ),
    "conger_kappa": "Agreement beyond chance, chance taken from each person's own labels.",
    "brennan_prediger": "Agreement beyond chance, as if every label offered were equally likely.",
    "icc_2_1": (
        "The share of the variance of the counts that lies between image sets: 1 when everybody counts the "
        "same, for people who chose the same label."
    ),
    "concordance": "How close the counts of two people lie to the line of equal counts; mean over all pairs.",
    "mean_absolute_error": (
        "How many images the counts of two people differ by on average, where they chose the same label."
    ),
}


def meaning(statistic: str, number: Number, parts: Ingredients) -> str:
    """The sentence of one number."""
    if statistic in ("gap", "ceiling", "pipeline", "axis"):
        return _comparison(statistic, number, parts)
    general = _MEANINGS.get(statistic, "")
    if number.value is None:
        return general
    with_numbers = _with_numbers(statistic, number, parts)
    return f"{general} {with_numbers}".strip()


def _with_numbers(statistic: str, number: Number, parts: Ingredients) -> str:
    assert number.value is not None
    if statistic in ("cohen_kappa_mean", "concordance", "mean_absolute_error") and parts.pairs:
        known = [f"{pair} {decimals(one.value)}" for pair, one in parts.pairs.items()]
        return f"Here: {', '.join(known)}." if len(known) <= 6 else ""
    chance = _chance(statistic, number, parts)
    if chance is None or parts.raw is None or chance >= 1:
        return ""
    if statistic == "krippendorff_alpha":
        seen, expected = decimals(1 - parts.raw, 3), decimals(1 - chance, 3)
        return f"Here: 1 − {seen} / {expected} = {decimals(number.value)}."
    if abs((parts.raw - chance) / (1 - chance) - number.value) > TOLERANCE:
        return ""
    raw, by_chance = decimals(parts.raw, 3), decimals(chance, 3)
    return f"Here: ({raw} − {by_chance}) / (1 − {by_chance}) = {decimals(number.value)}."


def chance_agreement(statistic: str, number: Number, parts: Ingredients) -> float | None:
    """Agreement expected by chance, for the line of facts; None where it is not one number."""
    found = _chance(statistic, number, parts)
    if found is None or parts.raw is None or number.value is None or found >= 1:
        return None
    is_right = abs((parts.raw - found) / (1 - found) - number.value) <= TOLERANCE
    return found if is_right else None


def _chance(statistic: str, number: Number, parts: Ingredients) -> float | None:
    shares = list(parts.shares.values())
    if not shares:
        return None
    if statistic == "fleiss_kappa":
        return sum(share * share for share in shares)
    if statistic == "gwet_ac1" and number.categories > 1:
        return sum(share * (1 - share) for share in shares) / (number.categories - 1)
    if statistic == "brennan_prediger" and number.categories:
        return 1 / number.categories
    if statistic == "krippendorff_alpha" and number.value is not None and parts.raw is not None:
        answers = number.units * number.raters
        expected = (1 - sum(share * share for share in shares)) * answers / max(answers - 1, 1)
        is_right = expected > 0 and abs(1 - (1 - parts.raw) / expected - number.value) <= TOLERANCE
        return 1 - expected if is_right else None
    return None


def _comparison(statistic: str, number: Number, parts: Ingredients) -> str:
    people, machine = parts.ceiling, parts.pipeline
    fair = (
        "Each person in turn is compared with the rest, and the pipeline in that person's place, on the "
        "same image sets."
    )
    if people is None or machine is None or people.value is None or machine.value is None:
        return fair
    if statistic != "gap" or number.value is None:
        return f"{fair} People {decimals(people.value)}, pipeline {decimals(machine.value)}."
    difference = (
        f"{decimals(machine.value)} pipeline − {decimals(people.value)} people = {decimals(number.value)}."
    )
    return f"{fair} {difference} {_verdict(number, parts.measure)}"


def _verdict(number: Number, measure: str) -> str:
    if not number.has_interval or number.value is None:
        return ""
    if not number.leaves_zero_out:
        return "The interval holds 0: no difference is shown."
    is_better = number.value > 0 if measure == "κ" else number.value < 0
    word = "more" if is_better else "less"
    return f"The interval leaves 0 out: the pipeline agrees {word} with people than a person does."
