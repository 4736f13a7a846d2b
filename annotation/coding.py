"""From frames of answers to coded matrices: image sets by annotators, with every row accounted for.

A code is a position in the question's labels: those offered, then *unknown* where it counts as a label,
then labels that somebody gave though they were not offered (they disagree with everything that was).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from annotation.answer_tables import RowAccount, people_table, pipeline_table
from annotation.comparison import NOT_MEASURED, TIE
from annotation.consensus import Consensus, adjudicated, consensus_of
from core.errors import BadInput
from core.questions import Question
from core.records import UNKNOWN

Codes = npt.NDArray[np.int64]
Counts = npt.NDArray[np.float64]

Decided: TypeAlias = Mapping[tuple[str, str], tuple[str | None, float | None]]
"""(image set, question) -> label, None for unknown, and count, None for none."""

SUMMARIES = ("ALL", "POOLED")
"""What the rows over all questions are called in the column `question`."""

MISSING = -1
MIXED = "mixed"


@dataclass(frozen=True)
class Reader:
    """What one reader (the people's consensus, the pipeline) says of each unit.

    -1 is a missing code, nan a missing slider; `states` then says in words what there is instead
    ("unresolved", "mixed", "no usable image" …) and is "" where there is a code.
    """

    codes: Codes
    sliders: Counts
    states: tuple[str, ...]


@dataclass(frozen=True)
class Coded:
    """One question: ratings and sliders are units by annotators, -1 and nan where missing.

    Units are the image sets, or single images; `places` then names the image set of each by position.
    """

    question: str
    labels: tuple[str, ...]
    ratings: Codes
    sliders: Counts
    agreed: Reader
    pipeline: Reader
    consensus: tuple[Consensus, ...] = ()
    places: Codes | None = None
    note: str = ""

    @property
    def not_measured(self) -> str:
        """ "not measured by …" where the pipeline never reads what is asked, else ""."""
        return next((one for one in self.pipeline.states if one.startswith(NOT_MEASURED)), "")


@dataclass(frozen=True)
class Sheet:
    """All questions on the same image sets and annotators, and what became of every row."""

    image_sets: tuple[str, ...]
    annotators: tuple[str, ...]
    questions: tuple[Coded, ...]
    has_pipeline: bool
    rows: dict[str, Any] = field(default_factory=dict)


def code_answers(
    answers: pd.DataFrame,
    pipeline: pd.DataFrame | None,
    questions: Sequence[Question],
    unknown: str = "label",
) -> Sheet:
    """Code answers of people, and of the pipeline where there is one.

    Parameters
    ----------
    answers, pipeline, questions, unknown
        As in `annotation.agreement.agreement`. What a person decided stands in `answers.attrs["decided"]`,
        as `storage.frames.Frames.answers` has it, and takes the place of what the votes gave.

    Raises
    ------
    BadInput
        A missing column, an annotator who answers the same question twice, or a count outside 0–10.
    """
    if unknown not in ("label", "left out"):
        raise BadInput(f"Unknown can be a 'label' or 'left out', not {unknown!r}.")
    _refuse_summary_names(questions)
    people = people_table(answers)
    machine = None if pipeline is None else pipeline_table(pipeline)
    image_sets = tuple(sorted(set(people["image_set"])))
    annotators = tuple(sorted(set(people["annotator"])))
    accounts = {
        "answers": RowAccount(len(people)),
        "sliders": RowAccount(int(people["slider"].notna().sum())),
    }
    by_question = dict(tuple(people.groupby("question", sort=False)))
    asked = {question.id for question in questions}
    for name, rows in by_question.items():
        if name not in asked:
            accounts["answers"].left_out["question not asked"] += len(rows)
            accounts["sliders"].left_out["question not asked"] += int(rows["slider"].notna().sum())
    if machine is not None:
        accounts["pipeline"] = _account_of(machine, asked, image_sets)
    decided: Decided = answers.attrs.get("decided", {})
    coded = tuple(
        _code(
            *(question, by_question.get(question.id), machine, image_sets, annotators, unknown, accounts),
            decided,
        )
        for question in questions
    )
    counted = {name: account.as_dict() for name, account in accounts.items()}
    return Sheet(image_sets, annotators, coded, machine is not None, counted)


def _refuse_summary_names(questions: Sequence[Question]) -> None:
    for question in questions:
        if question.id in SUMMARIES:
            raise BadInput(
                f"A question is called {question.id}, and so is the row that sums up all questions.",
                "Give the question another name.",
            )


def _account_of(machine: pd.DataFrame, asked: set[str], image_sets: Sequence[str]) -> RowAccount:
    account = RowAccount(len(machine))
    is_asked = machine["question"].isin(asked)
    seen = is_asked & machine["image_set"].isin(set(image_sets))
    account.used = int(seen.sum())
    account.left_out = +Counter(
        {
            "question not asked": int((~is_asked).sum()),
            "image set without an answer": int((is_asked & ~seen).sum()),
        }
    )
    return account


def _code(
    question: Question,
    people: pd.DataFrame | None,
    machine: pd.DataFrame | None,
    image_sets: Sequence[str],
    annotators: Sequence[str],
    unknown: str,
    accounts: dict[str, RowAccount],
    decided: Decided,
) -> Coded:
    rows = _usable_rows(people, question, accounts)
    read = _read_by_pipeline(machine, question, set(image_sets))
    settled = {
        where: (None if label is None else question.meaning(label), slider)
        for (where, asked), (label, slider) in decided.items()
        if asked == question.id
    }
    labels, note = _vocabulary(question, rows, read, unknown, [label for label, _ in settled.values()])
    code = {label: position for position, label in enumerate(labels)}
    row_of = {name: position for position, name in enumerate(image_sets)}
    column_of = {name: position for position, name in enumerate(annotators)}
    ratings = np.full((len(image_sets), len(annotators)), MISSING, dtype=np.int64)
    sliders = np.full(ratings.shape, np.nan)
    votes: list[list[tuple[str, str | None, float | None]]] = [[] for _ in image_sets]
    for annotator, image_set, label, slider in rows:
        place = row_of[image_set], column_of[annotator]
        votes[place[0]].append((annotator, label, slider))
        if label in code:
            ratings[place] = code[label]
            accounts["answers"].used += 1
        else:
            accounts["answers"].left_out["unknown"] += 1
        if slider is not None:
            sliders[place] = slider
            accounts["sliders"].used += 1
    consensus = tuple(
        adjudicated(consensus_of(vote), *settled[where], vote) if where in settled else consensus_of(vote)
        for where, vote in zip(image_sets, votes, strict=True)
    )
    agreed, pipeline = _people_reader(consensus, code), _pipeline_reader(read, code, image_sets)
    return Coded(question.id, labels, ratings, sliders, agreed, pipeline, consensus, note=note)


def _usable_rows(
    people: pd.DataFrame | None, question: Question, accounts: dict[str, RowAccount]
) -> list[tuple[str, str, str, float | None]]:
    """(annotator, image set, label, slider or None) of every answer that has a label or is unknown."""
    rows: list[tuple[str, str, str, float | None]] = []
    if people is None:
        return rows
    for who, where, text, slider, status in people[
        ["annotator", "image_set", "label", "slider", "status"]
    ].itertuples(index=False, name=None):
        label = question.meaning(text)
        has_slider = not np.isnan(slider)
        reason = f"status {status}" if status != "ok" else "" if label else "no label"
        if reason:
            accounts["answers"].left_out[reason] += 1
            accounts["sliders"].left_out[reason] += has_slider
            continue
        if label == UNKNOWN and has_slider:
            accounts["sliders"].left_out["unknown has no count"] += 1
            has_slider = False
        rows.append((who, where, label, float(slider) if has_slider else None))
    return rows


def _read_by_pipeline(
    machine: pd.DataFrame | None, question: Question, image_sets: set[str]
) -> dict[str, tuple[str, float, str]]:
    if machine is None:
        return {}
    rows = machine[(machine["question"] == question.id) & machine["image_set"].isin(image_sets)]
    return {
        where: (question.meaning(text), slider, how)
        for where, text, slider, how in rows[["image_set", "label", "slider", "how"]].itertuples(
            index=False, name=None
        )
    }


def _vocabulary(
    question: Question,
    rows: Sequence[tuple[str, str, str, float | None]],
    read: dict[str, tuple[str, float, str]],
    unknown: str,
    settled: Sequence[str | None] = (),
) -> tuple[tuple[str, ...], str]:
    given = {label for _, _, label, _ in rows} | {label for label, _, _ in read.values() if label}
    given |= {label for label in settled if label}
    offered = question.option_ids
    outside = sorted(given - set(offered) - {UNKNOWN})
    labels = [*offered, *([UNKNOWN] if unknown == "label" else []), *outside]
    if question.is_open:
        return tuple(labels), "open question: categories are the labels that were given"
    said = "a label that was" if len(outside) == 1 else f"{len(outside)} labels that were"
    return tuple(labels), f"{said} not offered: {', '.join(outside)}" if outside else ""


def _people_reader(consensus: Sequence[Consensus], code: dict[str, int]) -> Reader:
    return _reader([(found.label, found.slider_mean_winner, found.how) for found in consensus], code)


def _pipeline_reader(
    read: dict[str, tuple[str, float, str]], code: dict[str, int], image_sets: Sequence[str]
) -> Reader:
    found = [read.get(image_set, ("", None, "no pipeline answer")) for image_set in image_sets]
    return _reader([(label, slider, MIXED if how == TIE else how) for label, slider, how in found], code)


def _reader(found: Sequence[tuple[str | None, float | None, str]], code: dict[str, int]) -> Reader:
    """Codes of (label, slider, state); the state holds where there is no label, or it is left out.

    A state is never looked up among the labels: "mixed" is also a colour temperature.
    """
    codes = np.array([code.get(label or "", MISSING) for label, _, _ in found], dtype=np.int64)
    sliders = [np.nan if slider is None or label == UNKNOWN else slider for label, slider, _ in found]
    counted = np.where(codes >= 0, np.array(sliders, dtype=np.float64), np.nan)
    states = tuple("" if label in code else label or str(state) for label, _, state in found)
    return Reader(codes, counted, states)
