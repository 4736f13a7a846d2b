"""Which figures a set of result tables allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from core.figures.agreement_grid import agreement_grid
from core.figures.bias_intensity import bias_by_cohort, bias_by_dimension, bias_change
from core.figures.bland_altman import bland_altman_figure
from core.figures.confusion import confusion
from core.figures.drawing import Drawing
from core.figures.persistence import persistence
from core.figures.robustness import robustness
from core.figures.wording import counted
from core.questions import Question
from core.schema import Schema

Tables = Mapping[str, pd.DataFrame]


def analysis_drawings(
    tables: Tables, run: Mapping[str, Any], schema: Schema, *, estimator: str = "plugin"
) -> list[Drawing]:
    """Figures of an analysis of either mode: what its tables hold is drawn, the rest is left out.

    Parameters
    ----------
    tables : mapping
        Result tables of `core.analysis.analyse`.
    run : mapping
        Its record.
    schema : Schema
        Names and cohorts of dimensions.
    estimator : str
        Of BI, where there are several.
    """
    options = run.get("options", {})
    drawn = run.get("resampled", {})
    bars: dict[str, Any] = {"estimator": estimator, "draws": int(options.get("bootstrap", 0))}
    bars |= {"over": drawn["bi"]} if drawn else {}
    names = {one.id: one.name for one in schema.dimensions}
    found = []
    if "bi" in tables:
        found.append(bias_by_cohort(tables["bi"], **bars))
        found.append(bias_by_dimension(tables["bi"], **bars, names=names))
    if "bi" in tables and "bi_change" in tables:
        found.append(bias_change(tables["bi_change"], tables["bi"], **bars))
    if "persistence" in tables:
        drawing = persistence(tables["persistence"], margin_pp=options.get("margin_pp"))
        found += _saying([drawing], f"Verdicts {drawn['labels']}." if drawn else "")
    if "robustness" in tables:
        cohort_of = {one.id: one.cohort for one in schema.dimensions}
        move = float(options.get("prompt_move_pp", 5.0))
        found.append(robustness(tables["robustness"], cohort_of, move_pp=move))
    is_simulated = bool((run.get("extractor") or {}).get("is_simulated"))
    return _saying(found, "Contains simulated records." if is_simulated else "")


def agreement_drawings(
    tables: Tables, run: Mapping[str, Any], questions: Sequence[Question], schema: Schema
) -> list[Drawing]:
    """Figures of an agreement run: the grid, and where there is a pipeline confusion and counts.

    Parameters
    ----------
    tables : mapping
        Tables of `annotation.agreement.agreement`.
    run : mapping
        Its account.
    questions : sequence of Question
        What was asked, in order.
    schema : Schema
        Names of dimensions.
    """
    names = question_names(questions, schema)
    cohorts = dict.fromkeys(question.cohort for question in questions if question.cohort)
    groups = [(name, [one.id for one in questions if one.cohort == name]) for name in cohorts]
    draws = int(run.get("bootstrap", 0))
    found = [agreement_grid(tables["agreement"], groups=groups, names=names, draws=draws)]
    if len(tables["confusion"]):
        asked = [one.id for one in questions if (tables["confusion"]["question"] == one.id).any()]
        found.append(confusion(tables["confusion"], asked, names=names))
    counts = tables.get("counts")
    if counts is not None and len(counts):
        scopes = list(dict.fromkeys(counts["scope"].astype(str)))
        scope = "pipeline" if "pipeline" in scopes else scopes[0]
        found.append(bland_altman_figure(counts, scope, names=names))
    simulated = list(run.get("simulated") or [])
    of_all = counted(len(run.get("annotators", simulated)), "annotator")
    people = f"{len(simulated)} of {of_all} {'is' if len(simulated) == 1 else 'are'} simulated."
    return _saying(found, people if simulated else "")


def _saying(drawings: Sequence[Drawing], words: str) -> list[Drawing]:
    """The same drawings, their captions ending in what must be known of all of them."""
    if not words:
        return list(drawings)
    return [replace(one, caption=f"{one.caption} {words}", alt=f"{one.alt} {words}") for one in drawings]


def question_names(questions: Sequence[Question], schema: Schema) -> dict[str, str]:
    """How each question is called: the name of its dimension."""
    return {
        one.id: schema.dimension(one.dimension).name
        if schema.has(one.dimension)
        else one.id.replace("_", " ")
        for one in questions
    }
