"""The records that are listed as CSV: one row an image, one column a dimension, and the truth where known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.jobs import Job, Progress
from core.records import DimensionReading, NewRecord, Status, StoredImage
from core.schema import Schema
from gui.export import write_csv

if TYPE_CHECKING:
    from storage.store import Store

AT_ONCE = 50
SEPARATOR = "; "


def exporting(
    store: Store,
    schema: Schema,
    extractor: str,
    is_simulated: bool,
    images: Sequence[StoredImage],
    path: Path,
) -> Job[Path]:
    """Write the records of these images by one extractor; nothing is there before all is."""
    rows: list[dict[str, object]] = []
    for start in range(0, len(images), AT_ONCE):
        some = images[start : start + AT_ONCE]
        truths = store.truth_of([image.image_id for image in some])
        for image in some:
            own = [each for each in store.records_of(image.image_id) if each.extractor == extractor]
            row = _row(schema, image, extractor, is_simulated, own[-1] if own else None)
            truth = truths.get(image.image_id, {})
            row |= {f"true_{one}": SEPARATOR.join(truth.get(one, ())) for one in schema.dimension_ids}
            rows.append(row)
        yield Progress(len(rows), len(images), path.name)
    return write_csv(path, rows)


def _row(
    schema: Schema, image: StoredImage, extractor: str, is_simulated: bool, record: NewRecord | None
) -> dict[str, object]:
    row: dict[str, object] = {
        "image": image.image_id,
        "generator": image.generator,
        "role": image.role,
        "condition": image.condition.value if image.condition else "",
        "prompt": image.prompt,
        "seed": image.seed,
        "image_status": image.status.value,
        "extractor": extractor,
        "is_simulated": is_simulated,
        "record_status": record.status.value if record else "",
        "reason": record.reason if record else "",
        "n_persons": record.n_persons if record and record.n_persons is not None else "",
    }
    readings = record.readings if record else {}
    return row | {one: _value(readings.get(one)) for one in schema.dimension_ids}


def _value(reading: DimensionReading | None) -> str:
    if reading is None:
        return ""
    return SEPARATOR.join(reading.labels) if reading.status is Status.OK else reading.status.value
