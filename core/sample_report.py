"""The sample study's numbers as text: each beside the answer that was planted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.sample import EXACT, PIPELINE
from core.text_table import text_table

COEFFICIENTS = ("raw_agreement", "cohen_kappa_mean", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1")


def sample_report(tables: Mapping[str, pd.DataFrame]) -> str:
    """Bias Intensity, prevalence, agreement and CCS of the sample study, with what was planted.

    Parameters
    ----------
    tables : mapping
        `planted_bi`, `planted_prevalence`, `agreement`, `implied`, `ccs_mean`.
    """
    parts = [
        "All of this is simulated: drawn pictures, simulated annotators, an extractor with stated errors.",
        "Bias Intensity of each cohort (plug-in, mean over its dimensions, roles pooled), 95 % intervals over"
        f" roles; labels by {EXACT}, which knows what was drawn, so that planted values have to come out",
        text_table(bi_rows(tables["planted_bi"]), _BI_COLUMNS),
        bi_sentence(tables["planted_bi"]),
        prevalence_sentence(tables["planted_prevalence"]),
        f"Agreement of three annotators; kappa of the pipeline ({PIPELINE}) with their consensus, and what"
        " its stated errors imply for it. The page Agreement shows the mean kappa with two people instead:"
        " usually lower, because single people err more often than their consensus",
        text_table(agreement_rows(tables), _AGREEMENT_COLUMNS),
        width_sentence(tables),
        f"Context Consistency Score (CCS, {EXACT}), mean over generators: the ten highest that vary",
        text_table(ccs_rows(tables["ccs_mean"]), _CCS_COLUMNS),
    ]
    return "\n\n".join(part for part in parts if part)


_BI_COLUMNS = ("generator", "condition", "cohort", "BI", "low", "high", "planted", "inside")
_AGREEMENT_COLUMNS = (
    *("question", "raw", "Cohen", "Fleiss", "alpha", "AC1", "pipeline", "low", "high"),
    *("implied", "implied low", "implied high"),
)
_CCS_COLUMNS = ("role", "dimension", "label", "CCS")


def bi_rows(planted: pd.DataFrame) -> list[dict[str, Any]]:
    """One row per generator, condition and cohort."""
    cohorts = planted[planted["dimension"] == "ALL"]
    return [
        {
            **{name: row[name] for name in ("generator", "condition", "cohort", "low", "high", "planted")},
            "BI": row["value"],
            "inside": {True: "yes", False: "no"}.get(row["is_inside"], "–"),
        }
        for row in cohorts.to_dict("records")
    ]


def bi_sentence(planted: pd.DataFrame) -> str:
    """How many planted values of single dimensions lie in their intervals."""
    decided = planted[(planted["dimension"] != "ALL") & planted["is_inside"].notna()]
    inside = int(decided["is_inside"].sum())
    return (
        f"By dimension: {inside} of {len(decided)} planted values lie in their 95 % interval. "
        "Scene has no planted value, because its dominant colours are measured on the picture."
    )


def prevalence_sentence(planted: pd.DataFrame) -> str:
    """How many planted prevalences lie in their intervals."""
    decided = planted[planted["is_inside"].notna() & (planted["planted"] > 0)]
    inside = int(decided["is_inside"].sum())
    share = 100 * inside / len(decided) if len(decided) else 0.0
    return (
        f"Prevalence: {inside} of {len(decided)} planted shares of labels, by generator, role and condition, "
        f"lie in their 95 % interval ({share:.1f} %)."
    )


def agreement_rows(tables: Mapping[str, pd.DataFrame]) -> list[dict[str, Any]]:
    """One row a question: coefficients of people, the pipeline's kappa, and what was implied for it."""
    agreement = tables["agreement"]
    implied = tables["implied"].set_index("question") if "implied" in tables else pd.DataFrame()
    found: dict[str, dict[str, Any]] = {}
    for row in agreement.to_dict("records"):
        scope, statistic = row["scope"], row["statistic"]
        line = found.setdefault(str(row["question"]), {"question": row["question"]})
        if scope == "annotators" and statistic in COEFFICIENTS and row["level"] in ("nominal", ""):
            line[_SHORT[statistic]] = row["value"]
        elif scope == "pipeline" and statistic == "cohen_kappa":
            line |= {"pipeline": row["value"], "low": row["low"], "high": row["high"]}
    for question, line in found.items():
        if question in implied.index:
            right = implied.loc[question]
            line |= {"implied": right["value"], "implied low": right["low"], "implied high": right["high"]}
    return list(found.values())


def width_sentence(tables: Mapping[str, pd.DataFrame]) -> str:
    """Which of the printed intervals have no width, and why; empty when none has."""
    table = tables["agreement"]
    shown = table[(table["scope"] == "pipeline") & (table["statistic"] == "cohen_kappa")]
    flat = shown.loc[shown["low"].notna() & (shown["low"] == shown["high"]), "question"].tolist()
    if not flat:
        return ""
    return f"No width, because every draw gives the same value (which is no certainty): {', '.join(flat)}."


def agreement_columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns that any of the rows has, in their order."""
    return [name for name in _AGREEMENT_COLUMNS if any(name in row for row in rows)]


_SHORT = dict(zip(COEFFICIENTS, ("raw", "Cohen", "Fleiss", "alpha", "AC1"), strict=True))


CONSTANT = 99.9995
"""A label in every image has a CCS of 100 and says nothing."""


def ccs_rows(ccs_mean: pd.DataFrame) -> list[dict[str, Any]]:
    """The ten labels that persist most, constant ones left out."""
    named = ccs_mean.rename(columns={"ccs_mean": "CCS", "ccs": "CCS", "value": "CCS"})
    best = named[named["CCS"] < CONSTANT].sort_values(
        ["CCS", "role", "dimension", "label"], ascending=[False, True, True, True]
    )
    return [{str(name): value for name, value in row.items()} for row in best.head(10).to_dict("records")]
