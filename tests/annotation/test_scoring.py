"""Ends of intervals stay where the statistic can be."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from annotation.agreement import agreement, questions_in
from core.jobs import run_here


@pytest.mark.parametrize("disagreeing", [1, 2, 3])
def test_no_interval_leaves_the_range_of_its_statistic(disagreeing: int) -> None:
    rng = np.random.default_rng(disagreeing)
    rows = []
    for number in range(30):
        true, count = rng.choice(["hat", "none", "veil"]), int(rng.integers(1, 11))
        for person in ("Ada", "Ben", "Cem"):
            label = "hood" if person == "Cem" and number < disagreeing else true
            rows.append((person, f"set {number}", "headwear", label, count))
    answers = pd.DataFrame(rows, columns=["annotator", "image_set", "question", "label", "slider"])

    result = run_here(agreement(answers, None, questions_in(answers, ()), bootstrap=300))

    table = result.tables["agreement"].dropna(subset=["low"])
    raw = table[table["statistic"] == "raw_agreement"]
    assert len(raw) > 0
    assert raw["low"].ge(0).all()
    assert table[~table["statistic"].isin(["bias", "mean_absolute_error"])]["high"].le(1).all()
    assert (table["low"] <= table["high"]).all()
