"""Tables of answers as they come in: checked, as text and numbers, every row counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.errors import BadInput
from core.label_form import word_of
from core.records import IMAGES_PER_SET, UNKNOWN

ANSWER_COLUMNS = ("annotator", "image_set", "question", "label", "slider")
PIPELINE_COLUMNS = ("image_set", "question", "label", "slider", "how")


@dataclass
class RowAccount:
    """Rows that came in, were used, or were left out for a reason."""

    came: int = 0
    used: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def as_dict(self) -> dict[str, Any]:
        """The account as it is written; AssertionError unless rows in = used + left out."""
        if self.came != self.used + self.left_out.total():
            raise AssertionError(f"{self.came} rows came, {self.used} used, {dict(self.left_out)} left out")
        left_out = {reason: self.left_out[reason] for reason in sorted(self.left_out)}
        return {"in": self.came, "used": self.used, "left_out": left_out}


def people_table(answers: pd.DataFrame) -> pd.DataFrame:
    """Answers of people: annotator, image_set, question, label (`unknown` included), slider, status.

    Raises BadInput for a missing column, a count outside 0–10, or the same answer twice.
    """
    people = _columns(answers, ANSWER_COLUMNS, "answers")
    if "status" in answers:
        status = _words(answers["status"])
        people.loc[status == UNKNOWN, "label"] = UNKNOWN
        people["status"] = np.where((status == UNKNOWN) | (status == ""), "ok", status)
    else:
        people["status"] = "ok"
    twice = people.duplicated(["annotator", "image_set", "question"])
    if twice.any():
        who, where, what, *_ = people[twice].iloc[0]
        raise BadInput(
            f"{who} answers {what} on image set {where} twice.",
            "Keep one row for each annotator, image set and question.",
        )
    return people


def pipeline_table(pipeline: pd.DataFrame) -> pd.DataFrame:
    """Answers of the pipeline: image_set, question, label, slider, how; BadInput as for people."""
    machine = _columns(pipeline, PIPELINE_COLUMNS, "pipeline's answers")
    twice = machine.duplicated(["image_set", "question"])
    if twice.any():
        where, what, *_ = machine[twice].iloc[0]
        raise BadInput(f"The pipeline answers {what} on image set {where} twice.")
    return machine


def _words(column: pd.Series[Any]) -> npt.NDArray[np.object_]:
    """A column as words, each distinct value once through the rule of `core.label_form`."""
    coded = column.astype("category").cat
    known = np.array([*(word_of(value) for value in coded.categories), ""], dtype=object)
    return np.asarray(known[coded.codes.to_numpy()], dtype=object)


def _columns(frame: pd.DataFrame, needed: Sequence[str], what: str) -> pd.DataFrame:
    absent = [name for name in needed if name not in frame]
    if absent:
        raise BadInput(f"The {what} lack the column {absent[0]!r}.", f"They need {', '.join(needed)}.")
    words = [name for name in needed if name != "slider"]
    table = pd.DataFrame({name: _words(frame[name]) for name in words})
    table["slider"] = pd.to_numeric(frame["slider"], errors="coerce").to_numpy(dtype=np.float64)
    given = frame["slider"].notna().to_numpy() & (frame["slider"].astype(str).fillna("") != "").to_numpy()
    wrong = given & ~((table["slider"] >= 0) & (table["slider"] <= IMAGES_PER_SET)).to_numpy()
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise BadInput(
            f"The {what} have the count {frame['slider'].iloc[row]} in row {row + 1}.",
            f"A count is 0 to {IMAGES_PER_SET}, or empty when nobody set it.",
        )
    return table
