"""How often the printed intervals hold what was planted, and how often tests fire: one study at a time."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from annotation.agreement import agreement
from core.audit.concentration import COMPARISONS
from core.audit.concentration_tables import concentration_tables
from core.audit.measures import ALPHA
from core.audit.persistence_tables import persistence_tables
from core.audit.small_samples import CHANGE, LEVEL
from core.cube import CONDITIONS, LabelSpace
from core.jobs import run_here
from tests.benchmarks.simulated_studies import BASES, Study, Truth, draw_answers, questions

MARGIN = 0.15


@dataclass
class Tally:
    """How many of how many, by key; and the sum of a width or error where there is one."""

    hits: dict[tuple[str, ...], int] = field(default_factory=lambda: defaultdict(int))
    total: dict[tuple[str, ...], int] = field(default_factory=lambda: defaultdict(int))
    error: dict[tuple[str, ...], float] = field(default_factory=lambda: defaultdict(float))

    def add(self, key: tuple[str, ...], hits: int, total: int, error: float = 0.0) -> None:
        """Count."""
        self.hits[key] += int(hits)
        self.total[key] += int(total)
        self.error[key] += float(error)

    def rows(self) -> list[tuple[tuple[str, ...], float, float, int]]:
        """Key, share, mean error, number."""
        return [
            (key, self.hits[key] / total, self.error[key] / total, total)
            for key, total in self.total.items()
            if total
        ]


def count_bi(study: Study, truth: Truth, tally: Tally, bootstrap: int, seed: int) -> None:
    """Coverage of BI and of its changes, for the population of roles."""
    spaces = [LabelSpace(len(base), "schema") for base in BASES.values()]
    tables = run_here(concentration_tables(study.cube, spaces, bootstrap=bootstrap, seed=seed))
    places = {condition.value: place for place, condition in enumerate(CONDITIONS)}
    ends = {name: (later, earlier) for name, later, earlier in COMPARISONS}
    for what, table in tables.items():
        mine = table[(table["generator"] == "G") & table["dimension"].isin(list(BASES))]
        for row in mine.to_dict("records"):
            key = (row["dimension"], row["aggregation"], row["estimator"])
            if key not in truth:
                continue
            right = truth[key]
            if what == "bi":
                planted = right[places[row["condition"]]]
            else:
                later, earlier = ends[row["comparison"]]
                planted = right[later] - right[earlier]
            place = row["condition"] if what == "bi" else row["comparison"]
            key = (what, row["aggregation"], row["estimator"], row["dimension"], place)
            beside = "with the warning" if row["reason"].endswith((LEVEL, CHANGE)) else "no warning"
            warned = (what, row["aggregation"], row["estimator"], beside)
            if not np.isnan(row["low"]):
                inside, error = row["low"] <= planted <= row["high"], row["value"] - planted
                tally.add(key, inside, 1, error)
                tally.add(warned, inside, 1, error)


def count_labels(study: Study, tally: Tally, bootstrap: int, seed: int) -> None:
    """Coverage of prevalence and CCS of single labels, and how often tests and verdicts fire."""
    found = run_here(persistence_tables(study.cube, bootstrap=bootstrap, seed=seed, margin=MARGIN))
    roles = {name: place for place, name in enumerate(study.cube.roles)}
    persistence, prevalence = found.tables["persistence"], found.tables["prevalence"]
    cells = persistence[["dimension", "role", "label"]].astype(object).to_numpy()
    shares = np.array(
        [
            study.planted[dimension][:, roles[role], int(label.rsplit(" ", 1)[1])]
            for dimension, role, label in cells
        ]
    )
    _prevalences(prevalence, shares, tally)
    _scores(persistence, shares, tally)
    _tests(persistence, shares, tally)


def _prevalences(table: pd.DataFrame, shares: np.ndarray, tally: Tally) -> None:
    planted = shares.ravel()  # the table goes cell by cell, conditions innermost
    inside = (table["low"].to_numpy() <= planted) & (planted <= table["high"].to_numpy())
    bands = (("below 5 %", planted < 0.05), ("5 to 95 %", (planted >= 0.05) & (planted <= 0.95)))
    condition = table["condition"].astype(str).to_numpy()
    for band, rows in (*bands, ("above 95 %", planted > 0.95)):
        for one in CONDITIONS:
            mine = rows & (condition == one.value)
            tally.add(("prevalence", band, one.value), inside[mine].sum(), mine.sum())


def _scores(table: pd.DataFrame, shares: np.ndarray, tally: Tally) -> None:
    n = table[["n_cf", "n_car", "n_cau"]].to_numpy()
    spread = 100 * (shares.max(axis=1) - shares.min(axis=1))
    planted = 100 * (n * shares).sum(axis=1) / n.sum(axis=1) / (1 + spread)
    low, high = table["ccs_low"].to_numpy(), table["ccs_high"].to_numpy()
    known = ~np.isnan(low)
    inside = (low <= planted + 1e-9) & (planted <= high + 1e-9)
    scores = table["reason"].astype(str).str.contains("CCS interval from scores").to_numpy()
    for way, rows in (("score limits", scores), ("BCa, upper limit not below the scores'", ~scores)):
        for kind, of_kind in (("stable", spread < 1e-9), ("range above 0", spread >= 1e-9)):
            mine = known & rows & of_kind
            below = (high < planted - 1e-9)[mine].sum()
            tally.add(("ccs", way, kind), inside[mine].sum(), mine.sum(), below)


def _tests(table: pd.DataFrame, shares: np.ndarray, tally: Tally) -> None:
    spread = shares.max(axis=1) - shares.min(axis=1)
    still = spread < 1e-12
    tested = table["p_min"].to_numpy() <= ALPHA
    for name in ("p", "p_exact", "p_adjusted"):
        p = table[name].to_numpy(dtype=np.float64)
        mine = still & tested & ~np.isnan(p)
        tally.add(("fires", f"{name} <= .05", "label"), (p[mine] <= ALPHA).sum(), mine.sum())
    adjusted = table["p_adjusted"].to_numpy(dtype=np.float64)
    family = table["family"].astype(str).to_numpy()
    if still.all():
        for one in sorted(set(family)):
            hit = np.any(adjusted[family == one] <= ALPHA)
            tally.add(("fires", "any p_adjusted <= .05", "family"), hit, 1)
    verdict = table["verdict"].astype(str).to_numpy()
    tally.add(("fires", "verdict changed", "label"), (verdict[still] == "changed").sum(), still.sum())
    moved = spread > MARGIN
    for what, word in (("fires", "invariant"), ("power", "changed")):
        hits = (verdict[moved] == word).sum()
        tally.add((what, f"verdict {word}, beyond the margin", "label"), hits, moved.sum())


def count_agreement(
    truth: dict[tuple[str, str, str], float], tally: Tally, bootstrap: int, seed: int, sets: int = 120
) -> None:
    """Coverage of the coefficients between people."""
    answers = draw_answers(np.random.default_rng(seed), sets)
    found = run_here(agreement(answers, None, questions(), bootstrap=bootstrap, seed=seed))
    for row in found.tables["agreement"].to_dict("records"):
        planted = truth.get((row["question"], row["scope"], row["statistic"]))
        if planted is not None and row["level"] == "nominal" and not np.isnan(row["low"]):
            key = ("agreement", row["statistic"], row["question"])
            tally.add(key, row["low"] <= planted <= row["high"], 1, row["value"] - planted)
