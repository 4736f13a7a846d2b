"""The job that turns answers into the agreement, consensus and confusion tables; and how a cell is opened.

Coefficients of one row rest on the same table, and a row says how many image sets it rests on and how many
were left out. One coefficient a question, then their mean (`ALL`); `POOLED` throws all questions into one
table, where chance agreement is so small that any coefficient is nearly raw agreement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from annotation.agreement_tables import account, agreement_table, confusion_table, consensus_table, words_of
from annotation.coding import Coded, Sheet, code_answers
from annotation.count_pairs import count_pairs
from annotation.image_marks import image_sheet
from annotation.joined_answers import joined_answers
from annotation.repeats import AGAIN, repeat_scopes, repeat_sheet
from annotation.scopes import IN_PLACE, PERSON, PIPELINE, WITH_THE_REST, scopes_of
from annotation.scoring import Draws, Row, difference_of_scopes, finished, mean_of_scopes, score
from core.errors import BadInput
from core.jobs import Job, Progress
from core.joined_labels import joined_account
from core.questions import Question
from core.records import UNKNOWN
from core.statistics.cohen_kappa import kappa_of_table
from core.statistics.estimate import Estimate
from core.statistics.resampling import cluster_weights
from core.table_account import table_accounts

Unknown = Literal["label", "left out"]


@dataclass(frozen=True)
class AgreementResult:
    """Tables `agreement`, `consensus`, `confusion`, `counts`, and the account of the run (JSON-able)."""

    tables: dict[str, pd.DataFrame]
    run: dict[str, Any] = field(default_factory=dict)

    def row(self, question: str, scope: str, statistic: str, level: str = "nominal") -> dict[str, Any] | None:
        """One line of the agreement table as a dict; None when there is no such line."""
        table = self.tables["agreement"]
        key = {"question": question, "scope": scope, "statistic": statistic, "level": level}
        found = table[np.logical_and.reduce([table[name] == value for name, value in key.items()])]
        return None if found.empty else {str(name): value for name, value in found.iloc[0].items()}


class Contingency(NamedTuple):
    """How two raters answered one question: rows are the first.

    `image_sets` holds, for each cell that is not empty, the ids of its image sets, so that a number opens
    its images.
    """

    labels: tuple[str, ...]
    matrix: npt.NDArray[np.int64]
    image_sets: dict[tuple[int, int], tuple[str, ...]]


def agreement(
    answers: pd.DataFrame,
    pipeline: pd.DataFrame | None,
    questions: Sequence[Question],
    *,
    bootstrap: int = 1000,
    seed: int = 0,
    clusters: pd.Series | None = None,
    unknown: Unknown = "label",
    readings: pd.DataFrame | None = None,
    repeats: pd.DataFrame | None = None,
) -> Job[AgreementResult]:
    """Agreement of people with people and with the pipeline.

    Parameters
    ----------
    answers : DataFrame
        Confirmed answers: annotator, image_set, question, label, slider, and where there are any status
        ("ok" or "unknown") and is_simulated. Empty is missing; a slider of 0 is a count. Descriptors of
        open questions should have gone through the label map before; here only case and spaces go.
    pipeline : DataFrame or None
        From `annotation.comparison.pipeline_answers`.
    questions : sequence of Question
        What was asked. The number of categories of a question is the number offered, and *unknown*.
    bootstrap : int
        Replicates over image sets for the BCa intervals; 0 for none.
    seed : int
        Of the draws, which belong to the names of image sets or clusters, not to their order.
    clusters : Series, optional
        Cluster (role) by image set; whole clusters are drawn instead of image sets.
    unknown : {"label", "left out"}
        Whether *unknown* is a category like others or no answer. The consensus always counts it as a vote.
    readings : DataFrame, optional
        What `pipeline` was made from, with the column `position`: with it, and answers that have a column
        `marks`, single images are compared too, in scopes whose names end in " image".
    repeats : DataFrame, optional
        Second answers to image sets that were shown twice, in the columns of `answers`; `image_set` is the
        set's first showing. They give the scopes "A again" and "people again", and enter nothing else.

    Yields
    ------
    Progress
        One step a scope, counted on from whole sets to single images to *unknown* left out.

    Returns
    -------
    AgreementResult

    Raises
    ------
    BadInput
        Nothing to compare, or answers that cannot be used as they are.
    """
    sheet = code_answers(answers, pipeline, questions, unknown)
    if not sheet.image_sets or not sheet.questions:
        raise BadInput("There are no answers to compare.", "Answer some image sets first.")
    draws = _draws(sheet, clusters, bootstrap, seed)
    images, image_rows = image_sheet(sheet, answers, readings, questions)
    whole = len(scopes_of(sheet))
    single = len(scopes_of(images)) if images is not None else 0
    has_unknown = any(_says_unknown(coded) for coded in sheet.questions)
    total = whole + single + whole * has_unknown
    rows = yield from _all_rows(sheet, draws, "", (0, total))
    if images is not None:
        rows += yield from _all_rows(images, draws, " image", (whole, total))
    again, repeat_rows = _again(answers, repeats, questions, unknown, bootstrap, seed)
    rows += again
    bare: dict[tuple[str, ...], float] = {row.key: row.value for row in rows if row.is_defined}
    if has_unknown:
        bare = yield from _without_unknown(answers, pipeline, questions, clusters, (whole + single, total))
    yield Progress(total, total, "tables")
    tables = {"agreement": agreement_table(rows, bare), "consensus": consensus_table(sheet)}
    tables["confusion"] = confusion_table(sheet)
    tables["joined_answers"] = joined_answers(answers, questions)
    tables["counts"] = count_pairs(sheet)
    run = {
        "bootstrap": bootstrap,
        "seed": seed,
        "resampled": "image sets" if clusters is None else "clusters of image sets",
        "unknown": unknown,
        **account(sheet, scopes_of(sheet), answers),
    }
    run["joined_answers"] = joined_account(tables["joined_answers"])
    run["rows"] = run["rows"] | image_rows | repeat_rows
    run["tables"] = table_accounts(tables)
    return AgreementResult(tables, run)


def _all_rows(sheet: Sheet, draws: Draws, suffix: str, steps: tuple[int, int]) -> Job[list[Row]]:
    """Rows of every scope of a sheet, one step a scope; `steps` are those before it, and all."""
    before, total = steps
    scopes = scopes_of(sheet)
    rows: list[Row] = []
    rest: dict[str, list[list[Row]]] = {PERSON: [], IN_PLACE: []}
    for done, scope in enumerate(scopes):
        yield Progress(min(before + done, total), total, scope.name + suffix)
        found = score(scope, sheet.questions, draws)
        rows += finished(found, draws)
        if scope.kind:
            rest[scope.kind].append(found)
    rows += _against_the_ceiling(rest[PERSON], rest[IN_PLACE], draws)
    return [replace(row, scope=row.scope + suffix) for row in rows]


def _without_unknown(
    answers: pd.DataFrame,
    pipeline: pd.DataFrame | None,
    questions: Sequence[Question],
    clusters: pd.Series | None,
    steps: tuple[int, int],
) -> Job[dict[tuple[str, ...], float]]:
    """Values of all rows with *unknown* left out, to stand beside those that count it as an answer."""
    bare = code_answers(answers, pipeline, questions, "left out")
    found = yield from _all_rows(bare, _draws(bare, clusters, 0, 0), "", steps)
    return {row.key: row.value for row in found if row.is_defined}


def _says_unknown(coded: Coded) -> bool:
    if UNKNOWN not in coded.labels:
        return False
    code = coded.labels.index(UNKNOWN)
    return bool((coded.ratings == code).any() or (coded.pipeline.codes == code).any())


def _again(
    answers: pd.DataFrame,
    repeats: pd.DataFrame | None,
    questions: Sequence[Question],
    unknown: Unknown,
    bootstrap: int,
    seed: int,
) -> tuple[list[Row], dict[str, Any]]:
    """Rows of people with themselves, and what became of the second answers."""
    if repeats is None or repeats.empty:
        return [], {}
    sheet = repeat_sheet(answers, repeats, questions, unknown)
    if not sheet.annotators:
        return [], sheet.rows
    draws = _draws(sheet, None, bootstrap, seed)
    found = [score(scope, sheet.questions, draws) for scope in repeat_scopes(sheet)]
    found.append(mean_of_scopes(f"people {AGAIN}", found))
    return [row for part in found for row in finished(part, draws)], sheet.rows


def questions_in(answers: pd.DataFrame, known: Sequence[Question]) -> tuple[Question, ...]:
    """The questions that answers are about: known ones in their order, then any other.

    A question nobody here knows (answers from elsewhere) is taken as open: its categories are the labels
    that were given, which its rows say.

    Examples
    --------
    >>> found = questions_in(pd.DataFrame({"question": ["hat", "hat"]}), ())
    >>> found[0].id, found[0].is_open
    ('hat', True)
    """
    if "question" not in answers:
        raise BadInput("The answers lack the column 'question'.")
    asked = set(answers["question"].dropna().astype(str))
    there = tuple(question for question in known if question.id in asked)
    others = sorted(asked - {question.id for question in there} - {""})
    return there + tuple(Question(name, name, "", "", "open_list", (), "") for name in others)


def contingency(
    answers: pd.DataFrame,
    question: Question,
    a: str,
    b: str,
    *,
    pipeline: pd.DataFrame | None = None,
    unknown: Unknown = "label",
) -> Contingency:
    """How `a` and `b` answered one question, with the image sets behind every cell.

    Parameters
    ----------
    answers, pipeline, unknown
        As in `agreement`.
    question : Question
        The question.
    a, b : str
        An annotator, "consensus" or "pipeline". Only image sets that both answered are in the table;
        for consensus and pipeline also those that are unresolved, mixed or not usable, as labels of
        their own in parentheses.

    Raises
    ------
    BadInput
        Nobody of that name.
    """
    sheet = code_answers(answers, pipeline, [question], unknown)
    first, second = (words_of(sheet, sheet.questions[0], who) for who in (a, b))
    extra = sorted({word for word in (*first, *second) if word.startswith("(")})
    labels = (*sheet.questions[0].labels, *extra)
    code = {label: position for position, label in enumerate(labels)}
    cells: dict[tuple[int, int], list[str]] = {}
    for image_set, one, other in zip(sheet.image_sets, first, second, strict=True):
        if one and other:
            cells.setdefault((code[one], code[other]), []).append(image_set)
    matrix = np.zeros((len(labels), len(labels)), dtype=np.int64)
    for cell, image_sets in cells.items():
        matrix[cell] = len(image_sets)
    return Contingency(labels, matrix, {cell: tuple(found) for cell, found in sorted(cells.items())})


def implied_kappa(confusion: npt.ArrayLike, marginals: npt.ArrayLike) -> Estimate:
    """Cohen's kappa between truth and a reader whose errors are known.

    Parameters
    ----------
    confusion : array_like, shape (Q, Q)
        Probability that the reader says l when the truth is j, at [j, l]; each row sums to 1.
    marginals : array_like, shape (Q,)
        Probability of each truth; sums to 1.

    Returns
    -------
    Estimate
        What agreement must come out in the long run; without an interval.

    Examples
    --------
    >>> round(implied_kappa([[0.9, 0.1], [0.2, 0.8]], [0.5, 0.5]).value, 3)
    0.7
    """
    table, shares = np.asarray(confusion, dtype=np.float64), np.asarray(marginals, dtype=np.float64)
    if table.ndim != 2 or table.shape != (shares.size, shares.size):
        raise ValueError("the confusion must be square, with a row for each marginal")
    if (table < 0).any() or not np.allclose(table.sum(axis=1), 1.0) or not np.isclose(shares.sum(), 1.0):
        raise ValueError("rows of the confusion and the marginals must be probabilities that sum to 1")
    found = kappa_of_table(table * shares[:, None])
    return Estimate(
        found.value, reason="" if found.is_defined else found.reason, method="implied Cohen kappa"
    )


def _against_the_ceiling(people: list[list[Row]], places: list[list[Row]], draws: Draws) -> list[Row]:
    """Means over persons of leaving one out, and the difference between pipeline and people."""
    if not people:
        return []
    ceiling = mean_of_scopes(f"people {WITH_THE_REST}", people)
    if not places:
        return finished(ceiling, draws)
    machine = mean_of_scopes(f"{PIPELINE} {WITH_THE_REST}", places)
    difference = difference_of_scopes(f"{PIPELINE} minus people", machine, ceiling)
    return [row for part in (ceiling, machine, difference) for row in finished(part, draws)]


def _draws(sheet: Sheet, clusters: pd.Series | None, bootstrap: int, seed: int) -> Draws:
    if bootstrap < 0:
        raise BadInput("The number of bootstrap replicates cannot be negative.")
    if clusters is None:
        names = list(sheet.image_sets)
    else:
        by_set = {str(name): str(value) for name, value in clusters.items()}
        absent = [name for name in sheet.image_sets if name not in by_set]
        if absent:
            raise BadInput(f"Image set {absent[0]} belongs to no cluster.", "Give a role for each image set.")
        names = [by_set[name] for name in sheet.image_sets]
    unique = sorted(set(names))
    position = {name: place for place, name in enumerate(unique)}
    weights = cluster_weights(unique, bootstrap, rng=np.random.default_rng(seed)).astype(np.float64)
    return Draws(weights, np.array([position[name] for name in names], dtype=np.int64), len(unique))
