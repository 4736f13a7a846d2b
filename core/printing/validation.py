"""A validation in lines: its two tables."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from core.text_table import text_table

COLUMNS = (
    *("images", "failed", "accuracy", "low", "high", "precision", "recall", "f1"),
    *("accuracy_if_drawn", "not_drawn", "not_seen"),
)
NOBODY_JUDGED = (
    "Nobody judged what was drawn, so the generator's errors count as the extractor's; "
    "--judge EXTRACTOR or --judge-file FILE tells them apart."
)


def validation_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """By generator, then by dimension."""
    return "\n".join(
        text_table(tables[table].to_dict("records"), [first, "side", *COLUMNS]) + "\n"
        for table, first in (("validation", "generator"), ("validation_dimensions", "dimension"))
    )
