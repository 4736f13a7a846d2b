"""The job from a label table to all result tables, with a record of what was done to every row.

`audit` mode is the default: label space fixed by the schema, unknown taken out image by image, roles
paired, every number with an interval or a reason. `paper` mode is for replication. The same table and seed
give the same bytes, whatever order the rows are in.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy

from core import __version__
from core.audit.concentration_tables import concentration_tables
from core.audit.coverage import coverage_frame
from core.audit.measures import ALPHA
from core.audit.persistence_tables import persistence_tables
from core.audit.resampled import resampled
from core.counting import IMAGES_PER_PROMPT, cube_of_counts, cube_of_labels
from core.cube import CONDITIONS, Cube, Stage
from core.draws import OF_RESULTS
from core.errors import BadInput
from core.jobs import Job, Progress
from core.joined_labels import Meaning, joined_account, joined_labels
from core.paper.counting import paper_cube, plain_word
from core.paper.tables import paper_tables
from core.records import UNKNOWN
from core.schema import Schema
from core.statistics.equivalence import MARGIN
from core.statistics.persistence import MIN_SUPPORT, PAPER_ALPHA
from core.statistics.robustness import MOVE
from core.table_account import table_accounts

MODES = ("audit", "paper")
ALL = "ALL"
"""What the rows over all generators, dimensions or cohorts are called."""

DEFINITIONS = {
    "bi": "1 - H / log K, K stated in label_space; pool: all images together, role: mean over roles. "
    "Interval over roles; where roles share seeds, widened by what the seeds add to the variance (resampled)",
    "matched": "every condition with as many images as the smallest; of a role, with as many prompts first. "
    "Only for comparing conditions: its level is that of so few images",
    "ccs": "100 prevalence / (1 + range_pp); interval over prompts (BCa, its upper end not below that from "
    "scores), or from scores as the reason says; scores allow for shared seeds",
    "ccs_if_stable": "expected CCS of a label whose prevalence is the same in all conditions, same n",
    "p": "Pearson, asymptotic; p_exact: Freeman-Halton; p_min: smallest p_exact with these n. All three take "
    "images as independent; the reason of table families says how far that is off",
    "p_adjusted": "Benjamini-Hochberg within generator x dimension, of the larger of p_exact and the "
    "Rao-Scott p (chi2 / design_effect of table families, plus what shared seeds add to differences); tests "
    "whose p_min is above alpha are left out",
    "seed_correlation": "how alike images of one seed and different prompts are, in a condition and across "
    "conditions, pooled over roles and labels; empty where no prompts share seeds. Times the pairs of such "
    "images per image it adds to the design effect of a condition, raised where few seeds show it; what is "
    "the same across conditions cancels from differences",
    "verdict": "invariant: every pairwise difference within the margin (two one-sided tests, alpha .05, "
    "Newcombe limits, n / design effect as for p_adjusted); changed: a difference shown to be other than 0 "
    "(alpha / pairs)",
    "prevalence": "share 0..1 of images with a usable record; low and high: Wilson, n / design effect "
    "of prompts and, where prompts share seeds, of prompts and seeds together (two-way). A "
    "label below 5 % is listed because it was seen, so its interval holds in 91 to 93 % rather than 95",
    "robustness": "pooled prevalence without one prompt, minus the value; invariant: at most 5 points",
}


PAPER_DEFINITIONS = {
    "bi": "1 - H / log K, K the labels seen of a generator; 0 for a single label",
    "bi_change": "K is what a draw shows; roles are drawn anew for each condition and generator",
    "images": "ten per prompt that has any known label in the dimension",
    "persistence": "x and n added up over all dimensions with the word",
    "ccs": "100 prevalence / (1 + range_pp), seen in every condition, 5 images or more",
    "role_contrast": "published: sum (x - e)^2 / e against all else; chi2_full with factor 1 / (1 - p)",
}


@dataclass(frozen=True)
class Analysis:
    """Result tables by name, and the record that goes into `run.json`."""

    tables: dict[str, pd.DataFrame]
    run: dict[str, Any]


def analyse(
    labels: pd.DataFrame,
    schema: Schema,
    *,
    mode: str = "audit",
    bootstrap: int | None = None,
    seed: int = 0,
    margin_pp: float = 100 * MARGIN,
    images_per_prompt: int = IMAGES_PER_PROMPT,
) -> Job[Analysis]:
    """Compute all result tables.

    Parameters
    ----------
    labels : DataFrame
        A label table (one row per image × dimension × label), or a table of counts, known by its column
        `count` (one row per prompt × dimension × label).
    schema : Schema
        Dimensions, vocabularies and other spellings.
    mode : {"audit", "paper"}
    bootstrap : int
        Draws of roles (for BI) and of prompts (for the CCS); 0 leaves the intervals out that need them,
        None takes as many as `core.draws` says for the mode.
    seed : int
        Of the draws.
    margin_pp : float
        Largest difference, in percentage points, that the verdict still takes for none.
    images_per_prompt : int
        For a table of counts without a column `images`.

    Returns
    -------
    Job of Analysis
        Tables bi, bi_change, prevalence, persistence, ccs_mean, robustness, families, coverage; in paper
        mode bi, bi_change, persistence, ccs_mean, role_contrast, role_contrast_summary, role_bias. In both
        joined_labels: the spellings that were read as one label.

    Raises
    ------
    BadInput
        A table or an option that cannot be used.
    """
    _check_options(mode, bootstrap or 0, margin_pp)
    bootstrap = OF_RESULTS[mode] if bootstrap is None else bootstrap
    yield Progress(0, 100, "Counting")
    if mode == "paper":
        return (yield from _paper(labels, schema, bootstrap, seed))
    if "count" in labels.columns:
        cube = cube_of_counts(labels, schema, images_per_prompt=images_per_prompt)
    else:
        cube = cube_of_labels(labels, schema)
    _refuse_summary_names(cube)
    spaces = cube.label_spaces(schema)
    yield Progress(10, 100, "Counting")
    single = yield from _scaled(
        persistence_tables(cube, bootstrap=bootstrap, seed=seed, margin=margin_pp / 100), 10, 60
    )
    tables = yield from _scaled(
        concentration_tables(cube, spaces, bootstrap=bootstrap, seed=seed, pairs=single.seeds), 60, 100
    )
    tables |= single.tables
    tables["coverage"] = coverage_frame(cube)
    tables["joined_labels"] = joined_labels(labels, _meaning_in(schema))
    options = {
        "bootstrap": bootstrap,
        "level": 0.95,
        "alpha": ALPHA,
        "margin_pp": margin_pp,
        "min_support": MIN_SUPPORT,
        "prompt_move_pp": 100 * MOVE,
        **({"images_per_prompt": images_per_prompt} if "count" in labels.columns else {}),
    }
    more = {
        "robustness": single.robust,
        "definitions": DEFINITIONS,
        "resampled": resampled(cube),
        "joined_labels": joined_account(tables["joined_labels"]),
        "label_space": {
            dimension.id: {"k": space.k, "space": space.words}
            for dimension, space in zip(cube.dimensions, spaces, strict=True)
        },
    }
    run = _record(labels, schema, cube, (*cube.stages, *single.stages), "audit", seed, options, tables)
    return Analysis(tables, run | more)


def _paper(labels: pd.DataFrame, schema: Schema, bootstrap: int, seed: int) -> Job[Analysis]:
    """The published formulas (`core.paper`)."""
    cube = paper_cube(labels, schema)
    joined = joined_labels(labels, lambda _, said: _in_paper_mode(said))
    yield Progress(10, 100, "Counting")
    tables = yield from _scaled(paper_tables(cube, bootstrap=bootstrap, seed=seed), 10, 100)
    tables["joined_labels"] = joined.assign(mode="paper")[["mode", *joined.columns]]
    options = {"bootstrap": bootstrap, "level": 0.95, "alpha": PAPER_ALPHA, "min_support": MIN_SUPPORT}
    run = _record(labels, schema, cube, cube.stages, "paper", seed, options, tables)
    more = {"definitions": PAPER_DEFINITIONS, "joined_labels": joined_account(joined)}
    return Analysis(tables, run | more)


def _in_paper_mode(said: str) -> str:
    """What a word means in paper mode; unknown is no label."""
    word = plain_word(said)
    return "" if word == UNKNOWN else word


def _meaning_in(schema: Schema) -> Meaning:
    """What a word means in audit mode; unknown is no label."""

    def meaning(dimension: str, said: str) -> str | None:
        label = schema.canonical(dimension, said) if schema.has(dimension) else None
        return None if label == UNKNOWN else label

    return meaning


def _refuse_summary_names(cube: Cube) -> None:
    if ALL in cube.generators:
        raise BadInput(
            f"A generator is called {ALL}, and so is the row of the mean over generators.",
            "Give the generator another name.",
        )


def _check_options(mode: str, bootstrap: int, margin_pp: float) -> None:
    if mode not in MODES:
        raise BadInput(f"There is no mode {mode!r}.", f"Use {' or '.join(MODES)}.")
    if bootstrap < 0:
        raise BadInput(f"The number of bootstrap draws is {bootstrap}.", "Give 0 or more.")
    if not 0 < margin_pp <= 100:
        raise BadInput(f"The margin is {margin_pp} points.", "Give more than 0 and at most 100.")


def _scaled(job: Job[Any], first: int, last: int) -> Job[Any]:
    """A part of this job, its progress between two percentages."""
    while True:
        try:
            step = next(job)
        except StopIteration as stop:
            return stop.value
        done = first + (last - first) * step.done // max(step.total, 1)
        yield Progress(done, 100, step.text)


def _record(
    labels: pd.DataFrame,
    schema: Schema,
    cube: Cube,
    stages: Sequence[Stage],
    mode: str,
    seed: int,
    options: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
) -> dict[str, Any]:
    for stage in stages:
        stage.check()
    return {
        "versions": {
            "contextbias_studio": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "pandas": pd.__version__,
            "scipy": scipy.__version__,
        },
        "mode": mode,
        "seed": seed,
        "options": dict(options),
        "schema": {"version": schema.version, "hash": schema.hash},
        "input": dict(labels.attrs.get("input", {})),
        "label_map": dict(labels.attrs.get("label_map", {"source": "raw", "version": 0})),
        "left_out_before": dict(labels.attrs.get("left_out", {})),
        "stages": [
            {"stage": one.name, "in": one.rows_in, "used": one.used, "left_out": dict(one.left_out)}
            for one in stages
        ],
        "counted": {
            "generators": list(cube.generators),
            "roles": len(cube.roles),
            "prompts": {
                condition.value: int(np.count_nonzero(cube.prompt_condition == code))
                for code, condition in enumerate(CONDITIONS)
            },
            "dimensions": len(cube.dimensions),
            "labels": len(cube.labels),
        },
        "notes": list(cube.notes),
        "table_rows": {name: len(frame) for name, frame in tables.items()},
        "tables": table_accounts(tables),
    }
