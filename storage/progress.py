"""How far people have come and what readers could not read: counts for the study's overview."""

from __future__ import annotations

from dataclasses import dataclass

from core.records import Annotator, Condition, Status, StoredImage
from storage.part import IMAGE_COLUMNS, IMAGE_TABLES, Part, condition_of, stored_image


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """One annotator's confirmed current answers, the image sets they are on, and the last act."""

    annotator: Annotator
    answers: int
    image_sets: int
    joined_at: str
    last_at: str | None


@dataclass(frozen=True, slots=True)
class FailedRecords:
    """Images whose newest record by an extractor has no labels, by cell, status and reason."""

    role: str
    condition: Condition | None
    generator: str
    extractor: str
    status: Status
    images: int


_PROGRESS = """
SELECT annotator.id, annotator.name, annotator.is_simulated,
    ifnull(sum(current_answer.is_confirmed), 0),
    count(DISTINCT CASE WHEN current_answer.is_confirmed = 1 THEN current_answer.image_set_id END),
    annotator.joined_at, max(current_answer.at)
FROM annotator LEFT JOIN current_answer ON current_answer.annotator_id = annotator.id
GROUP BY annotator.id ORDER BY annotator.id
"""

# An error is an attempt and a later record takes its place, so only an image's newest record counts.
_FAILED = """
SELECT role.name, prompt.condition, generator.name, extractor.name, record.status, count(*)
FROM (SELECT max(id) AS id FROM record GROUP BY extractor_id, image_id) AS newest
JOIN record ON record.id = newest.id
JOIN extractor ON extractor.id = record.extractor_id
JOIN image ON image.id = record.image_id
JOIN generator ON generator.id = image.generator_id
JOIN prompt ON prompt.id = image.prompt_id
JOIN role ON role.id = prompt.role_id
WHERE record.status <> 'ok'
GROUP BY role.id, prompt.condition, generator.id, extractor.id, record.status
ORDER BY role.id, generator.id, extractor.id
"""


def annotator_progress(store: Part) -> list[AnnotatorProgress]:
    """Every annotator with what they have confirmed, in the order they joined."""
    return [
        AnnotatorProgress(Annotator(number, name, bool(simulated)), *rest)
        for number, name, simulated, *rest in store._readers.rows(_PROGRESS)
    ]


def failed_records(store: Part) -> list[FailedRecords]:
    """What extractors could not read: refused, cut off, invalid …, by cell."""
    return [
        FailedRecords(role, condition_of(condition), generator, extractor, Status(status), images)
        for role, condition, generator, extractor, status, images in store._readers.rows(_FAILED)
    ]


_NOT_OK = f"""
SELECT {IMAGE_COLUMNS} FROM {IMAGE_TABLES}
WHERE image.status <> 'ok' AND {{part}} IS ? ORDER BY image.id LIMIT ?
"""

_NOT_READ = f"""
SELECT DISTINCT {IMAGE_COLUMNS} FROM {IMAGE_TABLES}
JOIN record ON record.image_id = image.id AND record.status <> 'ok'
WHERE record.id = (SELECT max(id) FROM record AS given
        WHERE given.extractor_id = record.extractor_id AND given.image_id = image.id)
    AND {{part}} IS ? ORDER BY image.id LIMIT ?
"""

_LEFT_OUT = f"""
SELECT {IMAGE_COLUMNS} FROM {IMAGE_TABLES}
WHERE image.id IN (SELECT id FROM image WHERE status <> 'ok') ORDER BY image.id
"""

_WITH_RECORD = f"""
SELECT {IMAGE_COLUMNS} FROM {IMAGE_TABLES}
WHERE image.id IN (SELECT image_id FROM record) ORDER BY image.id
"""

_UNREAD = f"""
SELECT {IMAGE_COLUMNS} FROM {IMAGE_TABLES}
WHERE image.id IN (
    SELECT record.image_id FROM (SELECT max(id) AS id FROM record GROUP BY extractor_id, image_id) AS newest
    JOIN record ON record.id = newest.id WHERE record.status <> 'ok')
ORDER BY image.id
"""

_BY_SET = """
SELECT image_set_id, annotator.name, count(*) FROM current_answer
JOIN annotator ON annotator.id = annotator_id WHERE is_confirmed = 1
GROUP BY image_set_id, annotator_id ORDER BY image_set_id, annotator_id
"""

_PARTS = {"condition": "prompt.condition", "role": "role.name", "generator": "generator.name"}


def left_out_images(store: Part) -> list[StoredImage]:
    """Images that may not be sent on, in the order they arrived."""
    return [stored_image(row) for row in store._readers.rows(_LEFT_OUT)]


def images_with_record(store: Part) -> list[StoredImage]:
    """Images that any extractor has a record of, whatever became of it, in the order they arrived."""
    return [stored_image(row) for row in store._readers.rows(_WITH_RECORD)]


def unread_images(store: Part) -> list[StoredImage]:
    """Images whose newest record by any extractor has no labels, each once, in the order they arrived."""
    return [stored_image(row) for row in store._readers.rows(_UNREAD)]


def answers_by_set(store: Part) -> dict[int, dict[str, int]]:
    """Image set id -> annotator -> confirmed current answers, annotators in the order they joined."""
    found: dict[int, dict[str, int]] = {}
    for image_set, name, number in store._readers.rows(_BY_SET):
        found.setdefault(image_set, {})[name] = number
    return found


def failed_images(store: Part, what: str, part: str, key: str, number: int = 200) -> list[StoredImage]:
    """Some images of a condition, role or generator that may not be sent on, or could not be read.

    Parameters
    ----------
    what : {"images", "records"}
    part : {"condition", "role", "generator"}
    key : str
        Which of them; "" for images without a condition.
    number : int
        At most so many, the first ones first.
    """
    query = _NOT_OK if what == "images" else _NOT_READ
    rows = store._readers.rows(query.format(part=_PARTS[part]), [key or None, number])
    return [stored_image(row) for row in rows]
