"""What the analyses compute, one obvious step after another, and how much longer that takes."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from core.counting import cube_of_labels
from core.cube import CONDITIONS, Cube
from core.paper.concentration import paper_concentration
from core.paper.counting import paper_cube
from core.schema import Schema
from core.statistics.homogeneity import homogeneity, homogeneity_tests
from core.statistics.stability import ccs_if_stable, stable_scores

Twin = Callable[[pd.DataFrame, Schema], tuple[float, float, float]]
REPLICATES = 20
CELLS = 2000


def _timed(work: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


def published_bootstrap(frame: pd.DataFrame, schema: Schema) -> tuple[float, float, float]:
    """BI of each draw of roles: ours, and a loop that draws, adds up and takes logarithms each time."""
    cube = paper_cube(frame, schema)

    def ours() -> np.ndarray:
        *_, last = paper_concentration(cube, bootstrap=REPLICATES, seed=0)
        return last.draws

    seconds, right = _timed(ours)
    slow, found = _timed(lambda: _bootstrap_by_loops(cube))
    return seconds, slow, float(np.nanmax(np.abs(right - found)))


def _bootstrap_by_loops(cube: Cube) -> np.ndarray:
    sizes = (len(cube.generators), len(CONDITIONS), len(cube.dimensions), 1 + REPLICATES)
    found = np.full(sizes, np.nan)
    rows = pd.DataFrame(
        {
            "generator": cube.entry_generator,
            "condition": cube.prompt_condition[cube.entry_prompt],
            "role": cube.prompt_role[cube.entry_prompt],
            "dimension": cube.label_dimension[cube.entry_label],
            "label": cube.entry_label,
            "count": cube.entry_count,
        }
    )
    rng, roles = np.random.default_rng(0), len(cube.roles)
    for generator in range(sizes[0]):
        for condition in range(sizes[1]):
            mine = rows[(rows["generator"] == generator) & (rows["condition"] == condition)]
            for draw in range(sizes[3]):
                drawn = rng.integers(0, roles, roles) if draw else np.arange(roles)
                times = np.bincount(drawn, minlength=roles)
                weighted = mine.assign(count=mine["count"] * times[mine["role"].to_numpy()])
                sums = weighted.groupby(["dimension", "label"])["count"].sum()
                for dimension, counts in sums[sums > 0].groupby(level="dimension"):
                    share = counts.to_numpy() / counts.sum()
                    score = 1 + (share * np.log(share)).sum() / np.log(share.size) if share.size > 1 else 0.0
                    found[generator, condition, dimension, draw] = score
    return found


def _cells(frame: pd.DataFrame, schema: Schema) -> tuple[np.ndarray, np.ndarray]:
    cube = cube_of_labels(frame, schema)
    images = cube.images_by_role
    x, n = [], []
    for dimension in range(len(cube.dimensions)):
        counts = cube.counts_by_role(dimension)
        for generator, role, label in np.argwhere(counts.sum(axis=1) > 0).tolist():
            x.append(counts[generator, :, role, label])
            n.append(images[generator, :, role, dimension])
    return np.array(x), np.array(n)


def exact_tests(frame: pd.DataFrame, schema: Schema) -> tuple[float, float, float]:
    """Exact p of the labels: all at once, each distinct table once; and label by label without memory."""
    x, n = (side[:CELLS] for side in _cells(frame, schema))
    seconds, right = _timed(lambda: homogeneity_tests(x, n).p_exact)

    def slow() -> np.ndarray:
        from core.statistics import exact

        found = []
        for shown, images in zip(x, n, strict=True):
            for memory in vars(exact).values():
                if hasattr(memory, "cache_clear"):
                    memory.cache_clear()
            p = homogeneity(shown, images).p_exact
            found.append(np.nan if p is None else p)
        return np.array(found)

    slow_seconds, found = _timed(slow)
    return seconds, slow_seconds, float(np.nanmax(np.abs(right - found)))


def expected_scores(frame: pd.DataFrame, schema: Schema) -> tuple[float, float, float]:
    """CCS expected of a stable label: each distinct case once; and label by label without memory."""
    from core.statistics import stability

    x, n = (side[:CELLS] for side in _cells(frame, schema))
    total = x.sum(axis=1)
    seconds, right = _timed(lambda: stable_scores(total, n))

    def slow() -> np.ndarray:
        found = []
        for shown, images in zip(total.tolist(), n, strict=True):
            stability._stable_score.cache_clear()
            value = ccs_if_stable(shown, images).value
            found.append(np.nan if value is None else value)
        return np.array(found)

    slow_seconds, found = _timed(slow)
    both = ~np.isnan(right) & ~np.isnan(found)
    return seconds, slow_seconds, float(np.max(np.abs(right - found)[both]))


TWINS: dict[str, dict[str, Twin]] = {
    "paper": {"published bootstrap": published_bootstrap},
    "audit": {"exact tests": exact_tests, "expected CCS": expected_scores},
}
