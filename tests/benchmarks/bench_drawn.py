"""How fast pictures are drawn: run it alone on an idle machine, `python tests/benchmarks/bench_drawn.py`.

Prints pictures a second by the clock and by the processor, for one and two threads, cold and warm.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.bank import load_contexts, load_roles
from core.generation.drawn.generator import DrawnGenerator
from core.generation.drawn.parts import FOLDER
from core.generation.generator import Task
from core.prompts import build_prompts, seeds_for

PICTURES = 400


def tasks() -> list[Task]:
    """Pictures of the ten demo roles, spread over prompts and seeds."""
    names = json.loads((FOLDER / "demo_roles.json").read_text(encoding="utf-8"))["roles"]
    roles = [role for role in load_roles() if role.name in names]
    prompts = build_prompts(roles, load_contexts())
    every = [(prompt, seed) for seed in seeds_for(1, "bench", 10) for prompt in prompts]
    return every[: 3 * PICTURES]


def main() -> None:
    """Draw and print."""
    every = tasks()
    for size in (256, 512):
        generator = DrawnGenerator("drawn-a", size=size)
        for words, first, workers in (("cold", 0, 1), ("warm", 1, 1), ("warm", 2, 2)):
            part = every[first * PICTURES : (first + 1) * PICTURES]
            wall, cpu = time.perf_counter(), time.process_time()
            made = sum(1 for _ in generator.draw_many(part, workers))
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            print(
                f"{size} px, {words}, {workers} thread(s): {made / wall:.0f} pictures/s by the clock, "
                f"{made / cpu:.0f} pictures/s of processor time"
            )


if __name__ == "__main__":
    main()
