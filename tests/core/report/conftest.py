"""A small study as a report needs it, people included, with a generator of a hostile name."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from core.questions import load_questions
from core.records import Condition, Prompt, PromptKind
from core.report.material import Made, Material, People
from core.schema import load_schema
from tests.core.analysed import analysed

HOSTILE = '<script>alert("x")</script><img src="https://example.org/a.png">'


def agreement_rows() -> pd.DataFrame:
    scopes = {
        "annotators": 0.5,
        "people with the rest": 0.5,
        "pipeline with the rest": 0.75,
        "pipeline": 0.75,
    }
    rows = []
    for question in ("framing", "ALL"):
        for scope, kappa in scopes.items():
            for statistic in (
                "raw_agreement",
                "cohen_kappa_mean",
                "fleiss_kappa",
                "krippendorff_alpha",
                "cohen_kappa",
            ):
                value = 0.875 if statistic == "raw_agreement" else kappa
                rows.append((question, scope, statistic, "nominal", value, value - 0.125, value + 0.125))
    rows.append(("ALL", "pipeline minus people", "cohen_kappa_mean", "nominal", 0.25, 0.125, 0.375))
    table = pd.DataFrame(rows, columns=["question", "scope", "statistic", "level", "value", "low", "high"])
    return table.assign(units=40, annotators=3, excluded=0, categories=4, reason="")


def make_people() -> People:
    confusion = pd.DataFrame(
        [("framing", "tight", "tight", 30), ("framing", "wide", "(mixed)", 10)],
        columns=["question", "human", "pipeline", "count"],
    )
    counts = pd.DataFrame(
        [("framing", "pipeline", f"set {n}", "tight", 4.0, 4.0 + n % 2) for n in range(6)],
        columns=["question", "scope", "image_set", "label", "first", "second"],
    )
    run = {
        "annotators": ["Adaline", "Benedikt", "Cemile"],
        "simulated": [],
        "questions": ["framing"],
        "consensus": {"unanimous": 30, "majority": 10},
        "bootstrap": 100,
        "seed": 0,
        "resampled": "image sets",
        "unknown": "label",
        "note": "Intervals are over image sets.",
        "extractor": "qwen-vl",
    }
    tables = {"agreement": agreement_rows(), "confusion": confusion, "counts": counts}
    letters = {"Adaline": "annotator A", "Benedikt": "annotator B", "Cemile": "annotator C"}
    return People("Round 1", True, "marks+slider", False, 40, 120, letters, tables, run)


def make_material() -> Material:
    found = analysed("audit")
    roles = [f"role_{number}" for number in range(6)]
    prompts = [
        Prompt(role, condition, PromptKind.BASE, f"a photo of a {role}")
        for role in roles
        for condition in Condition
    ]
    images = pd.DataFrame(
        [
            (f"gen-{g}", str(c), status, n)
            for g in (0, 1)
            for c in Condition
            for status, n in (("ok", 144), ("black", 2))
        ],
        columns=["generator", "condition", "status", "images"],
    )
    return Material(
        facts={
            "name": "bakers",
            "study_key": "abc123",
            "design": "balanced",
            "unrelated": "permuted",
            "images_per_prompt": 4,
            "seed": 7,
            "bank_hash": "bank",
            "created_at": "2026-01-01T00:00:00Z",
            "application_version": "0.1.0",
        },
        prompts=prompts,
        generators=[
            Made("gen-0", "diffusers", {"steps": 30, "api_key": "sk-secret"}),
            Made(HOSTILE, "own", {}),
        ],
        extractors=[Made("qwen-vl", "extractor", {"model": "qwen2.5-vl", "access_token": "hf-secret"})],
        extractor="qwen-vl",
        images=images,
        records=pd.DataFrame(
            [("qwen-vl", "ok", 860, ""), ("qwen-vl", "refused", 4, HOSTILE)],
            columns=["extractor", "status", "images", "reason"],
        ),
        jobs=pd.DataFrame(
            [("generate", "done", 876, 876, 0, 0, "2026-01-01T00:00:00Z")],
            columns=["kind", "state", "asked", "done", "failed", "skipped", "started_at"],
        ),
        schema=load_schema(),
        questions=tuple(one for one in load_questions() if one.id == "framing"),
        tables=found.tables,
        run=found.run,
        people=make_people(),
        no_people="Nobody has labelled anything in this study.",
        versions={"contextbias-studio": "0.1.0", "numpy": "2"},
        as_of="2026-02-03T04:05:06.000Z",
        images_digest="864 files, 00ff",
    )


@pytest.fixture(scope="session")
def material() -> Material:
    """A study with people and a pipeline."""
    return make_material()


@pytest.fixture(scope="session")
def hostile() -> Material:
    """The same study with labels that are HTML."""
    found = make_material()
    tables = dict(found.tables)
    for name in ("persistence", "ccs_mean"):
        label = tables[name]["label"].astype(object)
        tables[name] = tables[name].assign(label=label.where(label != "female", HOSTILE))
    return replace(found, tables=tables)
