"""What a screen lists while work goes on: images as they arrive, what was read off each, who answered how.

Every function reads with the store's own readers and may be called from any thread. The counts come from
indexes or one pass over a table, so that asking once a second is cheap; the lists have one row an image.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from core.generation.findings import Measured
from core.records import Status, StoredImage
from storage.part import IMAGE_COLUMNS, IMAGE_TABLES, Part, stored_image

THUMBNAIL_BYTES = 40_000
"""Of a thumbnail of 512 px, about."""


@dataclass(frozen=True, slots=True)
class GeneratorFacts:
    """What a study has of one generator.

    `image_bytes` is the mean size of its files without thumbnails and `seconds` the mean time an image
    took, each None where nothing was measured.
    """

    generator: str
    images: int
    left_out: int
    image_bytes: float | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Arrival:
    """How an image came: its run key, when (UTC), and the seconds it took, None where not measured."""

    run_key: str
    at: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class RecordFacts:
    """How many images have a newest record of this status by one extractor; `reason` is one of theirs."""

    extractor: str
    status: Status
    images: int
    reason: str


@dataclass(frozen=True, slots=True)
class SimulatedFacts:
    """What `Store.remove_simulated` would remove."""

    annotators: int = 0
    answers: int = 0
    extractors: int = 0
    records: int = 0


@dataclass(frozen=True, slots=True)
class AnnotatorFacts:
    """One annotator in one round.

    `image_sets` counts those with every question confirmed. `median_seconds` is over the active seconds
    from a question being shown to its first confirmation, None where none was measured.
    """

    annotator_id: int
    answers: int
    unknown: int
    flagged: int
    commented: int
    image_sets: int
    median_seconds: float | None
    last_at: str | None


@dataclass(frozen=True, slots=True)
class Remark:
    """An answer that its annotator flagged or commented."""

    annotator_id: int
    image_set: str
    question: str
    label: str
    is_flagged: bool
    comment: str


def images_after(store: Part, generator: str, image_id: int = 0) -> list[StoredImage]:
    """Images of a generator that arrived after the one with this id, oldest first."""
    rows = store._readers.rows(
        f"SELECT {IMAGE_COLUMNS} FROM {IMAGE_TABLES} WHERE generator.name = ? AND image.id > ?"
        " ORDER BY image.id",
        [generator, image_id],
    )
    return [stored_image(row) for row in rows]


def all_images_after(store: Part, image_id: int = 0) -> list[StoredImage]:
    """Images of all generators that arrived after the one with this id, oldest first."""
    rows = store._readers.rows(
        f"SELECT {IMAGE_COLUMNS} FROM {IMAGE_TABLES} WHERE image.id > ? ORDER BY image.id", [image_id]
    )
    return [stored_image(row) for row in rows]


def arrival_of(store: Part, image_id: int) -> Arrival:
    """How an image came; KeyError when there is no such image."""
    row = store._readers.row("SELECT run_key, arrived_at, seconds FROM image WHERE id = ?", [image_id])
    if row is None:
        raise KeyError(image_id)
    return Arrival(*row)


def newest_images(store: Part, generator: str, number: int) -> list[StoredImage]:
    """The images of a generator that arrived last, newest first."""
    rows = store._readers.rows(
        f"SELECT {IMAGE_COLUMNS} FROM {IMAGE_TABLES} WHERE image.id IN (SELECT image.id FROM image"
        " WHERE generator_id = (SELECT id FROM generator WHERE name = ?) ORDER BY id DESC LIMIT ?)"
        " ORDER BY image.id DESC",
        [generator, number],
    )
    return [stored_image(row) for row in rows]


def seeds_used(store: Part, generator: str) -> dict[str, dict[int, int]]:
    """Role -> seed -> images made with it, over the prompts that the study itself has worded."""
    rows = store._readers.rows(
        "SELECT role.name, image.seed, count(*) FROM image JOIN generator ON generator.id = generator_id"
        " JOIN prompt ON prompt.id = prompt_id JOIN role ON role.id = role_id"
        " WHERE generator.name = ? AND prompt.wording <> '' GROUP BY role.id, image.seed",
        [generator],
    )
    found: dict[str, dict[int, int]] = defaultdict(dict)
    for role, seed, images in rows:
        found[role][seed] = images
    return dict(found)


def generator_facts(store: Part) -> dict[str, GeneratorFacts]:
    """Each generator of the study with its images in numbers."""
    rows = store._readers.rows(
        "SELECT generator.name, count(image.id), ifnull(sum(image.status <> 'ok'), 0), avg(image.bytes),"
        " avg(image.seconds) FROM generator LEFT JOIN image ON image.generator_id = generator.id"
        " GROUP BY generator.id ORDER BY generator.id"
    )
    return {row[0]: GeneratorFacts(*row) for row in rows}


def measured_of(store: Part, generator: str) -> Measured:
    """What images of a generator took in the mean: seconds, and bytes with a thumbnail's share."""
    facts = generator_facts(store).get(generator)
    size = facts.image_bytes + THUMBNAIL_BYTES if facts and facts.image_bytes else None
    return Measured(facts.seconds if facts else None, size)


def record_facts(store: Part) -> list[RecordFacts]:
    """Images by extractor and status of their newest record, the largest number first."""
    rows = store._readers.rows(
        "SELECT extractor.name, record.status, count(*) AS images, max(record.reason)"
        " FROM (SELECT max(id) AS id FROM record GROUP BY extractor_id, image_id) AS newest"
        " JOIN record ON record.id = newest.id JOIN extractor ON extractor.id = record.extractor_id"
        " GROUP BY extractor.id, record.status ORDER BY extractor.id, images DESC"
    )
    return [RecordFacts(name, Status(status), images, reason) for name, status, images, reason in rows]


def images_read(
    store: Part, extractor: str, number: int | None = None
) -> list[tuple[StoredImage, Status | None]]:
    """All images, or the first `number`, each with the status of its newest record; None: not read."""
    rows = store._readers.rows(
        f"SELECT {IMAGE_COLUMNS}, record.status FROM {IMAGE_TABLES}"
        " LEFT JOIN record ON record.id = (SELECT max(id) FROM record AS own WHERE own.image_id = image.id"
        "  AND own.extractor_id = (SELECT id FROM extractor WHERE name = ?)) ORDER BY image.id LIMIT ?",
        [extractor, -1 if number is None else number],
    )
    statuses: dict[str | None, Status | None] = {None: None, **{one.value: one for one in Status}}
    return [(stored_image(row[:-1]), statuses[row[-1]]) for row in rows]


def simulated_facts(store: Part) -> SimulatedFacts:
    """How many simulated annotators, answers, extractors and records there are.

    An answer counts once however often it was changed; records that failed count as well.
    """
    (row,) = store._readers.rows(
        "SELECT (SELECT count(*) FROM annotator WHERE is_simulated = 1),"
        " (SELECT count(*) FROM current_answer JOIN annotator ON annotator.id = annotator_id"
        "  WHERE is_simulated = 1),"
        " (SELECT count(*) FROM extractor WHERE is_simulated = 1),"
        " (SELECT count(*) FROM record JOIN extractor ON extractor.id = extractor_id"
        "  WHERE is_simulated = 1)"
    )
    return SimulatedFacts(*row)


def annotator_facts(store: Part, round_id: int, questions: int) -> dict[int, AnnotatorFacts]:
    """Every annotator who has begun a round, by id; `questions` is how many the round asks."""
    rows = store._readers.rows(_IN_ROUND, [questions, round_id])
    seconds = _first_seconds(store, round_id)
    return {
        number: AnnotatorFacts(
            *(number, answers, unknown, flagged, commented, image_sets),
            *(median(seconds[number]) if seconds.get(number) else None, last_at),
        )
        for number, answers, unknown, flagged, commented, image_sets, last_at in rows
    }


def remarks(store: Part, round_id: int) -> list[Remark]:
    """Answers of a round that were flagged or commented, as they stand, in the order they were given."""
    rows = store._readers.rows(
        "SELECT annotator_id, image_set.key, question, ifnull(label, ''), is_flagged, comment"
        " FROM current_answer JOIN image_set ON image_set.id = image_set_id"
        " WHERE image_set.round_id = ? AND (is_flagged = 1 OR comment <> '') ORDER BY current_answer.id",
        [round_id],
    )
    return [
        Remark(number, key, question, label, bool(is_flagged), comment)
        for number, key, question, label, is_flagged, comment in rows
    ]


_IN_ROUND = """
SELECT annotator_id, sum(confirmed), sum(unknown), sum(flagged), sum(commented), sum(confirmed >= ?),
    max(last_at)
FROM (
    SELECT annotator_id, image_set_id, sum(is_confirmed) AS confirmed,
        sum(is_confirmed AND is_unknown) AS unknown, sum(is_flagged) AS flagged,
        sum(comment <> '') AS commented, max(at) AS last_at
    FROM current_answer JOIN image_set ON image_set.id = image_set_id
    WHERE round_id = ? GROUP BY annotator_id, image_set_id)
GROUP BY annotator_id
"""

# An answer that came in without a clock has 0 seconds: that is not a time.
_FIRST_SECONDS = """
SELECT annotator_id, active_seconds FROM answer_event
WHERE id IN (SELECT min(standing_event.id) FROM standing_event JOIN image_set ON image_set.id = image_set_id
    WHERE round_id = ? AND is_confirmed = 1 GROUP BY annotator_id, image_set_id, question)
    AND active_seconds > 0
"""


def _first_seconds(store: Part, round_id: int) -> dict[int, list[float]]:
    found: dict[int, list[float]] = defaultdict(list)
    for number, active in store._readers.rows(_FIRST_SECONDS, [round_id]):
        found[number].append(active)
    return found
