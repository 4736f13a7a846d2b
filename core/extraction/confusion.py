"""The stated errors of the drawn reader: for each dimension, what a true label is read as and how often.

A row is a probability distribution over the vocabulary and `unknown`. Truth that is not known stays
unknown. In a list every label of the truth is read by its own row, independently of the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from core.errors import BadInput
from core.keys import key_of
from core.paths import RESOURCES
from core.questions import NONE, Question
from core.records import UNKNOWN
from core.schema import Dimension, Schema

Row: TypeAlias = dict[str, float]
Matrix: TypeAlias = dict[str, Row]


class Confusion:
    """The confusion matrices of one extractor for one schema.

    Parameters
    ----------
    schema : Schema
        Whose vocabularies the rows run over. Stated pairs of labels that it lacks are left out.
    path : Path, optional
        File of the errors; default the drawn reader's.
    scale : float
        Factor on every probability of error; 0 reads without error.
    """

    def __init__(self, schema: Schema, path: Path | None = None, scale: float = 1.0) -> None:
        path = path or RESOURCES / "extractors" / "drawn_reader.json"
        try:
            self._stated: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadInput(f"The errors in {path.name} cannot be read: {error}.") from error
        self._schema = schema
        self._scale = scale
        self._rows: dict[tuple[str, str], Row] = {}
        self._check(path.name)

    @cached_property
    def hash(self) -> str:
        """Content key of the stated errors."""
        return key_of(self._stated)

    def row(self, dimension_id: str, true: str) -> Row:
        """Distribution of what a true label is read as: label or `unknown` -> probability, 0 left out."""
        key = (dimension_id, true)
        if key not in self._rows:
            self._rows[key] = self._make_row(self._schema.dimension(dimension_id), true)
        return self._rows[key]

    def matrix(self, dimension_id: str, true_labels: Iterable[str] = ()) -> Matrix:
        """All rows of a dimension: true label -> read label -> probability; unknown is the last row.

        An open dimension has no vocabulary: its rows are those of the `true_labels` given.
        """
        dimension = self._schema.dimension(dimension_id)
        labels = dimension.label_ids if dimension.is_closed else tuple(dict.fromkeys(true_labels))
        return {true: dict(self.row(dimension_id, true)) for true in (*labels, UNKNOWN)}

    def answers(self, question: Question, true_labels: Iterable[str] = ()) -> Matrix:
        """The same for a question: how an image's true answer is read after presence has been folded in.

        Exact under the reader's independence of dimensions, for pictures whose truth states presence
        (`no` where the kind is none, `yes` otherwise).
        """
        matrix = self.matrix(question.dimension, true_labels)
        for presence in question.folds:
            says_no = {true: self.row(presence, true).get("no", 0.0) for true in ("yes", "no")}
            if NONE not in matrix:
                matrix[NONE] = {UNKNOWN: 1.0}
            for true, row in matrix.items():
                if true == UNKNOWN:
                    continue
                nothing = row.pop(UNKNOWN, 0.0)
                folded = nothing * says_no["no" if true == NONE else "yes"]
                row[NONE] = row.get(NONE, 0.0) + folded
                row[UNKNOWN] = nothing - folded
        return {true: {read: p for read, p in row.items() if p > 0} for true, row in matrix.items()}

    def _make_row(self, dimension: Dimension, true: str) -> Row:
        if true == UNKNOWN:
            return {UNKNOWN: 1.0}
        stated = self._of(dimension.id)
        others = dimension.label_ids if dimension.is_closed else tuple(stated.get("words", ()))
        pairs = {
            read: p
            for read, p in stated.get("pairs", {}).get(true, {}).items()
            if read in dimension.label_ids
        }
        rest = [label for label in others if label != true and label not in pairs]
        row: Row = {UNKNOWN: float(stated["unknown"])} | pairs
        row |= {label: stated["elsewhere"] / len(rest) for label in rest}
        row = {read: p * self._scale for read, p in row.items() if p * self._scale > 0}
        return {true: 1.0 - sum(row.values())} | row

    def _of(self, dimension_id: str) -> Mapping[str, Any]:
        stated: Mapping[str, Any] = self._stated["dimensions"].get(dimension_id, self._stated["default"])
        return stated

    def _check(self, where: str) -> None:
        for dimension in self._schema.dimensions:
            trues = dimension.label_ids or ("anything",)
            for true in trues:
                try:
                    row = self.row(dimension.id, true)
                except (KeyError, TypeError, AttributeError) as error:
                    raise BadInput(
                        f"{where}: the errors of {dimension.id} are incomplete ({error})."
                    ) from error
                if min(row.values()) < 0 or row[true] > 1:
                    raise BadInput(
                        f"{where}: the errors of {dimension.id} {true} do not lie between 0 and 1."
                    )
