"""People with themselves: image sets that were shown a second time, unannounced.

The input is a table of second answers beside the table of first ones; `image_set` is the set's first showing
in both, so that a pair is (annotator, image set, question). Second answers never enter any other comparison:
a set seen twice is one set. Scopes are named `A again`, and `people again` is the mean over persons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from annotation.answer_tables import RowAccount
from annotation.coding import MISSING, Coded, Codes, Counts, Sheet, code_answers
from annotation.scopes import Measures, Scope
from core.errors import BadInput
from core.questions import Question
from core.statistics.cohen_kappa import cohen_kappa_sums
from core.statistics.count_error import mean_absolute_error_sums
from core.statistics.gwet_ac import gwet_ac_sums
from core.statistics.intraclass import icc_2_1_sums
from core.statistics.raw_agreement import raw_agreement_sums
from core.statistics.repeats import within_one_sums

AGAIN = "again"
REPEAT_OF = "repeat_of"
"""Column of an answer table: the image set of which this row's image set is a second showing."""

NO_FIRST = "not answered the first time"
NO_USABLE_FIRST = "the first answer has no label"
NOT_REPEATED = "not answered twice"
_SECOND = "\0again"
"""Ends the name of a person's second column, which no annotator's own name does."""

_KEYS = ["annotator", "image_set", "question"]


def split_repeats(answers: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """First answers, and second ones under the image set of the first showing; None where there are none.

    Parameters
    ----------
    answers : DataFrame
        As for `annotation.agreement.agreement`, perhaps with the column `repeat_of`: empty for a first
        showing, else the image set that is shown again.

    Examples
    --------
    >>> said = pd.DataFrame({"image_set": ["a", "a2"], "repeat_of": ["", "a"]})
    >>> first, second = split_repeats(said)
    >>> first["image_set"].tolist(), second["image_set"].tolist()
    (['a'], ['a'])
    """
    if REPEAT_OF not in answers:
        return answers, None
    of = answers[REPEAT_OF].astype(object).map(lambda value: "" if pd.isna(value) else str(value).strip())
    is_second = (of != "").to_numpy()
    first, second = answers[~is_second].copy(), answers[is_second].copy()
    if second.empty:
        return first, None
    second["image_set"] = of[is_second].to_numpy()
    return first, second


def repeat_sheet(
    answers: pd.DataFrame, repeats: pd.DataFrame, questions: Sequence[Question], unknown: str
) -> Sheet:
    """Pairs of answers coded side by side: each annotator has two columns, the first time and the second.

    Parameters
    ----------
    answers, repeats : DataFrame
        First and second answers, `image_set` being the first showing in both.
    questions, unknown
        As in `annotation.agreement.agreement`.

    Returns
    -------
    Sheet
        Two annotators in place of each person, the first time and the second; image sets that somebody
        answered twice. `rows["repeats"]` says what became of every second answer.

    Raises
    ------
    BadInput
        A second answer given twice, or a table that cannot be used.
    """
    second = _plain(repeats)
    known = set(map(tuple, _plain(answers)[_KEYS].itertuples(index=False, name=None)))
    paired = _are_in(second, known)
    second = second[paired]
    wanted = set(map(tuple, second[_KEYS].itertuples(index=False, name=None)))
    first = _plain(answers)
    first = first[_are_in(first, wanted)]
    both = pd.concat([first, second.assign(annotator=second["annotator"] + _SECOND)], ignore_index=True)
    sheet = code_answers(both, None, questions, unknown)
    people = tuple(sorted(set(first["annotator"])))
    columns = [sheet.annotators.index(name) for person in people for name in (person, person + _SECOND)]
    coded = tuple(
        replace(one, ratings=one.ratings[:, columns], sliders=one.sliders[:, columns])
        for one in sheet.questions
    )
    names = tuple(sheet.annotators[column] for column in columns)
    alone = code_answers(second, None, questions, unknown)
    account = _account(len(repeats), int((~paired).sum()), alone, coded)
    return Sheet(sheet.image_sets, names, coded, False, {"repeats": account})


def _are_in(table: pd.DataFrame, keys: set[tuple[Any, ...]]) -> npt.NDArray[np.bool_]:
    # An array, because an empty list would choose no columns instead of no rows.
    return np.array([key in keys for key in table[_KEYS].itertuples(index=False, name=None)], dtype=np.bool_)


def repeat_scopes(sheet: Sheet) -> list[Scope]:
    """One scope a person: their first answers against their second."""
    return [_scope(sheet.annotators[at], at) for at in range(0, len(sheet.annotators), 2)]


def _scope(person: str, at: int) -> Scope:
    def left_out(coded: Coded) -> Counter[str]:
        both = (coded.ratings[:, [at, at + 1]] != MISSING).all(axis=1)
        return +Counter({NOT_REPEATED: int((~both).sum())})

    return Scope(
        f"{person} {AGAIN}",
        1,
        lambda coded: _complete(coded.ratings[:, [at, at + 1]]),
        lambda coded: coded.sliders[:, [at, at + 1]],
        _of_labels,
        _of_sliders,
        left_out,
    )


def _complete(codes: Codes) -> Codes:
    """Without answers that have no second one: AC1 would count them among the answers."""
    return np.where((codes != MISSING).all(axis=1)[:, None], codes, MISSING)


def _of_labels(codes: Codes, categories: int) -> Measures:
    return {
        "raw_agreement": raw_agreement_sums(codes, categories),
        "cohen_kappa": cohen_kappa_sums(codes, categories),
        "gwet_ac1": gwet_ac_sums(codes, categories),
    }


def _of_sliders(sliders: Counts) -> Measures:
    first, second = sliders[:, 0], sliders[:, 1]
    return {
        "icc_2_1": icc_2_1_sums(sliders),
        "mean_absolute_error": mean_absolute_error_sums([(first, second)]),
        "within_one": within_one_sums(first, second),
    }


def _plain(answers: pd.DataFrame) -> pd.DataFrame:
    absent = [name for name in (*_KEYS, "label", "slider") if name not in answers]
    if absent:
        raise BadInput(f"The repeated answers lack the column {absent[0]!r}.")
    columns = [*_KEYS, "label", "slider", *(["status"] if "status" in answers else [])]
    table = answers[columns].copy()
    for name in _KEYS:
        table[name] = table[name].astype(str)
    return table


def _account(came: int, lonely: int, alone: Sheet, coded: Sequence[Coded]) -> dict[str, Any]:
    """Second answers that came, were used, or were left out: for what they are, or for their first ones."""
    by_itself = alone.rows["answers"]
    used = sum(
        int(((one.ratings[:, 0::2] != MISSING) & (one.ratings[:, 1::2] != MISSING)).sum()) for one in coded
    )
    left_out = Counter(by_itself["left_out"])
    left_out.update({NO_FIRST: lonely, NO_USABLE_FIRST: by_itself["used"] - used})
    return RowAccount(came, used, +left_out).as_dict()
