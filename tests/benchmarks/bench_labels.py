"""25,000 distinct labels: time and memory of proposals, and time to apply the map to a paper-sized table.

python tests/benchmarks/bench_labels.py [labels]
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.jobs import run_here
from core.labels.embedding import SentenceModel
from core.labels.label_map import LabelMap
from core.labels.proposals import propose

WORDS = """
red blue green white black gray brown beige navy teal olive tan pink purple gold
wooden metal plastic glass leather cotton woolen paper ceramic denim silk stone
small large tall short round square folded open empty
cup bowl plate pan pot knife spoon table chair desk lamp book pen laptop phone screen keyboard camera bag \
box basket bottle jar tray clock mirror plant flower vase coat shirt jacket apron hat cap scarf glove boot \
shoe belt tie vest dress skirt sweater helmet mask goggles badge ladder bucket brush broom hammer wrench \
drill saw rope hose pipe wheel cart truck car bicycle sign board map globe ruler
"""
COLOURS, STUFFS, SIZES, THINGS = (line.split() for line in WORDS.strip().splitlines())


def labels(number: int) -> list[str]:
    """So many different labels, some of them spellings of others."""
    made = [
        f"{a} {b} {c} {d}".strip().replace("  ", " ")
        for d in THINGS
        for a in ("", *SIZES)
        for b in ("", *COLOURS)
        for c in ("", *STUFFS)
    ]
    made += [f"{label}s" for label in made[:: max(len(made) // 500, 1)]]
    unique = list(dict.fromkeys(made))
    return [unique[place] for place in np.random.default_rng(1).permutation(len(unique))[:number]]


def main(number: int) -> None:
    """Print the figures."""
    words = labels(number)
    counts = {("items", label): 1 + hash_of(label) % 50 for label in words}
    started = time.perf_counter()
    model = SentenceModel()
    model.encode(["warm up"])
    loaded = time.perf_counter()
    parts = {}
    for start in range(0, number, max(number // 10, 1)):
        begun = time.perf_counter()
        model.encode(words[start : start + 512])
        parts[start] = time.perf_counter() - begun
    print(
        f"model loaded in {loaded - started:.1f} s; {len(parts)} × 512 labels in {sum(parts.values()):.1f} s"
    )
    begun, used = time.perf_counter(), time.process_time()
    found = run_here(propose(counts, model))
    took, used = time.perf_counter() - begun, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    kinds = pd.Series([one.kind for one in found]).value_counts().to_dict()
    spent = f"{took:.1f} s ({used:.1f} s of processor), peak {peak:.0f} MiB"
    print(f"{len(found):,} labels proposed in {spent}: {kinds}")
    rows = 2_600_000
    rng = np.random.default_rng(2)
    table = pd.DataFrame(
        {
            "dimension": pd.Categorical.from_codes(np.zeros(rows, dtype=np.int8), ["items"]),
            "label": pd.Categorical.from_codes(rng.integers(0, number, rows), sorted(words)),
            "status": pd.Categorical.from_codes(np.zeros(rows, dtype=np.int8), ["ok"]),
        }
    )
    own = LabelMap({("items", one.label): one.canonical for one in found if one.is_merge})
    begun = time.perf_counter()
    own.apply(table)
    print(f"{rows:,} rows mapped in {time.perf_counter() - begun:.2f} s ({len(own.moved):,} labels moved)")


def hash_of(text: str) -> int:
    """A number that is the same in every run."""
    return sum(text.encode())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 25_000)
