"""The tables of an agreement run, and the account of what they rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from annotation.coding import Coded, Codes, Sheet
from annotation.scopes import CONSENSUS, PIPELINE, Scope
from annotation.scoring import Row
from core.errors import BadInput
from core.records import ImageSet
from core.statistics.leave_one_out import leave_one_out
from core.statistics.prevalence_index import prevalence, prevalence_index

AGREEMENT_COLUMNS = (
    *("question", "scope", "statistic", "level", "value", "low", "high"),
    *("units", "annotators", "excluded", "categories", "without_unknown", "reason"),
)
CONSENSUS_COLUMNS = (
    "image_set",
    "question",
    "label",
    "how",
    "votes",
    "slider_mean_winner",
    "slider_mean_all",
)
CONFUSION_COLUMNS = ("question", "human", "pipeline", "count")


def agreement_table(rows: Sequence[Row], bare: Mapping[tuple[str, ...], float]) -> pd.DataFrame:
    """The agreement table: one line a question, scope, statistic and level.

    `bare` has the values with *unknown* left out, by these four; they stand in the column `without_unknown`.
    """
    lines = [
        (
            *(row.question, row.scope, row.statistic, row.level),
            *(row.value if row.is_defined else None, row.low, row.high),
            *(row.units, row.annotators, row.excluded, row.categories),
            *(bare.get(row.key), "; ".join(row.notes)),
        )
        for row in rows
    ]
    table = pd.DataFrame(lines, columns=list(AGREEMENT_COLUMNS))
    numbers = dict.fromkeys(("value", "low", "high", "without_unknown"), "float64")
    return table.astype(numbers | {"categories": "Int64"})


def image_sets_table(image_sets: Sequence[ImageSet]) -> pd.DataFrame:
    """What each image set is: the one table in which its key is resolved."""
    columns = ["image_set", "role", "condition", "generator", "position", "image", "path"]
    rows = [
        (each.key, each.role, each.condition or "", each.generator, position, image.image_id, image.path)
        for each in image_sets
        for position, image in enumerate(each.images)
    ]
    return pd.DataFrame(rows, columns=columns)


def consensus_table(sheet: Sheet) -> pd.DataFrame:
    """What people agreed on: one line an image set and question."""
    lines = [
        (
            *(image_set, coded.question, found.label or "", str(found.how), found.votes_text),
            *(found.slider_mean_winner, found.slider_mean_all),
        )
        for coded in sheet.questions
        for image_set, found in zip(sheet.image_sets, coded.consensus, strict=True)
    ]
    table = pd.DataFrame(lines, columns=list(CONSENSUS_COLUMNS))
    return table.astype({"slider_mean_winner": "float64", "slider_mean_all": "float64"})


def confusion_table(sheet: Sheet) -> pd.DataFrame:
    """Consensus against pipeline, every image set counted once a question, with or without a label."""
    lines: list[tuple[str, str, str, int]] = []
    if sheet.has_pipeline:
        for coded in sheet.questions:
            pairs = zip(words_of(sheet, coded, CONSENSUS), words_of(sheet, coded, PIPELINE), strict=True)
            lines += [(coded.question, *pair, count) for pair, count in sorted(Counter(pairs).items())]
    return pd.DataFrame(lines, columns=list(CONFUSION_COLUMNS))


def words_of(sheet: Sheet, coded: Coded, who: str) -> list[str]:
    """What one answered on every image set, "" for nothing; consensus and pipeline say why in parentheses."""
    if who == CONSENSUS or (who == PIPELINE and sheet.has_pipeline):
        reader = coded.agreed if who == CONSENSUS else coded.pipeline
        read = zip(reader.codes, reader.states, strict=True)
        return [coded.labels[code] if code >= 0 else f"({state})" for code, state in read]
    if who not in sheet.annotators:
        raise BadInput(f"Nobody called {who!r} answered.", f"There are {', '.join(sheet.annotators)}.")
    column: Codes = coded.ratings[:, sheet.annotators.index(who)]
    return [coded.labels[code] if code >= 0 else "" for code in column]


def account(sheet: Sheet, scopes: Sequence[Scope], answers: pd.DataFrame) -> dict[str, Any]:
    """What the run rests on: rows in and out by reason, who answered, what was left out, prevalences."""
    left_out: dict[str, dict[str, dict[str, int]]] = {}
    for scope in scopes:
        reasons = {coded.question: dict(sorted(scope.left_out(coded).items())) for coded in sheet.questions}
        left_out[scope.name] = {question: found for question, found in reasons.items() if found}
    simulated: list[str] = []
    if "is_simulated" in answers:
        simulated = sorted(set(answers.loc[answers["is_simulated"].astype(bool), "annotator"].astype(str)))
    return {
        "rows": sheet.rows,
        "image_sets": len(sheet.image_sets),
        "annotators": list(sheet.annotators),
        "simulated": simulated,
        "questions": [coded.question for coded in sheet.questions],
        "left_out": left_out,
        "prevalence": {coded.question: _prevalence(coded) for coded in sheet.questions},
        "consensus": dict(sorted(Counter(str(f.how) for c in sheet.questions for f in c.consensus).items())),
        "leave_one_out": _leave_one_out(sheet),
        "note": "Intervals are over image sets; they do not say what other people would answer.",
    }


def _prevalence(coded: Coded) -> dict[str, Any]:
    if not coded.labels:
        return {"shares": {}, "index": None}
    size = len(coded.labels)
    shares = prevalence(coded.ratings, size)
    return {
        "shares": {label: float(share) for label, share in zip(coded.labels, shares, strict=True) if share},
        "index": prevalence_index(coded.ratings, size).value,
    }


def _leave_one_out(sheet: Sheet) -> dict[str, Any]:
    """Per person, all questions pooled: in how many units the pipeline is at least, and at most, as good."""
    if not sheet.has_pipeline or len(sheet.annotators) < 2:
        return {}
    blocks, size = [], 0
    for coded in sheet.questions:  # a label belongs to its question: codes go on from question to question
        codes = np.column_stack([coded.ratings, coded.pipeline.codes])
        blocks.append(np.where(codes < 0, codes, codes + size))
        size += len(coded.labels)
    stacked = np.concatenate(blocks)
    found = leave_one_out(stacked[:, :-1], size, stacked[:, -1])
    return {
        sheet.annotators[one.rater]: {
            "units": one.person.n,
            "person": one.person.value,
            "pipeline": one.pipeline.value,
            "pipeline_at_least_as_good": one.at_least_as_good.value,
            "pipeline_at_most_as_good": one.at_most_as_good.value,
        }
        for one in found.each
    }
