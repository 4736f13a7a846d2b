"""`main.py simulate` and the demo: what agreement the stated errors of people and pipeline come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np
import pandas as pd

from annotation.agreement import AgreementResult, agreement
from annotation.implied import implied_kappa_of_sets
from annotation.simulated import load_simulated
from annotation.team_lines import expectation_lines
from core.calibration import planted_tables
from core.extraction.registry import by_name
from core.jobs import Job
from core.questions import Question, asked_in
from core.sample import PIPELINE, SEED
from core.schema import Schema


def expected_agreement(
    answers: pd.DataFrame, names: Set[str], questions: Sequence[Question]
) -> Job[AgreementResult]:
    """Agreement among the simulated annotators of these names alone, over the questions they answered."""
    theirs = answers[answers["annotator"].isin(names)]
    asked = asked_in(questions, set(theirs["question"].astype(str)))
    return agreement(theirs, None, asked, bootstrap=400)


def expectation_text(result: AgreementResult) -> str:
    """What kappa annotators of the simulated accuracy come to, over questions and in the lowest one."""
    table = result.tables["agreement"]
    rows = table[(table["scope"] == "annotators") & (table["statistic"] == "fleiss_kappa")]
    each = rows[~rows["question"].isin(["ALL", "POOLED"])].dropna(subset=["value", "low", "high"])
    worst = None if each.empty else each.sort_values("value", kind="stable").iloc[0]
    return "\n".join(expectation_lines(lambda name: result.row("ALL", "annotators", name), worst))


def planted_beside(
    study: Any, schema: Schema, questions: Sequence[Question], tables: Mapping[str, pd.DataFrame]
) -> dict[str, pd.DataFrame]:
    """The right answers of the sample study, beside what was measured.

    Parameters
    ----------
    study
        The open sample study.
    schema : Schema
    questions : sequence of Question
    tables : mapping
        Of the analysis of what was drawn.
    """
    pipeline: Any = by_name(PIPELINE, schema)  # a reader that states its errors
    errors = pipeline.errors
    image_sets = study.image_sets(study.rounds()[-1].round_id)
    truth = study.truth_of(image.image_id for each in image_sets for image in each.images)
    rng, rows = np.random.default_rng(SEED), []
    for question in questions:
        words = sorted({word for image in truth.values() for word in image.get(question.dimension, ())})
        matrix = errors.answers(question, words)
        found = implied_kappa_of_sets(question, image_sets, truth, matrix, load_simulated(), rng=rng)
        row = {"question": question.id, "value": found.value, "low": found.low, "high": found.high}
        rows.append({**row, "n": found.n, "method": found.method, "reason": found.reason})
    planted = planted_tables(tables, study.prompts(), errors.row)
    return {**planted, "implied": pd.DataFrame(rows)}
