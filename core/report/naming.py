"""How the columns of result tables are read: names instead of ids, and what ALL stands for in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from core.figures.wording import COMPARISONS, plain
from core.report.material import Material

ALL = "ALL"
_ID = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
"""An id within a sentence."""

Naming = Mapping[str, Callable[[str], str]]


def naming(material: Material) -> Naming:
    """For each column that holds ids, how a value of it is read.

    A table keeps its ids, by which it can be found again in the CSV file; only what is seen has names.
    """

    def of_dimensions(reason: str) -> str:
        return _ID.sub(lambda found: plain(found[0], material.names), reason)

    return {
        "generator": lambda name: "mean of generators" if name == ALL else name,
        "cohort": lambda name: "all cohorts" if name == ALL else name,
        "role": plain,
        "dimension": partial(plain, names=material.names),
        "label": partial(plain, names=material.schema.label_names),
        "reason": of_dimensions,
        "method": lambda name: "BCa" if name == "bca" else name,
        "comparison": lambda name: COMPARISONS.get(name, name),
    }
