"""A person who judges image by image whether the stated attribute was drawn, kept in the sheet of `--sheet`.

The images come in an order of their own, so that no side of the stereotype comes in a row. Each judgement
is a cell of the sheet: the stated label where it was drawn, "not drawn", or "unknown" where nobody can tell.
A column beside them says when. Several windows may judge at once: every act is kept in a log that only grows,
and the sheet is written from it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from uuid import uuid4

from core.csv_rows import read_rows, write_rows
from core.keys import seed_of
from core.records import UNKNOWN, StoredImage
from core.schema import Schema
from core.validation.judgement_log import LOG, Act, append_acts, read_acts, standing
from core.validation.prompts import Stated, template
from core.validation.sheet import NOT_DRAWN, SHEET_COLUMNS, ReadStudy, sheet_rows

FILE = "judged.csv"
"""In the folder of the study of the prompts."""

AT = "judged_at"

WINDOW = uuid4().hex[:12]
"""Names this process among those that judge."""


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
    """What people judged, case by case, in this window and in others; `undo` takes back what this one said.

    Parameters
    ----------
    cases : sequence of Case
        In the order in which they are judged.
    rows : sequence of mapping
        The sheet, one row an image; cells that are filled are judgements.
    path : Path
        Where the sheet is kept; the acts are beside it (`core.validation.judgement_log`).
    window : str
        Names the window whose acts these are; the same for all sittings of one process.
    """

    def __init__(
        self,
        cases: Sequence[Case],
        rows: Sequence[Mapping[str, object]],
        path: Path,
        window: str = WINDOW,
    ) -> None:
        self.cases = tuple(cases)
        self.path = path
        self._window = window
        self._rows = {int(str(row["image"])): dict(row) for row in rows}
        self._log = path.with_name(LOG)
        self._acts, _ = read_acts(self._log)
        self._pending: list[Act] = []
        self._taken_back: set[Act] = set()
        self._news: set[int] = set()
        self._said: dict[int, Act] = {}
        self._lock, self._memory = threading.Lock(), threading.Lock()
        self._stand()

    @property
    def judged(self) -> int:
        """Cases with a judgement."""
        return sum(self.verdict(at) is not None for at in range(len(self.cases)))

    def verdict(self, at: int) -> Verdict | None:
        """What was said of a case; None while nothing was."""
        case = self.cases[at]
        said = self._said[case.image.image_id].label
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
        return self._say(Act(case.image.image_id, words[verdict], when, self._window))

    def undo(self, when: str) -> tuple[int, Callable[[], bool]] | None:
        """Take back the newest judgement of this window that still stands; what another said stands again.

        Returns its case and what writes that; None where this window has none.
        """
        act = self._newest_own()
        if act is None:
            return None
        others = [one for one in self._acts if one.image == act.image and one.by != self._window]
        before = others[-1] if others else self._of_sheet(act.image)
        at = next(at for at, case in enumerate(self.cases) if case.image.image_id == act.image)
        back = replace(before, at=before.at or when)
        self._taken_back.add(back)
        return at, self._say(back)

    @property
    def can_undo(self) -> bool:
        """Whether a judgement of this window still stands."""
        return self._newest_own() is not None

    def next_open(self, after: int = -1) -> int | None:
        """The next case without a judgement, from the first again after the last; None when all have one."""
        size = len(self.cases)
        order = [(after + 1 + step) % size for step in range(size)] if size else []
        return next((at for at in order if self.verdict(at) is None), None)

    def news(self) -> int:
        """Of how many images another window said something since this was asked last."""
        with self._memory:
            number = len(self._news)
            self._news.clear()
        return number

    def _newest_own(self) -> Act | None:
        with self._memory:
            acts = reversed([*self._acts, *self._pending])
            mine = (one for one in acts if one.by == self._window and one.label)
            return next((one for one in mine if self._said.get(one.image) is one), None)

    def _of_sheet(self, image: int) -> Act:
        row = self._rows[image]
        return Act(image, str(row.get("label") or "").strip(), str(row.get(AT) or ""))

    def _say(self, act: Act) -> Callable[[], bool]:
        with self._memory:
            self._pending.append(act)
            self._stand()
        return self._save

    def _stand(self) -> None:
        said = standing([*self._acts, *self._pending])
        self._said = {image: said.get(image) or self._of_sheet(image) for image in self._rows}

    def _save(self) -> bool:
        """Put what is not kept yet behind what all windows said, then write the sheet; whether all is kept.

        The sheet is written again while the log grew: whoever writes last has seen every act.
        """
        with self._lock:
            with self._memory:
                mine = tuple(self._pending)
            append_acts(self._log, self._still_meant(mine, standing(read_acts(self._log)[0])))
            acts, size = read_acts(self._log)
            self._take(acts, len(mine))
            while True:
                said = standing(acts)
                write_rows(self.path, [self._row(image, said) for image in self._rows], (*SHEET_COLUMNS, AT))
                before = size
                acts, size = read_acts(self._log)
                if size == before:
                    break
                self._take(acts, 0)
        return not self._pending

    def _still_meant(self, mine: Sequence[Act], said: dict[int, Act]) -> list[Act]:
        """Those acts of ours that are to be kept: what another window said since is not taken back."""
        kept = []
        for act in mine:
            now = said.get(act.image)
            if act not in self._taken_back or now is None or now.by == self._window:
                kept.append(act)
                said[act.image] = act
        return kept

    def _take(self, acts: list[Act], kept: int) -> None:
        """What the log holds now becomes what is known; acts of ours that it holds wait no longer."""
        with self._memory:
            old = standing(self._acts)
            new = standing(acts)
            self._news |= {
                image
                for image, act in new.items()
                if act != old.get(image) and act.by not in ("", self._window) and image in self._rows
            }
            self._acts, self._pending = acts, self._pending[kept:]
            self._stand()

    def _row(self, image: int, said: Mapping[int, Act]) -> dict[str, object]:
        act = said.get(image) or self._of_sheet(image)
        return {**self._rows[image], "label": act.label, AT: act.at if act.label else ""}


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
