"""How many crashes every work survives: `python tests/benchmarks/bench_crashes.py [500]`, about ten minutes.

So many kills, and so many power cuts, at random moments; see `tests/safety/crashing.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.safety.crashing import main
from tests.safety.works import WORKS

if __name__ == "__main__":
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    codes = []
    for how, words in (
        ("kill", "Killed with SIGKILL"),
        ("power", "Power cut, unsynced writes lost or torn"),
    ):
        print(f"\n{words}:")
        codes.append(main(how, times, list(WORKS)))
    print("\nSomething was lost." if any(codes) else "\nNothing was lost, torn or stuck.")
    sys.exit(max(codes))
