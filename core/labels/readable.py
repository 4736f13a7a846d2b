"""Whether a study holds anything that can be counted, said before it is analysed and in a study's words."""

from __future__ import annotations

import pandas as pd

from core.errors import BadInput
from core.figures.wording import counted
from core.records import Status

WORDS = {
    Status.REFUSED: "refused",
    Status.INVALID: "without a valid record",
    Status.TRUNCATED: "whose record was cut off",
    Status.FLAGGED: "flagged",
    Status.MISSING_IMAGE: "whose file is missing",
    Status.ERROR: "without an answer",
    Status.UNKNOWN: "in which nothing could be seen",
}


def must_hold_readings(labels: pd.DataFrame, extractor: str) -> None:
    """Refuse a label table of a study without one reading that can be counted.

    Parameters
    ----------
    labels : DataFrame
        As `storage.frames.Frames.labels` has it.
    extractor : str
        Who read.

    Raises
    ------
    BadInput
        Nothing was read; it says what became of the images instead.
    """
    is_read = labels["status"] == str(Status.OK)
    if (is_read & (labels["condition"] != "")).any():
        return
    if labels.empty:
        raise BadInput(
            f"{extractor} has read no image of this study yet.",
            f"Read them: `main.py extract STUDY --extractor {extractor}`, or the page Extract.",
        )
    without_place = labels.loc[is_read, "image"].nunique()
    images = labels.groupby(["image"], observed=True)["status"].agg(_state).value_counts()
    found = [
        f"{counted(int(images[status]), 'image')} {words}"
        for status, words in WORDS.items()
        if status in images
    ]
    if without_place:
        found.append(f"{counted(int(without_place), 'image')} of which nobody stated the condition")
    raise BadInput(
        f"Nothing in this study can be counted: of what {extractor} read there are {', '.join(found)}.",
        "Read with another extractor, or look at the failures on the page Extract.",
    )


def _state(statuses: pd.Series) -> str:
    """One status for an image: ok where anything was read, else why not; unknown where only that is said."""
    said = [str(one) for one in statuses]
    if Status.OK in said:
        return str(Status.OK)
    return next((one for one in said if one != Status.UNKNOWN), said[0])
