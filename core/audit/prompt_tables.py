"""The table `robustness`, and how many labels hang on no single prompt."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.audit.cells import Cells
from core.audit.columns import cell_keys, coded_words, yes_no
from core.cube import Cube
from core.statistics.arrays import Bools, Floats
from core.statistics.robustness import MOVE, ONE_PROMPT


def robustness_frame(cube: Cube, cells: Cells) -> pd.DataFrame:
    """How far the pooled prevalence of every cell moves without its most influential prompt."""
    alone = cells.prompt < 0
    texts = sorted(set(cube.prompts))
    rank = {text: place for place, text in enumerate(texts)}
    code = np.array([*(rank[text] for text in cube.prompts), len(texts)], dtype=np.int64)
    return pd.DataFrame(
        {
            **cell_keys(cube, cells),
            "value": cells.x.sum(axis=1) / cells.n.sum(axis=1),
            "largest_move": cells.move,
            "prompt": coded_words(code[cells.prompt], [*texts, ""]),
            "se": _errors(cells),
            "invariant": yes_no(_holds(cells), ~alone),
            "reason": coded_words(alone.astype(np.int64), ["", ONE_PROMPT]),
        }
    )


def _errors(cells: Cells) -> Floats:
    """Jackknife standard errors over prompts, with the variance that shared seeds add."""
    if cells.seeds is None:
        return cells.se
    share = cells.x.sum(axis=1) / cells.n.sum(axis=1)
    added = (cells.of_total - cells.design_effect) * share * (1 - share) / cells.n.sum(axis=1)
    return np.asarray(np.sqrt(cells.se**2 + added), dtype=np.float64)


def robust_shares(cells: Cells) -> dict[str, float | int | None]:
    """Share of labels that no prompt moves far: all cells, and those with 5 % in a condition at least."""
    tried = cells.prompt >= 0
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = tried & (np.nan_to_num(cells.x / cells.n).max(axis=1, initial=0.0) >= 0.05)
    holds = _holds(cells)

    def share(mask: Bools) -> float | None:
        return round(float(holds[mask].mean()), 6) if mask.any() else None

    return {
        "labels": int(np.count_nonzero(tried)),
        "share_invariant": share(tried),
        "labels_of_5_percent_or_more": int(np.count_nonzero(seen)),
        "share_invariant_of_those": share(seen),
    }


def _holds(cells: Cells) -> Bools:
    return np.asarray(np.abs(np.nan_to_num(cells.move)) <= MOVE + 1e-12, dtype=np.bool_)
