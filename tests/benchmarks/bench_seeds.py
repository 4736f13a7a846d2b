"""How often 95 % intervals hold what was planted where prompts share seeds: with seeds unknown and known.

    python -m tests.benchmarks.bench_seeds [--studies 100] [--bootstrap 300] [--bi]

Unknown seeds are what every study had before: clustering by prompt (BI: by role) alone. Known seeds are
clustering both ways. Of BI only that of all roles together is counted; a mean over roles is of so few
images.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np

from tests.benchmarks.coverage_counts import Tally, count_bi, count_labels
from tests.benchmarks.seeded_studies import OF_ALL, OF_ROLE, OWN, SeededPlan, draw_seeded, pooled_bi

LABELS = (
    *(SeededPlan(seeds=seeds, alike=alike) for seeds in (2, 4, 10) for alike in (0.0, 0.3, 0.8)),
    SeededPlan((10, 10, 10), 6, 0.8, icc=0.0),
    SeededPlan((2, 5, 6), 10, 0.3),
    SeededPlan(seeds=6, alike=0.8, whose=OWN),
    SeededPlan(seeds=2, alike=0.8, roles=3),
    SeededPlan(seeds=4, alike=0.5, by_condition=True),
    SeededPlan(seeds=10, alike=0.5, icc=0.0, by_condition=True),
)
BI = tuple(
    SeededPlan(seeds=seeds, alike=alike, whose=whose, roles=40)
    for seeds, alike, whose in (
        (6, 0.0, OF_ALL), (6, 0.8, OF_ROLE), (2, 0.3, OF_ALL),
        (4, 0.8, OF_ALL), (10, 0.3, OF_ALL), (10, 0.8, OF_ALL),
    )
)  # fmt: skip


def main() -> None:
    """Run all plans, with and without a planted change, and print a line for each kind of number."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=100)
    parser.add_argument("--bootstrap", type=int, default=300)
    parser.add_argument("--bi", action="store_true", help="BI instead of single labels")
    asked = parser.parse_args()
    for plan in BI if asked.bi else LABELS:
        for change in (0.0, 0.4):
            _study(replace(plan, change=change), asked.studies, asked.bootstrap, asked.bi)
    print(f"\n{time.process_time():.0f} s of processor time")


def _study(plan: SeededPlan, studies: int, bootstrap: int, is_bi: bool) -> None:
    unknown, known = Tally(), Tally()
    truth = pooled_bi(plan)
    for number in range(studies):
        drawn = draw_seeded(plan, np.random.default_rng([number, 7]))
        for study, tally in zip(drawn, (unknown, known), strict=True):
            if is_bi:
                count_bi(study, truth, tally, bootstrap, number)
            else:
                count_labels(study, tally, bootstrap, number)
    print(f"\n{plan.name}", flush=True)
    rows = [{key: (share, of) for key, share, _, of in tally.rows()} for tally in (unknown, known)]
    for key in sorted(set(rows[0]) | set(rows[1])):
        one, other = (found.get(key, (float("nan"), 0)) for found in rows)
        said = f"seeds unknown {100 * one[0]:6.1f} %, known {100 * other[0]:6.1f} %"
        print(f"  {' | '.join(key):64} {said} of {max(one[1], other[1])}")


if __name__ == "__main__":
    main()
