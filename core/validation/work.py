"""The steps of `validate`: mine prompts from a study, and score what was read of the images made for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from core.errors import BadInput
from core.records import DimensionReading, NewRecord, Status
from core.schema import Schema
from core.validation.prompts import Stated, sayable, stated_from
from core.validation.scoring import Trial
from core.validation.sheet import ReadStudy

if TYPE_CHECKING:
    import pandas as pd

FOLDER = "validation"
"""Folder inside a study's folder that holds the study of its validation."""

KEY = "validation"
"""Under which the stated attributes are in the settings of that study."""

Judged = Mapping[tuple[int, str], DimensionReading]


def counts_in(labels: pd.DataFrame, schema: Schema) -> dict[tuple[str, str, str], int]:
    """(role, dimension, label) -> images, of the dimensions that can be stated in a prompt."""
    wanted = list(sayable(schema))
    said = labels[labels["dimension"].astype(str).isin(wanted) & (labels["status"].astype(str) == "ok")]
    plain = said[["role", "dimension", "label", "image"]].astype(
        {"role": str, "dimension": str, "label": str}
    )
    sizes = plain.drop_duplicates().groupby(["role", "dimension", "label"]).size()
    cells = cast("list[tuple[str, str, str]]", list(sizes.index))
    return {cell: int(size) for cell, size in zip(cells, sizes, strict=True)}


def stated_in(settings: Mapping[str, Any]) -> tuple[Stated, ...]:
    """The stated attributes of a validation study; BadInput for another study."""
    found = settings.get(KEY)
    if not isinstance(found, list):
        raise BadInput(
            "This study holds no prompts with a stated attribute.", "Run `main.py validate STUDY`."
        )
    return tuple(stated_from(item) for item in found)


def trials_in(
    study: ReadStudy, stated: Iterable[Stated], extractor: str, judged: Judged | None = None, judge: str = ""
) -> list[Trial]:
    """One trial for every image of a prompt with a stated attribute that the extractor has a record of.

    Parameters
    ----------
    judged : mapping of (image, dimension) to DimensionReading, optional
        What a person saw.
    judge : str
        Name of a second extractor; used where `judged` says nothing.
    """
    by_text = {(one.role, one.text): one for one in stated}
    trials = []
    for image in study.images():
        about = by_text.get((image.role, image.prompt))
        if about is None:
            continue
        records = study.records_of(image.image_id)
        own = _reading(records, extractor, about.dimension)
        if own is None:
            continue
        second = (judged or {}).get((image.image_id, about.dimension))
        if second is None and judge:
            second = _reading(records, judge, about.dimension)
        trials.append(Trial(about, image.image_id, own, second))
    if not trials:
        raise BadInput(
            f"{extractor} has read no image of a prompt with a stated attribute.",
            "Read them: `main.py extract STUDY/validation --extractor …`.",
        )
    return trials


def _reading(records: Sequence[NewRecord], extractor: str, dimension: str) -> DimensionReading | None:
    own = [record for record in records if record.extractor == extractor]
    if not own:
        return None
    if own[-1].status is not Status.OK:
        return DimensionReading(status=own[-1].status)
    return own[-1].readings.get(dimension, DimensionReading(status=Status.INVALID))
