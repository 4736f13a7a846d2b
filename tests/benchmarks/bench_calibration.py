"""How often 95 % intervals hold what was planted, and how often tests fire when nothing changed.

    python -m tests.benchmarks.bench_calibration [--studies 500] [--bootstrap 1000] [--csv FILE]

Studies as large as the paper's (92 roles for BI; single labels in ten of them), simulated from planted
P(label | role, condition) with prompts as clusters; and people with known error rates on 120 image sets.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import numpy as np

from tests.benchmarks.coverage_counts import Tally, count_agreement, count_bi, count_labels
from tests.benchmarks.simulated_studies import Plan, draw_study, population_bi, true_agreement

PLANS = (
    Plan("paper", 0.1, 0.0),
    Plan("paper", 0.1, 0.4),
    Plan("paper", 0.0, 0.0),
    Plan("balanced", 0.1, 0.0),
    Plan("balanced", 0.1, 0.4),
)
ROLES_FOR_LABELS = 10


PEOPLE = "3 people, 120 image sets"
AT_ONCE = 25
"""Studies of each plan after which what is known so far is written."""


def study_plan(plan: Plan, numbers: range, bootstrap: int, tally: Tally) -> None:
    """Count what comes out of some studies of a plan."""
    truth = population_bi(plan)
    small = Plan(plan.design, plan.icc, plan.change, ROLES_FOR_LABELS)
    for number in numbers:
        rng = np.random.default_rng([number, len(plan.name)])
        count_bi(draw_study(plan, rng), truth, tally, bootstrap, number)
        count_labels(draw_study(small, rng), tally, bootstrap, number)


def study_people(numbers: range, bootstrap: int, tally: Tally) -> None:
    """Count what comes out of some studies of people."""
    truth = true_agreement()
    for number in numbers:
        count_agreement(truth, tally, bootstrap, number)


def main() -> None:
    """Run all plans and print a line for each kind of interval and test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=500)
    parser.add_argument("--bootstrap", type=int, default=1000)
    parser.add_argument("--csv", type=Path, help="write every line here, as far as it is known")
    asked = parser.parse_args()
    tallies = {name: Tally() for name in (*(plan.name for plan in PLANS), PEOPLE)}
    for first in range(0, asked.studies, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, asked.studies))
        for plan in PLANS:
            study_plan(plan, numbers, asked.bootstrap, tallies[plan.name])
        study_people(numbers, asked.bootstrap, tallies[PEOPLE])
        if asked.csv:
            _write(asked.csv, tallies)
    for name, tally in tallies.items():
        print(f"\n{name}")
        for key, share, error, of in tally.rows():
            print(f"  {' | '.join(key):64} {100 * share:6.1f} %  error {error:+8.4f}  of {of}")
    print(f"\n{asked.studies} studies of each kind, {time.process_time():.0f} s of processor time")


def _write(place: Path, tallies: dict[str, Tally]) -> None:
    lines = [
        (name, " | ".join(key), round(share, 4), round(error, 5), of)
        for name, tally in tallies.items()
        for key, share, error, of in tally.rows()
    ]
    with place.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([("plan", "what", "share", "error", "of"), *lines])


if __name__ == "__main__":
    main()
