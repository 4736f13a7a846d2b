"""Answers in are answers used and left out; every table adds up to the image sets and questions there are."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from annotation.agreement import agreement
from annotation.comparison import COLUMNS
from core.jobs import run_here
from core.questions import load_questions

QUESTIONS = [one for one in load_questions() if one.id in ("gender_presentation", "skin_tone", "items")]
SETS = [f"s{number}" for number in range(12)]


def answers() -> pd.DataFrame:
    """Three people, three questions; some answers unknown, some missing, one question nobody asks."""
    rng = np.random.default_rng(4)
    rows = []
    for who in ("Ada", "Ben", "Cem"):
        for where in SETS:
            for question in QUESTIONS:
                words = (
                    [*question.option_ids[:3], "book", "", "unknown"]
                    if question.is_open
                    else [*question.option_ids[:3], "", "unknown", "robot"]
                )
                slider = float(rng.integers(0, 11)) if rng.random() < 0.8 else np.nan
                if rng.random() < 0.9:
                    rows.append((who, where, question.id, str(rng.choice(words)), slider))
        rows.append((who, "s0", "never asked", "x", 3.0))
    return pd.DataFrame(rows, columns=["annotator", "image_set", "question", "label", "slider"])


def pipeline() -> pd.DataFrame:
    rows = [
        (
            where,
            question.id,
            question.option_ids[0] if question.options else "book",
            5.0,
            "mode",
            "",
            10,
            0,
            10,
        )
        for where in [*SETS[:9], "never shown"]
        for question in QUESTIONS
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def test_every_answer_and_every_table_is_accounted_for() -> None:
    said = answers()
    result = run_here(agreement(said, pipeline(), QUESTIONS, bootstrap=20, unknown="left out"))
    run, tables = json.loads(json.dumps(result.run)), result.tables

    rows = run["rows"]
    assert rows["answers"]["in"] == len(said)
    assert rows["sliders"]["in"] == said["slider"].notna().sum()
    assert rows["pipeline"] == {"in": 30, "used": 27, "left_out": {"image set without an answer": 3}}
    for account in rows.values():
        assert account["in"] == account["used"] + sum(account["left_out"].values())
    assert {"question not asked", "no label", "unknown"} == set(rows["answers"]["left_out"])
    for name, account in run["tables"].items():
        assert account["rows"] == len(tables[name])
        if "without" in account:
            assert account["rows"] == account["with_value"] + sum(account["without"].values())


def test_every_image_set_is_in_every_row_of_labels_used_or_left_out() -> None:
    result = run_here(agreement(answers(), pipeline(), QUESTIONS, bootstrap=0))
    table = result.tables["agreement"]
    labels = table[(table["level"] == "nominal") & ~table["question"].isin(["ALL", "POOLED"])]

    assert (labels["units"] + labels["excluded"] == len(SETS)).all()
    pooled = table[(table["level"] == "nominal") & (table["question"] == "POOLED")]
    assert (pooled["units"] + pooled["excluded"] == len(SETS) * len(QUESTIONS)).all()


def test_consensus_and_confusion_hold_every_image_set_once_a_question() -> None:
    result = run_here(agreement(answers(), pipeline(), QUESTIONS, bootstrap=0))
    cells = len(SETS) * len(QUESTIONS)

    assert len(result.tables["consensus"]) == cells == sum(result.run["consensus"].values())
    assert result.tables["confusion"]["count"].sum() == cells
    assert not result.tables["consensus"].duplicated(["image_set", "question"]).any()


def test_every_answer_with_a_label_is_a_vote() -> None:
    said = answers()
    result = run_here(agreement(said, None, QUESTIONS, bootstrap=0))

    votes = result.tables["consensus"]["votes"].str.extractall(r" (\d+)(?:,|$)")[0].astype(int).sum()
    assert votes == result.run["rows"]["answers"]["used"]
