"""A person who judges image by image whether the stated attribute was drawn, kept in the sheet of `--sheet`.

The images come in an order of their own, so that no side of the stereotype comes in a row. Each judgement
is a cell of the sheet: the stated label where it was drawn, "not drawn", or "unknown" where nobody can tell.
A column beside them says when, so that the newest can be taken back, also in another sitting.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.csv_rows import read_rows, write_rows
from core.keys import seed_of
from core.records import UNKNOWN, StoredImage
from core.schema import Schema
from core.validation.prompts import Stated, template
from core.validation.sheet import NOT_DRAWN, SHEET_COLUMNS, ReadStudy, sheet_rows

FILE = "judged.csv"
"""In the folder of the study of the prompts."""

AT = "judged_at"


class Verdict(StrEnum):
    """What a person says of one image."""

    DRAWN = "drawn"
    NOT_DRAWN = "not drawn"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Case:
    """One image, and the attribute that its prompt states."""

    image: StoredImage
    stated: Stated

    @property
    def words(self) -> str:
        """The attribute as the prompt says it."""
        return stated_words(self.stated.dimension, self.stated.label)


def stated_words(dimension: str, label: str) -> str:
    """A label as a prompt states it, or as it is where no prompt can.

    >>> stated_words("pose", "standing"), stated_words("eyewear_type", "none")
    ('standing', 'without any eyewear')
    """
    forms = template()["dimensions"].get(dimension, {})
    found = next((form[label] for form in forms.values() if label in form), label.replace("_", " "))
    return str(found)


class Judging:
    """What one person judged, case by case; `undo` takes the newest judgement back.

    Parameters
    ----------
    cases : sequence of Case
        In the order in which they are judged.
    rows : sequence of mapping
        The sheet, one row an image; cells that are filled are judgements.
    path : Path
        Where the sheet is kept.
    """

    def __init__(self, cases: Sequence[Case], rows: Sequence[Mapping[str, object]], path: Path) -> None:
        self.cases = tuple(cases)
        self.path = path
        self._rows = {int(str(row["image"])): dict(row) for row in rows}
        self._number, self._saved = 0, 0
        self._lock = threading.Lock()

    @property
    def judged(self) -> int:
        """Cases with a judgement."""
        return sum(self.verdict(at) is not None for at in range(len(self.cases)))

    def verdict(self, at: int) -> Verdict | None:
        """What was said of a case; None while nothing was."""
        case = self.cases[at]
        said = str(self._rows[case.image.image_id].get("label") or "").strip()
        if not said:
            return None
        labels = [label.strip() for label in said.split(";")]
        if case.stated.label in labels:
            return Verdict.DRAWN
        return Verdict.CANNOT_TELL if labels == [UNKNOWN] else Verdict.NOT_DRAWN

    def judge(self, at: int, verdict: Verdict, when: str) -> Callable[[], bool]:
        """Say what is seen; returns what writes it to the disk and may be called from any thread."""
        case = self.cases[at]
        words = {Verdict.DRAWN: case.stated.label, Verdict.NOT_DRAWN: NOT_DRAWN, Verdict.CANNOT_TELL: UNKNOWN}
        self._rows[case.image.image_id] |= {"label": words[verdict], AT: when}
        return self._saving()

    def undo(self) -> tuple[int, Callable[[], bool]] | None:
        """Take the newest judgement back: its case, and what writes that; None where there is none."""
        given = [
            (str(self._rows[case.image.image_id].get(AT) or ""), at)
            for at, case in enumerate(self.cases)
            if self.verdict(at) is not None
        ]
        if not given:
            return None
        at = max(given)[1]
        self._rows[self.cases[at].image.image_id] |= {"label": "", AT: ""}
        return at, self._saving()

    def next_open(self, after: int = -1) -> int | None:
        """The next case without a judgement, from the first again after the last; None when all have one."""
        size = len(self.cases)
        order = [(after + 1 + step) % size for step in range(size)] if size else []
        return next((at for at in order if self.verdict(at) is None), None)

    def _saving(self) -> Callable[[], bool]:
        self._number += 1
        number, rows = self._number, [dict(row) for row in self._rows.values()]

        def save() -> bool:
            """Write the sheet whole; an older state is not written over a newer. Whether it is the newest."""
            with self._lock:
                if number > self._saved:
                    write_rows(self.path, rows, (*SHEET_COLUMNS, AT))
                    self._saved = number
            return number == self._number

        return save


def judging_of(
    study: ReadStudy, stated: Iterable[Stated], schema: Schema, folder: Path, seed: int
) -> Judging:
    """The judging of a study of prompts, with what was judged before.

    Parameters
    ----------
    folder : Path
        Of the study of the prompts; the sheet lies in it.
    seed : int
        Of the study; decides the order.
    """
    stated = tuple(stated)
    by_text = {(one.role, one.text): one for one in stated}
    path = folder / FILE
    kept = {row["image"]: row for row in read_rows(path)} if path.is_file() else {}
    rows = [dict(row) for row in sheet_rows(study, stated, schema)]
    for row in rows:
        before = kept.get(str(row["image"]), {})
        row |= {"label": before.get("label", ""), AT: before.get(AT, "")}
    cases = [
        Case(image, by_text[image.role, image.prompt])
        for image in study.images()
        if (image.role, image.prompt) in by_text
    ]
    cases.sort(key=lambda case: seed_of("judging", seed, case.image.sha256))
    return Judging(cases, rows, path)


def judged_in(folder: Path) -> int:
    """How many images a person judged in the window."""
    path = folder / FILE
    return sum(bool(row.get("label")) for row in read_rows(path)) if path.is_file() else 0
