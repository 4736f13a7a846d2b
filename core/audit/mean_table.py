"""The table `ccs_mean`: measures of a role's label, averaged over generators."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.audit.cells import Cells
from core.audit.columns import coded_words, words_of
from core.audit.consistency import Consistency
from core.audit.groups import Groups
from core.audit.measures import Measures
from core.cube import Cube
from core.statistics.equivalence import WORDS


def mean_frame(cube: Cube, cells: Cells, measures: Measures, limits: Consistency) -> pd.DataFrame:
    """Means over the generators that have a cell, per role and label; CCS over those where it is defined."""
    words, width = words_of(cube), len(cube.labels) + 1
    groups = Groups.of(cells.role * width + cells.label)
    role, label = np.divmod(groups.keys, width)
    defined = groups.count(measures.score_reason == 0)
    low, high = groups.mean(limits.low), groups.mean(limits.high)
    place = np.searchsorted(groups.keys, limits.mean_role * width + limits.mean_label)
    low[place] = limits.mean_low
    high[place] = np.maximum(limits.mean_high, high[place])  # as for a single generator: `RAISED`
    method = np.where(defined == 0, 2, 0)
    method[place] = 1
    dimension = cube.label_dimension[label]
    some = (groups.count() > defined) & (defined > 0)
    return pd.DataFrame(
        {
            "role": coded_words(role, words.roles),
            "dimension": coded_words(dimension, words.dimensions),
            "label": coded_words(words.name_of[label], words.names),
            "generators": groups.count(),
            "generators_defined": defined,
            "prevalence": groups.mean(measures.prevalence),
            "range_pp": groups.mean(measures.range_pp),
            "ccs": groups.mean(measures.score),
            "ccs_low": low,
            "ccs_high": high,
            "ccs_if_stable": groups.mean(measures.if_stable),
            "invariant_paper": groups.count(measures.invariant_paper & measures.defined),
            **{
                word.replace(" ", "_"): groups.count(measures.verdict == code)
                for code, word in enumerate(WORDS)
            },
            "method": coded_words(method, ["mean of the limits of the generators", "bca", ""]),
            "reason": coded_words(
                np.where(defined == 0, 2, some.astype(np.int64)),
                ["", "CCS undefined for some generators", "CCS undefined for every generator"],
            ),
        }
    )
